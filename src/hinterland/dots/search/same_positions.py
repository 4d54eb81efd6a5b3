"""One node of a search tree for all orders of moves that lead to the same position.

The key of a position is the exclusive or of random numbers (Zobrist, 1970): one for each dot on the board, each line,
the seat to move and the lead of either seat. Keys are stored in a hash table with open addressing.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hinterland.dots.order_types.bitsets import lowest
from hinterland.dots.search.playout_policy import JOINED, LEAD, MOVER, PRESENT
from hinterland.jit import inlined

SIDE = 64
"""More than the number of dots of any board."""
ZOBRIST = np.random.PCG64(20172).random_raw((SIDE + 3) * SIDE).view(np.int64).reshape(SIDE + 3, SIDE)
"""Random numbers: for pairs of dots, for a dot with itself, for leads of either seat, and for the seat to move."""
LEAD_ROW, MOVER_ROW = SIDE, SIDE + 2


class SamePositions(NamedTuple):
    """Maps positions to the nodes that represent them. Kernels overwrite the arrays."""

    keys: np.ndarray
    """int64[slots]; the number of slots is a power of two."""
    nodes: np.ndarray
    """int32[slots]: 0 if a slot is free."""


def new_positions(nodes: int) -> SamePositions:
    """Return an empty table with room for this many nodes."""
    slots = 1 << (2 * nodes).bit_length()
    return SamePositions(np.zeros(slots, dtype=np.int64), np.zeros(slots, dtype=np.int32))


@inlined
def key_of(state: np.ndarray) -> int:
    """Return the key of a state."""
    lead = state[LEAD, -1]
    key = ZOBRIST[LEAD_ROW + (lead < 0), abs(lead)] ^ ZOBRIST[MOVER_ROW, state[MOVER, -1]]
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
def find_or_add_node(positions: SamePositions, key: int, node: int) -> int:
    """Return the node that represents a position; if there is none, it is the given node from now on."""
    last = positions.keys.size - 1
    slot = key & last
    while positions.nodes[slot] and positions.keys[slot] != key:
        slot = slot + 1 & last
    if not positions.nodes[slot]:
        positions.keys[slot] = key
        positions.nodes[slot] = node
    return int(positions.nodes[slot])
