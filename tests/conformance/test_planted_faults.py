"""A referee that misjudges, dawdles, leaves processes or disturbs others is found by the conformance suite."""

import asyncio
import os
from operator import attrgetter

import msgspec
import pytest

from conformance import __main__ as command
from conformance import case_reports, run_case
from conformance.fault_rows import CARRIERS, ROWS
from conformance.roles import places, player_run, recorded_run
from conformance.roles.player_run import ADMISSION, PlayerRun
from conformance.roles.recorded_run import RecordedRun
from conformance.suite import Suite, run_suite
from hinterland.host.live_game import LiveGame
from hinterland.host.players.program_player import ProgramPlayer
from hinterland.host.processes.program_process import Program
from hinterland.referee.protocol.session import InboundLimits
from hinterland.web.connections import Connections, WebSocketConnection
from hinterland.web.matches.seated_people import SeatedPeople

pytestmark = pytest.mark.thorough
WAYS = {"tcp": ("hps", "json"), "tables": ("table",)}
NUMBER = attrgetter("number")
PATIENCE = 20
"""These tests run beside others: a verdict may take a second."""


def row_of(misbehaviour, **changes):
    row = next(row for row in ROWS if row.misbehaviour == misbehaviour)
    return msgspec.structs.replace(row, **changes)


def tried(*rows, carriers=("tcp",), patience=PATIENCE, **more):
    return asyncio.run(run_suite(Suite(rows=rows, carriers=carriers, size=12, patience=patience, **more)))


@pytest.mark.parametrize("carrier", ["tcp", "tables"])
def test_a_referee_without_limits_is_found(carrier):
    lax = msgspec.structs.replace(ADMISSION, limits=InboundLimits(line_bytes=1 << 20))
    reports = tried(row_of("long_line", ways=WAYS[carrier]), carriers=(carrier,), admission=lax)
    assert len(reports) == len(WAYS[carrier])
    for report in reports:
        assert "where oversize was due" in report.misses[0]


@pytest.mark.parametrize(("misbehaviour", "way"), [("never_answers", "json"), ("pings", "watch"), ("leaves", "arena")])
def test_a_referee_that_dawdles_is_found(monkeypatch, misbehaviour, way):
    ring = LiveGame._on_deadline

    def dawdle(game):
        """Ring 0.3 s late by the clock of the game, which leaves out what a busy machine took."""
        game._notice_lag(game.now_ns)
        due_ns = game.judged.clocks.deadline_ns
        if due_ns is not None and game.now_ns < due_ns + 300_000_000:
            asyncio.get_running_loop().call_later(0.05, dawdle, game)
        else:
            ring(game)

    monkeypatch.setattr(LiveGame, "_on_deadline", dawdle)
    [report] = tried(row_of(misbehaviour, ways=(way,)), carriers=CARRIERS, patience=1, repeats=0)
    assert report.verdict.startswith("time")
    assert any("ms late" in miss for miss in report.misses)


def test_a_referee_that_leaves_processes_is_found(monkeypatch):
    async def forget(_):
        pass

    monkeypatch.setattr(player_run, "SETTLE_S", 0.01)
    monkeypatch.setattr(ProgramPlayer, "close", forget)
    monkeypatch.setattr(Program, "end", lambda *_: None)
    [report] = tried(row_of("stops_itself", ways=("pipes",)), carriers=("pipes",))
    assert report.left == 1
    assert report.misses == ("1 processes or connections were left behind",)


def test_a_sandbox_that_hides_nothing_is_found():
    [report] = tried(row_of("pries", ways=("pipes",)), carriers=("pipes",))
    assert report.misses[0] == "1 of 1 runs: crash where complete was due"


def lets_in(monkeypatch):
    """Let whoever says nothing stay."""
    monkeypatch.setattr(places, "LIMITS", msgspec.structs.replace(places.LIMITS, request_s=60.0))


def counts_nothing(monkeypatch):
    """Answer every ping."""
    monkeypatch.setattr(WebSocketConnection, "_count", lambda _: None)


def listens_for_ever(monkeypatch):
    """Take apart what comes after the end."""
    monkeypatch.setattr(WebSocketConnection, "_may_still_say", lambda *_: True)
    monkeypatch.setattr(places, "LIMITS", msgspec.structs.replace(places.LIMITS, send_s=60.0))


def takes_any_key(monkeypatch):
    """Let whoever looks move for the hostile person."""
    find = SeatedPeople.find_person
    monkeypatch.setattr(
        SeatedPeople, "find_person", lambda people, key: find(people, key) or max(people._by_key.values(), key=NUMBER)
    )


@pytest.mark.parametrize(
    ("plant", "misbehaviour", "way", "miss"),
    [
        (lets_in, "half_a_handshake", "watch", "time, let be where time, cut off was due"),
        (lets_in, "slow_headers", "arena", "time, let be where time, cut off was due"),
        (counts_nothing, "pings", "arena", "time, let be where time, cut off was due"),
        (listens_for_ever, "texts", "watch", "time, let be where time, cut off was due"),
        (takes_any_key, "forged_keys", "arena", "where time, refused was due"),
    ],
)
def test_pages_that_bear_too_much_are_found(monkeypatch, plant, misbehaviour, way, miss):
    plant(monkeypatch)
    [report] = tried(row_of(misbehaviour, ways=(way,)), carriers=CARRIERS)
    assert miss in report.misses[0]


def test_an_arena_that_keeps_connections_is_found(monkeypatch):
    monkeypatch.setattr(Connections, "leave", lambda *_: None)
    [report] = tried(row_of("pings", ways=("arena",)), carriers=CARRIERS)
    assert "processes or connections were left behind" in report.misses[0]


