"""The flag of a live game falls at the deadline, though its timer is not made anew for each request."""

import asyncio
import time
from collections import Counter

import pytest

from hinterland.gravity import Rules, Stone
from hinterland.host.lag_monitor import LagMonitor
from hinterland.host.live_game import LiveGame
from hinterland.host.observer import Observer
from hinterland.host.player_connection import PlayerConnection
from hinterland.referee import judge
from hinterland.referee.clock import TimeControl
from hinterland.referee.game_terms import GameTerms
from lateness import measure_least

BUDGET_S = 0.8


class Thinker(PlayerConnection):
    """Thinks for so long at each of its moves, and for ever after them."""

    def __init__(self, number, thoughts_s):
        super().__init__(number, f"thinker {number}")
        self.thoughts_s = list(thoughts_s)

    def request_move(self, request, message, position):
        if self.thoughts_s:
            answer = judge.Answer(request.seat, request.turn, Stone(len(position.moves), request.seat))
            submit_event, thought_s = self._submit_event, self.thoughts_s.pop(0)
            asyncio.get_running_loop().call_later(thought_s, lambda: submit_event(answer, time.monotonic_ns()))
        return True


class Creditor(Observer):
    """Sums by seat the delays that its clock was not charged for: those of another seat's request postpone no flag."""

    def __init__(self):
        self.credited_s = Counter()

    def on_effects(self, game, effects):
        delays_ns = [effect.lag_ns for effect in effects if isinstance(effect, judge.Delayed)]
        self.credited_s[game.judged.clocks.running] += sum(delays_ns) / 1e9


@pytest.mark.parametrize(
    ("thoughts_s", "late", "falls_s"),
    [
        (([], []), 0, 0.8),
        (([0.5], []), 1, 0.5 + 0.8),  # the first deadline passes, and is not this one's
        (([0.0, 0.5], [0.7]), 1, 0.7 + 0.5 + 0.1),  # this deadline comes before the one that stood
        (([0.3, 0.0], [0.0, 0.0]), 0, 0.3 + 0.5),
    ],
)
def test_the_flag_falls_at_the_deadline(thoughts_s, late, falls_s):
    async def played():
        players = [Thinker(seat, its_thoughts_s) for seat, its_thoughts_s in enumerate(thoughts_s)]
        rules, clock = Rules(size=20, spacing=1), TimeControl.of_seconds(BUDGET_S)
        terms = GameTerms(rules=rules, names=("a", "b"), clock=clock)
        judged = judge.begin(rules.start(), clock)
        creditor = Creditor()
        game = LiveGame(terms, judged, players, LagMonitor(), creditor, game_id="one")
        began = asyncio.get_running_loop().time()
        over = await asyncio.wait_for(game.play(), 10)
        return over, asyncio.get_running_loop().time() - began, creditor.credited_s

    def measure():
        over, took_s, credited_s = asyncio.run(played())
        (departure,) = over.departures
        assert (departure.seat, departure.reason) == (late, judge.Verdict.TIME)
        assert took_s - credited_s[late] >= falls_s - 0.002
        return took_s - over.lag_ns / 1e9

    latest_s = falls_s + 0.15
    assert measure_least(measure, latest_s) < latest_s
