"""An arena that others can reach: its names, its admin token, ports, and clients behind a proxy."""

import asyncio
import contextlib
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import msgspec
import pytest
from litestar.exceptions import WebSocketDisconnect
from litestar.testing import TestClient
from web_play import BASE, HTML, start, watching, wish

from hinterland.cli import run
from hinterland.errors import ArenaError, BadText
from hinterland.web import openness
from hinterland.web.app import application, create_app, favicon, plain_application
from hinterland.web.app_context import AppContext
from hinterland.web.connections import share_of, with_mapped_networks
from hinterland.web.openness import DEFAULT_MATCH_PORTS, Openness, own_names, read_openness
from hinterland.web.server import Server, listen
from hinterland.web.settings import Limits, Place, RelaySettings
from programs import need_sandbox

TOKEN = "a-token-of-the-operator"
TABLE = {"game": "gravity", "rules": {"size": 24, "stones": 2, "spacing": 3}, "players": 2}


@pytest.fixture
def reach(settings):
    """Return a client of an arena that is open to others in a way."""
    with contextlib.ExitStack() as stack:

        def call(host="0.0.0.0", limits=None, **openness):
            told = {"host": host, "openness": Openness(**openness), "limits": limits or settings.limits}
            return stack.enter_context(TestClient(create_app(msgspec.structs.replace(settings, **told)), base_url=BASE))

        yield call


@pytest.mark.parametrize("host", ["arena.example", "evil.example:8000", "127.0.0.1.evil.example", "", "10.0.0.evil"])
def test_names_that_were_not_given_are_refused(reach, host):
    answer = reach(allow_hosts=("other.example",)).get("/api/catalogue", headers={"Host": host})
    assert answer.status_code == 421
    assert "allows a name with --allow-host" in answer.json()["error"]


KNOWN = ["Arena.Example:8000", "arena.example", "public.example", "192.168.1.5:8000", "[fe80::1]:80", own_names()[0]]


@pytest.mark.parametrize("host", KNOWN)
def test_names_that_were_given_and_plain_addresses_are_let_in(reach, host):
    client = reach(allow_hosts=("arena.example",), public_url="https://public.example/")
    assert client.get("/api/catalogue", headers={"Host": host}).status_code == 200


@pytest.fixture
def slow_name_server(monkeypatch):
    """Let whoever asks for the full name of this machine wait until it is given."""
    given, asked = threading.Event(), []

    def wait():
        asked.append(threading.current_thread())
        given.wait(30)
        return "LabPC.campus.example"

    monkeypatch.setattr(socket, "getfqdn", wait)
    openness._own_names.cache_clear()
    yield given, asked
    given.set()
    openness._own_names.cache_clear()


@pytest.mark.parametrize("server", ["arena", "referee's page", "relay"])
def test_nobody_waits_for_a_name_server(settings, slow_name_server, server):
    given, asked = slow_name_server
    everywhere = msgspec.structs.replace(settings, host="0.0.0.0")
    app = {
        "arena": lambda: create_app(everywhere),
        "referee's page": lambda: application(AppContext(Place(host="0.0.0.0")), []),
        "relay": lambda: plain_application(AppContext(RelaySettings(host="::", redis="redis://x")), [favicon]),
    }[server]()
    with TestClient(app, base_url=BASE) as client:
        began = time.monotonic()
        for name in ("labpc.campus.example", "evil.example", "labpc.campus.example"):
            assert client.get("/favicon.ico", headers={"Host": name}).status_code == 421
        assert client.get("/favicon.ico", headers={"Host": socket.gethostname()}).status_code == 200
        assert time.monotonic() - began < 5
        given.set()
        [thread] = asked
        thread.join()
        assert client.get("/favicon.ico", headers={"Host": "labpc.campus.example:8000"}).status_code == 200
        assert client.get("/favicon.ico", headers={"Host": "evil.example"}).status_code == 421
    assert asked == [thread], "asked once"


