"""Records of the first format: 0.1.0 wrote them, and what it said of each is kept here, for ever."""

import hashlib
from pathlib import Path

import msgspec
import pytest

from hinterland import catalog
from hinterland.cli import run
from hinterland.referee import record, verification
from hinterland.storage import records as record_files

FOLDER = Path(__file__).parent / "first_format"
LINES = (FOLDER / "games.jsonl").read_bytes().splitlines(keepends=True)
FIGURES = [line.split() for line in (FOLDER / "figures.txt").read_text().splitlines()]
"""Of each game the beginning of SHA-256 of the scores and moves of all positions, of the last one's SVG, of what
``replay`` prints and of what ``analyse --json`` prints. Six SVGs of graphs were written anew, a last digit of theirs
other than it was, when layouts became the same on every processor."""
every_game = pytest.mark.parametrize(("line", "figures"), list(zip(LINES, FIGURES, strict=True)), ids=range(len(LINES)))


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[:10]


def test_games_of_all_kinds_are_among_them():
    kept = [one for _, one in record_files.read(FOLDER / "games.jsonl")]
    assert {one.game for one in kept} == set(catalog.GAMES)
    events = {tuple(what.event for what in one.between) for one in kept}
    assert any({"lost", "left"} <= set(one) for one in events)
    assert {"complete", "time", "crash", "resigned", "illegal", "void"} <= {one.reason for one in kept}
    assert any(one.times.notes for one in kept)
    assert any(one.rules.get("weight") for one in kept)
    assert max(one.rules["players"] for one in kept) == 4


@every_game
def test_a_game_reads_verifies_and_is_written_as_it_was(line, figures):
    kept = record.read_line(line)
    verification.verify(kept)
    assert record.to_line(kept) == line
    positions = list(verification.positions(kept))
    assert digest(repr([(one.scores, one.moves[-1:]) for one in positions])) == figures[0]
    assert digest(catalog.game(kept.game).pictures.svg(positions[-1])) == figures[1]
    second = record.sealed(msgspec.structs.replace(kept, format=record.FORMAT))
    verification.verify(record.read_line(record.to_line(second)))
    assert verification.final(second) == verification.final(kept)


@pytest.mark.jit
@every_game
def test_replay_and_analyse_say_what_they_said(line, figures, tmp_path, capsys):
    catalog.game(record.read_line(line).game).warm_up()  # the solver has a second, which loading it would use up
    file = tmp_path / "one.jsonl"
    file.write_bytes(line)
    for words, known in ((["replay", str(file)], figures[2]), (["analyse", str(file), "--json"], figures[3])):
        code = run(words)
        told = capsys.readouterr()
        assert digest(f"{code} {told.out} {told.err if code else ''}") == known
