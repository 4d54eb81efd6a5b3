"""Adaptive pairings: the fit against a grid, a match's worth against its definition, and the matches that it saves."""

import math
from itertools import combinations

import numpy as np
import pytest

from drawn_contests import play, tables_of
from hinterland.contest.pairings import adaptive
from hinterland.contest.pairings.adaptive import PRIOR_SPREAD, Adaptive, default_adaptive_rounds
from hinterland.contest.pairings.rounds import TableResult, make_dice
from hinterland.errors import RulesError
from hinterland.evidence.likelihood import fit_pairs, win_chances


def log_posterior(strengths, wins):
    """Return the log-posterior, up to a constant, in plain Python."""
    total = -sum(one * one for one in strengths) / (2 * PRIOR_SPREAD**2)
    for one, other in np.ndindex(wins.shape):
        total -= wins[one, other] * math.log1p(math.exp(strengths[other] - strengths[one]))
    return total


@pytest.mark.parametrize("players", [2, 3, 6])
def test_no_strengths_are_more_probable_and_the_curvature_is_there(players, rng):
    for _ in range(5):
        wins = rng.integers(0, 5, (players, players)) / 2.0
        np.fill_diagonal(wins, 0)
        mean, covariance = fit_pairs(wins, PRIOR_SPREAD)
        best = log_posterior(mean, wins)
        step = 1e-3
        unit = np.eye(players) * step
        for one in range(players):
            assert log_posterior(mean + unit[one], wins) < best
            assert log_posterior(mean - unit[one], wins) < best
        curvature = [
            [
                (
                    log_posterior(mean + unit[one] - unit[other], wins)
                    + log_posterior(mean - unit[one] + unit[other], wins)
                    - log_posterior(mean + unit[one] + unit[other], wins)
                    - log_posterior(mean - unit[one] - unit[other], wins)
                )
                / (4 * step**2)
                for other in range(players)
            ]
            for one in range(players)
        ]
        assert np.allclose(np.linalg.inv(covariance), curvature, atol=1e-3)


def test_who_won_everything_has_a_finite_strength():
    wins = np.array([[0, 1000, 1000], [0, 0, 1000], [0, 0, 0]], float)
    mean, _ = fit_pairs(wins, PRIOR_SPREAD)
    assert mean[0] > mean[1] > mean[2]
    assert abs(mean.sum()) < 1e-6


def worth(mean, covariance, pair, matches):
    """Return by definition how much a pair's matches reduce the variance of all differences with an open sign."""
    one, other = pair
    chance = 1 / (1 + math.exp(mean[other] - mean[one]))
    information = matches * chance * (1 - chance)
    a = np.zeros(len(mean))
    a[one], a[other] = 1, -1
    after = np.linalg.inv(np.linalg.inv(covariance) + information * np.outer(a, a))
    total = 0.0
    for first, second in combinations(range(len(mean)), 2):
        b = np.zeros(len(mean))
        b[first], b[second] = 1, -1
        variance = b @ covariance @ b
        total += math.exp(-((mean[first] - mean[second]) ** 2) / (2 * variance)) * (1 - b @ after @ b / variance)
    return total, after


def test_each_pair_of_a_round_is_the_best_that_is_left(rng):
    for players in (3, 5, 7):
        wins = np.triu(rng.integers(0, 6, (players, players)), 1) * 1.0
        mean, covariance = strengths = fit_pairs(wins + 0.5 * wins.T, PRIOR_SPREAD)
        left = list(combinations(range(players), 2))
        for pair in adaptive._choose_pairs(strengths, 3, len(left), make_dice(1, 1)):
            values = {one: worth(mean, covariance, one, 3)[0] for one in left}
            assert values[pair] == pytest.approx(max(values.values()), rel=1e-6)
            covariance = worth(mean, covariance, pair, 3)[1]
            left.remove(pair)
        assert left == []


@pytest.mark.parametrize("players", range(2, 13))
def test_the_first_round_connects_everybody_and_no_pair_is_named_twice_in_a_round(players, rng):
    rounds = tables_of(play(Adaptive(players=players, seed=3), rng))
    reached, tables = {0}, list(rounds[0])
    for _ in range(players):
        reached |= {player for table in tables if reached & set(table) for player in table}
    assert reached == set(range(players))
    assert all(len(set(tables)) == len(tables) for tables in rounds)


@pytest.mark.parametrize("players", [4, 7, 12, 30])
def test_the_usual_rounds_are_three_quarters_of_a_round_robin(players):
    batch = players // 2
    tables = players + (default_adaptive_rounds(players, batch) - 1) * batch
    assert 0 <= tables - 3 / 8 * players * (players - 1) < batch


def order_after(form_of, truth, matches, seed):
    """Play ``matches`` matches; return the number of pairs that a fit then has in the wrong order."""
    rng, wins, finished = np.random.default_rng([seed, 1]), np.zeros((len(truth),) * 2), []
    chances = win_chances(truth)
    form = form_of(seed)
    while wins.sum() < matches:
        played = []
        for one, other in form.tables(finished):
            won = int(rng.random() < chances[one, other])
            wins[one, other] += won
            wins[other, one] += 1 - won
            played.append(TableResult((one, other), 1, (2 * won, 2 - 2 * won), (0, 0)))
        finished.append(tuple(played))
    found = fit_pairs(wins, PRIOR_SPREAD).mean
    assert wins.sum() == matches
    return int(((truth[:, None] > truth) & (found[:, None] <= found)).sum())


class RoundRobins:
    """Round robins without end."""

    def tables(self, finished):
        return list(combinations(range(12), 2))


@pytest.mark.thorough
def test_a_third_fewer_matches_than_two_round_robins_order_as_well():
    """``python -m benchmarks.adaptive`` has the whole curves, over more seeds."""
    truths = [np.random.default_rng([seed, 0]).normal(0, 1, 12) for seed in range(120)]
    whole = [order_after(lambda _: RoundRobins(), truth, 132, seed) for seed, truth in enumerate(truths)]
    fewer = [
        order_after(lambda seed: Adaptive(players=12, seed=seed, rounds=99, batch=9), truth, 93, seed)
        for seed, truth in enumerate(truths)
    ]
    assert np.mean(fewer) <= np.mean(whole)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"players": 1}, "players must be"),
        ({"batch": 7}, "batch must be a whole number from 1 to 6, not 7"),
        ({"batch": 0}, "batch must be"),
        ({"rounds": 0}, "rounds must be"),
        ({"pairings": 0}, "pairings must be"),
    ],
)
def test_impossible_options_are_refused(options, told):
    with pytest.raises(RulesError, match=told):
        Adaptive(**{"players": 4, **options})
