"""A game on a graph in the arena: pages are told little at every turn, and the board once."""

from io import BytesIO

import msgspec
import pytest
from PIL import Image
from web_play import PERSON, plies, watching

from hinterland.graph import Rules, Token
from hinterland.graph.drawing.drawing_data import page_rules
from hinterland.graph.graphs import generators
from hinterland.graph.players import Gain
from hinterland.host.processes.background import Background
from hinterland.referee import record, verification

ROAD = {"board": "road", "vertices": 24, "board_seed": 5, "tokens": 2}
ROADS = Rules.from_options(ROAD)
BEN = {"kind": "person", "name": "Ben"}
GAIN = {"kind": "program", "player": "gain"}


def wish(*seats, rules=ROAD):
    return {"game": "graph", "rules": rules, "seats": list(seats or (PERSON, BEN))}


def start(client, *seats, rules=ROAD):
    answer = client.post("/api/games", json=wish(*seats, rules=rules))
    assert answer.status_code == 201, answer.text
    return answer.json()["id"], answer.json()["key"]


def test_a_whole_game_against_gain(client):
    game, key = start(client, PERSON, GAIN)
    position = ROADS.start()
    with watching(client, game, key) as ann:
        while position.to_move is not None:
            plies_made = len(position.moves)
            if position.to_move == 0:
                vertex = next(vertex for vertex in range(24) if vertex not in position.taken)
                ann.move(vertex, ply=plies_made)
            shown = ann.see(lambda seen, before=plies_made: len(seen["moves"]) > before)
            while len(position.moves) < len(shown["moves"]):
                move = Token(vertex) if position.to_move == 0 else Gain().choose(position, None, None)
                position = position.play(move)
            assert [tuple(made["move"]) for made in shown["moves"]] == [move.numbers for _, move in position.moves]
            assert tuple(shown["scores"]) == position.scores
        ended = ann.see_the_end()
    assert tuple(ended["outcome"]["scores"]) == position.scores
    kept = record.read_line(client.get(f"/games/{game}.jsonl").content)
    verification.verify(kept)
    assert kept.rules["edges"], "the record holds the whole board"


def test_snapshots_are_short_and_say_where_the_drawing_data_is(client):
    game, key = start(client)
    with watching(client, game, key) as ann:
        shown = ann.see()
    assert shown["rules"] == page_rules(ROADS)
    drawing_data = client.get(shown["drawing_data"]).json()
    assert drawing_data["values"] == list(ROADS.values)
    assert [tuple(edge) for edge in drawing_data["edges"]] == list(ROADS.edges)
    assert len(drawing_data["places"]) == len(drawing_data["cells"]) == 24
    assert all(0 <= number <= 1 for place in drawing_data["places"] for number in place)
    assert drawing_data["radius"] > 0


def test_other_games_have_no_drawing_data(client):
    wished = {"game": "gravity", "rules": {"size": 24, "spacing": 3}, "seats": [PERSON, BEN]}
    game = client.post("/api/games", json=wished).json()["id"]
    assert client.get(f"/api/games/{game}").json()["drawing_data"] is None
    assert client.get(f"/games/{game}/drawing-data").status_code == 404
    assert client.get("/games/nowhere/drawing-data").status_code == 404


def test_a_form_is_shown_the_board_that_will_be_played(client):
    shown = client.post("/api/boards", json={"game": "graph", "rules": {**ROAD, "players": 2}})
    assert shown.status_code == 200, shown.text
    game, _ = start(client)
    assert shown.json()["drawing_data"] == client.get(f"/games/{game}/drawing-data").json()
    assert shown.json()["rules"] == page_rules(ROADS)
    gravity = client.post("/api/boards", json={"game": "gravity", "rules": {"size": 30, "spacing": 4}})
    assert gravity.json()["drawing_data"] is None


