"""Estimates the lead at the end of a game, and what a new stone adds to this estimate.

Suppose that a seat owns a cell x, and that its lead there is a: its pull on x exceeds that of any other seat by a. A
stone of weight w takes x for another seat if it stands in a disc of area pi w / a around x. If the other seats place
stones of total weight W anywhere on a board of area A, about W pi / (a A) of these stones stand in such a disc and
endanger x. So x counts a / (a + k) for its owner, with k = pi W / A. The cell counts fully if the lead is large or no
stone is to come, and half if about one stone endangers it. Under the law "nearest" a new stone takes x if it pulls
harder than the owner's strongest stone; so a is the pull of that stone.

The expected lead of a seat is the sum over all cells; cells of rivals count as negative. The expected lead is computed
for a new stone on all places of a lattice at once, in vectors. Let s be the squared distance of a place from x, w the
new stone's weight, and b the rival's present lead at x. With the stone, the lead at x becomes ``a = w / s - b``, and
``a / (a + k)`` becomes ``(w - b s) / (w - b s + k s)``. Computing this takes one division for each place and cell.
Blocks of cells count as one cell, with their mean pulls, and two blocks share a division: ``p / q + t / u = (p u + t q)
/ (q u)``. The best place of a lattice may be a little off the best cell, but boards are coarse anyway.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from hinterland.jit import JIT_ON, inlined

MOST_PLACES_PER_SIDE = 24 if JIT_ON else 6
"""Most places along a side of a lattice."""
UNITS_PER_CELL = 64
"""Expected gains are whole numbers of units; this many units make a cell."""
LEAST_DANGER = 1e-9
"""The value of k, instead of 0, if no other seat has a stone to come."""
UNREACHABLE_SQUARE = 1e18
"""Squared distance of a block that is added to make their number even: no stone takes a block so far away."""


class Lattice(NamedTuple):
    """Places for a new stone, and the blocks of cells that it may take. Kernels overwrite ``ahead`` and ``gains``."""

    stride: int
    """Cells from one row, or column, of the lattice to the next."""
    block: int
    """Cells a side of a block, which counts as one cell."""
    squares: np.ndarray
    """float32 (blocks, places): the squares of the distances from the blocks' middles to the places, in cells.

    Blocks come row by row; a last block may be added that makes their number even.
    """
    ahead: np.ndarray
    """float32 (2, blocks): the mean pulls of the mover, and of its strongest rival, on each block."""
    gains: np.ndarray
    """float32[places]: what a stone on each place adds to the expected lead, in blocks."""


def new_lattice(grid: int, *, blocks: bool) -> Lattice:
    """Return the lattice of a board of ``grid`` cells a side; ``blocks``: whether four places share one block."""
    stride = -(-grid // MOST_PLACES_PER_SIDE)
    block = 2 * stride if blocks else stride
    squares = _squares(grid, stride, block)
    ahead, gains = (np.zeros(shape, dtype=np.float32) for shape in ((2, squares.shape[0]), squares.shape[1]))
    return Lattice(stride, block, squares, ahead, gains)


@lru_cache(maxsize=16)
def _squares(grid: int, stride: int, block: int) -> np.ndarray:
    places = np.arange(stride // 2, grid, stride)
    middles = (np.arange(-(-grid // block)) + 0.5) * block - 0.5
    away = (middles[:, None] - places) ** 2
    squares = (away[:, None, :, None] + away[None, :, None, :]).reshape(middles.size**2, places.size**2)
    none = np.full((len(squares) % 2, places.size**2), UNREACHABLE_SQUARE)
    return np.concatenate((squares, none)).astype(np.float32)


@inlined
def danger(left: np.ndarray, seat: int, cells: int) -> float:
    """Return k (see the head of this file) for a seat's cells.

    ``left``: int64[players], the weight that each seat may still place.
    """
    return max(math.pi * float(left.sum() - left[seat]) / cells, LEAST_DANGER)


@inlined
def pool(lattice: Lattice, number: int, pulls: np.ndarray) -> None:
    """Set ``lattice.ahead[number]`` to the mean of ``pulls``, float64 (grid, grid), on each block."""
    grid, side = pulls.shape[0], lattice.block
    blocks = -(-grid // side)
    for i in range(blocks):
        for j in range(blocks):
            bottom, right = min((i + 1) * side, grid), min((j + 1) * side, grid)
            total = 0.0
            for row in range(i * side, bottom):
                for col in range(j * side, right):
                    total += pulls[row, col]
            lattice.ahead[number, i * blocks + j] = total / ((bottom - i * side) * (right - j * side))


@inlined
def lead_of(own: float, rival: float, nearest: bool) -> float:
    """Return the lead of the mover's pull on a cell; below 0 where the rival owns it."""
    if nearest:
        return own if own > rival else -rival
    return own - rival


@inlined
def _lead_after(
    square: np.float32, pulls: tuple[np.float32, np.float32], factors: tuple[np.float32, ...], nearest: bool
) -> tuple[np.float32, np.float32]:
    """Return numerator and denominator of what a block counts after a new stone, both multiplied by ``square``.

    ``square``: the squared distance of the stone from the block. ``pulls``: the pulls of the mover and of its strongest
    rival on the block, without the new stone. ``factors``: the stone's weight, k for cells of the mover, and k for
    cells of its rivals.
    """
    own, rival = pulls
    weight, kept, won = factors
    if nearest:
        mine, theirs = max(weight, own * square), rival * square
        lead = mine if mine > theirs else -theirs
    else:
        lead = weight + (own - rival) * square
    return lead, abs(lead) + (kept if lead > np.float32(0.0) else won) * square


@inlined
def _add_two_blocks(lattice: Lattice, first: int, factors: tuple[np.float32, ...], nearest: bool) -> None:
    """Add to ``lattice.gains`` what blocks ``first`` and ``first`` + 1 count after a stone; divide once for both."""
    gains, own, rival = lattice.gains, lattice.ahead[0], lattice.ahead[1]
    near, other_near = lattice.squares[first], lattice.squares[first + 1]
    pulls, other_pulls = (own[first], rival[first]), (own[first + 1], rival[first + 1])
    for place in range(gains.size):
        lead, least = _lead_after(near[place], pulls, factors, nearest)
        other_lead, other_least = _lead_after(other_near[place], other_pulls, factors, nearest)
        gains[place] += (lead * other_least + other_lead * least) / (least * other_least)


@inlined
def sum_gains(lattice: Lattice, weight: int, kept: float, won: float, nearest: bool) -> None:
    """Set ``lattice.gains`` from ``lattice.ahead``. ``kept``, ``won``: k for cells of the mover, and of its rivals."""
    gains, own, rival = lattice.gains, lattice.ahead[0], lattice.ahead[1]
    factors = np.float32(weight), np.float32(kept), np.float32(won)
    gains[:] = 0.0
    before = 0.0
    for block in range(own.size):
        lead = lead_of(own[block], rival[block], nearest)
        before += lead / (abs(lead) + (kept if lead > 0.0 else won))
    for first in range(0, own.size, 2):
        if nearest:
            _add_two_blocks(lattice, first, factors, True)
        else:
            _add_two_blocks(lattice, first, factors, False)
    gains -= np.float32(before)
