"""A tree of games played out by gain: Monte Carlo tree search without the dice.

A leaf of the tree is worth the areas at the end of the game in which everybody, from there on, puts a stone where it
gains the most at once, though not near to one of its own but for the last, and spreads an even share of its weight.
Such a playout is one reply map of a sketch for each stone (sketch.py). It knows what matters most in this game and what
no count of areas in mid-game shows: who moves last.

A node's children are the cells of greatest gain, some way apart, for each of a few weights; every other one lies far
from the mover's own stones, for quiet moves that spread out gain little at once and much in the end. A rival whose
stones go to an even layout is expected there, in the tree and in playouts, as long as there is room (layout.py).

Which child to look at next follows the upper confidence bound with a prior for moves of great gain (PUCT; Rosin 2011,
Silver 2016); each seat wishes for its own area less those of the others. Because a playout is determined, a node one
stone from the end is known exactly, and so is one whose children all are: it is as good as the best of them for the
seat that moves (Winands et al. 2008). Known nodes are not visited again, and what a round found counts for no less than
what the mover could have had for certain. A tree that is known to its root needs no more rounds.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hinterland.gravity.search.coarse_board import Board, Sketch, best_apart, best_free, count_areas, map_replies, place
from hinterland.jit import inlined, kernel

if TYPE_CHECKING:
    from hinterland.gravity.rules import Position

__all__ = ["Plan", "Tree", "Turns", "best_children", "grow", "new_tree", "plant", "shuffle", "turns_of"]

CURIOSITY = 0.3
"""How much a rarely tried move is favoured over one that did better."""
DOUBT = 0.01
"""A move that was never tried counts as so much worse than its node has done so far, in shares of the board."""
EAGERNESS = 0.05
"""A gain that is less than the best by such a share of the board has 1/e of its prior."""
WEIGHTS = 5
"""How many weights are tried, at most."""


class Tree(NamedTuple):
    """Nodes by number; node 0 is the position itself, and a node's children are numbered in a row.

    Kernels overwrite the arrays.
    """

    visits: np.ndarray
    """int32[nodes]"""
    worth: np.ndarray
    """float64 (nodes, players): the sum of what visits found, or what a known node is worth, times its visits."""
    known: np.ndarray
    """uint8[nodes]: 1 where that is exact."""
    first: np.ndarray
    """int32[nodes]: the first child."""
    children: np.ndarray
    """int32[nodes]: how many it has."""
    places: np.ndarray
    """float64 (nodes, 2): row and column of the stone that leads to each, in cells of the sketch."""
    weights: np.ndarray
    """int32[nodes]: its weight."""
    priors: np.ndarray
    """float64[nodes]: those of a node's children add up to 1."""
    size: np.ndarray
    """int64[1]: how many nodes are in use."""


class Turns(NamedTuple):
    """Who may still place what."""

    seat: int
    """The seat to move."""
    stones: np.ndarray
    """int64[players]: no more than there is weight for."""
    weights: np.ndarray
    """int64[players]: as many as stones in a game without weights."""


class Plan(NamedTuple):
    """How a tree grows."""

    depth: int
    """No line of play is longer than so many plies; areas are counted there."""
    width: int
    """A node has so many children, at most."""
    apart: int
    """Cells of the sketch between two children are at least so many, in rows or in columns."""


def new_tree(nodes: int, players: int) -> Tree:
    """Return a tree that holds the root, with room for so many nodes."""
    return Tree(
        np.zeros(nodes, dtype=np.int32),
        np.zeros((nodes, players)),
        np.zeros(nodes, dtype=np.uint8),
        np.zeros(nodes, dtype=np.int32),
        np.zeros(nodes, dtype=np.int32),
        np.zeros((nodes, 2)),
        np.zeros(nodes, dtype=np.int32),
        np.zeros(nodes),
        np.ones(1, dtype=np.int64),
    )


def plant(tree: Tree, places: np.ndarray, weights: list[int]) -> None:
    """Give the root of a new tree its children: places float64 (n, 2), in cells of the sketch, and weights."""
    count = len(places)
    tree.places[1 : count + 1] = places
    tree.weights[1 : count + 1] = weights
    tree.priors[1 : count + 1] = 1 / count
    tree.first[0], tree.children[0] = 1, count
    tree.size[0] = count + 1


def turns_of(position: Position) -> Turns:
    """Return who may still place what in a position that is not over."""
    seats = range(position.rules.players)
    stones = [0 if seat in position.withdrawn else position.stones_left(seat) for seat in seats]
    weights = [position.weight_left(seat) for seat in seats]
    weighed = [left if weight is None else weight for left, weight in zip(stones, weights, strict=True)]
    left = np.array(weighed, dtype=np.int64)
    return Turns(position.to_move or 0, np.minimum(np.array(stones, dtype=np.int64), left), left)


