"""The sequential probability ratio test of two players, as testers of chess engines run it.

A match of two games, one from each seat, has five possible scores: 0, 1/2, 1, 3/2 and 2 points of 2, so a test keeps
five counts (the *pentanomial*). Each hypothesis says how strong a player is. Of all distributions of the five scores
with this strength, the one that makes the counts most likely stands for the hypothesis; nothing else is assumed. The
test follows the log-likelihood ratio of these two distributions: Van den Bergh, "A practical introduction to the
GSPRT". Strengths are in Elo: *logistic* Elo determine the mean score, *normalised* Elo how many standard deviations the
mean score lies above one half.

The test ends when the ratio reaches one of two bounds. Wald's bounds assume that the ratio ends exactly on a bound, but
in a test of ten matches it jumps over the bound. Besides, after few matches, most of them ties, the ratio understates
the results. For both reasons a short test would err less often than the given rates, and take longer than it needs. So
the bounds are moved inwards: the farther, the more the mean scores of the hypotheses differ and the less the scores
have varied. In tests of hundreds of matches, they hardly move. The formula and its constants are fitted to simulated
tests (docs/ratings.md).
"""

from __future__ import annotations

import math
from itertools import islice
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from hinterland.errors import BadText
from hinterland.evidence.likelihood import ELO

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hinterland.evidence.choices import Floats

SCORES = np.linspace(0.0, 1.0, 5)
"""Scores of the five outcomes, as shares of all points."""
UNSEEN_COUNT = 1e-3
"""Count that stands for 0 if an outcome was not seen: small but positive, so that every hypothesis is possible."""
SUPPOSED_VARIANCE, SUPPOSED_MATCHES = 0.72, 3.0
"""SUPPOSED_VARIANCE: variance of scores that is assumed before the first match, as a share of the largest possible.
SUPPOSED_MATCHES: number of matches with the same weight as this assumption."""
MAX_BOUND_SHIFT = 0.8
"""Largest shift of a bound inwards, as a fraction of Wald's bound; below 1, so that no test ends with a ratio of 0."""
Scale = Literal["logistic", "normalised"]