def test_boards_are_made_and_laid_out_in_the_background(client, monkeypatch):
    done, run = [], Background.run

    def note(background, work, *told):
        done.append(work.__name__)
        return run(background, work, *told)

    monkeypatch.setattr(Background, "run", note)
    game, _ = start(client)
    assert client.get(f"/games/{game}/drawing-data").status_code == 200
    table = client.post("/api/tables", json={"game": "graph", "rules": ROAD}).json()
    assert client.get(f"{table['url']}/drawing-data").status_code == 200
    assert client.post("/api/challenges", json={"game": "graph", "rules": ROAD, "name": "Ann"}).status_code == 201
    assert done == ["create_setup", "encode_drawing_data", "plan_match", "encode_drawing_data", "plan_challenge"]
    small = {"game": "gravity", "rules": {"size": 24, "spacing": 3}, "seats": [PERSON, BEN]}
    assert client.post("/api/games", json=small).status_code == 201
    assert len(done) == 5, "what is told by its rules alone is made at once"


BAD = [
    ({**ROAD, "vertices": 1001}, "in the browser vertices can be at most 1000, not 1001; more is for the command line"),
    ({"board": "grid", "rows": 40, "cols": 40, "tokens": 5}, "in the browser vertices can be at most 1000, not 1600"),
    ({"vertices": 500, "tokens": 5}, "in the browser edges can be at most 50000, not"),
    ({**ROAD, "tokens": 13}, "2 players with 13 tokens each need at least 26 vertices, this graph has 24"),
    ({"board": "roads.csv"}, "boards are read from files on the command line only"),
    ({"board": "klein"}, "unknown board 'klein'; known: random, sparse"),
    ({"edges": [[0, 0, 1]], "values": [1, 2], "tokens": 1}, "edge"),
    ({"edges": [[0, 1, 0]], "values": [1, 2], "tokens": 1}, "length"),
    ({"edges": [[0, 1, 1], [1, 0, 2]], "values": [1, 2], "tokens": 1}, "edge"),
    ({"edges": [[0, 2, 1]], "values": [1, 2], "tokens": 1}, "edge 1 must join vertices from 0 to 1, not 2"),
    ({"edges": [], "values": [1, -2], "tokens": 1}, "value of vertex 1"),
    ({"edges": [], "values": [1, 2.5], "tokens": 1}, "value of vertex 1"),
]


@pytest.mark.parametrize(("rules", "words"), BAD, ids=[words for _, words in BAD])
def test_boards_that_cannot_be(client, rules, words):
    for address, body in (("/api/games", wish(rules=rules)), ("/api/boards", {"game": "graph", "rules": rules})):
        answer = client.post(address, json=body)
        assert answer.status_code == 400, answer.text
        assert words in answer.json()["error"]
        assert "\n" not in answer.json()["error"]


def test_no_board_is_asked_for(client):
    for body in (b"", b"[]", b'{"game": "graph"}', b'{"game": "graph", "rules": {}, "more": 1}'):
        answer = client.post("/api/boards", content=body)
        assert answer.status_code == 400
        assert "a board is asked for with" in answer.json()["error"]
    assert client.post("/api/boards", json={"game": "chess", "rules": {}}).status_code == 400


def test_a_taken_vertex_is_refused_in_words(client):
    game, key = start(client)
    with watching(client, game, key) as ann:
        ann.move(4, ply=0)
        ann.see(plies(1))
        ann.move(4, ply=1)
        assert ann.complaint() == "token 1 stands on vertex 4 already"


def test_pictures_hints_and_heat(client):
    game, key = start(client)
    with watching(client, game, key) as ann:
        ann.move(4, ply=0)
        ann.see(plies(1))
    position = ROADS.start().play(Token(4))
    png = Image.open(BytesIO(client.get(f"/games/{game}.png").content))
    assert png.size == (1000, 1000)
    assert client.get(f"/games/{game}.svg").text.startswith("<svg")
    assert Image.open(BytesIO(client.get(f"/games/{game}.gif").content)).n_frames == 2
    heat = Image.open(BytesIO(client.get(f"/games/{game}/heat.png").content))
    assert heat.mode == "RGBA"
    hint = client.get(f"/games/{game}/hint").json()
    gains = position.gains()
    assert hint["best"] == [int(gains.argmax())]
    assert hint["gain"] == int(gains.max())


