"""Adaptive: each round pairs the players whose matches tell the most about the order of all players.

``fit_pairs`` gives the strengths as a normal distribution with covariance V. Let e_i be the unit vector of player i.
Consider matches of players i and j, with a = e_i - e_j. Their information q is the number of matches, times the chance
of i to win, times that of j. For every two players k and l, with b = e_k - e_l, the difference of strengths has the
variance v = b'Vb. The matches of i and j reduce v by q (b'Va)**2 / (1 + q a'Va). This reduction is divided by v and
multiplied by exp(-gap**2 / 2v), where gap is the expected difference: so a reduction counts only if it is open which of
k and l is stronger. The worth of the matches of i and j is the sum of this product over all pairs k, l:

    q / (1 + q a'Va) * a'V L V a,    L = sum of exp(-gap**2 / 2v) / v * b b' over all pairs k, l.

This is weighted A-optimal design (A. Atkinson, A. Donev and R. Tobias, "Optimum Experimental Designs", 2007). After a
pair has been chosen, V is updated as if its matches had been played; who would win them does not matter for V. So the
pairs of a round spread over all players.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import numpy as np

from hinterland.contest.pairings.rounds import check_count, make_dice
from hinterland.evidence.likelihood import Strengths, fit_pairs, win_chances

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hinterland.contest.pairings.rounds import Round, Table
    from hinterland.dice import Dice

PRIOR_SPREAD = 1.5
"""Prior standard deviation of strengths, in nats. A player stronger by 1.5 wins four matches of five."""
COMPARED_DECIMALS = 9
"""Decimal places to which the worths of pairs are compared, so that rounding errors decide nothing."""


class Adaptive(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Pairs the players whose matches tell the most about the order of all. Raises RulesError."""

    players: int
    """Number of players."""
    seed: int = 0
    """Seed of the random first round and of the lots that break ties."""
    pairings: int = 1
    """Number of matches at each table."""
    rounds: int | None = None
    """Number of rounds; None: ``default_adaptive_rounds``."""
    batch: int | None = None
    """Number of tables in each round after the first; None: half the number of players."""

    def __post_init__(self) -> None:
        check_count("players", self.players, 2)
        check_count("pairings", self.pairings, 1)
        if self.rounds is not None:
            check_count("rounds", self.rounds, 1)
        if self.batch is not None:
            check_count("batch", self.batch, 1, self.players * (self.players - 1) // 2)
        make_dice(self.seed, 0)

    def tables(self, finished: Sequence[Round]) -> tuple[Table, ...] | None:
        """Return the next tables: first a ring of all players in random order, later the most informative pairs."""
        batch = self.batch or self.players // 2
        if len(finished) >= (self.rounds or default_adaptive_rounds(self.players, batch)):
            return None
        dice = make_dice(self.seed, len(finished))
        if not finished:
            return _make_ring(self.players, dice)
        strengths = fit_pairs(_count_wins(finished, self.players), PRIOR_SPREAD)
        return tuple(_choose_pairs(strengths, self.pairings, batch, dice))


def default_adaptive_rounds(players: int, batch: int) -> int:
    """Return the number of rounds, the first included, that together have three quarters of a round robin's tables."""
    return 1 + max(-(-(3 * players * (players - 1) - 8 * players) // (8 * batch)), 0)


def _make_ring(players: int, dice: Dice) -> tuple[Table, ...]:
    """Pair each player with two others, so that all are connected."""
    order = np.argsort(dice.shares(players)).tolist()
    pairs = zip(order, [*order[1:], order[0]], strict=True)
    return tuple(dict.fromkeys((min(pair), max(pair)) for pair in pairs))


def _count_wins(finished: Sequence[Round], players: int) -> np.ndarray:
    """Return the wins of the row's player against the column's, a draw as half a win: float64[players, players]."""
    wins = np.zeros((players, players))
    for result in (result for played in finished for result in played):
        one, other = result.table
        wins[one, other] += result.half_points[0] / 2
        wins[other, one] += result.half_points[1] / 2
    return wins


def _choose_pairs(strengths: Strengths, matches: int, count: int, dice: Dice) -> Iterator[Table]:
    """Yield ``count`` different pairs, each the most informative if all pairs yielded before have played."""
    mean, covariance = strengths
    one, other = np.triu_indices(len(mean), 1)
    chances = win_chances(mean)[one, other]
    information = matches * chances * (1 - chances)
    free = np.ones(len(one), bool)
    for _ in range(count):
        variance = _difference_variance(covariance, one, other)
        gain = information / (1 + information * variance)
        open_order = np.exp(-((mean[one] - mean[other]) ** 2) / variance / 2)
        worth = np.where(free, gain * _variance_reduction(covariance, open_order), -1)
        best = np.flatnonzero(np.round(worth / worth.max(), COMPARED_DECIMALS) == 1)
        pair = best[dice.below(len(best), 1)[0]]
        free[pair] = False
        column = covariance[:, one[pair]] - covariance[:, other[pair]]
        covariance = covariance - gain[pair] * np.outer(column, column)
        yield int(one[pair]), int(other[pair])


def _variance_reduction(covariance: np.ndarray, open_order: np.ndarray) -> np.ndarray:
    """Return a'V L V a of the module's docstring for each pair, float64[pairs].

    ``open_order``: exp(-gap**2 / 2v) for each pair, from 0 (the order is known) to 1.
    """
    one, other = np.triu_indices(len(covariance), 1)
    weight = np.zeros_like(covariance)
    weight[one, other] = open_order / _difference_variance(covariance, one, other)
    weight += weight.T
    laplacian = np.diag(weight.sum(axis=1)) - weight
    return _difference_variance(covariance @ laplacian @ covariance, one, other)


def _difference_variance(matrix: np.ndarray, one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return a'Ma for each pair, a = e_one - e_other. For a covariance M, this is the variance of the difference."""
    diagonal = np.diagonal(matrix)
    across: np.ndarray = diagonal[one] + diagonal[other] - 2 * matrix[one, other]
    return across
