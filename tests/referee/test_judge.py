"""Every verdict of the judge on a virtual clock: no sleeps, no sockets, no threads."""

import msgspec
import pytest

import judged_games as games
from hinterland import contract
from hinterland.contract import Clock
from hinterland.gravity import Rules, Stone
from hinterland.referee import clock, judge, verification
from hinterland.referee.clock import NS_PER_MS, TimeControl

MS = NS_PER_MS
RULES = Rules(size=12, players=2, stones=2, spacing=2)
MELEE = Rules(size=12, players=3, stones=2, spacing=2)
SECOND = TimeControl(budget_ms=1000)


class Table(games.Table):
    """A table whose game has begun."""

    def __init__(self, rules=RULES, control=SECOND, **options):
        super().__init__(rules, control, **options)
        self.send(judge.Begin())


def kinds(effects):
    return [type(effect) for effect in effects]


def test_a_whole_game_is_asked_timed_and_ended_by_the_rules():
    table = Table()
    assert table.seen == [judge.Request(0, 1, Clock(left_ms=1000), table.now + 1000 * MS)]
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
    assert [e.reason for e in effects if isinstance(e, judge.Departure)] == ([verdict] if verdict else [])


def test_no_answer_loses_on_time_at_the_deadline_and_not_before():
    table = Table()
    table.answer(0, 0)
    assert table.send(judge.Tick(), after_ms=1000) == ()
    departed, ended = table.send(judge.Tick(), after_ms=0.000001)
    assert (departed.seat, departed.reason, departed.plies) == (1, judge.Verdict.TIME, 1)
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
    assert departed == judge.Departure(1, judge.Verdict.ILLEGAL, "5,6 is too close to stone 1: 1.0 away, 2 needed", 1)
    assert ended.ending.winners == (0,)


def test_where_a_seat_may_retry_the_move_is_refused_and_the_clock_runs_on():
    table = Table(illegal=judge.Illegal.RETRY)
    table.answer(5, 5)
    (refused,) = table.answer(5, 5, after_ms=400)
    assert refused == judge.Refused(1, "occupied", "stone 1 stands on 5,5 already")
    played, _ = table.answer(0, 0, after_ms=400)
    assert played.ms == 800


def test_who_may_retry_may_do_so_this_often_a_turn():
    table = Table(illegal=judge.Illegal.RETRY, most_refusals=2)
    table.answer(5, 5)
    for _ in range(2):
        assert kinds(table.answer(5, 5)) == [judge.Refused]
    assert kinds(table.answer(0, 0)) == [judge.Played, judge.Request], "as often as allowed costs nothing"
    table.answer(0, 8)
    for _ in range(2):
        assert kinds(table.answer(5, 5)) == [judge.Refused], "each turn is counted by itself"
    departed, ended = table.answer(5, 5)
    words = "refused 2 times in one turn, and again: stone 1 stands on 5,5 already"
    assert departed == judge.Departure(1, judge.Verdict.ILLEGAL, words, 3)
    assert ended.ending.winners == (0,)


def test_an_illegal_move_may_cost_each_seat_something_else():
    table = Table(illegal=(judge.Illegal.RETRY, judge.Illegal.FORFEIT))
    assert kinds(table.answer(99, 0)) == [judge.Refused]
    table.answer(5, 5)
    assert kinds(table.answer(5, 5)) == [judge.Departure, judge.Ended]


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
    assert (departed.seat, departed.reason) == (1, judge.Verdict.RESIGNED)
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
    assert kinds(effects) == [judge.Departure, judge.Request]
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
    assert kinds(effects) == [judge.Departure]
    played = table.answer(0, 0, after_ms=100)[0]
    assert played.ms == 200
    assert table.send(judge.Resign(2)) == ()


def test_the_last_seat_of_a_melee_wins_at_once():
    table = Table(MELEE)
    table.send(judge.Resign(2))
    assert kinds(table.send(judge.Fault(0, judge.Verdict.CRASH, "x"))) == [judge.Departure, judge.Ended]
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


def test_bytes_that_are_no_answer_do_not_move_the_deadline():
    """Drips and info lines reach the judge as nothing at all, or as ticks; the deadline is absolute."""
    table = Table(grace_ms=(20, 20))
    deadline = table.asked.deadline_ns
    assert deadline == table.now + 1020 * MS
    for _ in range(102):
        assert table.send(judge.Tick(), after_ms=10) == ()
        assert table.game.clocks.deadline_ns == deadline
    assert table.now == deadline
    departed, _ = table.send(judge.Tick(), after_ms=0.000001)
    assert departed.reason == judge.Verdict.TIME