def test_a_suite_that_leaves_descriptors_open_is_found(monkeypatch):
    kept, judge = [], PlayerRun.judge

    def keep(*told):
        kept.extend(map(os.dup, [0] * 10))
        return judge(*told)

    monkeypatch.setattr(PlayerRun, "judge", keep)
    try:
        [report] = tried(row_of("closes", ways=("json",)))
    finally:
        for descriptor in kept:
            os.close(descriptor)
    assert report.misses[-1] == "10 descriptors more are open than before all runs"


WRITES_TWICE = """
add = RecordFile.add
RecordFile.add = lambda file, record: (add(file, record), add(file, record))
"""
WRITES_HALVES = """
RecordFile.add = lambda file, record: file.append(b'{"half"')
"""
WRITES_ON = """
from hinterland.storage.append_file import AppendFile
AppendFile._check_size = lambda file: file.size
"""


@pytest.mark.parametrize(
    ("planted", "misbehaviour", "miss"),
    [
        (WRITES_TWICE, "exits_1", "and 4 records"),
        (WRITES_HALVES, "exits_1", "the file is damaged"),
        (WRITES_ON, "renamed", "where stopped was due"),
    ],
)
def test_a_match_that_records_badly_is_found(monkeypatch, planted, misbehaviour, miss):
    program = f"from conformance.roles.match_starter import RecordFile, main\n{planted}\nmain()"
    monkeypatch.setattr(recorded_run, "STARTER", ("-c", program))
    [report] = tried(row_of(misbehaviour, ways=("recorded",)), carriers=CARRIERS)
    assert miss in report.misses[0]


def test_what_becomes_of_a_file_that_is_whole_already_shows_nothing_and_is_done_again(monkeypatch):
    spoil, tries = RecordedRun._spoil, []

    async def too_late_at_first(run, ending):
        tries.append(run)
        if len(tries) == 1:
            await asyncio.shield(ending)
        return await spoil(run, ending)

    monkeypatch.setattr(RecordedRun, "_spoil", too_late_at_first)
    [report] = tried(row_of("renamed", ways=("recorded",)), carriers=CARRIERS)
    assert (report.misses, tries.count(tries[0])) == ((), 2)


LATE = {"late_ms": 9e9, "machine_ms": 9e9}
GROWN = {"growth_kib": 5000.0, "machine_ms": 9e9}
WRONG = {"verdict": "flood", **LATE}


def seen_otherwise(monkeypatch, changes):
    """Change what is seen of the first runs of a row, each in its way; return a list of all that are played."""
    played = []

    async def run(row, *more):
        found = await run_case.run_case(row, *more)
        if row.misbehaviour != "closes":
            return found
        played.append(found)
        return msgspec.structs.replace(found, **dict(enumerate(changes, start=1)).get(len(played), {}))

    monkeypatch.setattr("conformance.suite.run_case", run)
    return played


@pytest.mark.parametrize(
    ("changes", "misses", "repeated"),
    [
        ([WRONG], "1 of 1 runs: flood where disconnect was due", 0),
        ([LATE, WRONG], "1 of 1 runs: flood where disconnect was due", 1),
        ([LATE, LATE], "", 2),
        ([LATE] * 4, "the verdict came 9e+09 ms late", 3),
        ([GROWN], "", 1),
        ([GROWN] * 4, "the referee grew by 5000 KiB a connection", 3),
    ],
    ids=["wrong", "late, then wrong", "late twice", "always late", "grown once", "always grown"],
)
def test_however_busy_the_machine_a_wrong_verdict_stands_and_lateness_is_counted(
    changes, misses, repeated, monkeypatch
):
    played = seen_otherwise(monkeypatch, changes)
    [report] = tried(row_of("closes", ways=("json",)))
    assert "; ".join(report.misses[:1]) == misses
    assert report.repeated == repeated == len(played) - 1


def test_the_command_says_how_often_lateness_was_measured_again(monkeypatch, capsys):
    seen_otherwise(monkeypatch, [LATE, LATE])
    assert command.run(["closes", "--carrier", "tcp", "--patience", "100"]) == 0
    told = "2 rows, 1 runs each, 0 missed; late or larger on a busy machine and measured again: 2\n"
    assert told in capsys.readouterr().out


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
        ({"left": 3}, "3 processes or connections were left behind"),
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
        ({"growth_kib": 1025.0}, True),
        ({"growth_kib": 1025.0, "left": 1}, False),
        ({"growth_kib": 1025.0, "verdict": "crash"}, False),
        ({"verdict": "crash"}, False),
        ({"verdict": "crash", "late_ms": 90.0}, False),
        ({"late_ms": None}, False),
        ({"late_ms": 90.0, "left": 1}, False),
        ({"late_ms": 90.0, "growth_kib": 1025.0}, False),
        ({"late_ms": 90.0, "control_departures": 1}, False),
    ],
)
def test_only_lateness_or_growth_is_measured_again_and_only_where_the_machine_was_busy(change, again):
    row = row_of("never_answers")
    assert case_reports.may_be_measured_again(row, "hps", seen(machine_ms=500.0, **change)) == again
    assert not case_reports.may_be_measured_again(row, "hps", seen(**change))


def test_percentiles():
    assert case_reports.p99([]) == 0
    assert case_reports.p99([3.0]) == 3
    assert case_reports.p99(list(range(20))) == 19
    assert case_reports.p99(list(range(200))) == 197
