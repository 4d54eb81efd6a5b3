"""What a learner sees of a graph: planes with a number for each vertex, from a seat's point of view.

The graph itself is no plane, since it does not change during a game; a graph network finds the distances in
``Rules.distances``.
"""

from __future__ import annotations

import numpy as np

from hinterland.graph.rules import Position, Rules


def name_planes(rules: Rules) -> tuple[str, ...]:
    """Name the planes: for each seat its tokens, vertices and tokens left; then free vertices and values."""
    seats = ("own", *(f"seat +{ahead}" for ahead in range(1, rules.players)))
    shown = ("tokens", "vertices", "tokens left")
    return (*(f"{seat}: {what}" for seat in seats for what in shown), "free", "value")


def compute_planes(position: Position, seat: int) -> np.ndarray:
    """Return the planes as a seat sees them: float32 (planes, vertices). Values are shares of the greatest value."""
    rules = position.rules
    planes = np.zeros((len(name_planes(rules)), rules.vertices), dtype=np.float32)
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