@pytest.mark.parametrize(("beyond_ns", "kind"), [(-1, judge.Played), (0, judge.Played), (1, judge.Departure)])
@pytest.mark.parametrize("grace", [0, 10, 100])
def test_an_answer_at_limit_and_grace_is_in_time(grace, beyond_ns, kind):
    table = Table(grace_ms=(grace, 0))
    table.now = table.asked.deadline_ns + beyond_ns
    effects = table.answer(0, 0)
    assert kinds(effects)[0] is kind
    assert table.game.clocks.left_ns[0] == (0 if beyond_ns >= 0 else 1) or kind is judge.Departure


def test_who_has_grace_is_charged_less_and_told_nothing_of_it():
    table = Table(grace_ms=(100, 0))
    assert table.asked.clock == Clock(left_ms=1000)
    played, _ = table.answer(0, 0, after_ms=150)
    assert played.ms == 150
    assert table.game.clocks.left_ns[0] == 950 * MS


@pytest.mark.parametrize("answers_first", [True, False])
def test_an_answer_and_the_flag_at_one_moment_are_decided_by_the_stamp(answers_first):
    table = Table()
    table.now = table.asked.deadline_ns
    if not answers_first:
        assert table.send(judge.Tick()) == ()
    assert kinds(table.answer(0, 0))[0] is judge.Played


def test_a_late_last_move_earns_no_increment_and_no_new_period():
    table = Table(control=TimeControl(budget_ms=1000, increment_ms=5000))
    assert kinds(table.answer(0, 0, after_ms=1000)) == [judge.Played, judge.Request]
    assert table.game.clocks.left_ns[0] == 5000 * MS
    assert table.answer(11, 11, after_ms=1000.000001)[0].reason == judge.Verdict.TIME
    assert table.game.position.moves == ((0, Stone(0, 0)),)


@pytest.mark.parametrize("offset_s", [-3600, 3600, 10**6])
def test_only_differences_of_time_count(offset_s):
    events = [(judge.Begin(), 0), (judge.Answer(0, 1, Stone(0, 0)), 5), (judge.RequestSent(2), 6), (judge.Lagged(3), 9)]
    events += [(judge.Answer(1, 2, Stone(9, 9)), 40), (judge.Tick(), 2000), (judge.Tick(), 2041)]
    seen = []
    for offset in (0, offset_s * 10**9):
        game, told = judge.begin(RULES.start(), SECOND), []
        for event, ms in events:
            game, effects = judge.step(game, event, offset + ms * MS)
            told += [e if not isinstance(e, judge.Request) else (e.seat, e.deadline_ns - offset) for e in effects]
        seen.append(told)
    assert seen[0] == seen[1]
    assert kinds(seen[0])[-1] is judge.Ended


@pytest.mark.parametrize("module", [judge, clock], ids=lambda module: module.__name__)
def test_the_time_is_always_told_and_never_read(module):
    assert not {"time", "datetime"} & {getattr(value, "__module__", name) for name, value in vars(module).items()}
    assert not {"time", "datetime"} & vars(module).keys()


ILLEGAL = [
    (Stone(-1, 0), "outside"),
    (Stone(12, 0), "outside"),
    (Stone(0.5, 0), "not_whole"),
    (Stone("1", 0), "not_whole"),
    (Stone(True, 0), "not_whole"),
    (Stone(5, 5), "occupied"),
    (Stone(5, 6), "too_near"),
    (Stone(0, 0, 2), "too_heavy"),
    (Stone(0, 0, 0), "too_light"),
    ("0,0", "not_a_stone"),
    (None, "not_a_stone"),
]


