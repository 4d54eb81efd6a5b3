"""Monte Carlo tree search without randomness: to value a leaf, the game is played on by fixed rules.

There are two kinds of playout. In both kinds, each stone has an even share of its seat's weight and is chosen by one
map of a coarse board. A playout by *expected leads* puts each stone where the expected lead (expected_lead.py) of its
seat grows most. After some plies areas are counted, and cells count less if stones that are still to come endanger
them. A playout by *gains* puts each stone where it gains the most at once, to the end of the game; but all stones of a
seat except its last keep away from the seat's other stones. A search with the option ``depth``, of a small board, or of
a board with rings (coarse_board.py), uses only playouts by gains. Both kinds of playout show what matters most in this
game, and what no count of areas in mid-game shows: who moves last.

Each kind misjudges positions in its own way, and more playouts of one kind do not help against that. So in games of
many stones a search mixes the two kinds: most leaves are played on by gains.

Playouts are deterministic. So the value of a node one stone from the end is proven, and a tree that is proven up to its
root needs no more rounds (puct_tree.py).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from hinterland.gravity.coarse.coarse_board import (
    NO_HABIT,
    CoarseBoard,
    best_expected,
    best_free,
    count_leads,
    place,
    place_at,
)
from hinterland.gravity.coarse.coarse_replies import map_expected, map_replies
from hinterland.gravity.guide.network import Activations, Guide, new_activations
from hinterland.gravity.search.expansion import Width, expand, expand_guided
from hinterland.gravity.search.guide_planes import consult
from hinterland.gravity.search.habits import habitual_cell
from hinterland.gravity.search.puct_tree import PuctTree, backpropagate, child_on, credit, select
from hinterland.gravity.search.stones_left import Turns, next_seat
from hinterland.jit import inlined, kernel
from hinterland.search.copying import copy_values

PLAYOUT_PLIES = 22
"""Plies of a playout by expected leads. If a rival has a habit, which says what it will do, playouts go to the end."""
LEAVES_PER_EXPECTED_PLAYOUT = 4
"""Where playouts are mixed, one leaf in four is played on by expected leads."""
FIBONACCI_HASH = 2654435761
"""Multiplier that scatters the numbers of leaves (Fibonacci hashing): a prime near 2**32 over the golden ratio."""


class Playout(NamedTuple):
    """The line of play of one round. Kernels overwrite it."""

    stones: np.ndarray
    """int64[players]: stones that each seat may still place."""
    weights: np.ndarray
    """int64[players]: weight that each seat may still place."""
    path: np.ndarray
    """int64[depth + 2]: the nodes from the root to the leaf, then the leaf's child through which the playout goes; 0 if
    there is no such child."""
    movers: np.ndarray
    """int64[depth + 1]: the seat to move at each ply, -1 when there is none."""


@kernel(allocates=True)
def grow(
    tree: PuctTree, rounds: int, board: CoarseBoard, turns: Turns, width: Width, depth: int, guide: Guide
) -> int:
    """Run ``rounds`` rounds, fewer if the root is proven before; return how many were run.

    No line of play is longer than ``depth`` plies; areas are counted at its end.
    """
    room = new_activations(guide, board.grid)
    line = Playout(
        np.empty_like(turns.stones),
        np.empty_like(turns.weights),
        np.zeros(depth + 2, dtype=np.int64),
        np.empty(depth + 1, dtype=np.int64),
    )
    value = np.empty(turns.stones.size, dtype=np.float64)
    for made in range(rounds):
        if tree.proven[0]:
            return made
        copy_values(turns.stones, line.stones)
        copy_values(turns.weights, line.weights)
        line.movers[0] = turns.seat
        board.placed[:] = 0
        node = 0
        ply = 0
        while tree.children[node] > 0:
            node = select(tree, node, line.movers[ply])
            _play(board, line, ply, tree.places[node, 0], tree.places[node, 1], tree.weights[node])
            ply += 1
            line.path[ply] = node
        mover = line.movers[ply]
        lead = _play_out(tree, node, board, line, ply, width, guide, room)
        count_leads(board, line.weights * (line.stones > 0) * board.foresees, value)
        if not math.isnan(lead):
            for seat in range(value.size):
                value[seat] *= 1 - guide.trust
            value[mover] += guide.trust * lead
            value[1 - mover] -= guide.trust * lead
        if line.path[ply + 1] > 0:
            credit(tree, line.path[ply + 1], value)
        backpropagate(tree, line.path, line.movers, ply, value)
    return rounds


@kernel(allocates=True)
def priors_at(board: CoarseBoard, turns: Turns, guide: Guide, places: np.ndarray) -> np.ndarray:
    """Return a guide's priors for stones at ``places``, float64 (n, 2): float64[n] with the sum 1."""
    room = new_activations(guide, board.grid)
    board.placed[:] = 0
    map_replies(board, turns.seat, 1)
    consult(guide, room, board, 0, turns.seat, turns.stones)
    found = np.empty(places.shape[0])
    for i in range(found.size):
        row, col = round(places[i, 0]), round(places[i, 1])
        found[i] = room.logits[min(max(row, 0), board.grid - 1), min(max(col, 0), board.grid - 1)]
    priors: np.ndarray = np.exp(found - found.max())
    priors /= priors.sum()
    return priors


