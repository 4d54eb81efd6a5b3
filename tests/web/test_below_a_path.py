"""An arena that lives below a path of its host: whatever it names, begins, sets or leads to stays below that path."""

import asyncio
import re
from importlib import resources
from pathlib import Path

import httpx
import msgspec
import pytest
from litestar.testing import TestClient
from test_server import BOB, Browser
from web_play import BASE, HTML, PERSON, Relay, wish
from websockets.sync.client import connect

import real_nginx
from hinterland.cli import run
from hinterland.errors import BadText
from hinterland.web.app import create_app
from hinterland.web.openness import Openness, read_openness
from hinterland.web.server import _below_path

WEB = Path(str(resources.files("hinterland.web")))
ADDRESS = re.compile(r'\b(?:href|src|action|formaction|srcset|poster)="(.{0,16})')
OF_THE_ARENA = ("{{ base }}/", "{{ base }}{{ ", "{{ static_url(")
GOES_OUT = re.compile(
    r"""(?<!#)\bfetch\(|new WebSocket\(|EventSource\(|location\.(?:assign|replace)\(|\.register\("""
    r"""|["'](?:href|src|action)["'],|\b(?:href|src|action): |\.(?:href|src|action) = |location\.origin"""
)
STAYS = ("urlOf(", "socketUrl(", "createObjectURL(", "location.pathname", "history.")
KEPT_AS_THEY_ARE = {
    "games-page.js": ("next.src = source", 'setAttribute(image, "src", source)'),  # from a card that the server wrote
    "player-list.js": ("{ href: url }",),  # made a line before
}
NGINX = """
    map $http_upgrade $connection_upgrade {{ default upgrade; '' close; }}
    access_log off;
    server {{
        listen 127.0.0.1:{port};
        proxy_http_version 1.1;
        proxy_set_header Host $http_host;
        proxy_set_header X-Forwarded-For $remote_addr;
        proxy_set_header Upgrade $http_upgrade;
        proxy_set_header Connection $connection_upgrade;
        location /uni/arena/watch/ {{ proxy_pass http://127.0.0.1:{relay}{rest_of_watch}; }}
        location /uni/arena/ {{ proxy_pass http://127.0.0.1:{arena}{rest}; }}
    }}
"""
TOKEN = "a-token-for-hosting"


def test_no_template_has_an_address_that_begins_at_the_root():
    found = [
        f"{path.name}: {start}"
        for path in (WEB / "templates").rglob("*.html")
        for start in ADDRESS.findall(path.read_text())
        if not (start.startswith(OF_THE_ARENA) or start[0] in '#"')
    ]
    assert found == []


def test_no_module_asks_for_or_leads_to_an_address_that_begins_at_the_root():
    found = [
        f"{path.name}: {line.strip()}"
        for path in (WEB / "static" / "js").rglob("*.js")
        for line in path.read_text().splitlines()
        if GOES_OUT.search(line)
        and not line.lstrip().startswith(("*", "/*", "//"))
        and not any(words in line for words in (*STAYS, *KEPT_AS_THEY_ARE.get(path.name, ())))
    ]
    assert found == []
    assert '"/' not in (WEB / "static" / "service-worker.js").read_text()


@pytest.mark.parametrize("line", ['link.href = "/games"', "await fetch(`/games/now`)", 'make("a", { href: url })'])
def test_the_check_of_modules_finds_what_it_looks_for(line):
    assert GOES_OUT.search(line)
    assert not any(words in line for words in STAYS)


def told(url):
    return read_openness(
        is_loopback=True, data=None, public_url=url, allow_hosts=(), trust_proxy=("127.0.0.1",), table_ports=None
    )


@pytest.mark.parametrize(
    ("url", "base"),
    [
        ("https://arena.example", ""),
        ("https://arena.example/", ""),
        ("https://uni.example/arena", "/arena"),
        ("https://uni.example/arena/", "/arena"),
        ("https://hub.example/user/jos%C3%A9/proxy/8000", "/user/jos%C3%A9/proxy/8000"),
        ("http://lab:8080/~ann/game.of_1", "/~ann/game.of_1"),
    ],
)
def test_the_path_is_that_of_the_public_url(url, base):
    assert told(url).base == base
    assert told(url).origin[1] in url


@pytest.mark.parametrize(
    "path", ["/a//b", "/a?b=1", "/a#b", "/../a", "/a/.", '/a"b', "/a b", "/<a>", "/münchen", "//evil.example"]
)
def test_a_path_that_no_page_could_name_is_refused(path):
    with pytest.raises(BadText, match=r"like https://arena.example.org or https://example.org/arena, not"):
        told(f"https://uni.example{path}")