def test_a_table_for_programs_shows_its_board(client):
    made = client.post("/api/tables", json={"game": "graph", "rules": ROAD, "house": ["gain"]})
    assert made.status_code == 201, made.text
    assert made.json()["protocol"] == "json"
    shown = client.get(f"/api/tables/{made.json()['id']}").json()
    assert shown["rules"] == page_rules(ROADS)
    assert client.get(shown["drawing_data"]).json()["values"] == list(ROADS.values)
    hps = client.post("/api/tables", json={"game": "graph", "rules": ROAD, "protocol": "hps"})
    assert "protocol hps is for games with stones" in hps.json()["error"]


def test_a_game_like_another_is_played_on_its_board(client):
    game, _ = start(client)
    again = client.post("/api/games", json={"game": "graph", "like": game, "seats": [BEN, PERSON]})
    assert again.status_code == 201, again.text
    drawing_data = [client.get(f"/games/{one}/drawing-data").json() for one in (game, again.json()["id"])]
    assert drawing_data[0] == drawing_data[1]


@pytest.mark.parametrize(
    ("change", "status", "words"),
    [
        ({"like": "nowhere"}, 404, "there is no such game here"),
        ({"rules": ROAD}, 400, "a game like another one keeps its rules: leave rules out and set game to graph"),
        ({"game": "gravity"}, 400, "a game like another one keeps its rules: leave rules out and set game to graph"),
        ({"seats": [PERSON, BEN, GAIN]}, 400, "the rules say 2 players, but 3 seats are taken"),
    ],
)
def test_a_game_like_another_that_cannot_be(client, change, status, words):
    game, _ = start(client)
    answer = client.post("/api/games", json={"game": "graph", "like": game, "seats": [BEN, PERSON], **change})
    assert (answer.status_code, answer.json()["error"]) == (status, words)


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ({"board": "grid", "rows": 1000, "cols": 1000}, "vertices can be at most 1000, not 1000000"),
        ({"vertices": 1000, "density": 0}, "edges can be at most 50000, not 499500"),
        ({"board": "geometric", "vertices": 1000, "radius": 1}, "edges can be at most 50000, not 499500"),
        ({"board": "small_world", "vertices": 1000, "neighbours": 200}, "edges can be at most 50000, not 100000"),
    ],
)
def test_a_board_too_large_is_refused_before_it_is_drawn(client, monkeypatch, rules, words):
    def never(*_, **__):
        raise AssertionError("it was drawn")

    monkeypatch.setattr(generators, "_make_board", never)
    for address, body in (("/api/games", wish(rules=rules)), ("/api/boards", {"game": "graph", "rules": rules})):
        answer = client.post(address, json=body)
        assert (answer.status_code, words in answer.json()["error"]) == (400, True), answer.text


@pytest.mark.parametrize("spec", ["search:seconds=3600", "montecarlo:playouts=100000"])
def test_no_player_thinks_for_ever_here(client, spec):
    for address, body in (
        ("/api/games", wish(PERSON, {"kind": "program", "player": spec})),
        ("/api/tables", {"game": "graph", "rules": ROAD, "house": [spec]}),
    ):
        answer = client.post(address, json=body)
        assert answer.status_code == 400
        assert f"in the browser {spec.partition(':')[2].partition('=')[0]} can be at most" in answer.json()["error"]


def test_boards_are_shown_at_a_bearable_rate(opened, settings):
    limits = msgspec.structs.replace(settings.limits, boards_per_second=0.01, boards_at_once=3)
    client = opened(msgspec.structs.replace(settings, limits=limits))
    asked = {"game": "graph", "rules": ROAD}
    assert [client.post("/api/boards", json=asked).status_code for _ in range(4)] == [200, 200, 200, 429]