def test_a_server_that_others_reach_asks_for_its_names_before_the_first_visit(settings, slow_name_server):
    given, asked = slow_name_server
    given.set()
    for host, count in (("127.0.0.1", 0), ("0.0.0.0", 1)):
        place = Place(host=host)
        with contextlib.closing(listen(host, 0)) as listener:
            server = Server(application(AppContext(place), []), place, lambda: asyncio.sleep(0), hears_signals=False)
            server.should_exit = True
            server.run(sockets=listener.sockets)
        assert len(asked) == count


PUBLIC, ALLOWED = "https://arena.example", "other.example"
HOSTS = {
    "arena.example": ("arena.example", ""),
    "Arena.Example.": ("arena.example", ""),
    "arena.example:443": ("arena.example", ""),
    "arena.example:80": ("arena.example", ""),
    "arena.example:8443": ("arena.example", "8443"),
    "other.example.:443": ("other.example", ""),
    "127.0.0.1:21110": ("127.0.0.1", "21110"),
    "localhost": ("localhost", ""),
    "[::1]:443": ("[::1]", ""),
}
"""What is sent as Host, and the name and port that are meant."""
ORIGINS = {
    "https://arena.example": ("https", "arena.example", ""),
    "HTTPS://Arena.Example": ("https", "arena.example", ""),
    "https://arena.example:443": ("https", "arena.example", ""),
    "https://arena.example.": ("https", "arena.example", ""),
    "http://arena.example": ("http", "arena.example", ""),
    "http://arena.example:443": ("http", "arena.example", "443"),
    "https://arena.example:8443": ("https", "arena.example", "8443"),
    "https://other.example": ("https", "other.example", ""),
    "http://other.example": ("http", "other.example", ""),
    "https://other.example:8443": ("https", "other.example", "8443"),
    "http://127.0.0.1:21110": ("http", "127.0.0.1", "21110"),
    "http://localhost:80": ("http", "localhost", ""),
    "https://[::1]": ("https", "[::1]", ""),
    "https://evil.example": ("https", "evil.example", ""),
    "https://arena.example.evil.example": ("https", "arena.example.evil.example", ""),
    "https://evil.example:443@arena.example": None,
    "https://arena.example@evil.example": None,
    "https://arena.example/": None,
    "https://arena.example..": None,
    "https://arena.example:https": None,
    "ftp://arena.example": None,
    "https://": None,
    "https://:443": None,
    "null": None,
    "": None,
}
"""What is sent as Origin, and the scheme, name and port that are meant, if any."""


@pytest.mark.parametrize("trust_proxy", [(), ("127.0.0.1",)])
@pytest.mark.parametrize("public_url", [None, PUBLIC, f"{PUBLIC}:443", "http://Arena.Example."])
def test_own_pages_are_let_in_whatever_a_proxy_made_of_host_and_foreign_ones_never(reach, public_url, trust_proxy):
    openness = {"allow_hosts": (ALLOWED, "arena.example"), "public_url": public_url, "trust_proxy": trust_proxy}
    client = reach(host="127.0.0.1", **openness)
    for host, reached in HOSTS.items():
        for origin, page in ORIGINS.items():
            is_own = page is not None and (
                page[1:] == reached
                or page in [("https", ALLOWED, ""), ("https", "arena.example", "")]
                or (page == ("http", "arena.example", "") and public_url == "http://Arena.Example.")
            )
            answer = client.post("/api/games", content=b"{}", headers={"Host": host, "Origin": origin})
            assert answer.status_code == (400 if is_own else 403), (host, origin, answer.text)


REWRITTEN = {"X-Forwarded-For": "10.0.0.1", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "arena.example"}


