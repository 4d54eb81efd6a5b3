"""Ratings of games of any number of players, by the order in which they finished."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hinterland.evidence.ratings import Anchor, Ratings, rate

if TYPE_CHECKING:
    from hinterland.evidence.tally import Tally


def plackett_luce(tally: Tally, anchor: Anchor | None = None, *, seed: int = 0, times: int = 1000) -> Ratings:
    """Rate players by the ranks of their games, ties and seats included; 95 % intervals count whole matches.

    A game is chosen from the top: Luce, "Individual choice behavior" (1959); Plackett, "The analysis of permutations"
    (1975). Sets that tie are chosen by the geometric mean of their strengths: Turner, van Etten, Firth and Kosmidis,
    "Modelling rankings in R: the PlackettLuce package" (2020), section 2. Games of two are rated as ``davidson`` rates
    them. Raises BadText, UnknownName.
    """
    return rate("plackett-luce", tally, anchor, seed=seed, times=times)
