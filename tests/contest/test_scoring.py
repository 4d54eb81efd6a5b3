"""Scores of matches by hand: sums decide, players that leave rank behind, and one that stays alone gets the board."""

import msgspec
import pytest

from hinterland import catalog
from hinterland.contest.rated_records import RatedRecords
from hinterland.contest.scoring import SHARE_PARTS, contest_scores, score_match
from hinterland.referee.clock import TimeControl
from hinterland.referee.record import Between, ContestPlace, Record, Times

RULES = {
    "gravity": ({"size": 7, "stones": 2, "spacing": 1}, 49),
    "graph": ({"edges": ((0, 1, 1.0), (1, 2, 1.0), (2, 3, 1.0)), "values": (5, 1, 2, 8), "tokens": 1}, 16),
    "dots": ({"points": ((0, 0), (1, 0), (0, 1), (3, 4))}, 4),
}


def game(number, scores, left=(), name="gravity", players=2):
    """Make a game of ann, bob …, with rotated seats; ``left``: seats that left before the first move."""
    names = ("ann", "bob", "cas")[:players]
    rules = catalog.game(name).rules(**RULES[name][0], players=players)
    return Record(
        game=name, rules=msgspec.to_builtins(rules), players=names[number:] + names[:number], seed=1, number=number + 1,
        clock=TimeControl(), movers=(), moves=(), scores=scores, winners=(), reason="complete", detail="",
        between=tuple(Between(0, seat, "left", "crash", "it failed") for seat in left), times=Times("", ()),
        contest=ContestPlace("plan", 0, 0),
    )  # fmt: skip


def test_the_larger_sum_wins_and_equal_sums_are_drawn():
    won = score_match(("ann", "bob"), [game(0, (10, 30)), game(1, (5, 40))])
    assert won.totals == (50, 35)
    assert won.half_points == (2, 0)
    assert won.shares == (50 * SHARE_PARTS // 85, 35 * SHARE_PARTS // 85)
    assert score_match(("ann", "bob"), [game(0, (10, 30)), game(1, (20, 45))]).half_points == (2, 0)
    assert score_match(("ann", "bob"), [game(0, (10, 30)), game(1, (10, 30))]).half_points == (1, 1)
    assert score_match(("ann", "bob"), [game(0, (0, 0))]).shares == (SHARE_PARTS // 2, SHARE_PARTS // 2)


def test_who_left_is_behind_whatever_the_sums():
    records = [game(0, (40, 0)), game(1, (3, 0), left=(1,))]
    worth = score_match(("ann", "bob"), records)
    assert (worth.totals, worth.left, worth.half_points) == ((40, 3), (1, 0), (0, 2))


@pytest.mark.parametrize("name", RULES)
def test_who_stays_alone_before_anything_was_scored_is_credited_with_the_board(name):
    whole = RULES[name][1]
    record = game(0, (0, 0), left=(0,), name=name)
    assert contest_scores(record) == (0, whole)
    assert record.scores == (0, 0)
    worth = score_match(("ann", "bob"), [record, game(1, (1, 0), name=name)])
    assert (worth.totals, worth.credited) == ((0, whole + 1), 1)


def test_several_who_stay_share_the_board_and_nobody_is_credited_otherwise():
    assert contest_scores(game(0, (0, 0, 0), left=(1,), players=3)) == (24, 0, 24)
    assert contest_scores(game(0, (0, 0, 0), left=(0, 1, 2), players=3)) == (0, 0, 0)
    assert contest_scores(game(0, (0, 7), left=(0,))) == (0, 7)
    assert contest_scores(game(0, (0, 0))) == (0, 0)


def test_ratings_know_the_same_points():
    """Ann has by far the larger share, but she left."""
    rated = RatedRecords()
    for record in (game(0, (40, 0)), game(1, (3, 0), left=(1,))):
        rated.add(record)
    tally = rated.finish()
    assert tally.names == ("ann", "bob")
    assert [one.half_points for one in tally.standings] == [0, 2]
