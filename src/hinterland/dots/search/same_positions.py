"""One node of a search tree for all orders of moves that lead to the same position.

A position is known by its key: the exclusive or of random numbers (Zobrist, 1970), one for each dot there, each line,
the seat to move and its rival's lead. Keys are kept in a hash table of open addresses.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hinterland.dots.order_types.bitsets import lowest
from hinterland.dots.search.playout_policy import JOINED, LEAD, MOVER, PRESENT
from hinterland.jit import inlined

SIDE = 64
"""More than a board has dots."""
ZOBRIST = np.random.PCG64(20172).random_raw((SIDE + 3) * SIDE).view(np.int64).reshape(SIDE + 3, SIDE)
"""Random numbers: of pairs of dots, of a dot with itself, of leads of either seat, and of the seat to move."""
LEADS, MOVERS = SIDE, SIDE + 2


class SamePositions(NamedTuple):
    """Which node stands for a position. Kernels overwrite the arrays."""

    keys: np.ndarray
    """int64 (slots), a power of two of them."""
    nodes: np.ndarray
    """int32 (slots): 0 where a slot is free."""


def new_positions(nodes: int) -> SamePositions:
    """Return an empty table with room for so many nodes."""
    slots = 1 << (2 * nodes).bit_length()
    return SamePositions(np.zeros(slots, dtype=np.int64), np.zeros(slots, dtype=np.int32))


@inlined
def key_of(state: np.ndarray) -> int:
    """Return the key of a state."""
    lead = state[LEAD, -1]
    key = ZOBRIST[LEADS + (lead < 0), abs(lead)] ^ ZOBRIST[MOVERS, state[MOVER, -1]]
    dots = state[PRESENT, -1]
    while dots:
        dot = lowest(dots)
        dots &= dots - 1
        key ^= ZOBRIST[dot, dot]
        ends = state[JOINED, dot] & dots
        while ends:
            key ^= ZOBRIST[dot, lowest(ends)]
            ends &= ends - 1
    return int(key)


@inlined
def standing_for(positions: SamePositions, key: int, node: int) -> int:
    """Return the node that stands for a position, which is a new node where there is none yet."""
    last = positions.keys.size - 1
    slot = key & last
    while positions.nodes[slot] and positions.keys[slot] != key:
        slot = slot + 1 & last
    if not positions.nodes[slot]:
        positions.keys[slot] = key
        positions.nodes[slot] = node
    return int(positions.nodes[slot])
