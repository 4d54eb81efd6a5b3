"""Clocks at limit - 1, limit and limit + 1, with budgets, limits a move, increments, grace and delays."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
    with pytest.raises(RulesError, match=r"clock: from 0\.001 to 1,000,000 seconds"):
        TimeControl.of_seconds(seconds)


@pytest.mark.parametrize("fields", [{"budget_ms": 0}, {"budget_ms": 1.5}, {"increment_ms": -1}, {"move_ms": True}])
def test_absurd_fields_are_refused(fields):
    with pytest.raises(RulesError, match="must be a whole number"):
        TimeControl(**fields)


def test_seconds_become_milliseconds():
    assert TimeControl.of_seconds(1.5, 0.25, 3) == TimeControl(budget_ms=1500, increment_ms=250, move_ms=3000)


GRACE = 30 * NS_PER_MS


def with_grace(control, seat=0):
    """Return clocks on which the seats 0 and 1 have 30 and 0 ms of grace, and one runs."""
    return Clocks.fresh(control, 2, (30, 0)).start(seat, START)


@pytest.mark.parametrize(("beyond_ns", "late"), [(-1, False), (0, False), (1, True)])
@pytest.mark.parametrize(("seat", "limit_ns"), [(0, SECOND + GRACE), (1, SECOND)])
@pytest.mark.parametrize(
    "control", [BUDGET, TimeControl(budget_ms=None, move_ms=1000), TimeControl(budget_ms=5000, move_ms=1000)]
)
def test_grace_moves_the_deadline_of_its_own_seat(control, seat, limit_ns, beyond_ns, late):
    clocks = with_grace(control, seat)
    assert clocks.deadline_ns == START + limit_ns
    assert clocks.is_late(START + limit_ns + beyond_ns) is late


@pytest.mark.parametrize(
    ("elapsed_ns", "charged_ns"),
    [(0, 0), (GRACE - 1, 0), (GRACE, 0), (GRACE + 1, 1), (SECOND, SECOND - GRACE), (SECOND + GRACE, SECOND)],
)
def test_grace_is_taken_off_the_charge_and_never_given_as_time(elapsed_ns, charged_ns):
    clocks = with_grace(BUDGET)
    now = START + elapsed_ns
    assert clocks.stop(now).left_ns == clocks.halt(now).left_ns == (SECOND - charged_ns, SECOND)
    assert clocks.left_now_ns(0, now) == SECOND - charged_ns
    assert clocks.spent_ns(now) == elapsed_ns
    assert with_grace(BUDGET, 1).stop(now).left_ns == (SECOND, max(SECOND - elapsed_ns, 0))


def test_grace_is_for_every_move():
    clocks = Clocks.fresh(BUDGET, 2, (30, 0))
    for number in range(10):
        clocks = clocks.start(0, number * SECOND).stop(number * SECOND + GRACE)
    assert clocks.left_ns == (SECOND, SECOND)
    assert clocks.start(0, START).deadline_ns == START + SECOND + GRACE


def test_a_player_is_told_its_time_without_the_grace():
    assert with_grace(BUDGET).shown_to(0) == Clock(left_ms=1000)


@pytest.mark.parametrize(("elapsed_ns", "late"), [(GRACE - 1, False), (GRACE, False), (GRACE + 1, True)])
def test_grace_remains_when_nothing_else_is_left(elapsed_ns, late):
    clocks = with_grace(BUDGET).stop(START + SECOND + GRACE)
    assert clocks.left_ns == (0, SECOND)
    assert clocks.start(0, START).is_late(START + elapsed_ns) is late


def test_an_increment_is_for_a_move_and_not_for_a_lost_turn():
    control = TimeControl(budget_ms=1000, increment_ms=200)
    now = START + 400 * NS_PER_MS
    assert running(control).stop(now).left_ns[0] == 800 * NS_PER_MS
    assert running(control).halt(now).left_ns[0] == 600 * NS_PER_MS
    assert running(control).halt(now).running is None
    assert running(control).halt(START + 9 * SECOND).left_ns[0] == 0


def test_a_clock_that_stands_is_not_halted():
    fresh = Clocks.fresh(BUDGET, 2, (30, 0))
    assert fresh.halt(5) == fresh.postponed(5, 10) == fresh


@pytest.mark.parametrize(
    ("delay_ns", "elapsed_ns", "spent_ns"),
    [(0, 100, 100), (40, 100, 60), (100, 100, 0), (101, 100, 0), (10**15, 100, 0), (40, 0, 0)],
)
def test_a_delay_did_not_happen_but_no_more_than_what_has_passed(delay_ns, elapsed_ns, spent_ns):
    clocks = running(BUDGET).postponed(delay_ns, START + elapsed_ns)
    assert clocks.spent_ns(START + elapsed_ns) == spent_ns
    assert clocks.deadline_ns == START + elapsed_ns - spent_ns + SECOND


@pytest.mark.parametrize("since", [-(10**15), 0, 10**18])
def test_only_differences_of_time_count(since):
    clocks = Clocks.fresh(BUDGET, 2).start(1, since)
    assert clocks.stop(since + 7).left_ns == (SECOND, SECOND - 7)
    assert clocks.is_late(since + SECOND + 1)


def test_a_moment_before_the_request_costs_nothing():
    clocks = running(BUDGET)
    assert clocks.spent_ns(START - 5) == 0
    assert clocks.stop(START - 5).left_ns == (SECOND, SECOND)
    assert clocks.postponed(3, START - 5) == clocks


times = st.integers(0, 3 * SECOND)


@given(moves=st.lists(st.tuples(times, times, st.booleans()), max_size=12), grace=st.integers(0, 500))
def test_no_clock_gains_or_falls_below_nothing(moves, grace):
    control = TimeControl(budget_ms=1000, increment_ms=50)
    clocks, now = Clocks.fresh(control, 1, (grace,)), 0
    for elapsed, delay, has_moved in moves:
        before = clocks.left_ns[0]
        clocks = clocks.start(0, now)
        now += elapsed
        clocks = clocks.postponed(delay, now)
        clocks = clocks.stop(now) if has_moved else clocks.halt(now)
        charged = max(elapsed - min(delay, elapsed) - grace * NS_PER_MS, 0)
        assert clocks.left_ns[0] == max(before - charged, 0) + (50 * NS_PER_MS if has_moved else 0)
