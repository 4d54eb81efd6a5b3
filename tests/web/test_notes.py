"""Notes of players on pages: where marks lie, what strangers write into records, and that nobody sees notes early."""

import json

import msgspec
import numpy as np
import pytest
from litestar.testing import TestClient
from test_hosting import open_table, told, until
from web_play import BASE, HTML, Viewer, start

from hinterland import dots, gravity
from hinterland.dots import boards as dots_boards
from hinterland.graph import boards as graph_boards
from hinterland.host import synchronous
from hinterland.referee import judge, record
from hinterland.referee.clock import TimeControl
from hinterland.referee.diary import Note, NoteMark
from hinterland.referee.game_terms import GameTerms
from hinterland.storage import records as record_files
from hinterland.web.app import create_app
from referee_clients import find_first_free

RULES = gravity.Rules(size=12, stones=3, spacing=3)
BOARDS = {
    "gravity": RULES,
    "graph": graph_boards.grid(rows=3, cols=3, tokens=2),
    "dots": dots_boards.circle(6),
}
SECRET = "the secret plan"


def play(rules, *notes):
    """Return the record of a game between two random players, with notes."""
    kind = GameTerms(rules=rules, names=("a", "b")).game
    players = [kind.players["random"](), kind.players["random"]()]
    rngs = [np.random.default_rng(seed) for seed in range(2)]
    judged = synchronous.play_game(judge.begin(rules.start(), TimeControl()), players, rngs)
    played = record.of_game(GameTerms(rules=rules, names=("a", "b")), judged, "2026-01-01T00:00:00+00:00")
    return record.sealed(msgspec.structs.replace(played, times=msgspec.structs.replace(played.times, notes=notes)))


def shown_notes(client, kept):
    """Open a record for study and return its notes as a page gets them."""
    answer = client.post("/api/studies", content=record.to_line(kept))
    assert answer.status_code == 200, answer.text
    opened = answer.json()
    assert opened["notes"] == len(kept.times.notes)
    answer = client.get(f"/api/studies/{opened['id']}/notes")
    assert answer.status_code == 200, answer.text
    return opened, answer.json()


def test_marks_lie_where_the_page_draws_the_cells(client):
    marks = (
        NoteMark(at=(0, 11), value=-0.5),
        NoteMark(start=(3, 4), to=(11, 0)),
        NoteMark(line=((0, 0), (5, 5), (0, 0)), value=3.0),
    )
    _, (note, other) = shown_notes(client, play(RULES, Note(1, "hm", marks), Note(2, "so")))
    assert (note["ply"], note["text"]) == (1, "hm")
    shapes = [(mark["shape"], mark["value"]) for mark in note["marks"]]
    assert shapes == [("circle", -0.5), ("arrow", None), ("line", 3)]
    cells = [[[0, 11]], [[3, 4], [11, 0]], [[0, 0], [5, 5], [0, 0]]]
    for mark, places in zip(note["marks"], cells, strict=True):
        expected = [(number + 0.5) / 12 for row, col in places for number in (col, row)]
        assert mark["points"] == pytest.approx(expected, abs=1e-4)
    assert other == {"ply": 2, "text": "so", "marks": []}


@pytest.mark.parametrize("game", ["graph", "dots"])
def test_marks_lie_where_the_page_draws_vertices_and_dots(client, game):
    marks = (NoteMark(at=(0,)), NoteMark(line=((1,), (4,), (5,))))
    opened, (note,) = shown_notes(client, play(BOARDS[game], Note(0, "", marks)))
    places = client.get(opened["drawing_data"]).json()["places"]
    assert note["marks"][0]["points"] == pytest.approx(places[0], abs=1e-3)
    assert note["marks"][1]["points"] == pytest.approx([*places[1], *places[4], *places[5]], abs=1e-3)


def test_what_a_stranger_writes_into_a_record_is_cleaned_and_bounded(client):
    text = "\x1b[31m<img src=x onerror=alert(1)>\x00\u202e" + "x" * 5000
    marks = (NoteMark(at=(99, 0)), NoteMark(at=(0,)), NoteMark(line=((0, 0), (0, -1))), NoteMark(at=(1, 1)))
    many = tuple(NoteMark(at=(number % 12, 3)) for number in range(10_000))
    _, notes = shown_notes(client, play(RULES, Note(0, text, marks), Note(1, "", many), Note(77, "nowhere")))
    assert notes[0]["text"].startswith("<img src=x onerror=alert(1)>xxx")
    assert len(notes[0]["text"]) <= 1000
    assert [mark["points"] for mark in notes[0]["marks"]] == [[0.125, 0.125]]
    assert len(notes[1]["marks"]) == 200


