"""Opponents of the player ``search``, each with another idea. Each class is an opponent; its fields are its options."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import msgspec

from benchmarks.league.opponents.feints import GreedyFeint, LayoutAside, LayoutFeint, MirrorFeint
from benchmarks.league.opponents.judges import Ensemble, RandomBest, TwoPlies
from benchmarks.league.opponents.plans import Annealed, Evolved
from benchmarks.league.opponents.students import Copy, CornerGrid, Defender
from hinterland import catalog

if TYPE_CHECKING:
    from benchmarks.league.opponents.turn import Opponent
    from hinterland.contract import Game

KINDS: tuple[type[Opponent], ...] = (
    TwoPlies, Annealed, Ensemble, Evolved, LayoutFeint, MirrorFeint, GreedyFeint, LayoutAside, Copy, RandomBest,
    CornerGrid, Defender,
)  # fmt: skip
OPPONENTS = {kind.name: kind for kind in KINDS}
"""Opponents by name."""


@cache
def gravity_with_opponents() -> Game:
    """Return the game of gravity with these opponents among its players, for ``catalog.player``."""
    game = catalog.game("gravity")
    return msgspec.structs.replace(game, players={**game.players, **OPPONENTS})
