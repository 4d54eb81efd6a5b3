"""The bracket: who meets whom when, who goes on, and who is left."""

import pytest

from drawn_contests import drawn, play, tables_of
from hinterland.contest.pairings.rounds import TableResult
from hinterland.contest.pairings.static import Knockout, winner
from hinterland.errors import RulesError


def won_by_seed(tables):
    return tuple(
        TableResult(table, 1, (2, 0)[: len(table)], (10**9, 0)[: len(table)]) for table in tables
    )


def test_eight_players_as_the_books_have_it():
    form, finished = Knockout(players=8), []
    seen = []
    while (tables := form.tables(finished)) is not None:
        seen.append(tables)
        finished.append(won_by_seed(tables))
    assert seen == [((0, 7), (3, 4), (1, 6), (2, 5)), ((0, 3), (1, 2)), ((0, 1),)]


def test_five_players_the_best_three_have_byes():
    assert Knockout(players=5).tables([]) == ((0,), (3, 4), (1,), (2,))


@pytest.mark.parametrize("players", range(2, 70))
def test_where_the_better_seed_wins_the_best_meet_as_late_as_can_be(players):
    form, finished = Knockout(players=players), []
    while (tables := form.tables(finished)) is not None:
        left = 2 ** (form.rounds - len(finished))
        met = {frozenset(table) for table in tables if len(table) == 2}
        assert met == {frozenset((seed, left - 1 - seed)) for seed in range(left // 2) if left - 1 - seed < players}
        assert sorted(player for table in tables for player in table) == list(range(min(left, players)))
        finished.append(won_by_seed(tables))
    assert len(finished) == form.rounds


@pytest.mark.parametrize("players", [2, 3, 4, 7, 8, 13, 33])
def test_who_loses_is_out(players, rng):
    finished = play(Knockout(players=players), rng)
    out = set()
    for played in finished:
        for result in played:
            assert not out & set(result.table)
            out |= set(result.table) - {winner(result)}
    assert len(out) == players - 1


@pytest.mark.parametrize(("players", "tables"), [(2, 1), (3, 1), (4, 2), (8, 2), (11, 2)])
def test_third_place(players, tables, rng):
    form = Knockout(players=players, third_place=True)
    finished = play(form, rng)
    assert len(finished[-1]) == tables
    if tables == 2:
        semifinals = finished[-2]
        lost = {player for result in semifinals for player in result.table if player != winner(result)}
        assert set(finished[-1][1].table) == lost
    assert tables_of(finished[:-1]) == tables_of(finished)[: form.rounds - 1]


@pytest.mark.parametrize(
    ("half_points", "shares", "ahead"),
    [((1, 3), (9, 1), 7), ((2, 2), (4, 5), 7), ((2, 2), (5, 5), 4), ((3, 1), (0, 9), 4)],
)
def test_ties_are_broken_by_points_then_share_then_seed(half_points, shares, ahead):
    assert winner(TableResult((4, 7), 2, half_points, shares)) == ahead


def test_a_bye_goes_on():
    assert winner(drawn((3,), None)) == 3


def test_the_bracket_is_what_was_played_and_what_comes_next(rng):
    form = Knockout(players=6)
    finished = play(form, rng)
    whole = form.bracket(finished)
    assert [tuple(table for table, _ in played) for played in whole] == tables_of(finished)
    ahead = [[player for _, player in played] for played in whole]
    assert ahead == [[winner(one) for one in played] for played in finished]
    begun = form.bracket(finished[:1])
    assert begun[0] == whole[0]
    assert begun[1] == tuple((table, None) for table, _ in whole[1])
    assert form.bracket([])[0][0] == ((0,), None)


def test_one_player_is_refused():
    with pytest.raises(RulesError, match="players must be a whole number from 2 on"):
        Knockout(players=1)
