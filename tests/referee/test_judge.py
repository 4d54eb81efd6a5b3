"""Every verdict of the judge on a virtual clock: no sleeps, no sockets, no threads."""

import pytest

from hinterland.contract import Clock
from hinterland.gravity import Rules, Stone
from hinterland.referee import judge
from hinterland.referee.clock import NS_PER_MS, TimeControl

MS = NS_PER_MS
RULES = Rules(size=12, players=2, stones=2, spacing=2)
MELEE = Rules(size=12, players=3, stones=2, spacing=2)
SECOND = TimeControl(budget_ms=1000)


class Table:
    """A judged game and the moment it is at; remembers every effect."""

    def __init__(self, rules=RULES, control=SECOND, **options):
        self.now = 5_000 * MS
        self.seen = []
        self.game = judge.begin(rules.start(), control, **options)
        self.send(judge.Begin())

    def send(self, event, after_ms=0):
        self.now += int(after_ms * MS)
        self.game, effects = judge.step(self.game, event, self.now)
        self.seen += effects
        return effects

    def answer(self, row, col, after_ms=0, *, seat=None, turn=None):
        asked = self.asked
        return self.send(
            judge.Answer(asked.seat if seat is None else seat, asked.turn if turn is None else turn, Stone(row, col)),
            after_ms,
        )

    @property
    def asked(self):
        return [effect for effect in self.seen if isinstance(effect, judge.Ask)][-1]


def kinds(effects):
    return [type(effect) for effect in effects]


def test_a_whole_game_is_asked_timed_and_ended_by_the_rules():
    table = Table()
    assert table.seen == [judge.Ask(0, 1, Clock(left_ms=1000), table.now + 1000 * MS)]
    played, asked = table.answer(0, 0, after_ms=300)
    assert played == judge.Played(0, Stone(0, 0), 300, (144, 0))
    assert (asked.seat, asked.turn) == (1, 2)
    table.answer(11, 11)
    asked = table.answer(0, 11, after_ms=100)[-1]
    assert asked.seat == 1
    played, ended = table.answer(11, 0)
    ending = ended.ending
    assert ending.reason == "complete"
    assert ending.scores == played.scores == table.game.position.scores
    assert ending.winners == (0, 1)
    assert table.game.clocks.left_ns == (600 * MS, 1000 * MS)
    assert table.game.move_ms == (300, 0, 100, 0)


@pytest.mark.parametrize(("after_ms", "verdict"), [(999.999999, None), (1000, None), (1000.000001, judge.Verdict.TIME)])
def test_an_answer_at_the_limit_is_in_time(after_ms, verdict):
    table = Table()
    effects = table.answer(0, 0, after_ms)
    assert [e.verdict for e in effects if isinstance(e, judge.Departed)] == ([verdict] if verdict else [])


def test_no_answer_loses_on_time_at_the_deadline_and_not_before():
    table = Table()
    table.answer(0, 0)
    assert table.send(judge.Tick(), after_ms=1000) == ()
    departed, ended = table.send(judge.Tick(), after_ms=0.000001)
    assert (departed.seat, departed.verdict, departed.plies) == (1, judge.Verdict.TIME, 1)
    assert "ran out of time" in departed.detail
    assert ended.ending.winners == (0,)
    assert ended.ending.scores == (144, 0)
    assert ended.ending.reason == "time"


def test_a_late_answer_is_not_a_move():
    table = Table()
    table.answer(0, 0, after_ms=1001)
    assert table.game.position.moves == ()


def test_an_illegal_move_loses_with_the_rule_in_words():
    table = Table()
    table.answer(5, 5)
    departed, ended = table.answer(5, 6)
    assert departed == judge.Departed(1, judge.Verdict.ILLEGAL, "2 from stone 1 needed, here 1.0", 1)
    assert ended.ending.winners == (0,)


def test_where_a_seat_may_retry_the_move_is_refused_and_the_clock_runs_on():
    table = Table(illegal=judge.Illegal.RETRY)
    table.answer(5, 5)
    (refused,) = table.answer(5, 5, after_ms=400)
    assert refused == judge.Refused(1, "occupied", "stone 1 stands on 5,5 already")
    played, _ = table.answer(0, 0, after_ms=400)
    assert played.ms == 800