@pytest.mark.parametrize("path", ["/games", "/static", "/api/x", "/watch"])
def test_a_path_of_the_arenas_own_is_refused(settings, path):
    openness = Openness(public_url=f"https://uni.example{path}")
    with pytest.raises(BadText, match="the arena has pages of its own there; choose another path"):
        create_app(msgspec.structs.replace(settings, openness=openness))


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("/uni/josé/games", "/games"),
        ("/games", "/games"),
        ("/uni/josé/", "/"),
        ("/uni/josé", "/"),
        ("/uni/joséphine", "/uni/joséphine"),
        ("/uni/josé/uni/josé/x", "/uni/josé/x"),
        ("/", "/"),
    ],
)
def test_the_path_is_taken_off_where_the_proxy_passes_it_on(asked, found):
    seen, sent = [], []

    async def app(scope, _, send):
        seen.append((scope["path"], scope["raw_path"]))
        for value in (b"/host", b"//evil.example/", b"https://other.example/"):
            await send({"type": "http.response.start", "status": 303, "headers": [(b"location", value)]})

    async def send(message):
        sent.append(message["headers"][0][1])

    scope = {"type": "http", "path": asked, "raw_path": b"?"}
    asyncio.run(_below_path("/uni/jos%C3%A9", app)(scope, None, send))
    assert [path for path, _ in seen] == [found]
    assert seen[0][1].isascii()
    assert sent == [b"/uni/jos%C3%A9/host", b"//evil.example/", b"https://other.example/"]


@pytest.mark.parametrize("path", ["/", "/play/gravity", "/host", "/games", "/ladder", "/puzzles", "/study", "/nothing"])
def test_pages_name_what_is_below_the_path(settings, path):
    """What the application itself writes; the server takes the path off before."""
    openness = Openness(public_url="https://uni.example/uni/arena")
    with TestClient(create_app(msgspec.structs.replace(settings, openness=openness)), base_url=BASE) as client:
        page = client.get(path, headers=HTML).text
        named = re.findall(r'(?:href|src|action)="([^"#]+)"', page)
        assert len(named) > 5
        assert [address for address in named if not address.startswith("/uni/arena/")] == []
        assert 'data-base="/uni/arena"' in page
        assert client.get("/manifest.webmanifest").json()["start_url"] == "/uni/arena/"


@pytest.fixture(params=["passes it on", "takes it off"])
def below(request, tmp_path, serving, redis_server):
    """Return the address of an arena with a relay below a path, behind an nginx that does either with the path."""
    port, url = real_nginx.free_port(), redis_server.url()
    public = f"http://127.0.0.1:{port}/uni/arena"
    openness = {"public_url": public, "trust_proxy": ["127.0.0.1"]}
    server = serving(redis=url, port=(arena := real_nginx.free_port()), openness={**openness, "admin_token": TOKEN})
    relay = Relay(url, openness=openness).ready()
    server.ready()
    rest, rest_of_watch = ("/", "/watch/") if request.param == "takes it off" else ("", "")
    servers = NGINX.format(port=port, arena=arena, relay=relay.port, rest=rest, rest_of_watch=rest_of_watch)
    with real_nginx.started(tmp_path, port, servers):
        yield public
    relay.close()


@pytest.mark.thorough
def test_all_is_reached_below_the_path_through_a_real_proxy(below):
    origin, sockets = below.partition("/uni")[0], below.replace("http", "ws")
    with httpx.Client(timeout=60) as client:
        made = client.post(f"{below}/api/games", json=wish((PERSON, BOB)), headers={"Origin": origin})
        assert made.status_code == 201, made.text
        assert "path=/uni/arena/" in made.headers["set-cookie"].lower()
        game, key = made.json()["id"], made.json()["key"]
        with (
            connect(f"{sockets}/games/{game}/live", proxy=None, origin=origin) as wire,
            connect(f"{sockets}/watch/games/{game}/live", proxy=None, origin=origin) as watching,
        ):
            ann, eve = Browser(wire, key), Browser(watching, None)
            ann.see()
            assert ann.move(5, 5, ply=0)["moves"][0]["move"] == [5, 5]
            eve.see(lambda seen: len(seen["moves"]) > 0)
        page = client.get(f"{below}{made.json()['url']}", headers=HTML)
        assert page.status_code == 200
        assert f'content="{below}/games/{game}"' in page.text, "what other sites show leads here"
        for path in (f"/games/{game}.png", f"/games/{game}/hint", f"/embed/{game}", "/service-worker.js", "/healthz"):
            assert client.get(f"{below}{path}").status_code == 200, path
        admin = client.get(f"{below}/admin", params={"token": TOKEN})
        assert (admin.status_code, admin.headers["location"]) == (303, "/uni/arena/host")
        assert "path=/uni/arena/" in admin.headers["set-cookie"].lower()
        back = {"Origin": origin, "Referer": f"{below}/games?player=Ann"}
        chosen = client.post(f"{below}/language/de", headers=back)
        assert (chosen.status_code, chosen.headers["location"]) == (303, "/uni/arena/games?player=Ann")
        assert client.get(f"{below}/puzzles/today").headers["location"].startswith("/uni/arena/puzzles/")
        assert client.get(f"{origin}/games").status_code == 404


def test_what_is_printed_knows_the_path(capsys):
    url = ("--public-url", "https://uni.example:8443/arena", "--trust-proxy", "127.0.0.1", "--redis", "redis://x")
    lines = {
        "nginx": ("location /arena/ {", "location = /arena/admin {", "location /arena/watch/ {", "listen 8443 ssl;"),
        "caddy": ("reverse_proxy /arena/watch/* 127.0.0.1:8001 {", "reverse_proxy /arena/* 127.0.0.1:8000 {"),
        "systemd": ("--public-url https://uni.example:8443/arena",),
    }
    for kind, expected in lines.items():
        assert run(["serve", "--print-unit", kind, *url]) == 0
        text = capsys.readouterr().out
        assert [line for line in expected if line not in text] == []
