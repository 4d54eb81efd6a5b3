"""Generators of places: each returns legal stones of the turn's weight, without doubles."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from hinterland.gravity.coarse.coarse_board import ring_offsets
from hinterland.gravity.lloyd import even_layout

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from benchmarks.league.opponents.turn import Turn
    from hinterland.gravity.rules import Stone

PEAKS_PER_SIDE = 16
"""Two peaks lie at least side / 16 apart, in rows or in columns."""
CIRCLES_GRID = 48
"""Cells a side of the board on which the middles of empty circles are looked for."""


def keep_legal(turn: Turn, cells: Iterable[tuple[int, int]]) -> list[Stone]:
    """Return the legal stones on some cells."""
    stones = dict.fromkeys(turn.stone(row, col) for row, col in cells)
    return [stone for stone in stones if stone in turn.legal]


def find_peaks(values: np.ndarray, count: int) -> list[tuple[int, int]]:
    """Return the cells of greatest value, some way apart; values below 0 do not count."""
    values, found, apart = values.copy(), list[tuple[int, int]](), max(len(values) // PEAKS_PER_SIDE, 1)
    while len(found) < count and values.max() >= 0:
        row, col = (int(line) for line in np.unravel_index(values.argmax(), values.shape))
        found.append((row, col))
        values[max(row - apart, 0) : row + apart + 1, max(col - apart, 0) : col + apart + 1] = -1
    return found


def at_peaks(turn: Turn, gains: np.ndarray, count: int) -> list[Stone]:
    """Return the stones of greatest gain, some way apart."""
    return keep_legal(turn, find_peaks(gains, count))


def beside(turn: Turn, stones: Iterable[Stone]) -> list[Stone]:
    """Return stones beside others, as near as the spacing allows, in sixteen directions."""
    offsets = ring_offsets(turn.spacing).tolist()
    return keep_legal(turn, ((stone.row + down, stone.col + right) for stone in stones for down, right in offsets))


def on_lattice(turn: Turn, per_side: int) -> list[Stone]:
    """Return stones on an even lattice."""
    lines = [int((i + 0.5) * turn.size / per_side) for i in range(per_side)]
    return keep_legal(turn, product(lines, lines))


def on_layout(turn: Turn) -> list[Stone]:
    """Return stones on the sites of the layout that ``lloyd`` follows."""
    return keep_legal(turn, even_layout(turn.size, turn.position.rules.stones))


def reflect(turn: Turn, stones: Iterable[Stone]) -> list[Stone]:
    """Return the reflections of stones through the centre of the board."""
    last = turn.size - 1
    return keep_legal(turn, ((last - stone.row, last - stone.col) for stone in stones))


def at_random(turn: Turn, count: int) -> list[Stone]:
    """Return random stones, all cells equally likely."""
    drawn = (turn.legal.sample(turn.rng) for _ in range(count))
    return keep_legal(turn, ((stone.row, stone.col) for stone in drawn))


def in_empty_circles(turn: Turn, count: int) -> list[Stone]:
    """Return stones in the middles of the largest empty circles: far from all stones."""
    lines = (np.arange(min(CIRCLES_GRID, turn.size)) + 0.5) * (turn.size / min(CIRCLES_GRID, turn.size)) - 0.5
    squares = np.full((lines.size, lines.size), np.inf)
    for _, stone in turn.position.moves:
        squares = np.minimum(squares, (lines[:, None] - stone.row) ** 2 + (lines - stone.col) ** 2)
    return keep_legal(turn, ((round(lines[row]), round(lines[col])) for row, col in find_peaks(squares, count)))


def around(turn: Turn, stone: Stone, step: int) -> list[Stone]:
    """Return the stones one step away from a stone, also diagonally."""
    return keep_legal(
        turn, ((stone.row + down * step, stone.col + right * step) for down, right in product((0, -1, 1), repeat=2))
    )[int(stone in turn.legal) :]


def take_turns(*lists: Sequence[Stone]) -> list[Stone]:
    """Merge lists: the first stones of all lists, then the second ones, and so on, without doubles."""
    longest = max(map(len, lists), default=0)
    return list(dict.fromkeys(stones[i] for i in range(longest) for stones in lists if i < len(stones)))
