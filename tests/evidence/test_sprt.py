"""The sequential test against published values, a general optimiser, and many runs."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq, minimize

from hinterland.errors import BadText
from hinterland.evidence.sprt import SCORES, UNSEEN_COUNT, Sprt, bounds, llr, stand, walk

PUBLISHED = [
    ((365, 16618, 36229, 16974, 390), 0, 2, "normalised", 2.25),
    ((127, 4883, 10712, 5150, 104), -1.75, 0.25, "normalised", 3.01),
    ((223, 9863, 21279, 10037, 246), 0.5, 2.5, "logistic", -3.07),
    ((871, 26175, 55983, 26678, 821), 0, 2, "logistic", -4.98),
    ((0, 0, 2, 0, 37), 0, 20, "normalised", 2.96),
    ((0, 0, 0, 0, 10), -1.75, 0.25, "normalised", 0.08),
    ((10, 0, 0, 0, 0), -1.75, 0.25, "normalised", -0.08),
    ((379, 10170, 21828, 10640, 343), 0, 2, "normalised", 2.946),
]
"""Tests of Stockfish as fastchess tells of them: its app/tests/sprt_test.cpp, and what it printed of matches."""


@pytest.mark.parametrize(("counts", "elo0", "elo1", "scale", "published"), PUBLISHED)
def test_published_values(counts, elo0, elo1, scale, published):
    assert float(llr(Sprt(elo0, elo1, scale=scale), np.array(counts))) == pytest.approx(published, abs=0.0051)


def test_a_player_who_wins_every_game():
    """Fastchess tells 111.82 to one part in a hundred, as its test has it; its earlier 2.94 was of another formula."""
    assert float(llr(Sprt(0, 5, scale="normalised"), np.array([0, 0, 0, 0, 5550]))) == pytest.approx(111.82, rel=0.01)


def most_likely(counts, condition):
    """Return the greatest log-likelihood of counts under a condition on the distribution, by a general optimiser."""

    def distribution(x):
        worths = np.exp(x - x.max())
        return worths / worths.sum()

    found = minimize(
        lambda x: -float(counts @ np.log(distribution(x))),
        np.log(counts),
        constraints=[{"type": "eq", "fun": lambda x: condition(distribution(x))}],
        method="SLSQP",
        options={"ftol": 1e-13, "maxiter": 1000},
    )
    assert found.success
    return -found.fun


@pytest.mark.parametrize("counts", [(3, 10, 30, 14, 5), (1, 2, 3, 4, 9)])
@pytest.mark.parametrize("scale", ["logistic", "normalised"])
def test_the_ratio_is_that_of_two_maxima(counts, scale):
    seen = np.array(counts, dtype=float)

    def off(elo):
        if scale == "logistic":
            return lambda p: p @ SCORES - 1 / (1 + 10 ** (-elo / 400))
        return lambda p: (p @ SCORES - 0.5) / math.sqrt(2 * p @ (SCORES - p @ SCORES) ** 2) - elo * math.log(10) / 800

    expected = most_likely(seen, off(40)) - most_likely(seen, off(-10))
    assert float(llr(Sprt(-10, 40, scale=scale), seen)) == pytest.approx(expected, abs=1e-4)


def test_what_was_not_seen_counts_next_to_nothing():
    counts = np.array([0, 5, 10, 8, 0])
    assert float(llr(Sprt(0, 10), counts)) == float(llr(Sprt(0, 10), np.maximum(counts, UNSEEN_COUNT)))


def games_of(expected, ties):
    """Return the chances of the five scores of a match, from a mean score and Davidson's weight of ties."""

    def of(nats):
        worths = np.array([1.0, ties * math.exp(nats / 2), math.exp(nats)])
        return worths / worths.sum()

    game = of(brentq(lambda nats: of(nats) @ [0, 0.5, 1] - expected, -20, 20))
    return np.convolve(game, game)


@pytest.mark.thorough
@pytest.mark.parametrize("ties", [0.05, 0.6])
def test_short_tests_err_as_often_as_they_were_asked_to(ties):
    """Within 1.2 points over 5,000 tests: a standard error is 0.3 points. With Wald's bounds alone, 2 to 4 % err."""
    test = Sprt(0, 200)
    assert share_accepted(test, games_of(0.5, ties)) == pytest.approx(0.05, abs=0.012)
    assert 1 - share_accepted(test, games_of(1 / (1 + 10**-0.5), ties)) == pytest.approx(0.05, abs=0.012)


