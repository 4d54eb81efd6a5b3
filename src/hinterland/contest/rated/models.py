"""Chooses the model that rates a tally: Davidson's for games of two players, Plackett-Luce for more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hinterland.evidence.davidson import davidson
from hinterland.evidence.plackett_luce import plackett_luce

if TYPE_CHECKING:
    from hinterland.evidence.ratings import Anchor, Ratings
    from hinterland.evidence.tally import Tally

MODELS = {"davidson": davidson, "plackett-luce": plackett_luce}


def rate_tally(
    tally: Tally, model: str | None = None, anchor: Anchor | None = None, *, seed: int = 0, times: int = 1000
) -> Ratings:
    """Rate the players of a tally, by the model that fits unless one is named. Raises BadText, UnknownName."""
    two = all(len(seats) == 2 for pattern in tally.patterns for seats, _ in pattern)
    return MODELS[model or ("davidson" if two else "plackett-luce")](tally, anchor, seed=seed, times=times)
