"""The arena behind a real nginx: clients are told apart, WebSockets live, and pages lead where they should."""

import contextlib
import os
import re
import shutil
import socket
import subprocess
import time

import httpx
import pytest
from test_server import BOB, Browser
from web_play import PERSON, Relay, wish
from websockets.sync.client import connect

from hinterland.cli import run
from hinterland.cli.serving.deployment import NAME

NGINX = """
daemon off; master_process off; worker_processes 1; pid {folder}/nginx.pid; error_log stderr error;
events {{ worker_connections 256; }}
http {{
    access_log off;
    client_body_temp_path {folder}; proxy_temp_path {folder}; fastcgi_temp_path {folder};
    uwsgi_temp_path {folder}; scgi_temp_path {folder};
    {servers}
}}
"""
BEFORE_AN_ARENA = """
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
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if program is None:
        if os.environ.get("HINTERLAND_NO_SKIP"):
            pytest.fail("nginx is not installed")
        pytest.skip("nginx is not installed")
    started = []

    def call(written):
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        file = tmp_path / "nginx.conf"
        file.write_text(NGINX.format(folder=tmp_path, servers=written(port)))
        started.append(subprocess.Popen([program, "-c", str(file), "-p", str(tmp_path)], stderr=subprocess.PIPE))
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                time.sleep(0.05)
        return port

    yield call
    for process in started:
        process.terminate()
        process.communicate(timeout=20)


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
    url, reached = redis_server.url(), {"allow_hosts": [NAME], "trust_proxy": ["127.0.0.1"]}
    server = serving(redis=url, openness=reached).ready()
    with contextlib.closing(Relay(url, openness=reached).ready()) as relay:
        assert run(["serve", "--print-unit", "nginx", "--redis", url, "--port", str(server.port)]) == 0
        printed = capsys.readouterr().out.replace(":8001;", f":{relay.port};")
        elsewhere = r"server {\n    listen 80;.*?}\n|    ssl_certificate.*?\n|    listen \[::\].*?\n"
        printed = re.sub(elsewhere, "", printed, flags=re.DOTALL)
        proxy = nginx(lambda port: printed.replace("listen 443 ssl;", f"listen 127.0.0.1:{port};"))
        asked = {"json": wish((PERSON, BOB)), "headers": {"Host": NAME}}
        made = httpx.post(f"http://127.0.0.1:{proxy}/api/games", **asked).json()
        live = f"games/{made['id']}/live"
        with through(proxy, live, made["key"]) as ann, through(proxy, f"watch/{live}") as eve:
            ann.move(5, 5, ply=0)
            eve.see(lambda seen: len(seen["moves"]) == 1 and seen["viewers"] == 2)
            assert httpx.get(f"{relay.url}/healthz").json()["viewers"] == 1
            relay.stop()
            with through(proxy, f"watch/{live}") as eva:  # the arena stands in
                assert len(eva.see()["moves"]) == 1


@contextlib.contextmanager
def through(proxy, path, key=None):
    with (
        socket.create_connection(("127.0.0.1", proxy)) as raw,
        connect(f"ws://{NAME}/{path}", sock=raw, origin=f"http://{NAME}", proxy=None) as wire,
    ):
        yield Browser(wire, key)


@pytest.mark.thorough
def test_a_page_that_came_by_https_gets_a_cookie_for_https(behind):
    proxy, server = behind()
    admin = {"params": {"token": "a-token-for-hosting"}, "follow_redirects": False}
    told = httpx.get(f"http://{proxy}/admin", **admin)
    assert (told.status_code, told.headers["location"]) == (303, "/host")
    assert "secure" not in told.headers["set-cookie"].lower()
    forwarded = {"X-Forwarded-For": "10.0.0.1", "X-Forwarded-Proto": "https"}
    told = httpx.get(f"{server.url}/admin", headers=forwarded, **admin)
    assert "secure" in told.headers["set-cookie"].lower()
