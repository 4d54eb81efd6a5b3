"""A Swiss round is the best of all pairings, compared with every other one in plain Python."""

import time
from fractions import Fraction
from itertools import combinations
from statistics import median

import numpy as np
import pytest

from drawn_contests import drawn, play, tables_of
from hinterland.contest.pairings import swiss
from hinterland.contest.pairings.rounds import TableResult, make_dice
from hinterland.contest.pairings.swiss import Swiss, default_swiss_rounds
from hinterland.errors import RulesError


def all_pairings(players):
    """Yield every pairing of a list of players; an odd one leaves one player alone."""
    if not players:
        yield ()
    elif len(players) % 2:
        for player in players:
            for rest in all_pairings([other for other in players if other != player]):
                yield (*rest, (player,))
    else:
        first = players[0]
        for other in players[1:]:
            for rest in all_pairings([player for player in players[1:] if player != other]):
                yield ((first, other), *rest)


def told(finished, players, pairings):
    """Return points, mean shares, meetings and byes."""
    points, share, matches = [0] * players, [0] * players, [0] * players
    met, byes = {}, [0] * players
    for result in (result for played in finished for result in played):
        if len(result.table) == 1:
            (player,) = result.table
            byes[player] += 1
            points[player] += 2 * pairings
            continue
        met[frozenset(result.table)] = met.get(frozenset(result.table), 0) + 1
        for place, player in enumerate(result.table):
            points[player] += result.half_points[place]
            share[player] += result.shares[place]
            matches[player] += result.matches
    return points, [Fraction(one, count or 1) for one, count in zip(share, matches, strict=True)], met, byes


def costs(tables, points, met, byes):
    """Return the costs of a pairing by each criterion, in order; smaller is better."""
    pairs = [frozenset(table) for table in tables if len(table) == 2]
    alone = [table[0] for table in tables if len(table) == 1]
    return (
        sum(byes[player] > min(byes) for player in alone),
        sum(pair in met for pair in pairs),
        sum(met.get(pair, 0) for pair in pairs),
        sum(points[player] for player in alone),
        sum((points[min(pair)] - points[max(pair)]) ** 2 for pair in pairs),
    )


def by_place(tables, points, share):
    """Return the sum of squared differences of places, for players without ties."""
    order = sorted(range(len(points)), key=lambda player: (points[player], share[player]))
    place = {player: number for number, player in enumerate(order)}
    return sum((place[table[0]] - (place[table[1]] if len(table) == 2 else 0)) ** 2 for table in tables)


def random_history(players, rounds, pairings, rng):
    """Return rounds with random pairings, so that rematches and uneven byes occur."""
    finished = []
    for _ in range(rounds):
        order = rng.permutation(players).tolist()
        tables = [tuple(sorted(order[place : place + 2])) for place in range(0, players, 2)]
        finished.append(tuple(drawn(table, rng, pairings) for table in tables))
    return finished


@pytest.mark.parametrize("players", range(2, 11))
def test_no_pairing_is_better(players, rng):
    every = list(all_pairings(list(range(players))))
    for _ in range(8 if players > 8 else 100):
        rounds, pairings = int(rng.integers(0, 8)), int(rng.integers(1, 4))
        finished = random_history(players, rounds, pairings, rng)
        form = Swiss(players=players, seed=int(rng.integers(1000)), pairings=pairings, rounds=99)
        tables = form.tables(finished)
        points, share, met, byes = told(finished, players, pairings)
        ranked = [(costs(one, points, met, byes), one) for one in every]
        least = min(cost for cost, _ in ranked)
        assert costs(tables, points, met, byes) == least
        if len(set(zip(points, share, strict=True))) == players:
            nearest = min(by_place(one, points, share) for cost, one in ranked if cost == least)
            assert by_place(tables, points, share) == nearest


