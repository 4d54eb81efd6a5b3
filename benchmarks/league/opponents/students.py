"""Opponents with the first ideas of students: copy, corner-grid and defender."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ClassVar

from benchmarks.league.opponents import places
from benchmarks.league.opponents.turn import Opponent, Turn
from hinterland.gravity.rules import Stone

if TYPE_CHECKING:
    from collections.abc import Iterator


class Copy(Opponent, frozen=True):
    """Places its stone beside the rival's last stone, as near as it may, on the side that gains the most."""

    name: ClassVar[str] = "copy"

    def pick(self, turn: Turn) -> Stone:
        if not turn.rival_stones:
            return turn.nearest_legal(turn.size // 2, turn.size // 2)
        last = turn.rival_stones[0]
        near = places.keep_legal(turn, ((last.row + down, last.col + right) for down, right in _ring(turn.spacing)))
        if not near:
            return turn.best()
        gains = turn.gains()
        return max(near, key=lambda stone: int(gains[stone.row, stone.col]))


def _ring(spacing: int) -> Iterator[tuple[int, int]]:
    """Yield the offsets from ``spacing`` to less than ``spacing + 1`` away."""
    for down in range(-spacing, spacing + 1):
        widest = math.isqrt((spacing + 1) ** 2 - 1 - down * down)
        for right in range(math.isqrt(max(spacing**2 - down * down, 0)), widest + 1):
            if down * down + right * right >= spacing**2:
                yield from ((down, right), (down, -right))


class CornerGrid(Opponent, frozen=True):
    """Places its stones on a fixed even grid, the free place farthest from all rival stones first."""

    name: ClassVar[str] = "corner-grid"

    def pick(self, turn: Turn) -> Stone:
        free = places.on_lattice(turn, math.isqrt(turn.position.rules.stones - 1) + 1)
        rivals = turn.rival_stones

        def distance(stone: Stone) -> float:
            squares = ((stone.row - rival.row) ** 2 + (stone.col - rival.col) ** 2 for rival in rivals)
            return min(squares, default=0.0)

        return max(free, key=distance) if free else turn.best()


class Defender(Opponent, frozen=True):
    """Places its stone on the cell that the rival would like best."""

    name: ClassVar[str] = "defender"

    def pick(self, turn: Turn) -> Stone:
        if not turn.position.moves:
            return turn.nearest_legal(turn.size // 2, turn.size // 2)
        return turn.best_of_rival()