@pytest.mark.parametrize("host", ["127.0.0.1:21110", "localhost:21110", "arena.example:443", "arena.example."])
def test_moves_arrive_by_a_proxy_that_rewrites_host(reach, host):
    client = reach(host="127.0.0.1", public_url=PUBLIC, trust_proxy=("127.0.0.1",))
    sent = {**REWRITTEN, "Host": host, "Origin": PUBLIC}
    assert client.post("/api/games", json=wish(), headers=sent).status_code == 201
    game, key = start(client)
    with watching(client, game, key, headers=sent) as ann:
        ann.see()
    foreign = {**sent, "Origin": "https://evil.example"}
    assert client.post("/api/games", json=wish(), headers=foreign).status_code == 403
    with pytest.raises(WebSocketDisconnect), watching(client, game, key, headers=foreign) as eve:
        eve.hear()


def test_a_refused_page_is_told_what_a_proxy_should_pass_on(reach):
    client = reach(host="127.0.0.1", trust_proxy=("127.0.0.1",))
    sent = {**REWRITTEN, "Host": "127.0.0.1:21110", "Origin": PUBLIC}
    error = client.post("/api/games", json=wish(), headers=sent).json()["error"]
    assert error == (
        "pages from 'https://arena.example' may not use this arena, which was asked as '127.0.0.1:21110' (Host);"
        " a proxy passes Host on as the browser sent it, or the arena is started with --public-url"
    )
    german = client.post("/api/games", json=wish(), headers={**sent, "Accept-Language": "de"}).json()["error"]
    assert german.startswith("Seiten von 'https://arena.example' dürfen diese Arena nicht benutzen")
    assert "--public-url" in german


def test_a_name_that_was_given_reaches_a_loopback_arena_too(reach):
    client = reach(host="127.0.0.1", public_url="https://arena.example")
    assert client.get("/", headers={"Host": "arena.example"}).status_code == 200
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 421


def test_hosting_needs_the_token(reach):
    client = reach(admin_token=TOKEN)
    for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": TOKEN}, {"Cookie": "hinterland-admin=x"}):
        answer = client.post("/api/tables", json=TABLE, headers=headers)
        assert answer.status_code == 403
        assert "needs the admin token" in answer.json()["error"]
        assert TOKEN not in answer.text
    assert client.post("/api/games", json=wish()).status_code == 201, "who plays needs none"
    made = client.post("/api/tables", json=TABLE, headers={"Authorization": f"Bearer {TOKEN}"})
    assert made.status_code == 201, made.text


