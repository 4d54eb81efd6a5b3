"""Intervals by the bootstrap: how often they hold the truth, that matches count and games do not."""

import math

import numpy as np
import pytest

from evidence.contests import FIRST, SECOND, TIE, drawn, match_of_two, outcomes, round_robin
from hinterland.evidence.bootstrap import interval, replicates
from hinterland.evidence.choices import Choices
from hinterland.evidence.davidson import davidson
from hinterland.evidence.likelihood import ELO, fit
from hinterland.evidence.tally import Tally

STRENGTHS = np.array([0.5, 0.2, -0.2, -0.5])


def test_intervals_hold_the_truth_in_19_of_20_contests():
    """Of 4 players in 60 contests: 240 intervals that hang together in fours; benchmarks/evidence.py draws 2,000."""
    rng = np.random.default_rng(1)
    terms = {"seat": 0.3, "opening": 1.0}
    often = round_robin(STRENGTHS, lambda one, other: np.round(1e9 * outcomes(one, other, **terms)).astype(int))
    truth = davidson(often, times=2).elo
    held = 0
    for seed in range(60):
        found = davidson(drawn(STRENGTHS, 8, rng, **terms), seed=seed, times=300)
        held += int(((found.low <= truth) & (truth <= found.high)).sum())
    assert 0.91 <= held / 240 <= 0.985


def test_the_spread_of_replicates_is_the_sandwich():
    choices = Choices(drawn(STRENGTHS, 200, np.random.default_rng(2), seat=0.2, opening=1.0))
    found = fit(choices)
    spread = replicates(choices, found, np.random.default_rng(1), 2000).std(axis=0)
    assert spread == pytest.approx(np.sqrt(np.diag(found.covariance)), rel=0.08)


def test_replicates_are_fits_of_their_weights():
    """One replicate alone: the same weights, given as counts to the fit from scratch, have the same maximum."""
    choices = Choices(drawn(STRENGTHS, 30, np.random.default_rng(3)))
    weights = np.random.default_rng(7).standard_gamma(choices.counts, (1, len(choices.counts)))[0]
    (quick,) = replicates(choices, fit(choices), np.random.default_rng(7), 1)
    choices.counts = weights
    assert ELO * quick == pytest.approx(ELO * fit(choices).parameters, abs=0.5)


def test_games_of_a_match_that_always_agree_are_no_more_than_one():
    """Whoever is stronger on an opening wins both its games: the second says nothing, and intervals must not shrink."""
    both, alternating = Tally("ab"), Tally("ab")
    for first, second, times in ((FIRST, SECOND, 30), (SECOND, FIRST, 20)):
        both.add(match_of_two(0, 1, first, second), times)
    for first, second, times in ((FIRST, SECOND, 18), (SECOND, FIRST, 8), (FIRST, FIRST, 12), (SECOND, SECOND, 12)):
        alternating.add(match_of_two(0, 1, first, second), times)
    agreeing, independent = davidson(both), davidson(alternating)
    assert agreeing.elo == pytest.approx(independent.elo, abs=2)
    widths = [found.high[0] - found.low[0] for found in (agreeing, independent)]
    assert widths[0] / widths[1] == pytest.approx(math.sqrt(2), rel=0.1)


def test_few_matches_widen_the_interval():
    drawn_again = np.random.default_rng(1).standard_normal((20000, 2))
    low, high = interval(np.zeros(2), drawn_again, np.array([4, 10**6]))
    assert (low[1], high[1]) == (pytest.approx(-1.96, abs=0.05), pytest.approx(1.96, abs=0.05))
    assert high[0] == pytest.approx(math.sqrt(5 / 3) * 3.182, abs=0.6)


def test_superiority_is_that_of_a_sign_test():
    tally = Tally("ab")
    for first, second, times in ((FIRST, SECOND, 60), (SECOND, FIRST, 40), (TIE, TIE, 50)):
        tally.add(match_of_two(0, 1, first, second), times)
    normal = (1 + math.erf((60 - 40) / math.sqrt(60 + 40) / math.sqrt(2))) / 2
    assert davidson(tally, times=4000).superior[0, 1] == pytest.approx(normal, abs=0.004)


def test_intervals_without_a_bootstrap_are_about_as_wide(rng):
    tally = drawn(np.linspace(-1, 1, 6), 40, rng)
    drawn_anew, told = davidson(tally), davidson(tally, times=0)
    assert told.elo == pytest.approx(drawn_anew.elo)
    widths = (told.high - told.low) / (drawn_anew.high - drawn_anew.low)
    assert (widths > 0.85).all()
    assert (widths < 1.15).all()
    assert told.superior == pytest.approx(drawn_anew.superior, abs=0.05)
    assert (told.low < told.elo).all()


def test_a_seed_repeats():
    tally = drawn(STRENGTHS, 5, np.random.default_rng(1))
    one, same, other = (davidson(tally, seed=seed) for seed in (1, 1, 2))
    assert (one.low == same.low).all()
    assert (one.low != other.low).all()
