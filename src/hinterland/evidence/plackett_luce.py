"""Ratings of games of any number of players, by the order in which they finished."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hinterland.evidence.davidson import davidson
from hinterland.evidence.ratings import Anchor, Ratings, rate

if TYPE_CHECKING:
    from hinterland.evidence.tally import Tally


def plackett_luce(tally: Tally, anchor: Anchor | None = None, *, seed: int = 0, times: int = 1000) -> Ratings:
    """Rate players by their ranks in games; ties and seats count.

    For the 95 % intervals, only whole matches are taken as independent.

    In this model the winner of a game is chosen first, then the next rank from the remaining players, and so on: Luce,
    "Individual choice behavior" (1959); Plackett, "The analysis of permutations" (1975). The chance of a set of players
    that tie depends on the geometric mean of their strengths: Turner, van Etten, Firth and Kosmidis, "Modelling
    rankings in R: the PlackettLuce package" (2020), section 2. Games of two are rated as ``davidson`` rates them.
    Raises BadText, UnknownName.
    """
    return rate("plackett-luce", tally, anchor, seed=seed, times=times)


MODELS = {"davidson": davidson, "plackett-luce": plackett_luce}


def rate_tally(
    tally: Tally, model: str | None = None, anchor: Anchor | None = None, *, seed: int = 0, times: int = 1000
) -> Ratings:
    """Rate players by the named model; by default ``davidson`` if all games have two players, else ``plackett_luce``.

    Raises BadText, UnknownName.
    """
    two = all(len(seats) == 2 for pattern in tally.patterns for seats, _ in pattern)
    return MODELS[model or ("davidson" if two else "plackett-luce")](tally, anchor, seed=seed, times=times)
