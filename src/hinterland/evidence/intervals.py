"""95 % intervals of shares; a share is a number from 0 to 1."""

from __future__ import annotations

import math
from statistics import fmean, stdev
from typing import TYPE_CHECKING

import scipy

if TYPE_CHECKING:
    from collections.abc import Sequence

Interval = tuple[float, float]
Z = 1.959964
"""95 % of the standard normal distribution lie between -Z and Z."""


def wilson(won: int, played: int) -> Interval:
    """Return the interval of a share of wins: Wilson, "Probable inference, the law of succession" (1927)."""
    if not played:
        return 0.0, 1.0
    share, spread = won / played, Z * Z / played
    half = Z * math.sqrt(share * (1 - share) / played + spread / (4 * played))
    low, high = (share + spread / 2 - half) / (1 + spread), (share + spread / 2 + half) / (1 + spread)
    return (low if won else 0.0), (high if won < played else 1.0)


def newcombe(won: int, played: int, other_won: int, other_played: int) -> Interval:
    """Return the interval of a difference of two shares of wins; it lies between -1 and 1.

    Newcombe, "Interval estimation for the difference between independent proportions" (1998), method 10.
    """
    if not played or not other_played:
        return -1.0, 1.0
    share, other = won / played, other_won / other_played
    (low, high), (other_low, other_high) = wilson(won, played), wilson(other_won, other_played)
    below, above = math.hypot(share - low, other_high - other), math.hypot(high - share, other - other_low)
    return share - other - below, share - other + above


def student(shares: Sequence[float]) -> Interval | None:
    """Return the interval of the mean of shares, None for fewer than two: Student, "The probable error" (1908)."""
    if len(shares) < 2:
        return None
    return of_mean(fmean(shares), stdev(shares), len(shares))


def of_mean(mean: float, spread: float, count: int) -> Interval | None:
    """Return Student's interval from mean and standard deviation of ``count`` shares; None for fewer than two."""
    if count < 2:
        return None
    half = float(scipy.special.stdtrit(count - 1, 0.975)) * spread / math.sqrt(count)
    return max(mean - half, 0.0), min(mean + half, 1.0)