def test_answers_out_of_turn_early_late_or_twice_are_discarded():
    table = Table()
    for seat, turn in ((1, 1), (0, 0), (0, 2), (7, 1)):
        (discarded,) = table.answer(3, 3, seat=seat, turn=turn)
        assert isinstance(discarded, judge.Discarded)
    table.answer(0, 0)
    assert kinds(table.answer(6, 6, seat=0, turn=1)) == [judge.Discarded]
    assert len(table.game.position.moves) == 1


def test_resigning_out_of_turn_counts_at_once():
    table = Table()
    departed, ended = table.send(judge.Resign(1))
    assert (departed.seat, departed.verdict) == (1, judge.Verdict.RESIGNED)
    assert ended.ending.winners == (0,)


def test_a_crash_is_the_players_own():
    table = Table()
    departed, _ = table.send(judge.Fault(0, judge.Verdict.CRASH, "it fell over"))
    assert departed.detail == "it fell over"
    assert table.game.ending.winners == (1,)


def test_in_a_melee_the_others_go_on_and_the_departed_scores_nothing():
    table = Table(MELEE)
    table.answer(0, 0)
    effects = table.send(judge.Tick(), after_ms=1001)
    assert kinds(effects) == [judge.Departed, judge.Ask]
    assert effects[1].seat == 2
    for cell in ((11, 0), (0, 11), (11, 11)):
        effects = table.answer(*cell)
    ending = effects[-1].ending
    assert ending.reason == "complete"
    assert ending.scores[1] == 0
    assert 1 not in ending.winners
    assert [seat for seat, _ in table.game.position.moves] == [0, 2, 0, 2]


def test_in_a_melee_a_seat_that_leaves_out_of_turn_stops_no_clock():
    table = Table(MELEE)
    effects = table.send(judge.Resign(2), after_ms=100)
    assert kinds(effects) == [judge.Departed]
    played = table.answer(0, 0, after_ms=100)[0]
    assert played.ms == 200
    assert table.send(judge.Resign(2)) == ()


def test_the_last_seat_of_a_melee_wins_at_once():
    table = Table(MELEE)
    table.send(judge.Resign(2))
    assert kinds(table.send(judge.Fault(0, judge.Verdict.CRASH, "x"))) == [judge.Departed, judge.Ended]
    assert table.game.ending.winners == (1,)


def test_moves_are_taken_back_and_the_clocks_keep_what_they_show():
    table = Table()
    table.answer(0, 0, after_ms=100)
    table.answer(11, 11, after_ms=100)
    taken, asked = table.send(judge.TakeBack(0), after_ms=50)
    assert taken == judge.TakenBack(0)
    assert asked.seat == 0
    assert table.game.position.moves == ()
    assert table.game.clocks.left_ns == (850 * MS, 900 * MS)
    assert table.game.move_ms == ()
    for plies in (0, 5, -1):
        assert table.send(judge.TakeBack(plies)) == ()


def test_an_old_answer_cannot_follow_a_take_back():
    table = Table()
    table.answer(0, 0)
    table.answer(11, 11)
    old = table.asked.turn
    table.send(judge.TakeBack(0))
    assert kinds(table.answer(6, 6, seat=0, turn=old)) == [judge.Discarded]


def test_a_void_game_has_no_winner():
    table = Table()
    (ended,) = table.send(judge.Void("the power failed"))
    assert ended.ending.reason == "void"
    assert ended.ending.winners == ()


def test_after_the_end_nothing_happens_and_exactly_one_effect_was_the_end():
    table = Table()
    table.send(judge.Resign(0))
    for event in (judge.Begin(), judge.Tick(), judge.Resign(1), judge.TakeBack(0), judge.Void("x")):
        assert table.send(event) == ()
    assert kinds(table.answer(1, 1)) == [judge.Discarded]
    assert kinds(table.seen).count(judge.Ended) == 1


def test_a_game_without_room_ends_stuck():
    table = Table(Rules(size=3, players=2, stones=3, spacing=2))
    table.answer(1, 1)
    assert table.game.ending.reason == "stuck"
