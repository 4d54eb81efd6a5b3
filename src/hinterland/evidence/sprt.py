"""The sequential probability ratio test of one player against another, as testers of chess engines run it.

A match of two games, one from each seat, has five scores: 0, 1/2, 1, 3/2 and 2 points of 2, so a test keeps five counts
(the *pentanomial*). Van den Bergh, "A practical introduction to the GSPRT": the log-likelihood ratio compares the two
most likely distributions of these five that have the strengths of the two hypotheses; nothing else is supposed of them.
Hypotheses are in Elo: logistic, which gives the mean score, or normalised, which gives it in spreads of a game.

The bounds are Wald's, drawn in. Wald supposes that a walk ends on its bound, but one that ends after ten matches jumps
over it; and of few matches, most of them ties, the ratio says less than they show. Both make errors rarer than asked.
So a bound is nearer, the more the mean scores of the hypotheses differ and the less scores have varied; next to nothing
of it is left in tests of hundreds of matches. Form and constants are fitted to simulated tests (docs/ratings.md).
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
"""Of the five outcomes, as part of all points."""
LEAST = 1e-3
"""The count of an outcome that was not seen: small, and not nothing, so that each hypothesis can be met."""
SUPPOSED_VARIANCE, SUPPOSED_MATCHES = 0.72, 3.0
"""How much scores vary before any is seen, as part of the most they can, and as how many matches that counts."""
MOST_DRAWN_IN = 0.8
"""How much of Wald's bound can be taken away, so that no test ends where its ratio is 0."""
Scale = Literal["logistic", "normalised"]


class Sprt(NamedTuple):
    """What is tested, and how surely."""

    elo0: float = 0.0
    """What is to be refused: that the player is only so much stronger."""
    elo1: float = 5.0
    """What is to be shown: that it is so much stronger."""
    alpha: float = 0.05
    """How often the test may accept elo1 where elo0 is true."""
    beta: float = 0.05
    """How often it may accept elo0 where elo1 is true."""
    scale: Scale = "logistic"
    """In which Elo: logistic, or normalised."""

    def checked(self) -> Sprt:
        """Return the test itself. Raises BadText where it can never end, or begins at its end."""
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise BadText(f"an SPRT needs elo0 below elo1, not {self.elo0:g} and {self.elo1:g}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise BadText(f"alpha and beta lie between 0 and 0.5, not at {self.alpha:g} and {self.beta:g}")
        return self

    @property
    def wald(self) -> tuple[float, float]:
        """Where a test of many matches ends: Wald, "Sequential tests of statistical hypotheses" (1945)."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)


class SprtStand(NamedTuple):
    """How a test stands."""

    counts: tuple[int, ...]
    """Matches by score, from none to both games won."""
    llr: float
    """The log-likelihood ratio of elo1 against elo0."""
    lower: float
    """Where elo0 is accepted."""
    upper: float
    """Where elo1 is accepted."""
    accepted: Literal["elo0", "elo1"] | None
    """What the test has shown; None while it goes on."""


def stand(test: Sprt, counts: Sequence[int]) -> SprtStand:
    """Say how a test stands after matches counted by score, from none of two games won to both."""
    test.checked()
    seen = np.asarray(counts)
    ratio, (lower, upper) = float(llr(test, seen)), map(float, bounds(test, seen))
    accepted: Literal["elo0", "elo1"] | None = "elo0" if ratio <= lower else "elo1" if ratio >= upper else None
    return SprtStand(tuple(int(count) for count in counts), ratio, lower, upper, accepted)


def walk(test: Sprt, scores: Iterable[int], counts: Sequence[int] = (0, 0, 0, 0, 0)) -> SprtStand:
    """Take matches in their order, each by its half points from 0 to 4, and stop where a bound is first reached.

    ``counts``: matches before these. Takes no more than it needs of a lazy ``scores`` but for what is left of a block.
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
    """Return the bounds of the ratio after counts, (..., 5): Wald's, drawn in as tests of few matches need it."""
    lower, upper = test.wald
    up, down = _inwards(test, counts)
    least = 1 - MOST_DRAWN_IN
    return np.minimum(lower + up, least * lower), np.maximum(upper - down, least * upper)


def llr(test: Sprt, counts: Floats) -> Floats:
    """Return the log-likelihood ratio of elo1 against elo0 for counts, (..., 5).

    Van den Bergh, "Normalized Elo", and as the tests of Stockfish have it: outcomes that were not seen count 0.001.
    """
    seen = np.where(np.asarray(counts) > 0, counts, LEAST).astype(float)
    shares = seen / seen.sum(axis=-1, keepdims=True)
    likely = [_most_likely(test.scale, elo, shares) for elo in (test.elo0, test.elo1)]
    return np.asarray((seen * np.log(likely[1] / likely[0])).sum(axis=-1))


def _inwards(test: Sprt, counts: Floats) -> tuple[Floats, Floats]:
    """Return how far the lower bound is moved up, and how far the upper is moved down."""
    if test.scale == "normalised":
        both = 0.3 * _in_spreads(test.elo1 - test.elo0) ** 2 / _variance(counts, 0.5)
        return both, both
    low, high = _expected(test.elo0), _expected(test.elo1)
    middle = (low + high) / 2
    odds = middle / (1 - middle)
    both = (high - low) ** 2 / _variance(counts, middle) ** 3
    return both / odds, both * odds


def _variance(counts: Floats, mean: float) -> Floats:
    """Return how much scores varied about a mean, as part of the most that two independent games of this mean can."""
    varied = np.asarray(counts) @ (SCORES - mean) ** 2 / (mean * (1 - mean) / 2)
    return np.asarray((varied + SUPPOSED_MATCHES * SUPPOSED_VARIANCE) / (np.sum(counts, axis=-1) + SUPPOSED_MATCHES))


def _expected(elo: float) -> float:
    return float(1 / (1 + 10 ** (-elo / 400)))


def _in_spreads(elo: float) -> float:
    """Return normalised Elo in spreads of a match, whose two games have half the variance of one."""
    return float(elo / (2 * ELO) * math.sqrt(2))


def _most_likely(scale: Scale, elo: float, shares: Floats) -> Floats:
    """Return the distributions nearest to shares, (..., 5), that have the strength of a hypothesis."""
    if scale == "logistic":
        return _tilted(shares, SCORES - _expected(elo))
    target = _in_spreads(elo)
    found = np.full_like(shares, 1 / 5)
    for _ in range(30):
        mean = found @ SCORES
        spread = np.sqrt((found * (SCORES - mean[..., None]) ** 2).sum(axis=-1))
        off = (mean[..., None] - SCORES) / spread[..., None]
        before, found = found, _tilted(shares, SCORES - 0.5 - target * spread[..., None] * (1 + off**2) / 2)
        if np.abs(found - before).max() < 1e-10:
            break
    return found


def _tilted(shares: Floats, values: Floats) -> Floats:
    """Return the most likely distributions whose mean of values, (..., 5), is 0.

    They are shares / (1 + x values), with the x between the poles that gives the mean: Owen, "Empirical likelihood"
    (2001), section 2.9.
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