def test_a_board_that_cannot_be_drawn_shows_no_marks(client):
    rules = dots.Rules(orientations=dots_boards.circle(10).signs)
    assert shown_notes(client, play(rules, Note(0, "hm", (NoteMark(at=(0,)),))))[1] == [
        {"ply": 0, "text": "hm", "marks": []}
    ]


def test_nobody_sees_the_notes_of_a_live_game(client):
    game, _ = start(client)
    answer = client.get(f"/api/games/{game}/notes")
    assert answer.status_code == 409
    assert "the game is not over" in answer.json()["error"]
    assert client.get(f"/api/games/{game}").json()["notes"] == 0
    assert client.get("/api/games/nothing/notes").status_code == 404


class Talker:
    """A bot on a WebSocket that says something before each of its moves."""

    def __init__(self, socket, **join):
        self.socket = socket
        self.heard = []
        self.say(type="join", name="ann", **join)

    def say(self, **message):
        self.socket.send_text(json.dumps(message))

    def hear(self, kind):
        """Return the next message of a kind."""
        while True:
            message = self.socket.receive_json(timeout=20)
            self.heard.append(message)
            if message["type"] == kind:
                return message

    def move(self):
        """Wait for a request, and answer it with a note. Return the number of moves made before."""
        turn = self.hear("turn")
        made = len(turn["moves"])
        self.say(type="info", text=f"{SECRET} {made}", marks=[{"at": [made, 0], "value": made}])
        move = find_first_free([move[:2] for _, move in turn["moves"]], RULES)
        self.say(type="move", game_id=turn["game_id"], turn=turn["turn"], move=move)
        return made


def open_talk(client):
    return open_table(
        client, protocol="json", house=["random"], tokens=["ann"], rules={"size": 12, "stones": 3, "spacing": 3}
    )


def test_a_hosted_match_keeps_notes_to_itself_until_the_game_is_over(client, settings):
    table = open_talk(client)
    with client.websocket_connect(f"{table['url']}/live") as watching:
        viewer = Viewer(watching, None)
        with client.websocket_connect(f"{table['url']}/join") as socket:
            bot = Talker(socket, token=table["tokens"]["ann"])
            for _ in range(3):
                bot.move()
                shown = viewer.see(lambda seen: seen["moves"])
                assert shown["notes"] == (3 if shown["outcome"] else 0)
                assert SECRET not in json.dumps(shown)
            bot.hear("over")
            for _ in range(3):
                bot.move()
            bot.hear("bye")
        assert SECRET not in json.dumps(bot.heard)
    until(lambda: len([*record_files.read(settings.data / "records.jsonl")]) == 2)
    for line in told(client, table)["match"]["games"]:
        assert client.get(f"/api/games/{line['id']}").json()["notes"] == 3
        notes = client.get(f"/api/games/{line['id']}/notes").json()
        assert [note["text"] for note in notes] == [f"{SECRET} {note['ply']}" for note in notes]
        assert [note["marks"][0]["value"] for note in notes] == [note["ply"] for note in notes]
        assert SECRET not in client.get(f"/games/{line['id']}", headers=HTML).text


def test_notes_outlive_the_server(settings):
    with TestClient(create_app(settings), base_url=BASE) as client:
        table = open_talk(client)
        with client.websocket_connect(f"{table['url']}/join") as socket:
            bot = Talker(socket, token=table["tokens"]["ann"])
            before = [bot.move(), bot.move()]
            bot.hear("turn")
    with TestClient(create_app(settings), base_url=BASE) as client:
        with client.websocket_connect(f"{table['url']}/join") as socket:
            bot = Talker(socket, token=table["tokens"]["ann"])
            before.append(bot.move())
            bot.hear("over")
        until(lambda: [*record_files.read(settings.data / "records.jsonl")])
    (kept, *_) = [found for _, found in record_files.read(settings.data / "records.jsonl")]
    assert [note.ply for note in kept.times.notes] == before
    assert [note.text for note in kept.times.notes] == [f"{SECRET} {made}" for made in before]
    assert [note.marks for note in kept.times.notes] == [(NoteMark(at=(made, 0), value=made),) for made in before]
