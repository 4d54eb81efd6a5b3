"""Join the dots in the arena: whole games, drawing data, pictures, and what best play is worth."""

from io import BytesIO

import pytest
from PIL import Image
from web_play import PERSON, plies, watching

from dots import oracle_dots as oracle
from hinterland import catalog
from hinterland.dots import Line, Rules
from hinterland.dots.drawing import dot_places
from hinterland.dots.search import hints
from hinterland.referee import record, verification

BOARD = {"board": "jittered", "dots": 6, "board_seed": 4}
SIX = Rules.from_options(BOARD)
BEN = {"kind": "person", "name": "Ben"}
PERFECT = {"kind": "program", "player": "perfect"}


@pytest.fixture(scope="module", autouse=True)
def _ready():
    """Keep compiling out of the clocks."""
    catalog.game("dots").warm_up()


@pytest.fixture(autouse=True)
def _patient(monkeypatch):
    """Let the solver finish, however busy the machine is."""
    monkeypatch.setattr(hints, "SECONDS", None)


def start(client, *seats, rules=BOARD):
    answer = client.post("/api/games", json={"game": "dots", "rules": rules, "seats": list(seats or (PERSON, BEN))})
    assert answer.status_code == 201, answer.text
    return answer.json()["id"], answer.json()["key"]


def test_a_whole_game_against_perfect(client):
    game, key = start(client, PERSON, PERFECT)
    position = SIX.start()
    with watching(client, game, key) as ann:
        while position.to_move is not None:
            made = len(position.moves)
            if position.to_move == 0:
                ann.move(*next(iter(position.legal_moves)).numbers, ply=made)
            shown = ann.see(lambda seen, made=made: len(seen["moves"]) > made)
            position = position.play(Line(*shown["moves"][made]["move"]))
            assert shown["moves"][made]["scores"] == list(position.scores)
        ended = ann.see_the_end()
    assert tuple(ended["outcome"]["scores"]) == position.scores
    kept = record.read_line(client.get(f"/games/{game}.jsonl").content)
    verification.verify(kept)
    assert kept.rules["points"], "the record holds the whole board"


def test_pages_are_told_where_the_dots_are_and_which_lines_cross(client):
    game, key = start(client)
    with watching(client, game, key) as ann:
        shown = ann.see()
    assert shown["rules"] == {"players": 2, "dots": 6, "total": 6}
    told = client.get(shown["drawing_data"]).json()
    assert told == dot_places.drawing_data(SIX)
    form = client.post("/api/boards", json={"game": "dots", "rules": {**BOARD, "players": 2}})
    assert form.json() == {"rules": dot_places.page_rules(SIX), "drawing_data": told}


def test_own_dots_are_played_on(client):
    points = [[0, 0], [900, 40], [500, 800], [430, 300]]
    game, _ = start(client, rules={"points": points, "players": 2})
    told = client.get(f"/games/{game}/drawing-data").json()
    assert told == dot_places.drawing_data(Rules(points=tuple(map(tuple, points))))


@pytest.mark.jit  # the solver has a second, and without the compiler another process at low priority
def test_best_play_is_told_at_every_ply(client):
    game, key = start(client)
    solver = oracle.Solver(SIX.points)
    dots, lines = frozenset(range(6)), frozenset()
    with watching(client, game, key) as ann:
        for ply, line in enumerate(((0, 1), (1, 2))):
            ann.move(*line, ply=ply)
            ann.see(plies(ply + 1))
    for ply, line in enumerate(((0, 1), (1, 2), None)):
        values = solver.values(dots, lines)
        most = max(values.values())
        told = client.get(f"/games/{game}/analysis?ply={ply}")
        assert told.status_code == 200, told.text
        best = sorted(list(move) for move, value in values.items() if value == most)
        assert told.json() == {"ply": ply, "value": most, "low": most, "high": most, "exact": True, "best": best}
        if line:
            dots, lines, _ = oracle.after(dots, lines, line)
    assert client.get(f"/games/{game}/analysis").json() == told.json(), "without a ply it is the latest"


