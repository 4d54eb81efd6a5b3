"""The zoo: every hostile player gets its verdict, and a referee that misjudges, dawdles or leaves things is found."""

import asyncio
import json
import os
from pathlib import Path

import msgspec
import pytest

from hinterland.cli import run
from hinterland.errors import ArenaError, UnknownName
from hinterland.referee.shell import sandbox
from hinterland.referee.shell.game import GameInPlay
from hinterland.referee.shell.process import Program
from hinterland.referee.shell.program import ProgramChair
from hinterland.referee.shell.zoo import hostile, speaker, stage, verdicts, visit
from hinterland.referee.shell.zoo.rows import ROWS
from hinterland.referee.wire.talk import Limits

FAULTS = Path(__file__).parents[2] / "docs" / "faults.md"
SIZE = 12
PATIENCE = 20
"""Tests run beside other tests: a verdict may take a second. On a quiet machine `hinterland zoo` is strict."""


def row_of(deed):
    return next(row for row in ROWS if row.deed == deed)


def visited(*rows, carriers=("tcp",), patience=PATIENCE, **more):
    wish = visit.Wish(rows=rows, carriers=carriers, size=SIZE, patience=patience, **more)
    return asyncio.run(visit.visit(wish))


@pytest.fixture
def works():
    try:
        asyncio.run(sandbox.check())
    except ArenaError as error:
        if os.environ.get("HINTERLAND_NO_SKIP"):
            pytest.fail(str(error))
        pytest.skip(str(error))


def assert_all_is_well(lines):
    assert lines
    assert [(line.deed, line.way, line.misses) for line in lines if line.misses] == []
    assert sum(line.left for line in lines) == 0


def test_every_row_over_tcp():
    assert_all_is_well(visited(*ROWS, at_once=3, repeats=9))


def test_every_row_over_pipes():
    assert_all_is_well(visited(*ROWS, carriers=("pipes",), at_once=3, repeats=9))


@pytest.mark.usefixtures("works")
def test_every_row_in_the_sandbox():
    assert_all_is_well(visited(*ROWS, carriers=("sandbox",), at_once=3, repeats=9))


def test_rows_and_deeds_belong_together():
    started = {row.deed for row in ROWS if not row.program}
    assert started == set(hostile.DEEDS)
    assert len({(row.deed, row.ways, row.expected) for row in ROWS}) == len(ROWS)


def test_every_row_is_in_the_table_of_faults():
    told = FAULTS.read_text()
    assert [row.deed for row in ROWS if row.number and f"`{row.deed}`" not in told] == []


def test_rows_are_chosen_by_number_and_by_deed():
    assert visit.chosen(()) == ROWS
    assert {row.number for row in visit.chosen(("5", "closes"))} == {5, 22}
    with pytest.raises(UnknownName, match="unknown row of the zoo '99'"):
        visit.chosen(("99",))


def test_no_two_moves_of_a_game_are_the_same_or_too_near():
    cells = [speaker.cell(ply, 9) for ply in range(25)]
    assert len(set(cells)) == 25
    assert all(row % 2 == 0 and col % 2 == 0 and row < 9 and col < 9 for row, col in cells)


# Planted faults: what the zoo must find


def test_a_referee_without_limits_is_found():
    lax = msgspec.structs.replace(stage.DOORS, limits=Limits(line_bytes=1 << 20))
    [in_words, in_json] = visited(row_of("long_line"), doors=lax)
    for line in (in_words, in_json):
        assert "where oversize was due" in line.misses[0]


def test_a_referee_that_dawdles_is_found(monkeypatch):
    ring = GameInPlay._ring

    def dawdle(game):
        """Ring 0.3 s late by the clock of the game, which leaves out what a busy machine took."""
        game._notice_lag(game.now_ns)
        due_ns = game.judged.clocks.deadline_ns
        if due_ns is not None and game.now_ns < due_ns + 300_000_000:
            asyncio.get_running_loop().call_later(0.05, dawdle, game)
        else:
            ring(game)

    monkeypatch.setattr(GameInPlay, "_ring", dawdle)
    [line] = visited(msgspec.structs.replace(row_of("never_answers"), ways=("json",)), patience=1, repeats=0)
    assert line.verdict == "time"
    assert any("ms late" in miss for miss in line.misses)


def test_a_referee_that_leaves_processes_is_found(monkeypatch):
    async def forget(_):
        pass

    monkeypatch.setattr(stage, "SETTLE_S", 0.01)
    monkeypatch.setattr(ProgramChair, "close", forget)
    monkeypatch.setattr(Program, "end", lambda *_: None)
    [line] = visited(msgspec.structs.replace(row_of("stops_itself"), ways=("pipes",)), carriers=("pipes",))
    assert line.left == 1
    assert line.misses == ("1 processes were left behind",)


