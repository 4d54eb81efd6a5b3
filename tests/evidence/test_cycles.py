"""Mixtures, evolution and ladders against published examples and brute force."""

import itertools
import math

import numpy as np
import pytest

from evidence.contests import FIRST, SECOND, TIE, match_of_two
from hinterland.evidence.cycles import alpha_rank, beyond_ladders, cycle, log_odds, nash_average
from hinterland.evidence.tally import Tally

ROCK_PAPER_SCISSORS = np.array([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]])
BIASED = np.array([[0.0, -0.5, 1.0], [0.5, 0.0, -0.1], [-1.0, 0.1, 0.0]])
"""The biased rock, paper, scissors of Omidshafiei et al. (2019), figure 3: each has a third of the mass."""


@pytest.mark.parametrize("payoffs", [ROCK_PAPER_SCISSORS, BIASED])
def test_alpha_rank_of_rock_paper_scissors(payoffs):
    assert alpha_rank(payoffs, alpha=100) == pytest.approx([1 / 3] * 3, abs=1e-3)


def test_alpha_rank_of_the_prisoners_dilemma():
    """Omidshafiei et al. (2019), figure 4: all defect."""
    assert alpha_rank(np.array([[-1.0, -3.0], [0.0, -2.0]]), alpha=100) == pytest.approx([0, 1], abs=1e-3)


def test_alpha_rank_gives_all_to_who_beats_all():
    ladder = np.subtract.outer([2.0, 1.0, 0.0, 5.0], [2.0, 1.0, 0.0, 5.0])
    assert alpha_rank(ladder) == pytest.approx([0, 0, 0, 1], abs=1e-9)


def test_alpha_rank_is_the_limit_of_its_chain():
    payoffs = np.random.default_rng(1).normal(size=(5, 5))
    chain = np.zeros((5, 5))
    for one, other in itertools.permutations(range(5), 2):
        gain = 0.3 * (payoffs[other, one] - payoffs[one, other])
        chain[one, other] = (1 - math.exp(-gain)) / (1 - math.exp(-10 * gain)) / 4
    chain += np.diag(1 - chain.sum(axis=1))
    limit = np.linalg.matrix_power(chain, 10**6)[0]
    assert alpha_rank(payoffs, 0.3, 10) == pytest.approx(limit, abs=1e-9)


def test_the_nash_average_of_published_examples():
    assert nash_average(ROCK_PAPER_SCISSORS) == pytest.approx([1 / 3] * 3, abs=1e-6)
    # Balduzzi et al. (2018), section 3: of a cycle the mixture is what each other player's part beats.
    assert nash_average(BIASED) == pytest.approx(np.array([0.1, 1.0, 0.5]) / 1.6, abs=1e-6)
    ladder = np.subtract.outer([2.0, 1.0, 0.0], [2.0, 1.0, 0.0])
    assert nash_average(ladder) == pytest.approx([1, 0, 0], abs=1e-9)
    assert nash_average(np.zeros((4, 4))) == pytest.approx([1 / 4] * 4, abs=1e-9)


def test_a_copy_of_a_player_changes_nothing_for_the_others():
    """The invariance for which Nash averaging was made: section 3, desideratum P1."""
    doubled = BIASED[np.ix_([0, 1, 2, 2], [0, 1, 2, 2])]
    found, once = nash_average(doubled), nash_average(BIASED)
    assert found[:2] == pytest.approx(once[:2], abs=1e-6)
    assert found[2:] == pytest.approx([once[2] / 2] * 2, abs=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_the_nash_average_loses_to_nobody_and_no_mixture_nearby_has_more_entropy(seed):
    rng = np.random.default_rng(seed)
    drawn = np.round(rng.normal(size=(6, 6)), 1)
    game = drawn - drawn.T
    game[5] = game[4]
    game[:, 5] = game[:, 4]
    found = nash_average(game)
    assert (game @ found).max() < 1e-6
    assert found[4] == pytest.approx(found[5], abs=1e-6)


def test_a_ladder_explains_everything_and_a_cycle_nothing():
    even = np.ones((3, 3))
    assert beyond_ladders(np.subtract.outer([2.0, 1.0, 0.5], [2.0, 1.0, 0.5]), even) == pytest.approx(0, abs=1e-12)
    assert beyond_ladders(ROCK_PAPER_SCISSORS, even) == pytest.approx(1)
    both = ROCK_PAPER_SCISSORS + np.subtract.outer([1.0, 0.0, -1.0], [1.0, 0.0, -1.0])
    assert beyond_ladders(both, even) == pytest.approx(3 / 9)
    assert beyond_ladders(np.full((2, 2), np.nan), np.zeros((2, 2))) == 0


def test_log_odds_of_a_tally():
    tally = Tally("abc")
    tally.add(match_of_two(0, 1, FIRST, SECOND), 10)
    tally.add(match_of_two(0, 1, TIE, FIRST), 5)
    odds, weights = log_odds(tally)
    assert odds[0, 1] == pytest.approx(math.log(23 / 8))
    assert odds[1, 0] == -odds[0, 1]
    assert weights[0, 1] == pytest.approx(30 * 23 * 8 / 31**2)
    assert np.isnan(odds[0, 2])


@pytest.mark.parametrize(
    ("edges", "expected"),
    [([], []), ([(0, 1), (1, 2), (0, 2)], []), ([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 2)], [0, 1, 2])],
)
def test_the_shortest_cycle_is_found(edges, expected):
    beats = np.zeros((6, 6), dtype=bool)
    for edge in edges:
        beats[edge] = True
    assert cycle(beats) == expected
