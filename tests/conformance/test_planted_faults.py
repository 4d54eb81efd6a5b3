"""A referee that misjudges, dawdles, leaves processes or disturbs others is found by the conformance suite."""

import asyncio

import msgspec
import pytest

from conformance import case_reports, run_case
from conformance.fault_rows import ROWS
from conformance.suite import Suite, run_suite
from hinterland.referee.shell.game import GameInPlay
from hinterland.referee.shell.process import Program
from hinterland.referee.shell.program import ProgramChair
from hinterland.referee.wire.talk import Limits

pytestmark = pytest.mark.conformance
PATIENCE = 20
"""These tests run beside others: a verdict may take a second."""


def row_of(misbehaviour, **changes):
    row = next(row for row in ROWS if row.misbehaviour == misbehaviour)
    return msgspec.structs.replace(row, **changes)


def tried(*rows, carriers=("tcp",), patience=PATIENCE, **more):
    return asyncio.run(run_suite(Suite(rows=rows, carriers=carriers, size=12, patience=patience, **more)))


def test_a_referee_without_limits_is_found():
    lax = msgspec.structs.replace(run_case.DOORS, limits=Limits(line_bytes=1 << 20))
    [in_words, in_json] = tried(row_of("long_line"), doors=lax)
    for report in (in_words, in_json):
        assert "where oversize was due" in report.misses[0]


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
    [report] = tried(row_of("never_answers", ways=("json",)), patience=1, repeats=0)
    assert report.verdict == "time"
    assert any("ms late" in miss for miss in report.misses)


def test_a_referee_that_leaves_processes_is_found(monkeypatch):
    async def forget(_):
        pass

    monkeypatch.setattr(run_case, "SETTLE_S", 0.01)
    monkeypatch.setattr(ProgramChair, "close", forget)
    monkeypatch.setattr(Program, "end", lambda *_: None)
    [report] = tried(row_of("stops_itself", ways=("pipes",)), carriers=("pipes",))
    assert report.left == 1
    assert report.misses == ("1 processes were left behind",)


def test_a_sandbox_that_hides_nothing_is_found():
    [report] = tried(row_of("pries", ways=("pipes",)), carriers=("pipes",))
    assert report.misses[0] == "1 of 1 runs: crash where complete was due"


def test_a_referee_that_is_wrong_now_and_then_is_found(monkeypatch):
    """However busy the machine and however late the run, a wrong verdict stands."""
    played = []

    async def wrong_at_first(row, *more):
        run = await run_case.run_case(row, *more)
        played.append(row.misbehaviour)
        is_first = played.count("closes") == 1 and played[-1] == "closes"
        return msgspec.structs.replace(run, verdict="flood", late_ms=9e9, machine_ms=9e9) if is_first else run

    monkeypatch.setattr("conformance.suite.run_case", wrong_at_first)
    [report] = tried(row_of("closes", ways=("json",)))
    assert played.count("closes") == 1
    assert report.misses[0] == "1 of 1 runs: flood where disconnect was due"
    assert report.repeated == 0


def seen(verdict="time", late_ms=1.0, growth_kib=10.0, left=0, machine_ms=0.0, control_ms=(1.0,), control_departures=0):
    return run_case.CaseRun(
        verdict=verdict, late_ms=late_ms, growth_kib=growth_kib, left=left, machine_ms=machine_ms,
        control_ms=control_ms, control_departures=control_departures,
    )  # fmt: skip


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
        ({"control_departures": 1}, "a player of the control game left it, 1 times"),
        ({"control_ms": (51.0,)}, "the players of the control game waited 51 ms"),
    ],
)
def test_one_run_of_twenty_that_misses_is_found(change, miss):
    runs = [seen()] * 19 + [seen(**change)]
    if change.get("late_ms", 1) is None:
        runs = [seen(late_ms=None)] * 19 + runs[-1:]
    report = case_reports.report(row_of("never_answers"), "hps", runs)
    assert report.misses[:1] == (() if miss is None else (miss,))
    assert report.runs == 20


@pytest.mark.parametrize(
    ("change", "again"),
    [
        ({}, False),
        ({"late_ms": 90.0}, True),
        ({"control_ms": (90.0,)}, True),
        ({"verdict": "crash"}, False),
        ({"verdict": "crash", "late_ms": 90.0}, False),
        ({"late_ms": None}, False),
        ({"late_ms": 90.0, "left": 1}, False),
        ({"late_ms": 90.0, "growth_kib": 1025.0}, False),
        ({"late_ms": 90.0, "control_departures": 1}, False),
    ],
)
def test_only_lateness_is_measured_again_and_only_where_the_machine_was_busy(change, again):
    row = row_of("never_answers")
    assert case_reports.may_be_measured_again(row, "hps", seen(machine_ms=500.0, **change)) == again
    assert not case_reports.may_be_measured_again(row, "hps", seen(**change))


def test_percentiles():
    assert case_reports.p99([]) == 0
    assert case_reports.p99([3.0]) == 3
    assert case_reports.p99(list(range(20))) == 19
    assert case_reports.p99(list(range(200))) == 197