@pytest.mark.parametrize("players", range(2, 10))
def test_over_eleven_rounds_nobody_meets_twice_while_that_can_be_avoided(players, rng):
    every = list(all_pairings(list(range(players))))
    finished = play(Swiss(players=players, rounds=11), rng)
    assert len(finished) == 11
    for number, tables in enumerate(tables_of(finished)):
        points, _, met, byes = told(finished[:number], players, 1)
        fewest = min(costs(one, points, met, byes)[:2] for one in every)
        assert costs(tables, points, met, byes)[:2] == fewest
    assert max(byes) - min(byes) <= 1


@pytest.mark.thorough
@pytest.mark.parametrize("players", [199, 200])
def test_two_hundred_players(players, rng):
    form = Swiss(players=players, rounds=11, pairings=2, seed=5)
    finished, seconds = [], []
    for _ in range(11):
        began = time.process_time()
        tables = form.tables(finished)
        seconds.append(time.process_time() - began)
        assert sorted(player for table in tables for player in table) == list(range(players))
        finished.append(tuple(drawn(table, rng, 2) for table in tables))
    _, _, met, byes = told(finished, players, 2)
    assert set(met.values()) == {1}
    assert max(byes) == players % 2
    assert median(seconds) <= 0.2


def test_leaders_are_named_first_and_the_bye_last(rng):
    finished = play(Swiss(players=9, rounds=3), rng)
    tables = Swiss(players=9, rounds=4).tables(finished)
    points, *_ = told(finished, 9, 1)
    best = [max(points[player] for player in table) for table in tables[:-1]]
    assert best == sorted(best, reverse=True)
    assert len(tables[-1]) == 1


def test_lots_depend_on_the_seed_and_the_round_alone():
    assert Swiss(players=20, seed=1).tables([]) == Swiss(players=20, seed=1).tables([])
    assert Swiss(players=20, seed=1).tables([]) != Swiss(players=20, seed=2).tables([])


def test_weights_order_pairings_as_the_levels_do(rng):
    """The sums of a criterion must not reach into the one above."""
    edges = list(combinations(range(6), 2))
    for _ in range(50):
        levels = [rng.integers(0, 4, len(edges)) for _ in range(4)]
        weights = dict(zip(edges, swiss._pack_weights(levels, 6, make_dice(1, 1)), strict=True))
        sums = {
            pairing: tuple(sum(int(level[edges.index(pair)]) for pair in pairing) for level in levels)
            for pairing in all_pairings(list(range(6)))
        }
        totals = {pairing: sum(weights[pair] for pair in pairing) for pairing in sums}
        by_levels = sorted(sums, key=lambda pairing: (sums[pairing], totals[pairing]))
        assert by_levels == sorted(sums, key=totals.__getitem__)
        assert len(set(totals.values())) == len(totals)


def test_large_sums_leave_no_weight_too_wide(rng):
    """A million matches of a table: the weights need more bits than there are, so only the lots are left out."""
    players, pairings = 6, 10**6
    half = [0, 3, 777_777, 777_778, 1_999_997, 2 * pairings]
    played = (TableResult((one, one + 3), pairings, (half[one], half[one + 3]), (0, 0)) for one in range(3))
    finished = [tuple(played)] * 40
    tables = Swiss(players=players, pairings=pairings, rounds=99).tables(finished)
    points, _, met, byes = told(finished, players, pairings)
    every = all_pairings(list(range(players)))
    assert costs(tables, points, met, byes) == min(costs(one, points, met, byes) for one in every)


def test_usual_rounds():
    rounds = [default_swiss_rounds(players) for players in (2, 3, 4, 5, 6, 8, 9, 16, 17, 200)]
    assert rounds == [1, 3, 3, 5, 5, 5, 6, 6, 7, 10]
    assert len(play(Swiss(players=12), np.random.default_rng(1))) == default_swiss_rounds(12)


@pytest.mark.parametrize(
    ("options", "word"),
    [({"players": 1}, "players"), ({"rounds": 0}, "rounds"), ({"pairings": 0}, "pairings"), ({"seed": -1}, "seed")],
)
def test_impossible_options_are_refused(options, word):
    with pytest.raises(RulesError, match=word):
        Swiss(**{"players": 4, **options})