def test_a_sandbox_that_hides_nothing_is_found():
    [line] = visited(msgspec.structs.replace(row_of("pries"), ways=("pipes",)), carriers=("pipes",))
    assert line.misses[0] == "1 of 1 runs: crash where complete was due"


def seen(verdict="time", late_ms=1.0, growth_kib=10.0, left=0, machine_ms=0.0, beside_ms=(1.0,), beside_faults=0):
    outcome = stage.Outcome(
        verdict=verdict, late_ms=late_ms, growth_kib=growth_kib, left=left,
        since_ns=0, until_ns=1, machine_ms=machine_ms,
    )  # fmt: skip
    return verdicts.Visit(outcome=outcome, beside_ms=beside_ms, beside_faults=beside_faults)


@pytest.mark.parametrize(
    ("change", "miss"),
    [
        ({}, None),
        ({"late_ms": 50.0}, None),
        ({"late_ms": -5.0}, None),
        ({"late_ms": 50.2}, "the verdict came 50.2 ms late"),
        ({"late_ms": None}, "no verdict was timed"),
        ({"verdict": "flood", "late_ms": None}, "1 of 20 runs: flood where time was due"),
        ({"verdict": "time after 1 moves"}, "1 of 20 runs: time after 1 moves where time was due"),
        ({"verdict": "time, ended 2 times"}, None),
        ({"left": 3}, "3 processes were left behind"),
        ({"growth_kib": 1024.0}, None),
        ({"growth_kib": 1025.0}, "the referee grew by 1025 KiB a connection"),
        ({"beside_faults": 1}, "a player of the game beside left it, 1 times"),
        ({"beside_ms": (51.0,)}, "the players of the game beside waited 51 ms"),
    ],
)
def test_one_run_of_twenty_that_misses_is_found(change, miss):
    row = row_of("never_answers")
    runs = [seen()] * 19 + [seen(**change)]
    if change.get("late_ms", 1) is None:
        runs = [seen(late_ms=None)] * 19 + runs[-1:]
        miss = miss if "verdict" not in change else "1 of 20 runs: flood where time was due"
    line = verdicts.line(row, "hps", runs)
    assert line.misses[:1] == (() if miss is None else (miss,))
    assert line.runs == 20


def test_a_run_is_repeated_only_where_the_machine_was_busy():
    row = row_of("never_answers")
    assert not verdicts.is_worth_repeating(row, seen(machine_ms=500.0))
    assert not verdicts.is_worth_repeating(row, seen(late_ms=90.0))
    assert verdicts.is_worth_repeating(row, seen(late_ms=90.0, machine_ms=500.0))
    assert verdicts.is_worth_repeating(row, seen(verdict="crash", machine_ms=500.0))
    assert verdicts.is_worth_repeating(row, seen(beside_ms=(90.0,), machine_ms=500.0))


@pytest.fixture
def patient(monkeypatch):
    monkeypatch.setattr(verdicts, "MOST_LATE_MS", 5000)
    monkeypatch.setattr(verdicts, "MOST_BESIDE_MS", 5000)


@pytest.mark.usefixtures("patient")
def test_the_command_prints_a_table(capsys):
    assert run(["zoo", "closes", "http", "--carrier", "tcp"]) == 0
    out = capsys.readouterr().out
    assert "hangs up when asked" in out
    assert "a browser at the door" in out
    assert "4 rows, 1 runs each, 0 missed" in out


@pytest.mark.usefixtures("patient")
def test_the_command_prints_json_and_exits_with_1_where_a_row_misses(capsys, monkeypatch):
    monkeypatch.setattr(verdicts, "MOST_GROWTH_KIB", -1)
    assert run(["zoo", "23", "--carrier", "tcp", "--runs", "2", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["runs"], told["missed"]) == (2, 2)
    assert [(row["deed"], row["way"], row["verdict"]) for row in told["rows"]] == [
        ("resets", "hps", "disconnect"),
        ("resets", "json", "disconnect"),
    ]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["99"], "unknown row of the zoo '99'"),
        (["--carrier", "pigeon"], "unknown carrier 'pigeon'; known: tcp, pipes, sandbox"),
        (["--runs", "0"], "whole numbers from 1"),
        (["exits_0", "--carrier", "tcp"], "none of these rows is played over this carrier"),
    ],
)
def test_wrong_use(arguments, words, capsys):
    assert run(["zoo", *arguments]) == 2
    assert words in capsys.readouterr().err


def test_percentiles():
    assert verdicts.p99([]) == 0
    assert verdicts.p99([3.0]) == 3
    assert verdicts.p99(list(range(20))) == 19
    assert verdicts.p99(list(range(200))) == 197