def test_an_analysis_that_there_cannot_be(client):
    game, key = start(client, rules={"points": [[0, 0], [4, 0], [1, 3]]})
    with watching(client, game, key) as ann:
        for ply, line in enumerate(((0, 1), (1, 2), (0, 2))):
            ann.move(*line, ply=ply)
            ann.see(plies(ply + 1))
        ann.see_the_end()
    ended = client.get(f"/games/{game}/analysis")
    assert (ended.status_code, ended.json()["error"]) == (409, "the game is over, nothing is left to be solved")
    assert client.get(f"/games/{game}/analysis?ply=2").json()["value"] == 3
    assert client.get(f"/games/{game}/analysis?ply=9").status_code == 400
    assert client.get("/games/nowhere/analysis").status_code == 404
    wished = {"game": "gravity", "rules": {"size": 24, "spacing": 3}, "seats": [PERSON, BEN]}
    other = client.post("/api/games", json=wished).json()["id"]
    missing = client.get(f"/games/{other}/analysis")
    assert (missing.status_code, missing.json()["error"]) == (404, "there is no exact analysis of Gravity")


BAD = [
    ({"dots": 41}, "in the browser dots can be at most 40, not 41; more is for the command line"),
    ({"points": [[k, k * k] for k in range(41)]}, "in the browser dots can be at most 40, not 41"),
    ({"dots": 2}, "dots must be a whole number from 3 to 60, not 2"),
    ({"points": [[0, 0], [1, 1]]}, "a board has from 3 to 60 dots, not 2"),
    ({"points": [[0, 0], [1, 1], [2, 2]]}, "dots 0, 1 and 2 are on one line"),
    ({"points": [[0, 0], [1, 1], [0, 0]]}, "dots 0 and 2 are both at"),
    ({"points": [[0, 0], [1, 1], [0, None]]}, "dot 2: coordinates must be numbers, not None"),
    ({"board": "dots.csv"}, "boards are read from files on the command line only"),
    ({"board": "klein"}, "unknown board 'klein'; known: circle"),
    ({"players": 3}, "players must be 2 in this game, not 3"),
]


@pytest.mark.parametrize(("rules", "words"), BAD, ids=[words for _, words in BAD])
def test_boards_that_cannot_be(client, rules, words):
    for address, more in (("/api/games", {"seats": [PERSON, BEN]}), ("/api/boards", {})):
        answer = client.post(address, json={"game": "dots", "rules": rules, **more})
        assert answer.status_code == 400, answer.text
        assert words in answer.json()["error"]
        assert "\n" not in answer.json()["error"]


def test_lines_that_cannot_be_are_refused_in_words(client):
    points = [[0, 0], [10, 0], [10, 10], [0, 10], [20, 3], [21, 9]]
    game, key = start(client, rules={"points": points})
    with watching(client, game, key) as ann:
        for ply, line in enumerate(((0, 2), (2, 3), (0, 3), (1, 4))):
            ann.move(*line, ply=ply)
            ann.see(plies(ply + 1))
        for line, words in (
            ((1, 2), "dot 2 is gone, a cycle took it"),
            ((4, 1), "dots 1 and 4 are joined already"),
            ((1, 1), "a line joins two dots, not dot 1 with itself"),
            ((1, 6), "dot 6 is not on the board, they go from 0 to 5"),
        ):
            ann.move(*line, ply=4)
            assert ann.complaint() == words


def test_pictures_and_hints(client):
    game, key = start(client)
    with watching(client, game, key) as ann:
        ann.move(0, 1, ply=0)
        ann.see(plies(1))
    position = SIX.start().play(Line(0, 1))
    assert Image.open(BytesIO(client.get(f"/games/{game}.png").content)).size == (1000, 1000)
    assert client.get(f"/games/{game}.svg").text.startswith("<svg")
    assert Image.open(BytesIO(client.get(f"/games/{game}.gif").content)).n_frames == 2
    assert Image.open(BytesIO(client.get(f"/games/{game}/heat.png").content)).mode == "RGBA"
    hint = client.get(f"/games/{game}/hint").json()
    assert hint["best"] in hints.analysis(position)["best"]
    assert hint["gain"] == len(position.cycle(Line(*hint["best"])))
