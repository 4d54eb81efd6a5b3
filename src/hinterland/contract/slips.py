"""Moves left to chance, by which a strong player becomes an opponent for everybody."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec

from hinterland.contract.moves import LegalMoves, M_co

if TYPE_CHECKING:
    import numpy as np

Slips = Annotated[float, msgspec.Meta(ge=0, le=1)]
"""Which share of its moves a player leaves to chance: the option ``slips``."""


def slip(slips: float, moves: LegalMoves[M_co], rng: np.random.Generator) -> M_co | None:
    """Return, in such a share of all cases, any of the moves, each equally likely; else None.

    Who never slips draws no number, and so plays as if there were no slips.
    """
    return moves.sample(rng) if slips and rng.random() < slips else None
