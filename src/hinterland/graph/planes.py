"""What a learner sees of a graph: planes of numbers, one a vertex, from a seat's point of view.

The graph itself is no plane: it is the same all through a game, and ``Rules.distances`` has it for a net of graphs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from hinterland.graph.rules import Position, Rules


def names(rules: Rules) -> tuple[str, ...]:
    """Name the planes: for each seat its tokens, its vertices and what it has left; the free vertices; the values."""
    seats = ("own", *(f"seat +{ahead}" for ahead in range(1, rules.players)))
    shown = ("tokens", "vertices", "tokens left")
    return (*(f"{seat}: {what}" for seat in seats for what in shown), "free", "value")


def look(position: Position, seat: int) -> np.ndarray:
    """Return the planes as a seat sees them: float32 (planes, vertices); values as shares of the greatest."""
    rules = position.rules
    planes = np.zeros((len(names(rules)), rules.vertices), dtype=np.float32)
    for mover, token in position.moves:
        planes[3 * ((mover - seat) % rules.players), token.vertex] = 1.0
    owners = position.owners
    for ahead in range(rules.players):
        who = (seat + ahead) % rules.players
        planes[3 * ahead + 1] = owners == who
        planes[3 * ahead + 2] = position.tokens_left(who) / rules.tokens
    if position.to_move is not None:
        planes[-2] = position.legal_moves.mask()
    planes[-1] = np.array(rules.values) / max(1, *map(abs, rules.values))
    return planes
