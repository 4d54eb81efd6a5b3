"""Random mistakes, by which a strong player becomes an opponent for everybody."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec

from hinterland.contract.moves import LegalMoves, M_co

if TYPE_CHECKING:
    import numpy as np

Slips = Annotated[float, msgspec.Meta(ge=0, le=1)]
"""The share of its moves that a player chooses at random: the option ``slips``."""


def slip(slips: float, moves: LegalMoves[M_co], rng: np.random.Generator) -> M_co | None:
    """Return a random move with probability ``slips``, all equally likely; otherwise None.

    With ``slips=0`` no random number is drawn, so that the player's other choices stay the same.
    """
    return moves.sample(rng) if slips and rng.random() < slips else None
