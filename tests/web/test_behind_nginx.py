"""The arena behind a real nginx: clients are told apart, WebSockets live, and pages lead where they should."""

import os
import shutil
import socket
import subprocess
import time

import httpx
import pytest
from test_server import BOB, Browser
from web_play import PERSON, wish
from websockets.sync.client import connect

NGINX = """
daemon off; master_process off; worker_processes 1; pid {folder}/nginx.pid; error_log stderr error;
events {{ worker_connections 256; }}
http {{
    access_log off;
    client_body_temp_path {folder}; proxy_temp_path {folder}; fastcgi_temp_path {folder};
    uwsgi_temp_path {folder}; scgi_temp_path {folder};
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
}}
"""


@pytest.fixture
def behind(tmp_path, serving):
    """Return the address of a proxy before an arena with limits, and the arena."""
    nginx = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if nginx is None:
        if os.environ.get("HINTERLAND_NO_SKIP"):
            pytest.fail("nginx is not installed")
        pytest.skip("nginx is not installed")
    started = []

    def call(**limits):
        openness = {"trust_proxy": ["127.0.0.1"], "admin_token": "a-token-for-hosting"}
        server = serving(openness=openness, **limits).ready()
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        file = tmp_path / "nginx.conf"
        file.write_text(NGINX.format(folder=tmp_path, port=port, arena=server.port))
        started.append(subprocess.Popen([nginx, "-c", str(file), "-p", str(tmp_path)], stderr=subprocess.PIPE))
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                time.sleep(0.05)
        return f"127.0.0.1:{port}", server

    yield call
    for process in started:
        process.terminate()
        process.communicate(timeout=20)


def client_at(address):
    return httpx.Client(transport=httpx.HTTPTransport(local_address=address))


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


def test_a_page_that_came_by_https_gets_a_cookie_for_https(behind):
    proxy, server = behind()
    admin = {"params": {"token": "a-token-for-hosting"}, "follow_redirects": False}
    told = httpx.get(f"http://{proxy}/admin", **admin)
    assert (told.status_code, told.headers["location"]) == (303, "/host")
    assert "secure" not in told.headers["set-cookie"].lower()
    forwarded = {"X-Forwarded-For": "10.0.0.1", "X-Forwarded-Proto": "https"}
    told = httpx.get(f"{server.url}/admin", headers=forwarded, **admin)
    assert "secure" in told.headers["set-cookie"].lower()
