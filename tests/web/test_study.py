"""Lines beside a finished game: judged exactly, refused in one line, and never for a game that goes on."""

import contextlib
import json
import socket
import time

import httpx
import msgspec
import numpy as np
import pytest
from web_play import HTML, PERSON, REPLY, start, watching

from hinterland import catalog, gravity
from hinterland.referee import record, verification
from hinterland.web.api.study_api import LineRequest, judge

BOB = {"kind": "person", "name": "Bob"}
MOVES = [[5, 5], [18, 18], [5, 18], [18, 5]]


@pytest.fixture
def finished(client):
    """Play a game of four stones to its end, and return its id."""
    game, key = start(client, PERSON, BOB)
    with watching(client, game, key) as ann:
        for ply, move in enumerate(MOVES):
            ann.see(lambda snapshot, ply=ply: len(snapshot["moves"]) == ply)
            ann.move(*move, ply=ply)
        ann.see_the_end()
    return game


def line(client, game, ply, moves=(), best=False):
    return client.post(f"/api/games/{game}/line", json={"ply": ply, "moves": list(moves), "best": best})


def test_a_line_is_judged_as_a_game_would_be(client, finished):
    told = line(client, finished, 2, [[12, 12], [2, 12]]).json()
    position = gravity.Rules(size=24, stones=2, spacing=3).start()
    for row, col in [*MOVES[:2], [12, 12], [2, 12]]:
        position = position.play(gravity.Stone(row, col))
    assert told["scores"] == list(position.scores)
    assert [one["seat"] for one in told["moves"]] == [0, 1]
    assert (told["to_move"], told["best"]) == (None, [])


def test_without_moves_it_is_the_game(client, finished):
    game = client.get(f"/api/games/{finished}").json()
    for ply in range(1, 4):
        told = line(client, finished, ply).json()
        assert told["scores"] == game["moves"][ply - 1]["scores"]
        assert told["to_move"] == game["moves"][ply]["seat"]


def test_the_best_moves_are_those_of_the_exact_reply_map(client, finished):
    told = line(client, finished, 3, best=True).json()
    position = gravity.Rules(size=24, stones=2, spacing=3).start()
    for row, col in MOVES[:3]:
        position = position.play(gravity.Stone(row, col))
    gains = position.reply_map()
    assert len(told["best"]) == 3
    assert told["best"][0]["gain"] == gains.max()
    for one in told["best"]:
        assert gains[tuple(one["move"])] == one["gain"]
    places = np.array([one["move"] for one in told["best"]])
    assert min(np.hypot(*(a - b)) for k, a in enumerate(places) for b in places[:k]) >= 3


@pytest.mark.parametrize("name", ["gravity", "graph", "dots"])
def test_every_game_names_candidates(name):
    game = catalog.game(name)
    position = game.rules.from_options(game.presets[0].options).start()
    found = game.pictures.candidates(position, 3)
    assert 1 <= len(found) <= 3
    assert all(move in position.legal_moves for move, _ in found)
    assert found[0][1] == game.pictures.best(position, {})[1]


def test_a_lost_turn_and_a_departure_stay_where_they_were():
    game = catalog.game("gravity")
    rules = gravity.Rules(size=24, stones=2, spacing=3, players=3)
    position = rules.start().play(gravity.Stone(5, 5)).happen_unchecked(1, "time").play(gravity.Stone(18, 18))
    told = judge(game, position.before(1), LineRequest(1, [[12, 12]]))
    assert b'"seat":2' in told


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"ply": 9}, "it can be 0 to 4, not 9"),
        ({"ply": -1}, "it can be 0 to 4, not -1"),
        ({"ply": 0, "moves": [[5, 5], [5, 6]]}, "is too close to stone 1: 1.0 away, 3 needed"),
        ({"ply": 0, "moves": [[5]]}, "a move is an array of whole numbers [row, col, weight]"),
        ({"ply": 4, "moves": [[9, 9]]}, "over"),
        ({"ply": 0, "moves": [[1, 1]] * 501}, "a variation has at most 500 moves, not 501"),
        ({"ply": "x"}, 'a line is asked for with {"ply"'),
        ({}, 'a line is asked for with {"ply"'),
    ],
)
def test_a_bad_line_is_refused_in_one_line(client, finished, body, words):
    answer = client.post(f"/api/games/{finished}/line", json=body)
    assert answer.status_code == 400
    assert words in answer.json()["error"]
    assert "\n" not in answer.json()["error"]


def test_a_game_that_goes_on_is_not_studied(client):
    game, _ = start(client)
    for answer in (line(client, game, 0, best=True), client.get(f"/study/{game}")):
        assert answer.status_code == 409
        assert "the game is not over" in answer.json()["error"]
    assert line(client, "nothing", 0).status_code == 404
    assert client.get("/study/nothing", headers=HTML).status_code == 404