def shuffle(tree: Tree, seed: int) -> None:
    """Change the priors of the root's children a little, for another seed in another way; not at all for 0."""
    if seed > 0:
        chosen = slice(tree.first[0], tree.first[0] + tree.children[0])
        tree.priors[chosen] *= np.random.default_rng(seed).uniform(0.5, 1.5, tree.children[0])
        tree.priors[chosen] /= tree.priors[chosen].sum()


def best_children(tree: Tree, seat: int) -> np.ndarray:
    """Return the children of the root, best first: the most visited, and before it those known to be better. int64."""
    nodes = np.arange(tree.first[0], tree.first[0] + tree.children[0])
    if not nodes.size:
        return nodes
    visits = tree.visits[nodes]
    means = tree.worth[nodes, seat] / np.maximum(visits, 1)
    known = tree.known[nodes] == 1
    favourite = np.where(known, -1, visits).argmax()
    better = known & (known.all() | (means >= means[favourite]))
    return nodes[np.lexsort((-means, -np.where(better, visits.max() + 1, visits)))]


@kernel
def grow(tree: Tree, rounds: int, sketch: Sketch, board: Board, turns: Turns, plan: Plan) -> int:
    """Run so many rounds, or until the root is known; return how many."""
    players = turns.stones.size
    stones = np.empty_like(turns.stones)
    weights = np.empty_like(turns.weights)
    worth = np.empty(players, dtype=np.float64)
    path = np.empty(plan.depth + 1, dtype=np.int64)
    movers = np.empty(plan.depth + 1, dtype=np.int64)
    menu = np.empty(WEIGHTS, dtype=np.int64)
    for made in range(rounds):
        if tree.known[0]:
            return made
        stones[:] = turns.stones
        weights[:] = turns.weights
        sketch.placed[:] = 0
        seat = turns.seat
        node = 0
        ply = 0
        path[0] = 0
        movers[0] = seat
        while tree.children[node] > 0:
            node = _follow(tree, node, seat)
            weight = tree.weights[node]
            place(sketch, board, ply, seat, tree.places[node, 0], tree.places[node, 1], weight)
            stones[seat] -= 1
            weights[seat] -= weight
            seat = _next_seat(seat, stones, weights)
            ply += 1
            path[ply] = node
            movers[ply] = seat
        _play_out(tree, node, sketch, board, plan, seat, ply, stones, weights, menu)
        _appraise(sketch, board, worth)
        _credit(tree, path, movers, ply, worth)
    return rounds


@inlined
def _next_seat(seat: int, stones: np.ndarray, weights: np.ndarray) -> int:
    """Return the next seat with something to place, -1 when there is none."""
    players = stones.size
    for turn in range(1, players + 1):
        other = (seat + turn) % players
        if stones[other] > 0 and weights[other] > 0:
            return other
    return -1


@inlined
def _stones_left(stones: np.ndarray, weights: np.ndarray) -> int:
    """Count the stones that may still be placed by those who have any weight."""
    count = 0
    for seat in range(stones.size):
        if weights[seat] > 0:
            count += stones[seat]
    return count


@inlined
def _follow(tree: Tree, node: int, seat: int) -> int:
    """Choose the child of the greatest upper confidence bound among those not yet known."""
    usual = tree.worth[node, seat] / max(tree.visits[node], 1) - DOUBT
    zeal = CURIOSITY * math.sqrt(tree.visits[node])
    best = -1
    most = -np.inf
    for child in range(tree.first[node], tree.first[node] + tree.children[node]):
        if tree.known[child]:
            continue
        visits = tree.visits[child]
        mean = tree.worth[child, seat] / visits if visits > 0 else usual
        bound = mean + zeal * tree.priors[child] / (1 + visits)
        if bound > most:
            most = bound
            best = child
    return best