@inlined
def _play(board: CoarseBoard, line: Playout, ply: int, row: float, col: float, weight: int) -> None:
    """Place a stone of the seat to move, and note which seat is next."""
    seat = line.movers[ply]
    place(board, ply, seat, row, col, weight)
    line.stones[seat] -= 1
    line.weights[seat] -= weight
    line.movers[ply + 1] = next_seat(seat, line.stones, line.weights)


@inlined
def _count_stones(line: Playout) -> int:
    """Return how many stones the seats that have weight left may still place."""
    count = 0
    for seat in range(line.stones.size):
        if line.weights[seat] > 0:
            count += line.stones[seat]
    return count


@inlined(allocates=True)
def _play_out(
    tree: PuctTree,
    leaf: int,
    board: CoarseBoard,
    line: Playout,
    ply: int,
    width: Width,
    guide: Guide,
    room: Activations,
) -> float:
    """Play on from a leaf to the end of its playout; the leaf gets its children on the way, if the tree has room.

    Returns the final lead of the leaf's mover that a guide predicts; NaN without a guide. A guide also chooses the
    playout's first stone.

    A leaf with at most one move to come is proven: the best last stone is the one of greatest gain. A proven root gets
    children all the same, because the search answers with one of them.
    """
    depth = line.movers.size - 1
    first = ply
    by_gains = board.mixes and ((leaf * FIBONACCI_HASH) >> 20) % LEAVES_PER_EXPECTED_PLAYOUT > 0
    most_plies = PLAYOUT_PLIES if board.foresees and not board.habits.any() and not by_gains else depth
    foreseen = np.nan
    line.path[ply + 1] = 0
    while ply < depth and line.movers[ply] >= 0 and ply < first + most_plies:
        seat = line.movers[ply]
        stones, weights = line.stones[seat], line.weights[seat]
        weight = max(weights // stones, 1)
        last = ply + 1 == depth or _count_stones(line) == 1
        is_guided = ply == first and guide.channels > 0 and not last
        expects = board.foresees and (ply == first or not by_gains)
        foresees = expects and board.habits[seat] == NO_HABIT and not last and not is_guided
        if foresees:
            map_expected(board, seat, weight, line.weights * (line.stones > 0))
        else:
            map_replies(board, seat, weight)
        best = habitual_cell(board, ply, seat)
        if best < 0 and stones > 1 and not foresees:
            best = best_expected(board, ply, seat)
        if best < 0:
            best = best_free(board, ply)
        # map_expected values only the cells of a lattice: if none of them is free, value all cells
        if best < 0 and foresees:
            foresees = False
            map_replies(board, seat, weight)
            best = best_free(board, ply)
        if best < 0:
            line.stones[:] = 0
            break
        row, col = place_at(board, best)
        is_guided = is_guided and best < board.grid * board.grid  # a guide ranks cells alone
        if is_guided:
            foreseen = consult(guide, room, board, ply, seat, line.stones)
            row, col = place_at(board, expand_guided(tree, leaf, board, width, ply, room.logits))
        elif ply == first and (not last or leaf == 0):
            expand(tree, leaf, board, width, ply, seat, line.stones, line.weights, foresees)
            line.path[ply + 1] = child_on(tree, leaf, row, col, weight)
        elif ply == first:
            tree.proven[leaf] = 1
        _play(board, line, ply, row, col, weight)
        ply += 1
    if ply == first:
        tree.proven[leaf] = 1
    return foreseen
