"""Clocks at limit - 1, limit and limit + 1, with budgets, limits a move and increments."""

import math

import pytest

from hinterland.contract import Clock
from hinterland.errors import RulesError
from hinterland.referee.clock import NS_PER_MS, Clocks, TimeControl

BUDGET = TimeControl(budget_ms=1000)
SECOND = 1000 * NS_PER_MS
START = 777


def running(control):
    return Clocks.fresh(control, 2).start(0, START)


@pytest.mark.parametrize(("after_ns", "late"), [(SECOND - 1, False), (SECOND, False), (SECOND + 1, True)])
@pytest.mark.parametrize(
    "control", [BUDGET, TimeControl(budget_ms=None, move_ms=1000), TimeControl(budget_ms=5000, move_ms=1000)]
)
def test_the_limit_itself_is_in_time(control, after_ns, late):
    assert running(control).is_late(START + after_ns) is late


def test_time_spent_is_taken_off_and_the_increment_added_after():
    control = TimeControl(budget_ms=1000, increment_ms=200)
    stopped = running(control).stop(START + 400 * NS_PER_MS)
    assert stopped.left_ns == (800 * NS_PER_MS, 1000 * NS_PER_MS)
    assert stopped.running is None
    assert running(control).is_late(START + SECOND + 1), "the increment does not count before the move is made"


def test_left_now_runs_only_for_the_seat_to_move():
    clocks = running(BUDGET)
    assert clocks.left_now_ns(0, START + 300 * NS_PER_MS) == 700 * NS_PER_MS
    assert clocks.left_now_ns(1, START + 300 * NS_PER_MS) == SECOND
    assert clocks.left_now_ns(0, START + 3 * SECOND) == 0


def test_without_limit_nothing_is_late():
    clocks = running(TimeControl(budget_ms=None))
    assert clocks.deadline_ns is None
    assert not clocks.is_late(10**18)
    assert clocks.stop(10**18).left_ns == (None, None)
    assert clocks.shown_to(0) == Clock()


def test_standing_clocks_have_no_deadline():
    fresh = Clocks.fresh(BUDGET, 2)
    assert fresh.deadline_ns is None
    assert fresh.stop(5) == fresh
    assert fresh.spent_ns(5) == 0
    assert fresh.shown_to(1) == Clock(left_ms=1000)


@pytest.mark.parametrize("seconds", [0, -1, math.inf, math.nan, 1e9, 1e-9])
def test_absurd_clocks_are_refused(seconds):
    with pytest.raises(RulesError, match=r"clock must be from 0\.001 to 1000000 seconds"):
        TimeControl.of_seconds(seconds)


@pytest.mark.parametrize("fields", [{"budget_ms": 0}, {"budget_ms": 1.5}, {"increment_ms": -1}, {"move_ms": True}])
def test_absurd_fields_are_refused(fields):
    with pytest.raises(RulesError, match="must be a whole number"):
        TimeControl(**fields)


def test_seconds_become_milliseconds():
    assert TimeControl.of_seconds(1.5, 0.25, 3) == TimeControl(budget_ms=1500, increment_ms=250, move_ms=3000)
