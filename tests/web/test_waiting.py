"""Programs that divide their time up by themselves hold no thread of the arena for long."""

import pytest

from hinterland.contract import Clock
from hinterland.gravity import Rules
from hinterland.gravity.players import Search
from hinterland.host.players.in_process import MAX_MOVE_MS, shorten_request
from hinterland.referee import judge


@pytest.mark.parametrize(
    ("clock", "told"),
    [
        (Clock(), Clock()),
        (Clock(move_ms=60_000), Clock(move_ms=60_000)),
        (Clock(left_ms=120_000), Clock(left_ms=120_000, move_ms=MAX_MOVE_MS)),
        (Clock(left_ms=120_000, move_ms=60_000), Clock(left_ms=120_000, move_ms=MAX_MOVE_MS)),
        (Clock(left_ms=120_000, move_ms=500), Clock(left_ms=120_000, move_ms=500)),
    ],
)
def test_a_move_on_a_budget_is_told_of_a_limit(clock, told):
    ask = judge.Request(seat=0, turn=1, clock=clock, deadline_ns=5)
    assert shorten_request(ask) == judge.Request(seat=0, turn=1, clock=told, deadline_ns=5)


def test_so_the_search_keeps_within_it():
    hour = judge.Request(seat=0, turn=1, clock=Clock(left_ms=3_600_000), deadline_ns=None)
    assert Search().seconds_for(Rules().start(), hour.clock) > 300
    assert Search().seconds_for(Rules().start(), shorten_request(hour).clock) * 1000 < MAX_MOVE_MS