@pytest.mark.parametrize(("move", "code"), ILLEGAL, ids=str)
@pytest.mark.parametrize("illegal", judge.Illegal)
def test_an_illegal_move_costs_what_was_agreed(illegal, move, code):
    table = Table(illegal=illegal, control=TimeControl(budget_ms=1000, increment_ms=100))
    table.answer(5, 5)
    before = table.game
    effects = table.send(judge.Answer(1, 2, move), after_ms=300)
    assert table.game.position.moves == before.position.moves
    match illegal:
        case judge.Illegal.FORFEIT:
            assert kinds(effects) == [judge.Departure, judge.Ended]
            assert effects[0].reason == "illegal"
            assert effects[1].ending.at_fault == 1
        case judge.Illegal.SKIP:
            assert kinds(effects) == [judge.Skipped, judge.Request]
            assert (effects[0].code, effects[0].plies, effects[1].seat) == (code, 1, 0)
            assert table.game.position.skipped == ((1, 1),)
            assert table.game.clocks.left_ns == (1100 * MS, 700 * MS), "no increment for a lost turn"
            assert table.game.departures == ()
        case judge.Illegal.RETRY:
            (refused,) = effects
            assert refused.code == code
            same = msgspec.structs.replace(before, refusals=1)
            assert table.game == same, "the same request stands, the clock runs on"
    assert all("\n" not in effect.detail for effect in effects if hasattr(effect, "detail"))


@pytest.mark.parametrize(
    ("illegal", "kind"),
    [
        (judge.Illegal.FORFEIT, judge.Departure),
        (judge.Illegal.SKIP, judge.Skipped),
        (judge.Illegal.RETRY, judge.Refused),
    ],
)
def test_an_answer_that_is_no_move_is_an_illegal_one(illegal, kind):
    table = Table(illegal=illegal)
    effect = table.send(judge.Unreadable(0, 1, "not_a_move", "three numbers, not four"))[0]
    assert type(effect) is kind
    assert effect.detail == "three numbers, not four"


def test_an_unreadable_answer_that_is_late_stale_or_foreign_is_no_illegal_move():
    table = Table(illegal=judge.Illegal.SKIP)
    for seat, turn in ((0, 0), (0, 2), (1, 1)):
        assert kinds(table.send(judge.Unreadable(seat, turn, "not_a_move", "x"))) == [judge.Discarded]
    assert table.send(judge.Unreadable(0, 1, "not_a_move", "x"), after_ms=1001)[0].reason == judge.Verdict.TIME
    assert kinds(table.send(judge.Unreadable(0, 1, "not_a_move", "x"))) == [judge.Discarded]


def test_a_seat_that_only_breaks_the_rules_loses_all_its_turns_and_nothing_else():
    table = Table(illegal=judge.Illegal.SKIP)
    table.answer(99, 0)
    table.answer(5, 5)
    table.answer(5, 5)
    effects = table.answer(0, 0)
    assert kinds(effects) == [judge.Played, judge.Ended]
    ending = effects[-1].ending
    assert (ending.reason, ending.scores, ending.winners, ending.at_fault) == ("complete", (0, 144), (1,), None)
    assert table.game.position.skipped == ((0, 0), (1, 0))
    verification.verify(games.make_record(table.game))


def test_a_game_in_which_every_turn_is_lost_ends_without_a_move():
    table = Table(illegal=judge.Illegal.SKIP)
    for _ in range(4):
        effects = table.answer(99, 0)
    assert kinds(effects) == [judge.Skipped, judge.Ended]
    assert effects[-1].ending.scores == (0, 0)
    assert effects[-1].ending.winners == (0, 1)


def test_the_clock_starts_when_the_request_was_written():
    table = Table()
    assert table.send(judge.RequestSent(1), after_ms=200) == ()
    assert table.game.clocks.deadline_ns == table.now + 1000 * MS
    played, _ = table.answer(0, 0, after_ms=1000)
    assert played.ms == 1000
    assert table.game.clocks.left_ns[0] == 0


def test_news_of_an_old_request_starts_no_clock():
    table = Table()
    table.answer(0, 0)
    deadline = table.game.clocks.deadline_ns
    for turn in (0, 1, 3):
        assert table.send(judge.RequestSent(turn), after_ms=10) == ()
        assert table.game.clocks.deadline_ns == deadline
    waiting = judge.begin(RULES.start(), SECOND)
    assert judge.step(waiting, judge.RequestSent(0), 5) == (waiting, ())


def test_a_pause_is_charged_to_nobody_and_counts_in_its_own_turn_alone():
    table = Table()
    table.send(judge.Tick(), after_ms=400)
    for turn, deadline_ms in ((0, 600), (2, 600), (1, 700)):
        assert table.send(judge.Paused(turn, 100 * MS)) == ()
        assert table.game.clocks.deadline_ns == table.now + deadline_ms * MS
    played, _ = table.answer(0, 0, after_ms=200)
    assert played.ms == 500
    assert table.game.clocks.left_ns[0] == 500 * MS
    assert table.game.lag_ns == 0


