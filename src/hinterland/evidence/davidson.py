"""Ratings from games of two players: Bradley-Terry with draws and with a term for the first seat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hinterland.errors import BadText
from hinterland.evidence.ratings import Anchor, Ratings, rate

if TYPE_CHECKING:
    from hinterland.evidence.tally import Tally


def davidson(tally: Tally, anchor: Anchor | None = None, *, seed: int = 0, times: int = 1000) -> Ratings:
    """Rate players; each game is an observation. The 95 % intervals take whole matches as independent.

    Let d be the lead of the first seat's player, in strength and seat value, in nats. This player wins, draws and loses
    in proportion to exp(d / 2), nu, exp(-d / 2): Davidson, "On extending the Bradley-Terry model to accommodate ties"
    (1970), with the multiplicative order effect of Davidson and Beaver, "On extending the Bradley-Terry model to
    incorporate within-pair order effects" (1977), here shared evenly between both seats. Raises BadText for games of
    more than two players, UnknownName for an unknown anchor.
    """
    if larger := max((len(seats) for pattern in tally.patterns for seats, _ in pattern), default=2) - 2:
        raise BadText(f"davidson rates games of two players; here {larger + 2} played: use plackett-luce")
    return rate("davidson", tally, anchor, seed=seed, times=times)
