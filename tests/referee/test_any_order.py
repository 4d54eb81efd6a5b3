"""The judge under any events in any order; and planted faults that this finds."""

from collections import Counter

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

import judged_games as games
from hinterland import contract
from hinterland.errors import HinterlandError
from hinterland.referee import judge, record, verification
from hinterland.referee.clock import Clocks, TimeControl

numbers = st.integers(0, 60)


class AnyOrder(RuleBasedStateMachine):
    """Any events in any order: nothing raises, the game ends once, a seat that left never moves."""

    @initialize(
        players=st.sampled_from([4, 3, 2]),
        illegal=st.sampled_from([judge.Illegal.SKIP, judge.Illegal.RETRY, judge.Illegal.FORFEIT]),
        grace=st.integers(0, 50),
        waits=st.integers(0, 5),
    )
    def begin(self, players, illegal, grace, waits):
        control = TimeControl(budget_ms=500, increment_ms=20)
        self.table = games.Table(games.SMALL[players], control, illegal=illegal, grace_ms=(grace,) * players)
        self.gone = set()
        if waits < 5:
            self.send(judge.Begin(), 0)

    def send(self, event, after):
        effects = self.table.send(event, after_ms=after)
        for effect in effects:
            if isinstance(effect, judge.Played | judge.Request | judge.Skipped | judge.Refused):
                assert effect.seat not in self.gone
            if isinstance(effect, judge.Departure):
                assert effect.seat not in self.gone
                self.gone.add(effect.seat)

    @precondition(lambda self: self.table.game.turn == 0)
    @rule(after=numbers)
    def start(self, after):
        self.send(judge.Begin(), after)

    @rule(number=numbers, after=numbers)
    def moves(self, number, after):
        self.send(games.answer_event(self.table.game, number, how="legal"), after)

    @rule(number=numbers, after=numbers, how=st.sampled_from(["illegal", "unreadable", "stale", "foreign"]))
    def answers_badly(self, number, after, how):
        self.send(games.answer_event(self.table.game, number, how=how), after)

    @rule(number=numbers, after=numbers, kind=st.sampled_from(["begin", "tick", "sent", "lag", "pause"]))
    def happens(self, number, after, kind):
        self.send(games.other_event(self.table.game, number, kind=kind), after)

    @rule(plies=st.integers(-1, 4), after=numbers)
    def takes_back(self, plies, after):
        self.send(judge.TakeBack(plies), after)

    @precondition(lambda self: self.table.now % 3 == 0)
    @rule(number=st.integers(0, 20), kind=st.sampled_from(["resign", "fault"]))
    def leaves(self, number, kind):
        self.send(games.other_event(self.table.game, number, kind=kind), 1)

    @precondition(lambda self: self.table.now % 3 == 1)
    @rule(after=st.integers(400, 700))
    def sleeps(self, after):
        self.send(judge.Tick(), after)

    @invariant()
    def keeps_its_word(self):
        game = self.table.game
        ends = [effect for effect in self.table.seen if isinstance(effect, judge.Ended)]
        assert len(ends) == (game.ending is not None)
        assert self.gone == set(game.position.withdrawn) == {departed.seat for departed in game.departures}
        assert len(game.move_ms) == len(game.position.moves)
        assert min((*game.move_ms, *game.clocks.left_ns, game.lag_ns)) >= 0
        used = Counter(seat for seat, _ in game.position.moves) + Counter(seat for _, seat in game.position.skipped)
        assert all(turns <= game.position.rules.stones for turns in used.values())
        if game.ending is None:
            assert game.clocks.running == (game.position.to_move if game.turn else None)
            return
        assert game.clocks.running is None
        after_end = self.table.seen[self.table.seen.index(ends[0]) + 1 :]
        assert all(isinstance(effect, judge.Discarded) for effect in after_end)
        assert all(game.ending.scores[seat] == 0 for seat in self.gone)
        assert not self.gone & set(game.ending.winners)
        assert game.ending.reason in {*judge.Verdict, *contract.EndReason}
        self.check_places(game)

    def check_places(self, game):
        places = judge.ranking(game)
        if game.ending.reason != "void":
            assert tuple(seat for seat, place in enumerate(places) if place == 1) == game.ending.winners
            assert all(
                places[seat] > places[other] for seat in self.gone for other in set(range(len(places))) - self.gone
            )

    def teardown(self):
        if not hasattr(self, "table"):
            return
        self.send(judge.Void("the test is over"), 1)
        kept = games.make_record(self.table.game)
        verification.verify(record.read_line(record.to_line(kept)))


HOUSE = settings.get_profile("house")
AnyOrder.TestCase.settings = settings(HOUSE, max_examples=2 * HOUSE.max_examples, stateful_step_count=30)
TestAnyOrder = AnyOrder.TestCase


def end_twice(game, *details):
    after, effects = END(game, *details)
    return after, effects * 2


def end_silently(game, *details):
    return END(game, *details)[0], ()


def depart_at_once(game, seat, verdict, detail, now_ns):
    """Withdraws seats that have left already."""
    after, effects = DEPART(game, seat, verdict, detail, now_ns)
    if effects or seat not in game.position.withdrawn:
        return after, effects
    return game, (judge.Departure(seat, verdict, detail, 0),)


END, DEPART = judge._end, judge._withdraw


@pytest.mark.parametrize(
    ("place", "name", "fault"),
    [
        (judge, "_end", end_twice),
        (judge, "_end", end_silently),
        (judge, "_withdraw", depart_at_once),
        (judge, "departed_scores", lambda scores, departed: scores),
        (judge, "ranking", lambda game: tuple(range(1, 1 + game.position.rules.players))),
        (judge, "_start_clock", lambda game, turn, now_ns: 1 // 0),
        (Clocks, "stop", lambda clocks, now_ns: Clocks(clocks.control, (-1,) * len(clocks.left_ns))),
        (Clocks, "spent_ns", lambda clocks, now_ns: clocks.since_ns - now_ns),
        (contract.Position, "withdraw", lambda position, seat: position),
        (contract.Position, "turns_of", lambda position, seat: sum(mover == seat for mover, _ in position.moves)),
    ],
)
def test_any_order_catches_planted_faults(place, name, fault, monkeypatch):
    monkeypatch.setattr(place, name, fault)
    quick = settings(AnyOrder.TestCase.settings, phases=[Phase.generate], max_examples=240, print_blob=False)
    with pytest.raises((AssertionError, HinterlandError, ZeroDivisionError)):
        run_state_machine_as_test(AnyOrder, settings=quick)