@inlined
def _play_out(
    tree: Tree,
    node: int,
    sketch: Sketch,
    board: Board,
    plan: Plan,
    seat: int,
    ply: int,
    stones: np.ndarray,
    weights: np.ndarray,
    menu: np.ndarray,
) -> None:
    """Play on by gain from a leaf to the end, or as deep as the plan says; the leaf gets its children on the way.

    A leaf that has no more than one move to come is known: the best last stone is the one of greatest gain. But the
    root gets children even so, for it is them that somebody wants to know.
    """
    leaf = True
    while seat >= 0 and ply < plan.depth:
        weight = max(weights[seat] // stones[seat], 1)
        map_replies(sketch, board, seat, weight)
        last = ply + 1 == plan.depth or _stones_left(stones, weights) == 1
        best = -1 if stones[seat] == 1 else best_apart(sketch, board, ply, seat)
        if best < 0:
            best = best_free(sketch, board, ply)
        if best < 0:
            break
        if leaf and (not last or node == 0):
            _branch(tree, node, sketch, board, plan, seat, ply, stones[seat], weights[seat], menu)
        elif leaf:
            tree.known[node] = 1
        leaf = False
        place(sketch, board, ply, seat, float(best // board.grid), float(best % board.grid), weight)
        stones[seat] -= 1
        weights[seat] -= weight
        seat = _next_seat(seat, stones, weights)
        ply += 1
    if leaf:
        tree.known[node] = 1


@inlined
def _list_weights(stones: int, weight: int, menu: np.ndarray) -> int:
    """Write the weights to try with so many stones and so much weight left to ``menu``; return how many."""
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


@inlined
def _branch(
    tree: Tree,
    node: int,
    sketch: Sketch,
    board: Board,
    plan: Plan,
    seat: int,
    ply: int,
    stones: int,
    weight: int,
    menu: np.ndarray,
) -> None:
    """Give a node its children, as long as there is room: for each weight the cells of greatest gain.

    ``board.gains`` must be those of the even share; they are overwritten.
    """
    choices = _list_weights(stones, weight, menu) if stones > 1 else 1
    if stones == 1:
        menu[0] = weight
    each = max(plan.width // choices, 1)
    if tree.size[0] + choices * each > tree.visits.size:
        return
    first = tree.size[0]
    for choice in range(choices):
        if choice > 0:
            map_replies(sketch, board, seat, menu[choice])
        _add_children(tree, sketch, board, plan.apart, ply, seat, menu[choice], each, stones > 1)
    count = tree.size[0] - first
    total = tree.priors[first : first + count].sum()
    tree.priors[first : first + count] /= total
    tree.first[node] = first
    tree.children[node] = count


@inlined
def _add_children(
    tree: Tree,
    sketch: Sketch,
    board: Board,
    apart: int,
    ply: int,
    seat: int,
    weight: int,
    most: int,
    quiet: bool,
) -> None:
    """Append free cells of greatest gain with stones of a weight; every other one is to be far from the seat's own.

    Of a rival that keeps to an even layout only its places. ``board.gains`` is overwritten.
    """
    size = board.grid
    best = best_apart(sketch, board, ply, seat) if board.keeps[seat] else -1
    keeps = best >= 0
    if not keeps:
        best = best_free(sketch, board, ply)
    top = board.gains[best // size, best % size] if best >= 0 else 0
    scale = 1.0 / (EAGERNESS * size * size)
    total = 0.0
    first = tree.size[0]
    while best >= 0 and tree.size[0] < first + most:
        row = best // size
        col = best % size
        child = tree.size[0]
        tree.size[0] += 1
        tree.visits[child] = 0
        tree.worth[child] = 0.0
        tree.known[child] = 0
        tree.children[child] = 0
        tree.places[child, 0] = row
        tree.places[child, 1] = col
        tree.weights[child] = weight
        tree.priors[child] = math.exp((board.gains[row, col] - top) * scale)
        total += tree.priors[child]
        board.gains[max(row - apart, 0) : row + apart + 1, max(col - apart, 0) : col + apart + 1] = -1
        best = best_apart(sketch, board, ply, seat) if keeps or (quiet and (child - first) % 2 == 0) else -1
        if best < 0 and not keeps:
            best = best_free(sketch, board, ply)
    for child in range(first, tree.size[0]):
        tree.priors[child] /= total


@inlined
def _appraise(sketch: Sketch, board: Board, worth: np.ndarray) -> None:
    """Set ``worth`` to each seat's area less that of all others, as a share of the board."""
    count_areas(sketch, board, worth)
    owned = worth.sum()
    for seat in range(worth.size):
        worth[seat] = (2.0 * worth[seat] - owned) / (board.grid * board.grid)


@inlined
def _credit(tree: Tree, path: np.ndarray, movers: np.ndarray, ply: int, worth: np.ndarray) -> None:
    """Add what a round found to the nodes on its path, and find out which of them are known by now."""
    for step in range(ply, -1, -1):
        node = path[step]
        mover = movers[step]
        tree.visits[node] += 1
        if tree.children[node] > 0:
            best, unknown = _best_known(tree, node, mover)
            if best >= 0:
                certain = tree.worth[best] / tree.visits[best]
                if unknown == 0 or certain[mover] > worth[mover]:
                    worth[:] = certain
            if unknown == 0:
                tree.known[node] = 1
                tree.worth[node] = worth * (tree.visits[node] - 1)
        tree.worth[node] += worth


@inlined
def _best_known(tree: Tree, node: int, seat: int) -> tuple[int, int]:
    """Return the child known to be best for a seat, -1 for none, and how many are not known."""
    best = -1
    unknown = 0
    most = -np.inf
    for child in range(tree.first[node], tree.first[node] + tree.children[node]):
        if not tree.known[child]:
            unknown += 1
        else:
            mean = tree.worth[child, seat] / tree.visits[child]
            if mean > most:
                most = mean
                best = child
    return best, unknown
