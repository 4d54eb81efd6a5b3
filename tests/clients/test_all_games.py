"""The sample client of dots, and the one that plays every game: whole matches that verify."""

import sys
from pathlib import Path

import pytest

from hinterland.cli import run
from hinterland.referee import record

PYTHON = Path(__file__).parents[2] / "clients" / "python"
DOTS = f"cmd:{sys.executable} {PYTHON / 'dots_client.py'}"
ANY = f"cmd:{sys.executable} {PYTHON / 'any_client.py'}"
MATCHES = {
    "dots": (DOTS, "dots", "random", "--dots", "10"),
    "two of dots": (DOTS, "dots", DOTS, "--board", "circle", "--dots", "8"),
    "any, of dots": (ANY, "dots", DOTS, "--dots", "9"),
    "any, of graph": (ANY, "graph", "gain", "--board", "road", "--vertices", "24", "--tokens", "3"),
    "any, of gravity": (ANY, "gravity", "random", "--size", "20", "--spacing", "3", "--stones", "3"),
    "any, with weights": (ANY, "gravity", ANY, "--size", "20", "--spacing", "3", "--stones", "3", "--weight", "7"),
}


@pytest.mark.parametrize("words", MATCHES.values(), ids=MATCHES)
def test_whole_matches_are_played_and_verify(words, tmp_path, capsys):
    first, game, second, *rules = words
    file = tmp_path / "match.jsonl"
    assert run(["match", game, first, second, *rules, "--seed", "1", "--record", str(file)]) == 0, capsys.readouterr()
    assert run(["verify", str(file)]) == 0
    kept = [record.read_line(line) for line in file.read_bytes().splitlines()]
    assert [(one.reason, one.departures) for one in kept] == [("complete", ())] * 2
