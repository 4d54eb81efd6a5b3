"""``hinterland analyse`` as a user types it; what it finds is held by tests/review."""

import json
import re
from io import BytesIO
from pathlib import Path

import msgspec
import pytest
from PIL import Image

from hinterland import catalog
from hinterland.cli import run
from hinterland.referee import record, verification
from hinterland.review import MoveReview, Played, Review, review
from hinterland.storage import records as record_files

MATCH = ["match", "gravity", "random", "reply", "--size", "20", "--spacing", "4", "--stones", "3", "--seed", "1"]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    file = tmp_path_factory.mktemp("analyse") / "a.jsonl"
    assert run([*MATCH, "--quiet", "--record", str(file)]) == 0
    return file


@pytest.fixture
def analyse(capsys):
    def call(*arguments, code=0):
        assert run(["analyse", *map(str, arguments)]) == code
        return capsys.readouterr()

    return call


def reviewed(file, number):
    """Return the review of a game of a file in which nobody left."""
    game = [found for _, found in record_files.read(file)][number - 1]
    *_, last = verification.positions(game)
    return review(catalog.game(game.game), Played(last, game.players, game.scores, game.winners))


def test_a_row_a_move(analyse, recorded):
    out = analyse(recorded, "--game", 2).out
    found = reviewed(recorded, 2)
    assert out.startswith("game 2 of 2 · gravity players=2 size=20 ")
    rows = [line.split() for line in out.splitlines() if line[:2].strip().isdigit()]
    assert len(rows) == 6
    for row, told in zip(rows, found.moves, strict=True):
        assert row[:4] == [str(told.number), found.players[told.seat], "{},{}".format(*told.move), str(told.gain)]
        if told.loss:
            assert row[4:8] == [str(told.best_gain), "{},{}".format(*told.best), str(told.loss), f"{told.swing:+}"]
        else:
            assert row[4:] == [str(told.best_gain), "there", "0"]
        assert (row[-1] == "losing") == told.losing
    assert "random was " in out or "for random" in out


def test_json_is_the_review(analyse, recorded, tmp_path):
    picture = tmp_path / "a.png"
    told = analyse(recorded, "--json", "--png", picture)
    assert told.err == ""
    assert msgspec.json.decode(told.out, type=Review) == reviewed(recorded, 1)
    assert Image.open(BytesIO(picture.read_bytes())).size == (1600, 900)


def test_the_documentation_lists_every_field():
    page = (Path(__file__).parents[2] / "docs" / "quickstart.md").read_text()
    table = page.partition("| field | meaning |")[2].partition("\n\n")[0]
    listed = [name for row in table.splitlines()[2:] for name in re.findall(r"`(\w+)`", row.split("|")[1])]
    assert sorted(listed) == sorted([*Review.__struct_fields__, *MoveReview.__struct_fields__])


def test_a_picture_instead_of_the_table(analyse, recorded, tmp_path):
    assert analyse(recorded, "--png", tmp_path / "a.png").out == f"{tmp_path / 'a.png'} written\n"


def test_a_game_that_somebody_left(analyse, recorded, tmp_path):
    """Seat 1 ran out of time after its first stone: the other went on alone until it had won."""
    line = json.loads(recorded.read_text().splitlines()[0])
    gone = {"plies": 3, "seat": 1, "event": "left", "reason": "time", "detail": "seat 1 ran out of time"}
    line |= {"moves": line["moves"][:3], "movers": line["movers"][:3], "between": [gone]}
    line |= {"reason": "time", "winners": [0]}
    line["times"]["ms"] = line["times"]["ms"][:3]
    kept = msgspec.convert(line, record.Record)
    *_, last = verification.positions(kept)
    kept = record.sealed(msgspec.structs.replace(kept, scores=(last.scores[0], 0)))
    file = tmp_path / "left.jsonl"
    with record_files.RecordFile(file) as opened:
        opened.add(kept)
    assert "reply left the game" in analyse(file).out
    assert json.loads(analyse(file, "--json").out)["behind"] == [0, None]


def test_what_cannot_be_analysed_is_told_in_a_line(analyse, recorded, tmp_path):
    first, second = recorded.read_text().splitlines()
    loose = json.loads(first)
    loose["moves"].pop()
    loose["movers"].pop()
    cut = json.dumps(loose)
    *_, last = verification.positions(record.read_line(cut))
    running = json.dumps({**loose, "scores": last.scores})
    cases = {
        "running": (f"{running}\n", "game 1: after its last move the game is not over: seat 1 is to move"),
        "changed": (f"{cut}\n", "seat 0 ('random'): the record says"),
        "torn": (f"{first}\n{second[:50]}", "line 2: cut short"),
        "broken": (f"{first}\nhello\n", "line 2: not a whole line of JSON"),
        "empty": ("", "holds no record"),
    }
    for name, (content, complaint) in cases.items():
        file = tmp_path / name
        file.write_text(content)
        told = analyse(file, code=2)
        assert complaint in told.err
        assert (told.err.count("\n"), told.out) == (1, "")
    assert "cannot be read: No such file" in analyse(tmp_path / "nothing", code=2).err
    assert "holds games 1 to 2, not game 3" in analyse(recorded, "--game", 3, code=2).err
    assert "cannot be written" in analyse(recorded, "--png", "/no/such/a.png", code=2).err
