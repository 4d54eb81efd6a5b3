"""All pairs meet once, also those of players added later; early tables have all players."""

from itertools import combinations

import pytest

from drawn_contests import play, tables_of
from hinterland.contest.pairings.static import Gauntlet, RoundRobin
from hinterland.errors import RulesError


@pytest.mark.parametrize("players", range(2, 14))
def test_all_pairs_once(players, rng):
    (tables,) = tables_of(play(RoundRobin(players=players), rng))
    assert sorted(tables) == list(combinations(range(players), 2))


@pytest.mark.parametrize("players", range(2, 14))
def test_no_player_is_named_twice_in_a_turn(players):
    tables = RoundRobin(players=players).tables([])
    turn = players // 2
    for start in range(0, len(tables), turn):
        named = [player for table in tables[start : start + turn] for player in table]
        assert len(set(named)) == len(named)


@pytest.mark.parametrize(("players", "added"), [(3, (2,)), (7, (4,)), (9, (2, 3, 5)), (12, (11,)), (12, (3,))])
def test_who_is_added_meets_all_and_earlier_rounds_stand(players, added, rng):
    rounds = tables_of(play(RoundRobin(players=players, added=added), rng))
    assert len(rounds) == len(added) + 1
    assert sorted(table for tables in rounds for table in tables) == list(combinations(range(players), 2))
    for count, before in enumerate(added):
        assert rounds[: count + 1] == tables_of(play(RoundRobin(players=before, added=added[:count]), rng))


@pytest.mark.parametrize(("players", "added"), [(2, ()), (9, ()), (9, (2, 3, 5))])
def test_gauntlet(players, added, rng):
    rounds = tables_of(play(Gauntlet(players=players, added=added), rng))
    assert [table for tables in rounds for table in tables] == [(0, other) for other in range(1, players)]
    assert [tables[0][1] for tables in rounds] == [1, *added]


@pytest.mark.parametrize("kind", [RoundRobin, Gauntlet])
@pytest.mark.parametrize("players", [1, 0, -3, True, 2.0])
def test_too_few_players_are_refused(kind, players):
    with pytest.raises(RulesError, match="players must be a whole number from 2 on"):
        kind(players=players)


@pytest.mark.parametrize("kind", [RoundRobin, Gauntlet])
@pytest.mark.parametrize("added", [(5,), (1,), (3, 3), (4, 3)])
def test_impossible_additions_are_refused(kind, added):
    with pytest.raises(RulesError, match="added must rise"):
        kind(players=5, added=added)