def test_a_pause_is_never_longer_than_the_turn_was():
    table = Table()
    table.send(judge.Tick(), after_ms=50)
    table.send(judge.Paused(1, 10**6 * MS))
    assert table.game.clocks.deadline_ns == table.now + 1000 * MS


def test_time_in_which_the_referee_stood_still_is_charged_to_nobody():
    table = Table()
    assert table.send(judge.Lagged(500 * MS), after_ms=700) == (judge.Delayed(500 * MS),)
    assert table.send(judge.Tick(), after_ms=800) == (), "1.5 s after the request, of which 0.5 s do not count"
    played, _ = table.answer(0, 0)
    assert played.ms == 1000
    assert table.send(judge.Lagged(20 * MS), after_ms=20) == (judge.Delayed(20 * MS),)
    assert table.game.lag_ns == 520 * MS
    assert table.game.clocks.left_ns == (0, 1000 * MS)


def test_a_flag_within_a_delay_does_not_fall():
    """The driver tells of the delay before it ticks: what it overslept cannot cost a player the game."""
    table = Table()
    table.send(judge.Lagged(2000 * MS), after_ms=2500)
    assert table.send(judge.Tick()) == ()
    assert kinds(table.answer(0, 0, after_ms=500)) == [judge.Played, judge.Request]
    assert table.send(judge.Tick(), after_ms=1000.000001)[0].reason == judge.Verdict.TIME


def test_a_delay_from_before_the_request_gives_no_time_away():
    table = Table()
    table.send(judge.Lagged(9000 * MS), after_ms=100)
    assert table.game.clocks.deadline_ns == table.now + 1000 * MS


def test_a_delay_before_the_game_moves_no_clock():
    game, effects = judge.step(judge.begin(RULES.start(), SECOND), judge.Lagged(5 * MS), 7)
    assert effects == (judge.Delayed(5 * MS),)
    assert (game.lag_ns, game.clocks.running) == (5 * MS, None)


def test_many_delays_are_no_standstill_however_long_they_are_together():
    table = Table()
    assert table.send(judge.Lagged(60_000 * MS, 300 * MS), after_ms=61_000) == (judge.Delayed(60_000 * MS, 300 * MS),)
    assert (table.game.ending, table.game.lag_ns) == (None, 60_000 * MS)


@pytest.mark.parametrize(("beyond_ns", "is_void"), [(-1, False), (0, False), (1, True)])
def test_a_referee_that_stood_still_for_too_long_voids_the_game(beyond_ns, is_void):
    table = Table()
    stood_ns = judge.LONGEST_STANDSTILL_NS + beyond_ns
    effects = table.send(judge.Lagged(stood_ns, stood_ns), after_ms=11_000)
    assert kinds(effects) == [judge.Ended if is_void else judge.Delayed]
    assert table.game.lag_ns == stood_ns
    if is_void:
        ending = effects[0].ending
        assert (ending.reason, ending.winners, ending.at_fault) == ("void", (), "referee")
        assert ending.detail == "the referee stood still for 10.0 s"


@pytest.mark.parametrize("verdict", games.FAULTS)
@pytest.mark.parametrize("is_asked", [True, False])
def test_every_fault_of_a_player_is_its_own(verdict, is_asked):
    table = Table()
    seat = 0 if is_asked else 1
    departed, ended = table.send(judge.Fault(seat, verdict, "by design"), after_ms=3)
    assert departed == judge.Departure(seat, verdict, "by design", 0)
    ending = ended.ending
    assert (ending.reason, ending.detail, ending.at_fault) == (verdict, "by design", seat)
    assert (ending.winners, ending.scores) == ((1 - seat,), (0, 0))
    verification.verify(games.make_record(table.game))


def test_who_resigns_or_runs_out_of_time_is_at_fault():
    for event, after_ms, verdict in ((judge.Resign(0), 0, "resigned"), (judge.Tick(), 1001, "time")):
        ending = Table().send(event, after_ms)[-1].ending
        assert (ending.reason, ending.at_fault) == (verdict, 0)


def test_nobody_is_at_fault_where_the_rules_end_the_game():
    assert games.play_choices(games.SMALL[2], []).game.ending.at_fault is None


def test_a_void_game_names_who_ended_it():
    assert Table().send(judge.Void("stopped by the operator"))[0].ending.at_fault == "operator"
    ending = Table().send(judge.Void("a fault of the referee", "referee"))[0].ending
    assert (ending.at_fault, ending.winners) == ("referee", ())