def test_an_address_opens_hosting_in_a_browser(reach):
    client = reach(admin_token=TOKEN)
    assert "needs the admin token" in client.get("/host", headers=HTML).text
    assert client.get("/admin", params={"token": "wrong"}).status_code == 403
    assert client.get("/admin").status_code == 403
    answer = client.get("/admin", params={"token": TOKEN}, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/host")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie, "it comes along from a link in a mail"
    assert "needs the admin token" not in client.get("/host", headers=HTML).text
    assert client.post("/api/tables", json=TABLE).status_code == 201


def test_who_sits_at_the_machine_needs_none(client):
    assert client.post("/api/tables", json=TABLE).status_code == 201
    assert "needs the admin token" not in client.get("/host", headers=HTML).text


def test_tables_take_ports_from_a_range(reach):
    client = reach(table_ports=(41_070, 41_071))
    ports = [client.post("/api/tables", json=TABLE).json()["address"].rsplit(":", 1)[1] for _ in range(2)]
    assert sorted(ports) == ["41070", "41071"]
    assert "no port from 41070 to 41071 is free" in client.post("/api/tables", json=TABLE).json()["error"]
    answer = client.post("/api/tables", json={**TABLE, "port": 5000})
    assert answer.status_code == 503
    assert "matches here use ports 41070 to 41071, not 5000" in answer.json()["error"]


def test_the_seats_that_an_address_takes_are_few(reach):
    client = reach(admin_token=TOKEN, limits=Limits(seats_per_address=4))
    client.headers["Authorization"] = f"Bearer {TOKEN}"
    made = client.post("/api/tables", json={**TABLE, "players": 8})
    seat = f"/api/tables/{made.json()['id']}/seat"
    seats = [client.post(seat, json={"name": f"p{number}"}) for number in range(5)]
    assert [answer.status_code for answer in seats] == [201] * 4 + [503]
    assert "4 people from your address are in this match" in seats[-1].json()["error"]


def test_tables_that_are_opened_at_once_are_no_more_than_may_be(reach):
    client = reach(limits=Limits(hosted_matches=2))
    with ThreadPoolExecutor(6) as threads:
        told = list(threads.map(lambda _: client.post("/api/tables", json=TABLE).status_code, range(6)))
    assert sorted(told) == [201, 201, 503, 503, 503, 503]


def test_a_proxy_of_which_the_arena_knows_nothing_is_told_so(client):
    answer = client.get("/api/catalogue", headers={"X-Forwarded-For": "10.0.0.1"})
    assert answer.status_code == 403
    assert "see --trust-proxy" in answer.json()["error"]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"public_url": "arena.example"}, "--public-url is an address like https://"),
        ({"public_url": "https://"}, "--public-url is an address like https://"),
        ({"public_url": "http://[foo"}, "--public-url is an address like https://"),
        ({"public_url": "https://x.example/a b"}, "--public-url is an address like https://"),
        ({"public_url": "https://ann:word@x.example"}, "--public-url is an address like https://"),
        ({"trust_proxy": ("nginx",)}, "--trust-proxy is an address or a network"),
        ({"table_ports": "80-90"}, "--table-ports is a range of ports from 1024 to 65535"),
        ({"table_ports": "5000-4000"}, "--table-ports is a range of ports"),
        ({"table_ports": "4000"}, "--table-ports is a range of ports"),
    ],
)
def test_what_an_operator_says_wrongly_is_one_line(tmp_path, given, words):
    told = {"public_url": None, "allow_hosts": (), "trust_proxy": (), "table_ports": None, **given}
    with pytest.raises(BadText, match=words):
        read_openness(is_loopback=True, data=tmp_path, **told)


def test_the_token_is_made_once_and_nobody_else_can_read_it(tmp_path, monkeypatch):
    told = {"public_url": None, "allow_hosts": (), "trust_proxy": (), "table_ports": None}
    assert read_openness(is_loopback=True, data=tmp_path, **told) == Openness()
    first = read_openness(is_loopback=False, data=tmp_path, **told)
    assert len(first.admin_token) >= 32
    assert first.table_ports == DEFAULT_MATCH_PORTS
    assert read_openness(is_loopback=False, data=tmp_path, **told) == first
    for more in (
        {"trust_proxy": ("10.0.0.0/8",)},
        {"allow_hosts": ("a.example",)},
        {"public_url": "https://a.example"},
    ):
        assert read_openness(is_loopback=True, data=tmp_path, **{**told, **more}).admin_token is not None
    assert (tmp_path / "admin-token").stat().st_mode & 0o077 == 0
    monkeypatch.setenv("HINTERLAND_ADMIN_TOKEN", TOKEN)
    assert read_openness(is_loopback=False, data=tmp_path, **told).admin_token == TOKEN
    monkeypatch.setenv("HINTERLAND_ADMIN_TOKEN", "short")
    with pytest.raises(BadText, match="at least 16 characters"):
        read_openness(is_loopback=False, data=tmp_path, **told)
    monkeypatch.delenv("HINTERLAND_ADMIN_TOKEN")
    (tmp_path / "admin-token").write_text("")
    with pytest.raises(ArenaError, match="holds no admin token; delete it"):
        read_openness(is_loopback=False, data=tmp_path, **told)


def test_wrong_options_of_the_command(capsys, tmp_path):
    assert run(["serve", "--data", str(tmp_path), "--trust-proxy", "x"]) == 2
    assert "--trust-proxy is an address or a network" in capsys.readouterr().err