@pytest.fixture
def text(client, finished):
    """Return the record of the finished game as somebody has it who brings it."""
    return client.get(f"/games/{finished}.jsonl").content


def bring(client, text):
    return client.post("/api/studies", content=text)


def test_a_record_that_is_brought_is_studied_like_a_game_of_the_arena(client, finished, text):
    told = bring(client, text).json()
    game = client.get(f"/api/games/{finished}").json()
    assert [(one["seat"], one["move"], one["scores"]) for one in told["moves"]] == [
        (one["seat"], one["move"], one["scores"]) for one in game["moves"]
    ]
    assert [seat["name"] for seat in told["seats"]] == ["Ann", "Bob"]
    for question, body in (("line", {"ply": 2, "moves": [[12, 12]], "best": True}), ("expectation", {"ply": 1})):
        here, there = (client.post(f"/api/{where}/{question}", json=body).json() for where in (
            f"games/{finished}", f"studies/{told['id']}"))  # fmt: skip
        assert here == there
    assert client.get("/study", headers=HTML).status_code == 200


def test_a_graph_that_is_brought_can_be_drawn(client):
    game = catalog.game("graph")
    position = game.rules.from_options({"vertices": 12, "tokens": 1}).start()
    while position.to_move is not None:
        position = position.play(game.pictures.best(position, {})[0])
    kept = record.sealed(record.Record(
        game="graph", rules=json.loads(position.to_json())["rules"], players=("a", "b"), seed=None, number=1,
        clock=record.TimeControl(), movers=tuple(seat for seat, _ in position.moves),
        moves=tuple(move.numbers for _, move in position.moves), scores=position.scores,
        winners=position.outcome.winners, reason=str(position.end_reason), detail="", times=record.Times("", ()),
    ))  # fmt: skip
    told = bring(client, record.to_line(kept)).json()
    assert told["drawing_data"] == f"/api/studies/{told['id']}/drawing-data"
    assert client.get(told["drawing_data"]).json()


def test_a_study_comes_home_in_its_record_and_back(client, finished, text):
    study = {
        "moves": [{"after": 2, "move": [12, 12]}, {"after": 5, "move": [2, 12]}],
        "comments": [{"node": 6, "text": "<b>so</b>"}],
        "marks": [{"node": 0, "points": [0, 1]}],
    }
    told = bring(client, text).json()
    for where in (f"games/{finished}", f"studies/{told['id']}"):
        answer = client.post(f"/api/{where}/record", json=study)
        assert answer.headers["content-disposition"].endswith('-study.jsonl"')
        verification.verify(record.read_line(answer.content))
        again = bring(client, answer.content).json()
        assert again["id"] == told["id"]
        assert {name: again["study"][name] for name in study} == study
    assert told["study"] is None


def test_an_expectation_is_what_the_game_says(client, finished):
    told = client.post(f"/api/games/{finished}/expectation", json={"ply": 2, "moves": [[12, 12], [2, 12]]}).json()
    assert told == {"scores": line(client, finished, 2, [[12, 12], [2, 12]]).json()["scores"], "is_exact": True}
    refused = client.post(f"/api/games/{finished}/expectation", json={"ply": 0, "moves": [[5, 5], [5, 6]]})
    assert (refused.status_code, "too close" in refused.json()["error"]) == (400, True)


def changed(text, **fields):
    """Return a record with other fields, sealed again."""
    return record.to_line(record.sealed(record.read_line(json.dumps(json.loads(text) | fields))))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda text: b"", "paste one game, a single line of JSON, not 0 lines"),
        (lambda text: b"hello", "not a whole line of JSON"),
        (lambda text: b"\xff\xfe\x00", "not a whole line of JSON"),
        (lambda text: b"[" * 60_000, "not a whole line of JSON"),
        (lambda text: b"{}", "its format should be 'hinterland-record/2'"),
        (lambda text: text[:-20], "not a whole line of JSON"),
        (lambda text: text + text, "paste one game, a single line of JSON, not 2 lines"),
        (lambda text: changed(text, game="chess"), "unknown game 'chess'; known: gravity"),
        (lambda text: changed(text, moves=[[5, 5], [5, 6], [5, 18], [18, 5]]), "one cannot have been played: move 2"),
        (lambda text: changed(text, movers=[0, 0, 0, 0]), "seat 1 is to move, not seat 0"),
        (lambda text: changed(text, movers=[0]), "it has 1 movers for 4 moves"),
        (lambda text: changed(text, scores=[1, 2]), "the record says 1, the moves give"),
        (lambda text: changed(text, rules=json.loads(text)["rules"] | {"size": 9000}), "size can be at most 2000"),
        (lambda text: changed(text, rules={"size": "x"}), "cannot be opened"),
        (lambda text: changed(text, players=["x" * 101, "b"]), "at most 100 printable letters"),
        (lambda text: changed(text, players=["a\u202e", "b"]), "at most 100 printable letters"),
        (lambda text: changed(text, study={"moves": [{"after": 0, "move": [5, 5]}] * 2001}), "2,001 moves, 2,000"),
        (lambda text: text.replace(b"Ann", b"Eve"), "something was changed"),
    ],
)
def test_what_cannot_be_studied_is_refused_in_one_line(client, text, make, words):
    answer = bring(client, make(text))
    assert answer.status_code == 400
    assert words in answer.json()["error"]
    assert "\n" not in answer.json()["error"]