def test_a_seat_that_could_not_start_leaves_before_the_first_request_and_no_clock_ran():
    table = games.Table(MELEE, SECOND)
    assert kinds(table.send(judge.Fault(0, judge.Verdict.START, "no such file"))) == [judge.Departure]
    (asked,) = table.send(judge.Begin(), after_ms=9000)
    assert asked.seat == 1
    assert table.game.clocks.left_ns == (1000 * MS,) * 3


def test_a_game_of_which_only_one_seat_could_start_never_asks():
    table = games.Table(RULES, SECOND)
    assert kinds(table.send(judge.Fault(1, judge.Verdict.START, "no such file"))) == [judge.Departure, judge.Ended]
    assert table.send(judge.Begin()) == ()
    assert table.game.ending.reason == "start"


def test_beginning_twice_asks_once():
    table = Table()
    assert table.send(judge.Begin(), after_ms=500) == ()
    assert table.game.clocks.deadline_ns == table.asked.deadline_ns


@pytest.mark.parametrize("event", [judge.Resign(2), judge.Resign(-1), judge.Fault(9, judge.Verdict.CRASH, "x")])
def test_a_seat_that_is_not_there_cannot_leave(event):
    table = Table()
    assert table.send(event) == ()
    assert table.game.ending is None


def test_an_answer_cannot_leak_into_another_game():
    first, second = Table(), Table()
    first.answer(0, 0)
    second.answer(1, 1)
    assert kinds(second.answer(0, 11, seat=1, turn=first.asked.turn + 1)) == [judge.Discarded]
    assert kinds(second.answer(0, 11, seat=0, turn=1)) == [judge.Discarded]


def test_a_departed_seat_of_a_melee_pays_its_time_without_increment():
    table = Table(MELEE, TimeControl(budget_ms=1000, increment_ms=100))
    table.send(judge.Resign(0), after_ms=400)
    assert table.game.clocks.left_ns[0] == 600 * MS
    assert table.game.clocks.running == 1


FOUR = Rules(size=12, players=4, stones=1, spacing=2)


def test_places_of_a_game_that_all_finished_are_by_score():
    table = Table(FOUR)
    for cell in ((0, 0), (6, 6), (0, 11), (11, 0)):
        table.answer(*cell)
    places, scores = judge.ranking(table.game), table.game.ending.scores
    assert sorted(range(4), key=lambda seat: places[seat])[0] == 1 == table.game.ending.winners[0]
    for seat in range(4):
        assert places[seat] == 1 + sum(score > scores[seat] for score in scores)


def test_who_left_is_below_who_stayed_and_who_left_later_above_who_left_earlier():
    table = Table(FOUR)
    table.answer(6, 6)
    table.send(judge.Resign(0))
    table.send(judge.Tick(), after_ms=1001)
    table.answer(0, 0)
    table.answer(11, 11)
    assert table.game.position.scores[0] > 0
    assert [departed.seat for departed in table.game.departures] == [0, 1]
    assert judge.ranking(table.game) in ((4, 3, 1, 2), (4, 3, 2, 1), (4, 3, 1, 1))
    assert table.game.ending.winners == tuple(s for s in (2, 3) if judge.ranking(table.game)[s] == 1)


def test_where_all_seats_fail_in_one_turn_the_order_of_failing_decides():
    table = Table(FOUR)
    for seat in (2, 0, 3):
        table.send(judge.Fault(seat, judge.Verdict.CRASH, "x"))
    assert judge.ranking(table.game) == (3, 1, 4, 2)
    assert table.game.ending.winners == (1,)
    assert table.game.ending.at_fault == 3


def test_equal_scores_share_a_place():
    table = Table(Rules(size=12, players=2, stones=1, spacing=2))
    table.answer(0, 0)
    table.answer(11, 11)
    assert judge.ranking(table.game) == (1, 1)


def test_a_game_that_goes_on_or_is_void_has_no_places():
    table = Table()
    assert judge.ranking(table.game) == ()
    table.send(judge.Void("x"))
    assert judge.ranking(table.game) == ()


class Debt(contract.Position, frozen=True, dict=True):
    """A game over from the start, with scores below nothing."""

    scores = (-5, -3, -9)
    to_move = None
    end_reason = contract.EndReason.COMPLETE


def test_who_left_never_wins_with_nothing_where_others_are_in_debt():
    game = judge.begin(Debt(contract.Rules(players=3)).withdraw(2), SECOND)
    game, _ = judge.step(game, judge.Begin(), 0)
    assert game.ending.winners == (1,)