class Sprt(NamedTuple):
    """Hypotheses and error rates of a test."""

    elo0: float = 0.0
    """Null hypothesis: the player's lead in strength, in Elo."""
    elo1: float = 5.0
    """Alternative hypothesis: the player's lead in strength, in Elo."""
    alpha: float = 0.05
    """Rate of accepting elo1 if elo0 is true."""
    beta: float = 0.05
    """Rate of accepting elo0 if elo1 is true."""
    scale: Scale = "logistic"
    """Kind of Elo: logistic or normalised."""

    def checked(self) -> Sprt:
        """Return the test itself. Raises BadText if the test could never end, or would end before its first match."""
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise BadText(f"an SPRT needs elo0 below elo1, not {self.elo0:g} and {self.elo1:g}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise BadText(f"alpha and beta lie between 0 and 0.5, not at {self.alpha:g} and {self.beta:g}")
        return self

    @property
    def wald(self) -> tuple[float, float]:
        """The lower and the upper bound for many matches: Wald, "Sequential tests of statistical hypotheses" (1945)."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)


class SprtStand(NamedTuple):
    """State of a test."""

    counts: tuple[int, ...]
    """Matches by score, from 0 to 2 points."""
    llr: float
    """Log-likelihood ratio of elo1 against elo0."""
    lower: float
    """Bound at which elo0 is accepted."""
    upper: float
    """Bound at which elo1 is accepted."""
    accepted: Literal["elo0", "elo1"] | None
    """Accepted hypothesis; None while the test goes on."""


def stand(test: Sprt, counts: Sequence[int]) -> SprtStand:
    """Return the state of a test after some matches; ``counts``: number of matches by score, from 0 to 2 points."""
    test.checked()
    seen = np.asarray(counts)
    ratio, (lower, upper) = float(llr(test, seen)), map(float, bounds(test, seen))
    accepted: Literal["elo0", "elo1"] | None = "elo0" if ratio <= lower else "elo1" if ratio >= upper else None
    return SprtStand(tuple(int(count) for count in counts), ratio, lower, upper, accepted)


def walk(test: Sprt, scores: Iterable[int], counts: Sequence[int] = (0, 0, 0, 0, 0)) -> SprtStand:
    """Add matches until a bound is reached, and return the state of the test.

    ``scores``: half points of each match, from 0 to 4, in order; they are read in blocks, until the test ends.
    ``counts``: number of earlier matches by score.
    """
    test.checked()
    waiting = iter(scores)
    seen = np.array(counts)
    size = 64
    while block := list(islice(waiting, size)):
        paths = seen + np.eye(5, dtype=int)[block].cumsum(axis=0)
        ratio, (lower, upper) = llr(test, paths), bounds(test, paths)
        if (over := np.flatnonzero((ratio <= lower) | (ratio >= upper))).size:
            return stand(test, paths[over[0]].tolist())
        seen = paths[-1]
        size = min(2 * size, 4096)
    return stand(test, seen.tolist())


def bounds(test: Sprt, counts: Floats) -> tuple[Floats, Floats]:
    """Return the lower and upper bound of the ratio: Wald's, moved inwards; ``counts``: matches by score, (..., 5)."""
    lower, upper = test.wald
    up, down = _bound_shifts(test, counts)
    least = 1 - MAX_BOUND_SHIFT
    return np.minimum(lower + up, least * lower), np.maximum(upper - down, least * upper)


def llr(test: Sprt, counts: Floats) -> Floats:
    """Return the log-likelihood ratio of elo1 against elo0; ``counts``: matches by score, (..., 5).

    See Van den Bergh, "Normalized Elo". An outcome that was not seen counts 0.001, as in the tests of Stockfish.
    """
    seen = np.where(np.asarray(counts) > 0, counts, UNSEEN_COUNT).astype(float)
    shares = seen / seen.sum(axis=-1, keepdims=True)
    likely = [_fit_hypothesis(test.scale, elo, shares) for elo in (test.elo0, test.elo1)]
    return np.asarray((seen * np.log(likely[1] / likely[0])).sum(axis=-1))


def _bound_shifts(test: Sprt, counts: Floats) -> tuple[Floats, Floats]:
    """Return how far the lower bound is moved up, and how far the upper bound is moved down."""
    if test.scale == "normalised":
        both = 0.3 * _to_spreads(test.elo1 - test.elo0) ** 2 / _relative_variance(counts, 0.5)
        return both, both
    low, high = _expected_score(test.elo0), _expected_score(test.elo1)
    middle = (low + high) / 2
    odds = middle / (1 - middle)
    both = (high - low) ** 2 / _relative_variance(counts, middle) ** 3
    return both / odds, both * odds


def _relative_variance(counts: Floats, mean: float) -> Floats:
    """Return the mean square distance of scores from ``mean``, as a share of its maximum for two independent games."""
    varied = np.asarray(counts) @ (SCORES - mean) ** 2 / (mean * (1 - mean) / 2)
    return np.asarray((varied + SUPPOSED_MATCHES * SUPPOSED_VARIANCE) / (np.sum(counts, axis=-1) + SUPPOSED_MATCHES))


def _expected_score(elo: float) -> float:
    return float(1 / (1 + 10 ** (-elo / 400)))


def _to_spreads(elo: float) -> float:
    """Convert normalised Elo to standard deviations of a match's score; its variance is half that of a game's score."""
    return float(elo / (2 * ELO) * math.sqrt(2))


def _fit_hypothesis(scale: Scale, elo: float, shares: Floats) -> Floats:
    """Return the most likely distributions, (..., 5), with the strength ``elo``, if ``shares``, (..., 5), were seen."""
    if scale == "logistic":
        return _tilt(shares, SCORES - _expected_score(elo))
    target = _to_spreads(elo)
    found = np.full_like(shares, 1 / 5)
    for _ in range(30):
        mean = found @ SCORES
        spread = np.sqrt((found * (SCORES - mean[..., None]) ** 2).sum(axis=-1))
        off = (mean[..., None] - SCORES) / spread[..., None]
        before, found = found, _tilt(shares, SCORES - 0.5 - target * spread[..., None] * (1 + off**2) / 2)
        if np.abs(found - before).max() < 1e-10:
            break
    return found


def _tilt(shares: Floats, values: Floats) -> Floats:
    """Return the most likely distributions in which ``values`` have the mean 0, if ``shares`` were seen: (..., 5) each.

    They are ``shares / (1 + x * values)``, with the x for which ``values`` have the mean 0 and every denominator is
    positive: Owen, "Empirical likelihood" (2001), section 2.9.
    """
    values = np.broadcast_to(values, shares.shape)
    low, high = -1 / values.max(axis=-1), -1 / values.min(axis=-1)
    at = np.zeros_like(low)
    for _ in range(60):
        tilted = values / (1 + at[..., None] * values)
        off, slope = (shares * tilted).sum(axis=-1), (shares * tilted**2).sum(axis=-1)
        low, high = np.where(off > 0, at, low), np.where(off > 0, high, at)
        newton = at + off / slope
        inside = (low < newton) & (newton < high)
        before, at = at, np.where(inside, newton, (low + high) / 2)
        if np.abs(at - before).max(initial=0.0) < 1e-9:
            break
    return np.asarray(shares / (1 + at[..., None] * values))