def test_what_is_too_large_is_not_read(client, finished):
    for body in (b" " * (2**20 + 1), b"x" * (8 * 2**20)):
        answer = bring(client, body)
        assert (answer.status_code, answer.json()["error"]) == (413, "a record has at most 1,024 KiB here")
    million = {"moves": [{"after": 0, "move": [1, 1]}] * 60_000}
    answer = client.post(f"/api/games/{finished}/record", json=million)
    assert (answer.status_code, answer.json()["error"]) == (413, "a study has at most 1,024 KiB here")
    for study, words in (
        ({"moves": [{"after": 0, "move": [1, 1]}] * 3000}, "its study has 3,000 moves, 2,000 at most"),
        ({"comments": [{"node": 0, "text": "x" * 10**6}]}, "has 1,000,000 characters, 2,000 at most"),
        ({"notes": []}, "a study is {"),
    ):
        answer = client.post(f"/api/games/{finished}/record", json=study)
        assert answer.status_code == 400
        assert words in answer.json()["error"]


@pytest.fixture
def another(opened, limited, tmp_path):
    """Open another arena with other limits."""
    return lambda **limits: opened(msgspec.structs.replace(limited(**limits), data=tmp_path / "another"))


def test_records_are_kept_only_as_long_as_there_is_room(another, text):
    client = another(uploaded_bytes=50_000)
    first = bring(client, text).json()["id"]
    assert client.post(f"/api/studies/{first}/line", json={"ply": 1}).status_code == 200
    for name in "bcde":
        assert bring(client, changed(text, players=["Ann", name])).status_code == 200
    answer = client.post(f"/api/studies/{first}/line", json={"ply": 1})
    assert answer.status_code == 404
    assert answer.json()["error"] == "this game file is no longer here; open it again"
    assert bring(client, text).json()["id"] == first


def test_who_brings_too_many_records_waits(another, text):
    client = another(records_per_minute=2)
    assert [bring(client, text).status_code for _ in range(3)] == [200, 200, 429]


def test_a_game_that_takes_too_long_to_judge_is_refused(another, text):
    answer = bring(another(record_s=0), text)
    assert (answer.status_code, "takes too long here" in answer.json()["error"]) == (400, True)


@pytest.mark.thorough
@pytest.mark.jit
def test_who_moves_on_does_not_wait_for_what_was_looked_at_before(serving):
    server = serving().ready()
    game, _ = server.start(*[REPLY] * 6, rules={"size": 500, "stones": 8, "players": 6})  # a melee takes the longest
    while httpx.get(f"{server.url}/api/games/{game}").json()["outcome"] is None:
        time.sleep(0.1)

    def ask(ply):
        """Ask for an expectation, and do not wait for it."""
        body = json.dumps({"ply": ply}).encode()
        asking = socket.create_connection(("127.0.0.1", server.port))
        head = f"POST /api/games/{game}/expectation HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(body)}\r\n\r\n"
        asking.sendall(head.encode() + body)
        return asking

    def wait_for(ply):
        began, url = time.monotonic(), f"{server.url}/api/games/{game}/expectation"
        assert httpx.post(url, json={"ply": ply}, timeout=60).status_code == 200
        return time.monotonic() - began

    @contextlib.contextmanager
    def crowded():
        """Have eleven others ask first, who hang up in the end."""
        waiting = [ask(ply) for ply in range(1, 12)]
        try:
            time.sleep(0.1)
            yield
        finally:
            for asking in waiting:
                asking.close()

    wait_for(0)  # what works it out is loaded now
    alone_s = []
    for ply in (30, 31, 32):
        with crowded():
            pass
        time.sleep(0.1)
        alone_s.append(wait_for(ply))
    with crowded():
        assert min(alone_s) < wait_for(33) / 2
