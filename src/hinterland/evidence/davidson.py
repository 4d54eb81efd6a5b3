"""Ratings from games of two players: Bradley-Terry with draws and with a term for the first seat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hinterland.errors import BadText
from hinterland.evidence.ratings import Anchor, Ratings, rate

if TYPE_CHECKING:
    from hinterland.evidence.tally import Tally


def davidson(tally: Tally, anchor: Anchor | None = None, *, seed: int = 0, times: int = 1000) -> Ratings:
    """Rate players; each game is an observation. For the 95 % intervals, only whole matches are taken as independent.

    Let d be the lead, in nats, of the player in the first seat: the difference of the strengths plus that of the values
    of the seats. This player's chances to win, to draw and to lose are proportional to exp(d / 2), nu and exp(-d / 2):
    Davidson, "On extending the Bradley-Terry model to accommodate ties" (1970), with the multiplicative order effect of
    Davidson and Beaver, "On extending the Bradley-Terry model to incorporate within-pair order effects" (1977). Half of
    this effect is the value of the first seat, and minus half that of the second. Raises BadText for games of more than
    two players, UnknownName for an unknown anchor.
    """
    if larger := max((len(seats) for pattern in tally.patterns for seats, _ in pattern), default=2) - 2:
        raise BadText(f"davidson rates games of two players; here {larger + 2} played: use plackett-luce")
    return rate("davidson", tally, anchor, seed=seed, times=times)
