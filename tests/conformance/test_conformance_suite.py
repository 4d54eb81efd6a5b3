"""The conformance suite itself: its rows, its scripts, its command. All rows are played by ``make conformance``."""

import json
import re
from pathlib import Path

import pytest

from conformance import case_reports, suite
from conformance.__main__ import run
from conformance.fault_rows import ROWS
from conformance.scripts import bad_guests, bad_people, both_protocols, misbehave
from hinterland.errors import UnknownName

ROOT = Path(__file__).parents[2]
FAULTS = ROOT / "docs" / "faults.md"


def test_rows_and_misbehaviours_belong_together():
    def started(role):
        return {row.misbehaviour for row in ROWS if row.role == role and not row.program}

    assert started("player") == set(misbehave.MISBEHAVIOURS)
    assert started("guest") == set(bad_guests.GUESTS)
    assert started("person") == set(bad_people.PEOPLE)
    assert len({(row.misbehaviour, row.ways, row.expected) for row in ROWS}) == len(ROWS)


def test_the_table_of_faults_tells_every_row():
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in FAULTS.read_text().splitlines() if "|" in line]
    groups = {row[0]: row[1] for row in rows if len(row) == 2}
    told = {
        (number, name, groups.get(over, over), misbehaviour)
        for number, causes, _, over in (row for row in rows if len(row) == 4)
        for name, misbehaviour in re.findall(r"([^;]+?) \(`(\w+)`\)(?:; |$)", causes)
    }
    wanted = {(str(row.number), row.name, ", ".join(row.ways), row.misbehaviour) for row in ROWS if row.number}
    assert wanted - told == set()


def test_rows_are_chosen_by_number_and_by_misbehaviour():
    assert suite.chosen(()) == ROWS
    assert {row.number for row in suite.chosen(("5", "closes"))} == {5, 22}
    with pytest.raises(UnknownName, match="unknown row of the suite '99'"):
        suite.chosen(("99",))


def test_no_two_moves_of_a_game_are_the_same_or_too_near():
    cells = [both_protocols.cell(ply, 9) for ply in range(25)]
    assert len(set(cells)) == 25
    assert all(row % 2 == 0 and col % 2 == 0 and row < 9 and col < 9 for row, col in cells)


def test_no_module_of_the_suite_is_named_like_one_of_the_package():
    def modules(folder):
        return {file.stem for file in folder.rglob("*.py")} - {"__init__", "__main__"}

    assert modules(Path(__file__).parent) & modules(ROOT / "src") == set()


def test_the_command_prints_a_table(capsys):
    assert run(["closes", "http", "--carrier", "tcp", "--patience", "100"]) == 0
    out = capsys.readouterr().out
    assert "hangs up when asked" in out
    assert "a browser at the port" in out
    assert "4 rows, 1 runs each, 0 missed" in out


def test_the_command_prints_json_and_exits_with_1_where_a_row_misses(capsys, monkeypatch):
    monkeypatch.setattr(case_reports, "MOST_GROWTH_KIB", -1)
    monkeypatch.setattr(case_reports, "BUSY_MS", float("inf"))  # no run is repeated
    assert run(["23", "--carrier", "tcp", "--runs", "2", "--json", "--patience", "100"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["runs"], told["missed"]) == (2, 2)
    assert [(row["misbehaviour"], row["way"], row["verdict"], row["repeated"]) for row in told["rows"]] == [
        ("resets", "hps", "disconnect", 0),
        ("resets", "json", "disconnect", 0),
    ]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["99"], "unknown row of the suite '99'"),
        (["--carrier", "pigeon"], "unknown carrier 'pigeon'; known: tcp, websocket, pipes, sandbox, tables, record"),
        (["--runs", "0"], "whole numbers from 1"),
        (["--repeats", "-1"], "--repeats is a whole number from 0, not -1"),
        (["--patience", "nan"], "--patience is a number from 1, not nan"),
        (["--runs", "x"], "--runs"),
        (["exits_0", "--carrier", "tcp"], "none of these rows is played over this carrier"),
    ],
)
def test_wrong_use(arguments, words, capsys):
    assert run(arguments) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert words in line
