"""Groups: all pairs meet about equally often, players rest in turn, and no better groups exist."""

from itertools import combinations

import pytest

from drawn_contests import drawn, play, tables_of
from hinterland.contest.pairings.melee_groups import MeleeGroups
from hinterland.errors import RulesError


def met_and_played(rounds, players):
    """Count the meetings of each pair, and the tables of each player."""
    met = dict.fromkeys(combinations(range(players), 2), 0)
    played = [0] * players
    for table in (table for tables in rounds for table in tables):
        for pair in combinations(sorted(table), 2):
            met[pair] += 1
        for player in table:
            played[player] += 1
    return met, played


def all_groups(players, size):
    """Yield every way to seat players at tables of a size."""
    if not players:
        yield ()
        return
    for others in combinations(players[1:], size - 1):
        rest = [player for player in players[1:] if player not in others]
        for groups in all_groups(rest, size):
            yield ((players[0], *others), *groups)


def cost(groups, met):
    """Return the cost of groups: the sum of squares of meetings beyond those of the rarest pair."""
    rarest = min(met.values())
    return sum((met[pair] - rarest) ** 2 for group in groups for pair in combinations(sorted(group), 2))


@pytest.mark.parametrize(("players", "size"), [(4, 2), (6, 3), (8, 2), (8, 4), (9, 3), (10, 5)])
def test_no_groups_cost_less(players, size, rng):
    every = list(all_groups(list(range(players)), size))
    for _ in range(12):
        finished = []
        for _ in range(int(rng.integers(1, 6))):
            order = rng.permutation(players).tolist()
            tables = (tuple(sorted(order[seat : seat + size])) for seat in range(0, players, size))
            finished.append(tuple(drawn(table, rng) for table in tables))
        met, _ = met_and_played(tables_of(finished), players)
        groups = MeleeGroups(players=players, table=size, rounds=99, seed=int(rng.integers(99))).tables(finished)
        assert cost(groups, met) == min(cost(one, met) for one in every)


@pytest.mark.parametrize(
    ("players", "size", "rounds"),
    [(6, 3, None), (7, 3, 7), (9, 3, 4), (10, 3, 15), (10, 4, None), (12, 4, 11), (15, 3, 7), (20, 5, 10), (5, 5, 3)],
)
def test_pairs_differ_by_at_most_two_meetings_and_rests_by_one(players, size, rounds, rng):
    seen = tables_of(play(MeleeGroups(players=players, table=size, rounds=rounds, seed=1), rng))
    for tables in seen:
        seated = [player for table in tables for player in table]
        assert {len(table) for table in tables} == {size}
        assert len(seated) == len(set(seated)) == players - players % size
    met, played = met_and_played(seen, players)
    assert max(met.values()) - min(met.values()) <= 2
    assert max(played) - min(played) <= (1 if players % size else 0)


def test_nine_players_in_threes_meet_once_each(rng):
    """The affine plane of order three."""
    met, _ = met_and_played(tables_of(play(MeleeGroups(players=9, table=3, rounds=4), rng)), 9)
    assert set(met.values()) == {1}


def test_the_usual_rounds_let_everybody_meet(rng):
    assert len(play(MeleeGroups(players=9, table=3), rng)) == 4
    assert len(play(MeleeGroups(players=7, table=3), rng)) == 4
    assert len(play(MeleeGroups(players=4, table=4), rng)) == 1


def test_who_comes_later_meets_those_who_were_there(rng):
    before = tables_of(play(MeleeGroups(players=8, table=4, rounds=5, seed=2), rng))
    grown = tables_of(play(MeleeGroups(players=9, table=4, rounds=5, seed=2, added=(8,)), rng))
    assert grown[:5] == before
    assert len(grown) == 10
    assert all(any(8 in table for table in tables) for tables in grown[5:])
    met, _ = met_and_played(grown, 9)
    late = [met[player, 8] for player in range(8)]
    assert sum(late) == 15
    assert max(late) - min(late) <= 2


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"table": 6}, "table must be a whole number from 2 to 5, not 6"),
        ({"table": 1}, "table must be a whole number from 2 to 5, not 1"),
        ({"table": 5, "added": (4,)}, "table must be a whole number from 2 to 4, not 5"),
        ({"rounds": 0}, "rounds must be"),
        ({"players": 1}, "players must be"),
    ],
)
def test_impossible_options_are_refused(options, told):
    with pytest.raises(RulesError, match=told):
        MeleeGroups(**{"players": 5, **options})
