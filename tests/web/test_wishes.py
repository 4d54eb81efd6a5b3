"""What is asked for is read strictly, and every fault is one clear line."""

import json
from types import SimpleNamespace

import pytest
from web_play import PERSON, REPLY, RULES, start, wish

from hinterland.web import rates

BAD = [
    ({"game": "chess", "seats": []}, "unknown game 'chess'; known: gravity"),
    ({"seats": []}, "missing required field `game`"),
    ({**wish(), "extra": 1}, "unknown field `extra`"),
    ([1, 2], "Expected `object`"),
    (wish(rules={**RULES, "bogus": 1}), "unknown rule of gravity 'bogus'; known: players, size"),
    (wish(rules={**RULES, "stones": 0}), "stones must be a whole number from 1 to"),
    (wish(rules={**RULES, "stones": -3}), "stones must be a whole number from 1 to"),
    (wish(rules={**RULES, "size": 10**30}), "in the browser size can be at most 2000, not 1000000"),
    (wish(rules={**RULES, "size": 24.5}), "size must be a whole number from 2 to"),
    (wish(rules={**RULES, "size": "24"}), "size must be a whole number from 2 to"),
    (wish(rules={**RULES, "weight": 0}), "weight must be a whole number from 1 to"),
    (wish(rules={**RULES, "law": "magic"}), "unknown law 'magic'; known: gravity, nearest"),
    (wish(rules={"size": 24, "stones": 2, "spacing": 66}), "leaves no room"),
    (wish(rules={**RULES, "size": 2001}), "in the browser size can be at most 2000, not 2001"),
    (wish(rules={**RULES, "stones": 201}), "in the browser stones can be at most 200, not 201"),
    (wish(rules={**RULES, "players": 3}), "the rules say 3 players, but 2 seats are taken"),
    (wish(seats=[PERSON]), "players must be a whole number from 2 to 12"),
    (wish(seats=[PERSON] * 13), "players must be a whole number from 2 to 12"),
    (wish(seats=[PERSON, {"kind": "program", "player": "deep"}]), "unknown player of gravity 'deep'; known: random"),
    (wish(seats=[PERSON, {"kind": "program", "player": "x" * 5000}]), "unknown player of gravity"),
    (wish(seats=[PERSON, {"kind": "program", "player": "reply:x=1"}]), "unknown option of player reply 'x'"),
    (wish(seats=[PERSON, {"kind": "program", "player": "search:guide=/etc/passwd"}]), "has the option guide, a file"),
    (wish(seats=[PERSON, {"kind": "program", "player": "search:playouts=1,guide="}]), "has the option guide, a file"),
    (wish(seats=[PERSON, {"kind": "program"}]), "seat 2: a program is seated with"),
    (wish(seats=[{"kind": "person"}, REPLY]), "seat 1: a person is seated with"),
    (wish(seats=[{"kind": "robot"}, REPLY]), "Invalid enum value 'robot'"),
    (wish(clock={"budget": 0}), "clock: from 0.001"),
    (wish(clock={"budget": -5}), "clock: from 0.001"),
    (wish(clock={"budget": 1e300}), "clock: from 0.001"),
    (wish(clock={"budget": 60, "increment": -1}), "increment: 0, or from 0.001"),
    (wish(clock={"budget": "x"}), "Expected `float | null`"),
    (wish(seed=-1), "seed must be a whole number from 0 to"),
    (wish(seed=2**60), "seed must be a whole number from 0 to"),
]


@pytest.mark.parametrize(("body", "words"), BAD, ids=[words for _, words in BAD])
def test_bad_wish(client, body, words):
    answer = client.post("/api/games", json=body)
    assert answer.status_code == 400
    error = answer.json()["error"]
    assert words in error
    assert "\n" not in error
    assert len(error) < 400


@pytest.mark.parametrize(
    "body", [b"", b"{", b"\xff\xfe", b"[" * 60_000, b'{"game": NaN}'], ids=["empty", "cut", "bytes", "deep", "nan"]
)
def test_no_json(client, body):
    answer = client.post("/api/games", content=body)
    assert answer.status_code == 400
    assert "a request for a game has the form" in answer.json()["error"]


@pytest.mark.parametrize(
    "name", ["", "   ", "x" * 41, "a\nb", "a\x00b", "\x1b[31mred", "abc\u202edef", "a\u2066b", "a\ud800"]
)
def test_bad_name(client, name):
    body = json.dumps(wish(seats=[{"kind": "person", "name": name}, REPLY]))
    answer = client.post("/api/games", content=body.encode("utf-8", "surrogatepass"))
    assert answer.status_code == 400
    assert answer.json()["error"].isprintable()


@pytest.mark.parametrize(
    "name", ["A", "x" * 40, "Zoë", "Дмитрий", "山田太郎", "<b>&amp;", "../../etc/passwd", "O'Neill 🎲"]
)
def test_good_name(client, name):
    game, _ = start(client, {"kind": "person", "name": f" {name} "}, REPLY)
    assert client.get(f"/api/games/{game}").json()["seats"][0]["name"] == name


def test_defaults(client):
    answer = client.post("/api/games", json={"game": "gravity", "seats": [PERSON, PERSON, REPLY]})
    snapshot = client.get(f"/api/games/{answer.json()['id']}").json()
    assert snapshot["rules"]["players"] == 3
    assert snapshot["rules"]["size"] == 1000
    assert snapshot["clock"] is None
    assert snapshot["left_ms"] is None


def test_body_too_large(client, settings):
    limit = settings.limits.body_bytes
    for extra, status in ((0, 201), (1, 413)):
        body = json.dumps(wish()).encode()
        answer = client.post("/api/games", content=body + b" " * (limit + extra - len(body)))
        assert answer.status_code == status
    assert "64 KiB" in answer.json()["error"]


def test_too_many_games(opened, limited):
    client = opened(limited(games_per_minute=2))
    start(client)
    assert client.post("/api/games", json={"game": "chess"}).status_code == 400  # a fault is not a game
    start(client)
    answer = client.post("/api/games", json=wish())
    assert answer.status_code == 429
    assert 1 <= int(answer.headers["retry-after"]) <= 30


def test_a_large_board_counts_as_many_new_games(client, monkeypatch):
    clock = SimpleNamespace(monotonic=lambda: seconds)  # on a busy machine a minute passes while boards are made
    monkeypatch.setattr(rates, "time", clock)
    seconds = 0.0
    rules = {"board": "sparse", "vertices": 1000, "density": 0.08, "tokens": 2}
    large = {"game": "graph", "rules": rules, "seats": [PERSON, PERSON]}
    statuses = [client.post("/api/games", json=large).status_code for _ in range(4)]
    assert statuses == sorted(statuses)
    assert statuses[0] == 201
    assert statuses[-1] == 429
    assert "large boards" in client.post("/api/games", json=large).json()["error"]
    seconds = 60.0
    start(client)


def test_too_many_requests(opened, limited):
    client = opened(limited(requests_per_second=1, requests_at_once=3))
    statuses = [client.get("/api/catalogue").status_code for _ in range(5)]
    assert statuses == [200, 200, 200, 429, 429]
    assert client.get("/api/catalogue").headers["retry-after"] == "1"
    assert client.get("/static/js/game/live-connection.js").status_code == 200
