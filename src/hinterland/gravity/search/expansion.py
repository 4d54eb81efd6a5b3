"""Chooses the children of a node: stones on cells of greatest gain, some way apart, for each of a few weights.

If children are chosen by immediate gains, every second child must lie far from the mover's own stones, because quiet
moves that spread out gain little at once but much in the end. A rival that has a habit (habits.py) is expected to
follow the habit, as long as there is room.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from hinterland.gravity.coarse.coarse_board import CoarseBoard, best_expected, best_free, forget_near, gain_at, place_at
from hinterland.gravity.coarse.coarse_replies import map_expected, map_replies
from hinterland.gravity.coarse.expected_lead import UNITS_PER_CELL
from hinterland.gravity.search.habits import habitual_cell
from hinterland.gravity.search.puct_tree import PuctTree, add_child
from hinterland.jit import inlined, part

GAIN_TEMPERATURE = 0.05
"""A move whose gain is less than the best by this share of the board has 1/e of the best move's prior."""
EXPECTED_TEMPERATURE = 0.01
"""Used instead of GAIN_TEMPERATURE for expected leads, which say more than gains."""
FIXED_POINT_ONE = 2**30
"""The whole number that stands for 1 where shares are stored as whole numbers."""
MOST_WEIGHTS = 5
"""Most weights that are tried in a position."""
HABITUAL_CHILDREN = 3
"""Children of a node at which a rival follows a habit: several, because a coarse board does not show quite what the
rival sees."""


class Width(NamedTuple):
    """How wide a tree grows."""

    children: int
    """Most children of a node."""
    apart: int
    """Two children lie more than this many cells of the coarse board apart, in rows or in columns."""


def count_nodes(width: Width, first: int, depth: int, most: int) -> int:
    """Return how many nodes a tree of ``depth`` plies can have, but no more than ``most``.

    ``first``: the number of children that the root begins with; 0 if the root gets its children like any other node.
    """
    each = max(width.children, MOST_WEIGHTS)
    nodes, layer = 1, first or each
    for _ in range(max(depth - 1, 1)):
        nodes = min(nodes + layer, most)
        layer *= each
    return nodes


@inlined
def _list_weights(stones: int, weight: int, menu: np.ndarray) -> int:
    """Write to ``menu`` the weights to try, for a seat that has ``stones`` and ``weight`` left; return their number."""
    if stones == 1:
        menu[0] = weight
        return 1
    most = weight - stones + 1
    even = weight // stones
    menu[0] = even
    count = 1
    for choice in (1, even // 2, 2 * even, most):
        weight = min(max(choice, 1), most)
        fresh = True
        for i in range(count):
            fresh = fresh and menu[i] != weight
        if fresh:
            menu[count] = weight
            count += 1
    return count


@part(allocates=True)
def expand(
    tree: PuctTree,
    node: int,
    board: CoarseBoard,
    width: Width,
    ply: int,
    seat: int,
    stones: np.ndarray,
    weights: np.ndarray,
    foresees: bool,
) -> None:
    """Give a node its children, if there is room. ``stones``, ``weights``: int64[players], what each seat may place.

    ``board.gains`` must be the gains of a stone with an even share of the seat's weight, in expected leads if
    ``foresees``; they are overwritten, those on rings, too.
    """
    menu = np.empty(MOST_WEIGHTS, dtype=np.int64)
    choices = _list_weights(stones[seat], weights[seat], menu)
    each = max(width.children // choices, 1)
    if tree.size[0] + choices * each > tree.visits.size:
        return
    first = tree.size[0]
    for choice in range(choices):
        if choice > 0:
            if foresees:
                map_expected(board, seat, menu[choice], weights * (stones > 0))
            else:
                map_replies(board, seat, menu[choice])
        _add_children(tree, board, Width(each, width.apart), ply, seat, menu[choice], stones[seat] > 1, foresees)
    _divide(tree.priors[first : tree.size[0]], tree.priors[first : tree.size[0]].sum())
    tree.first[node] = first
    tree.children[node] = tree.size[0] - first


@part
def _add_children(
    tree: PuctTree, board: CoarseBoard, width: Width, ply: int, seat: int, weight: int, more: bool, foresees: bool
) -> None:
    """Append children with stones of one weight: on free cells of greatest gain, or on those to which a habit leads.

    If ``more`` stones of the seat are to come, and ``foresees`` is false, every second child lies far from the seat's
    own stones. ``board.gains`` is overwritten.
    """
    size, apart = board.grid, width.apart
    best = habitual_cell(board, ply, seat)
    habitual = best >= 0
    most = min(width.children, HABITUAL_CHILDREN) if habitual else width.children
    if not habitual:
        best = best_free(board, ply)
    top = gain_at(board, best) if best >= 0 else 0
    scale = 1.0 / (size * size * (UNITS_PER_CELL * EXPECTED_TEMPERATURE if foresees else GAIN_TEMPERATURE))
    total = 0.0
    first = tree.size[0]
    while best >= 0 and tree.size[0] < first + most:
        row, col = place_at(board, best)
        prior = math.exp((gain_at(board, best) - top) * scale)
        child = add_child(tree, row, col, weight, prior)
        total += prior
        forget_near(board, best, apart)
        if habitual:
            best = habitual_cell(board, ply, seat)
        else:
            best = best_expected(board, ply, seat) if more and not foresees and (child - first) % 2 == 0 else -1
            if best < 0:
                best = best_free(board, ply)
    _divide(tree.priors[first : tree.size[0]], total)


@inlined
def _divide(values: np.ndarray, divisor: float) -> None:
    for i in range(values.size):
        values[i] /= divisor


@part(allocates=True)
def expand_guided(
    tree: PuctTree, node: int, board: CoarseBoard, width: Width, ply: int, logits: np.ndarray
) -> int:
    """Give a node its children as a guide prefers them, if there is room; return the guide's favourite cell.

    ``logits``: float32 (grid, grid); ``board.gains`` is overwritten. At least one cell must be free.
    """
    size, apart = board.grid, width.apart
    top = -np.inf
    for row in range(size):
        for col in range(size):
            if board.free[ply, row, col]:
                top = max(top, logits[row, col])
    for row in range(size):
        for col in range(size):
            board.gains[row, col] = int(FIXED_POINT_ONE * math.exp(min(logits[row, col] - top, 0.0)))
    board.ring_gains[:] = -1
    favourite = best_free(board, ply)
    if tree.size[0] + width.children > tree.visits.size:
        return favourite
    first = tree.size[0]
    total = 0.0
    best = favourite
    while best >= 0 and tree.size[0] < first + width.children:
        row, col = best // size, best % size
        prior = max(board.gains[row, col], 1) / FIXED_POINT_ONE
        add_child(tree, float(row), float(col), 1, prior)
        total += prior
        board.gains[max(row - apart, 0) : row + apart + 1, max(col - apart, 0) : col + apart + 1] = -1
        best = best_free(board, ply)
    _divide(tree.priors[first : tree.size[0]], total)
    tree.first[node] = first
    tree.children[node] = tree.size[0] - first
    return favourite
