"""Pages of other sites, and other names for this machine, are kept out."""

import msgspec
import pytest
from litestar.exceptions import WebSocketDisconnect
from litestar.testing import TestClient
from web_play import BASE, PERSON, start, watching, wish

from hinterland.web.app import create_app

FOREIGN = [
    "http://evil.example",
    "http://127.0.0.1:8001",
    "http://127.0.0.1.evil.example:8000",
    "null",
    "",
    "file://",
    "http://[",
]
OWN = ["http://127.0.0.1:8000", "HTTP://127.0.0.1:8000", "https://127.0.0.1:8000"]


@pytest.mark.parametrize("origin", FOREIGN)
def test_foreign_origin(client, origin):
    answer = client.post("/api/games", json=wish(), headers={"Origin": origin})
    assert answer.status_code == 403
    assert "may not use this arena" in answer.json()["error"]
    game, key = start(client, PERSON, PERSON)
    for path in (f"/games/{game}/live", "/showcase/live"):
        with pytest.raises(WebSocketDisconnect), watching(client, None, key, path, {"Origin": origin}) as eve:
            eve.hear()
    assert client.get("/", headers={"Origin": origin}).status_code == 200


@pytest.mark.parametrize("origin", OWN)
def test_own_origin(client, origin):
    assert client.post("/api/games", json=wish(), headers={"Origin": origin}).status_code == 201
    game, key = start(client)
    with watching(client, game, key, headers={"Origin": origin}) as ann:
        ann.see()


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "127.0.0.1.evil.example", "", "localhost.evil.example", "[::2]:8000"]
)
def test_foreign_host(client, host):
    answer = client.get("/api/catalogue", headers={"Host": host})
    assert answer.status_code == 421
    assert "reached as localhost only" in answer.json()["error"]
    with pytest.raises(WebSocketDisconnect), watching(client, None, None, "/showcase/live", {"Host": host}) as eve:
        eve.hear()


@pytest.mark.parametrize("host", ["localhost", "localhost:8000", "LocalHost:9", "127.0.0.1", "[::1]:8000", "[::1]"])
def test_own_host(client, host):
    assert client.get("/api/catalogue", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    ("bound", "status"), [("0.0.0.0", 421), ("::", 421), ("127.0.0.2", 421), ("::1", 421), ("localhost", 421)]
)
def test_every_arena_minds_its_name(settings, bound, status):
    app = create_app(msgspec.structs.replace(settings, host=bound))
    with TestClient(app, base_url=BASE) as client:
        assert client.get("/", headers={"Host": "arena.example"}).status_code == status
