"""Opponents that look like a simple player at first, since ``search`` recognises simple players by their stones."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from benchmarks.league.opponents import places
from benchmarks.league.opponents.judges import JUDGED_SIDE, TwoPlies
from benchmarks.league.opponents.turn import Opponent, Turn
from hinterland.contract import Clock, Player
from hinterland.gravity.lloyd import even_layout
from hinterland.gravity.players import Lloyd, Mirror, Reply

if TYPE_CHECKING:
    import numpy as np

    from hinterland.gravity.rules import Position, Stone


class Feint(Opponent, frozen=True):
    """Plays the first half of its stones exactly like a simple player, the others like two-plies."""

    model: ClassVar[Player]
    """The simple player."""

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Stone:
        seat, stones = position.mover, position.rules.stones
        if stones - position.stones_left(seat) < (stones + 1) // 2 and stones > 1:
            stone: Stone = self.model.choose(position, clock, rng)
            return stone
        return TwoPlies(self.seconds).choose(position, clock, rng)


class LayoutFeint(Feint, frozen=True):
    """Plays the first half of its stones exactly like ``lloyd``, then like two-plies."""

    name: ClassVar[str] = "layout-feint"
    model: ClassVar[Player] = Lloyd()


class MirrorFeint(Feint, frozen=True):
    """Plays the first half of its stones exactly like ``mirror``, then like two-plies."""

    name: ClassVar[str] = "mirror-feint"
    model: ClassVar[Player] = Mirror()


class GreedyFeint(Feint, frozen=True):
    """Plays the first half of its stones exactly like ``reply``, then like two-plies."""

    name: ClassVar[str] = "greedy-feint"
    model: ClassVar[Player] = Reply()


class LayoutAside(Opponent, frozen=True):
    """Plays like ``lloyd``, but places every stone one cell aside, so that none lies on the layout's sites."""

    name: ClassVar[str] = "layout-aside"
    largest_side: ClassVar[int] = JUDGED_SIDE * 10

    def pick(self, turn: Turn) -> Stone:
        sites = even_layout(turn.size, turn.position.rules.stones)
        free = places.keep_legal(turn, ((row + (1 if row + 1 < turn.size else -1), col) for row, col in sites))
        return max(free, key=turn.score) if free else turn.best()