@pytest.mark.thorough
def test_short_tests_in_normalised_elo_do_too():
    stronger = brentq(lambda mean: normalised(mean, 0.6) - 200, 0.5, 0.9)
    accepted = share_accepted(Sprt(0, 200, scale="normalised"), games_of(stronger, 0.6), 2000)
    assert 1 - accepted == pytest.approx(0.05, abs=0.013)


def normalised(mean, ties):
    chances = games_of(mean, ties)
    return (mean - 0.5) / math.sqrt(2 * chances @ (SCORES - mean) ** 2) * 800 / math.log(10)


def share_accepted(test, chances, times=5000):
    """Return the share of ``times`` tests, run side by side, that accept elo1."""
    rng = np.random.default_rng(1)
    counts = np.zeros((times, 5))
    accepted = 0
    while len(counts):
        counts[np.arange(len(counts)), rng.choice(5, len(counts), p=chances)] += 1
        ratio, (lower, upper) = llr(test, counts), bounds(test, counts)
        accepted += int((ratio >= upper).sum())
        counts = counts[(lower < ratio) & (ratio < upper)]
    return accepted / times


def test_players_who_change_places_have_the_same_bounds():
    counts = np.array([[1, 0, 3, 4, 2], [0, 0, 6, 0, 0], [0, 0, 0, 0, 0]])
    lower, upper = bounds(Sprt(-20, 150, 0.1, 0.05), counts)
    mirrored = bounds(Sprt(-150, 20, 0.05, 0.1), counts[:, ::-1])
    np.testing.assert_allclose(lower, -mirrored[1])
    np.testing.assert_allclose(upper, -mirrored[0])


@pytest.mark.parametrize("scale", ["logistic", "normalised"])
def test_bounds_are_walds_in_long_tests(scale):
    test = Sprt(0, 5, scale=scale)
    assert bounds(test, np.array([365, 16618, 36229, 16974, 390])) == pytest.approx(test.wald, abs=0.005)
    assert test.wald == pytest.approx((-math.log(19), math.log(19)))


@pytest.mark.parametrize("scale", ["logistic", "normalised"])
def test_no_test_ends_where_its_ratio_is_0(scale):
    lower, upper = bounds(Sprt(-400, 400, scale=scale), np.array([[0, 0, 0, 0, 0], [0, 0, 50, 0, 0], [9, 0, 0, 0, 9]]))
    assert (lower < -0.5).all()
    assert (upper > 0.5).all()


def test_it_stops_at_the_first_crossing_and_takes_no_more():
    rng = np.random.default_rng(1)
    scores = rng.choice(5, size=2000, p=[0.1, 0.2, 0.3, 0.25, 0.15]).tolist()
    test = Sprt(0, 30)
    ended = walk(test, scores)
    matches = sum(ended.counts)
    assert ended.accepted == "elo1"
    assert 64 < matches < 2000
    assert ended.counts == tuple(scores[:matches].count(score) for score in range(5))
    assert all(
        stand(test, [scores[:taken].count(score) for score in range(5)]).accepted is None for taken in range(1, matches)
    )
    assert stand(test, ended.counts) == ended


def test_it_goes_on_from_counts():
    scores = np.random.default_rng(2).choice(5, size=900, p=[0.1, 0.2, 0.4, 0.2, 0.1]).tolist()
    test = Sprt(0, 25)
    whole, half = walk(test, scores), walk(test, scores[:50])
    assert half.accepted is None
    assert walk(test, scores[50:], half.counts) == whole
    assert walk(test, []).accepted is None


@pytest.mark.parametrize(
    ("terms", "message"),
    [
        ({"elo0": 5, "elo1": 5}, "elo0 below elo1"),
        ({"elo0": 0, "elo1": math.inf}, "elo0 below elo1"),
        ({"alpha": 0}, "between 0 and 0.5"),
        ({"beta": 0.5}, "between 0 and 0.5"),
    ],
)
def test_a_test_that_cannot_end_is_refused(terms, message):
    with pytest.raises(BadText, match=message):
        walk(Sprt(**terms), [4])