@pytest.mark.parametrize(
    "public",
    [
        ("--host", "0.0.0.0"),
        ("--public-url", "https://a.example"),
        ("--trust-proxy", "10.0.0.1"),
        ("--allow-host", "a.example"),
    ],
)
def test_where_others_come_in_programs_want_a_sandbox_or_trust(capsys, tmp_path, public):
    words = ["serve", "--data", str(tmp_path), "--print-unit", "systemd", "--program", "alpha=cmd:cat"]
    assert run([*words, *public]) == 2
    said = capsys.readouterr().err
    assert "start them with --sandbox, or say --trust-programs" in said
    assert said.count("\n") == 1
    assert run(words) == 0, "the control: only this machine comes in"
    assert "--sandbox" not in capsys.readouterr().out
    for told in ("--sandbox", "--trust-programs"):
        if told == "--sandbox":
            need_sandbox()
        assert run([*words, *public, told]) == 0
        assert f" {told}\n" in capsys.readouterr().out, "the unit has it too"


def test_a_link_out_of_a_program_is_found_before_the_arena_starts(capsys, tmp_path):
    need_sandbox()
    (tmp_path / "mine").mkdir()
    (tmp_path / "private").mkdir()
    (tmp_path / "mine" / "classes").symlink_to("../private")
    program = f"alpha=cmd:cat {tmp_path}/mine/classes"
    assert run(["serve", "--data", str(tmp_path), "--sandbox", "--program", program]) == 2
    assert "mine/classes' leads out of its folder" in capsys.readouterr().err


@pytest.mark.thorough
def test_the_command_says_where_hosting_is_opened(tmp_path, monkeypatch):
    token = "abcd+efgh/ijklmnop=="
    monkeypatch.setenv("HINTERLAND_ADMIN_TOKEN", token)
    words = ["serve", "--host", "0.0.0.0", "--port", "0", "--data", str(tmp_path), "--public-url", "https://a.example/"]
    with subprocess.Popen([sys.executable, "-m", "hinterland", *words], stdout=subprocess.PIPE, text=True) as server:
        told = [line for line in server.stdout if "compiling" not in line and server.terminate() is None]
    assert told[0] == "Hinterland is ready at https://a.example\n"
    assert "https://a.example/admin?token=abcd%2Befgh%2Fijklmnop%3D%3D" in "".join(told)


@pytest.mark.thorough
def test_clients_behind_a_proxy_have_limits_of_their_own(serving):
    """What the proxy says counts, and what anybody else says does not."""

    def asks(server, client, source):
        headers = {"X-Forwarded-For": client}
        with httpx.Client(transport=httpx.HTTPTransport(local_address=source)) as proxy:
            return [proxy.get(f"{server.url}/api/catalogue", headers=headers).status_code for _ in range(4)]

    server = serving(requests_at_once=3, requests_per_second=0.001, openness={"trust_proxy": ["127.0.0.2/32"]}).ready()
    assert asks(server, "10.0.0.1", "127.0.0.2") == [200, 200, 200, 429]
    assert asks(server, "10.0.0.2", "127.0.0.2") == [200, 200, 200, 429]
    assert asks(server, "10.0.0.3", "127.0.0.3") == [200, 200, 200, 429]
    assert asks(server, "10.0.0.4", "127.0.0.3") == [429, 429, 429, 429]


@pytest.mark.parametrize(
    ("address", "share"),
    [
        ("10.1.2.3", "10.1.2.3"),
        ("::ffff:10.1.2.3", "10.1.2.3"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
        ("testclient", "testclient"),
    ],
)
def test_whose_share_an_address_is_of(address, share):
    assert share_of(address) == share


def test_a_proxy_is_known_however_its_address_is_written():
    assert with_mapped_networks(["10.0.0.0/8", "fd00::/8"]) == ["10.0.0.0/8", "fd00::/8", "::ffff:10.0.0.0/104"]
