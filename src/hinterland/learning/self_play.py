"""Plays games of the search against itself, and makes the samples that a network learns from.

Each game begins with a random number of random stones, so that games differ, and goes on with the best move of the
search. Each position after the random stones makes a sample: what the search found, and who owned each cell in the end.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hinterland.gravity.coarse import coarse_board
from hinterland.gravity.coarse.coarse_replies import map_replies
from hinterland.gravity.guide.network import Guide, cell_index
from hinterland.gravity.rules import Position, Rules, Stone
from hinterland.gravity.search import candidates, mcts
from hinterland.gravity.search.expansion import Width
from hinterland.gravity.search.guide_planes import PLANES, write_planes
from hinterland.gravity.search.puct_tree import PuctTree, new_tree, seed_root
from hinterland.gravity.search.stones_left import turns_of
from hinterland.jit import kernel

VALUE_TOLERANCE = 1e-9
"""Values that differ by less count as equal."""
RANDOM_SHARE = 0.5
"""Share of the random stones for which all legal cells are equally likely; the other stones are drawn by the search's
policy."""


class Sample(NamedTuple):
    """A position and the targets to learn from it."""

    planes: np.ndarray
    """float32 (planes, size, size)"""
    policy: np.ndarray
    """float32 (size, size): how much each cell is worth trying, as shares that add up to 1."""
    ownership: np.ndarray
    """float32 (size, size): 1 where the mover owned the cell in the end, -1 where its rival did, else 0."""


def play_game(rules: Rules, guide: Guide, playouts: int, rng: np.random.Generator) -> list[Sample]:
    """Play one game and return its samples, in order of play."""
    position = rules.start()
    opening = int(rng.integers(2 * rules.stones))
    seen: list[tuple[int, np.ndarray, np.ndarray]] = []
    while (seat := position.to_move) is not None:
        in_opening = len(position.moves) < opening
        if in_opening and rng.random() < RANDOM_SHARE:
            position = position.play_unchecked(position.legal_moves.sample(rng))
            continue
        planes, policy = search_position(position, guide, playouts)
        if not in_opening:
            seen.append((seat, planes, policy))
        position = position.play_unchecked(_draw(policy, rng) if in_opening else _best(policy, rng))
    owners = position.owners
    return [
        Sample(planes, policy, (owners == seat).astype(np.float32) - (owners == 1 - seat))
        for seat, planes, policy in seen
    ]


def search_position(position: Position, guide: Guide, playouts: int) -> tuple[np.ndarray, np.ndarray]:
    """Search a position; return its planes and its policy, as in Sample."""
    size, turns = position.rules.size, turns_of(position)
    board = coarse_board.coarsen(position, size, turns.plies)
    planes = planes_of(board, turns.seat, turns.stones)
    if turns.plies == 1:
        map_replies(board, turns.seat, 1)
        gains = np.where(board.free[0], board.gains, -1)
        return planes, _shares((gains == gains.max()).astype(np.float64))
    tree = new_tree(playouts * size * size // 2 + size * size + 1, 2)
    if not position.moves:
        openings = candidates.openings(position)
        seed_root(tree, coarse_board.places_of(openings, 1.0), [1] * len(openings))
    mcts.grow(tree, playouts, board, turns, Width(size * size, 0), turns.plies, guide)
    return planes, _policy_of(tree, turns.seat, size)


def planes_of(board: coarse_board.CoarseBoard, seat: int, stones: np.ndarray) -> np.ndarray:
    """Return a guide's input for a position: float32 (planes, size, size)."""
    size = board.grid
    rimmed = np.zeros((len(PLANES), (size + 2) ** 2 + 2), dtype=np.float32)
    _write_rimmed(rimmed, board, seat, stones)
    first = cell_index(size, 0, 0)
    return np.stack([rimmed[:, first + row * (size + 2) :][:, :size] for row in range(size)], axis=1)


@kernel
def _write_rimmed(planes: np.ndarray, board: coarse_board.CoarseBoard, seat: int, stones: np.ndarray) -> None:
    map_replies(board, seat, 1)
    write_planes(planes, board, 0, seat, stones)


def _policy_of(tree: PuctTree, seat: int, size: int) -> np.ndarray:
    """Return a policy in which each cell counts as much as the search has visited it.

    Cells whose value is proven count 0. But if the best of them are at least as good as the most visited unproven cell,
    each of these best cells counts as much as the most visited cell.

    At least two playouts must have been made.
    """
    children = np.arange(tree.first[0], tree.first[0] + tree.children[0])
    children = children[tree.visits[children] > 0]
    visits = tree.visits[children].astype(np.float64)
    means = tree.value_sum[children, seat] / visits
    proven = tree.proven[children] == 1
    favourite = np.where(proven, -1, visits).argmax()
    good = proven & (proven.all() | (means >= means[favourite]))
    worth = np.where(proven, 0.0, visits)
    worth[good & (means >= means[good].max(initial=-1.0) - VALUE_TOLERANCE)] = visits.max()
    rows, cols = tree.places[children].astype(np.int64).T
    policy = np.zeros((size, size))
    policy[rows, cols] = worth
    return _shares(policy)


def _shares(worth: np.ndarray) -> np.ndarray:
    shares: np.ndarray = (worth / worth.sum()).astype(np.float32)
    return shares


def _best(policy: np.ndarray, rng: np.random.Generator) -> Stone:
    """Return a stone on the best cell; among equals ``rng`` chooses."""
    best = np.flatnonzero(policy == policy.max())
    return _stone(int(best[rng.integers(best.size)]), policy)


def _draw(policy: np.ndarray, rng: np.random.Generator) -> Stone:
    """Draw a cell by the policy, and return a stone on it."""
    shares = policy.astype(np.float64).ravel()
    return _stone(int(rng.choice(shares.size, p=shares / shares.sum())), policy)


def _stone(cell: int, policy: np.ndarray) -> Stone:
    return Stone(*divmod(cell, policy.shape[1]))
