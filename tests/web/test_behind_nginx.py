"""The arena behind real proxies: clients are told apart, WebSockets live, and pages lead where they should."""

import contextlib
import re
import socket
import subprocess

import httpx
import pytest
from test_server import BOB, Browser
from web_play import PERSON, Relay, wish
from websockets.sync.client import connect

import real_nginx
from hinterland.cli import run
from hinterland.cli.serving.deployment import EXAMPLE_HOST

BEFORE_AN_ARENA = """
    access_log off;
    map $http_upgrade $connection_upgrade {{ default upgrade; '' close; }}
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://127.0.0.1:{arena};
            proxy_http_version 1.1;
            proxy_set_header Host $http_host;
            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
            proxy_set_header X-Forwarded-Proto $scheme;
            proxy_set_header Upgrade $http_upgrade;
            proxy_set_header Connection $connection_upgrade;
        }}
    }}
"""


@pytest.fixture
def nginx(tmp_path):
    """Start nginx with the servers that a function writes for a port; return the port."""
    with contextlib.ExitStack() as stack:

        def call(written):
            port = real_nginx.free_port()
            stack.enter_context(real_nginx.started(tmp_path, port, written(port)))
            return port

        yield call


@pytest.fixture
def caddy(tmp_path):
    """Start Caddy with a configuration; return its standard error when it is over."""
    program, started = real_nginx.program_of("caddy"), []

    def call(text, port):
        file, home = tmp_path / "Caddyfile", {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
        file.write_text(text)
        command = [program, "run", "--config", str(file), "--adapter", "caddyfile"]
        with (tmp_path / "caddy.log").open("w") as log:
            started.append(subprocess.Popen(command, stderr=log, env=home))
        real_nginx.wait_for(port)

    yield call
    for process in started:
        process.terminate()
        process.wait(timeout=20)


@pytest.fixture
def behind(nginx, serving):
    """Return the address of a proxy before an arena with limits, and the arena."""

    def call(**limits):
        openness = {"trust_proxy": ["127.0.0.1"], "admin_token": "a-token-for-hosting"}
        server = serving(openness=openness, **limits).ready()
        port = nginx(lambda port: BEFORE_AN_ARENA.format(port=port, arena=server.port))
        return f"127.0.0.1:{port}", server

    return call


def client_at(address):
    return httpx.Client(transport=httpx.HTTPTransport(local_address=address))


@pytest.mark.thorough
def test_two_clients_are_limited_separately(behind):
    proxy, _ = behind(requests_at_once=3, requests_per_second=0.001)
    for address in ("127.0.0.2", "127.0.0.3"):
        with client_at(address) as client:
            told = [client.get(f"http://{proxy}/api/catalogue").status_code for _ in range(4)]
            assert told == [200, 200, 200, 429]
            forged = {"X-Forwarded-For": "10.9.8.7"}
            assert client.get(f"http://{proxy}/api/catalogue", headers=forged).status_code == 429


@pytest.mark.thorough
def test_people_play_through_it(behind):
    proxy, server = behind()
    origin = {"Origin": f"http://{proxy}"}
    made = httpx.post(f"http://{proxy}/api/games", json=wish((PERSON, BOB)), headers=origin)
    assert made.status_code == 201, made.text
    with connect(f"ws://{proxy}/games/{made.json()['id']}/live", proxy=None, origin=f"http://{proxy}") as wire:
        ann = Browser(wire, made.json()["key"])
        ann.see()
        assert ann.move(5, 5, ply=0)["moves"][0]["move"] == [5, 5]
    page = httpx.get(f"http://{proxy}{made.json()['url']}")
    assert page.status_code == 200
    assert str(server.port) not in page.text, "nothing leads around the proxy"


@pytest.mark.thorough
@pytest.mark.once
def test_who_only_watches_is_sent_to_a_relay_by_what_is_printed(nginx, serving, redis_server, capsys):
    """The configuration as it is printed, but for its port, its certificates and the port of the relay."""
    url, reached = redis_server.url(), {"allow_hosts": [EXAMPLE_HOST], "trust_proxy": ["127.0.0.1"]}
    server = serving(redis=url, openness=reached).ready()
    with contextlib.closing(Relay(url, openness=reached).ready()) as relay:
        text = printed(capsys, "nginx", "--redis", url, "--port", server.port).replace(":8001;", f":{relay.port};")
        elsewhere = r"server {\n    listen 80;.*?}\n|    ssl_certificate.*?\n|    listen \[::\].*?\n"
        text = re.sub(elsewhere, "", text, flags=re.DOTALL)
        proxy = nginx(lambda port: "access_log off;" + text.replace("listen 443 ssl;", f"listen 127.0.0.1:{port};"))
        asked = {"json": wish((PERSON, BOB)), "headers": {"Host": EXAMPLE_HOST}}
        made = httpx.post(f"http://127.0.0.1:{proxy}/api/games", **asked).json()
        live = f"games/{made['id']}/live"
        with through(proxy, live, made["key"]) as ann, through(proxy, f"watch/{live}") as eve:
            ann.move(5, 5, ply=0)
            eve.see(lambda seen: len(seen["moves"]) == 1 and seen["viewers"] == 2)
            assert httpx.get(f"{relay.url}/healthz").json()["viewers"] == 1
            relay.stop()
            with through(proxy, f"watch/{live}") as eva:  # the arena stands in
                assert len(eva.see()["moves"]) == 1


PATIENCE_S = 60
TOKEN = "a-token-for-hosting"


def printed(capsys, kind, *options):
    capsys.readouterr()
    assert run(["serve", "--print-unit", kind, "--trust-proxy", "127.0.0.1", *map(str, options)]) == 0
    return capsys.readouterr().out


def check_what_is_printed(url, server, logged):
    """Check an arena through a proxy: moves arrive, studies come in whole, and no log holds the admin token."""
    origin, client = {"Origin": url.partition("/arena")[0]}, httpx.Client(timeout=PATIENCE_S)
    made = client.post(f"{url}/api/games", json=wish((PERSON, BOB)), headers=origin)
    assert made.status_code == 201, made.text
    live = f"{url.replace('http', 'ws')}/games/{made.json()['id']}/live"
    with connect(live, proxy=None, origin=origin["Origin"]) as wire:
        ann = Browser(wire, made.json()["key"])
        ann.see()
        assert ann.move(5, 5, ply=0)["moves"][0]["move"] == [5, 5]
    foreign = client.post(f"{url}/api/games", json=wish((PERSON, BOB)), headers={"Origin": "http://evil.example"})
    assert foreign.status_code == 403
    text = {"Content-Type": "text/plain", **origin}
    told = client.post(f"{url}/api/studies", content=b"x" * 900_000, headers=text)
    assert told.status_code == 400, f"the arena has read it, not {told.status_code} of the proxy"
    with contextlib.suppress(httpx.RemoteProtocolError):  # Caddy may hang up in the middle
        assert client.post(f"{url}/api/studies", content=b"x" * 3_000_000, headers=text).status_code in (413, 502)
    admin = {"params": {"token": TOKEN}, "follow_redirects": False}
    assert client.get(f"{url}/admin", **admin).status_code == 303
    server.stop()
    assert client.get(f"{url}/admin", **admin).status_code in (502, 503)
    assert client.get(f"{url}/games").status_code in (502, 503)
    assert TOKEN not in logged()
    client.close()


@pytest.mark.thorough
@pytest.mark.parametrize("path", ["", "/arena"])
def test_what_is_printed_for_nginx_is_enough_on_any_port(nginx, serving, capsys, tmp_path, path):
    server, logs = begun(serving, path), tmp_path / "nginx.log"

    def configuration(port):
        text = printed(capsys, "nginx", "--port", server.port, "--public-url", f"http://127.0.0.1:{port}{path}")
        text = text.replace(f"listen {port};", f"listen 127.0.0.1:{port};").replace(f"listen [::]:{port};", "")
        return f"access_log {logs}; error_log {logs};" + text

    port = nginx(configuration)
    check_what_is_printed(f"http://127.0.0.1:{port}{path}", server, logs.read_text)
    assert f"GET {path}/games" in logs.read_text()


def begun(serving, path):
    """Begin an arena below a path of a public URL; its port is its own, behind the proxy."""
    port, public = real_nginx.free_port(), f"https://elsewhere.example{path}"
    server = serving(port=port, openness={"public_url": public, "trust_proxy": ["127.0.0.1"], "admin_token": TOKEN})
    server.ready()
    server.port = port
    return server


@pytest.mark.thorough
@pytest.mark.parametrize("path", ["", "/arena"])
def test_what_is_printed_for_caddy_is_enough_on_any_port(caddy, serving, capsys, tmp_path, path):
    server, port = begun(serving, path), real_nginx.free_port()
    text = printed(capsys, "caddy", "--port", server.port, "--public-url", f"http://127.0.0.1:{port}{path}")
    caddy(text.replace("{\n", "{\n    admin off\n", 1), port)
    check_what_is_printed(f"http://127.0.0.1:{port}{path}", server, (tmp_path / "caddy.log").read_text)
    assert f"{path}/admin?token=REDACTED" in (tmp_path / "caddy.log").read_text()


@contextlib.contextmanager
def through(proxy, path, key=None):
    with (
        socket.create_connection(("127.0.0.1", proxy)) as raw,
        connect(f"ws://{EXAMPLE_HOST}/{path}", sock=raw, origin=f"http://{EXAMPLE_HOST}", proxy=None) as wire,
    ):
        yield Browser(wire, key)


@pytest.mark.thorough
def test_a_page_that_came_by_https_gets_a_cookie_for_https(behind):
    proxy, server = behind()
    admin = {"params": {"token": TOKEN}, "follow_redirects": False}
    told = httpx.get(f"http://{proxy}/admin", **admin)
    assert (told.status_code, told.headers["location"]) == (303, "/host")
    assert "secure" not in told.headers["set-cookie"].lower()
    forwarded = {"X-Forwarded-For": "10.0.0.1", "X-Forwarded-Proto": "https"}
    told = httpx.get(f"{server.url}/admin", headers=forwarded, **admin)
    assert "secure" in told.headers["set-cookie"].lower()
