"""Games played out by rules of thumb, on boards of any size.

Who can close a cycle takes the longest. Else a line after which nothing can be closed is drawn, if there is one. Else
one that joins the fewest dots, for that is the most that the other can take.

A standing is one array, int64 (n + 1, 3): for each dot the dots joined to it, those to which the way is blocked, and
those of its tree; in the last row the dots there, the seat to move, and by how much seat 0 leads. Sets of dots are
bits.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from hinterland.dots.order_types import chirotopes as order
from hinterland.dots.order_types.bitsets import count, lowest
from hinterland.jit import inlined, kernel

if TYPE_CHECKING:
    from hinterland.dots.rules import Position, Rules

__all__ = [
    "CAREFUL",
    "CLOSER",
    "MOVER",
    "PRESENT",
    "best_thought",
    "crossed_of",
    "draw_line",
    "play_out",
    "seed_of",
    "standing_of",
    "think",
]

JOINED, BLOCKED, TREE = range(3)
PRESENT, MOVER, LEAD = range(3)
CLOSER, CAREFUL = range(2)
"""How far a rule of thumb looks: to cycles it can close, or also to those that it opens."""
MODULUS, MULTIPLIER = 2**31 - 1, 48271
"""Park and Miller's minimal generator, the revised one of 1993: all its products are small."""
LONG = 64


@lru_cache(maxsize=8)
def _crossed(signs: str, dots: int) -> np.ndarray:
    side = order.sides(signs, dots)
    bit = 1 << np.arange(dots)
    table = np.zeros((dots, dots, dots), dtype=np.int64)
    for a, b in order.lines_of(dots):
        parted = np.multiply.outer(side[a, b], side[a, b]) < 0
        parting = side[:, :, a] * side[:, :, b] < 0
        table[a, b] = table[b, a] = (parted & parting) @ bit
    return table


def crossed_of(rules: Rules) -> np.ndarray:
    """Return for three dots a, b, c the set of dots to which the way from c crosses the line a b: int64 (n, n, n)."""
    return _crossed(rules.signs, rules.dots)


def standing_of(position: Position) -> np.ndarray:
    """Return the standing of a position."""
    board, dots = position.board, position.rules.dots
    standing = np.zeros((dots + 1, 3), dtype=np.int64)
    standing[:dots, JOINED] = board.joined
    standing[dots] = board.present, position.to_move or 0, board.scores[0] - board.scores[1]
    _settle(crossed_of(position.rules), standing)
    return standing


def seed_of(rng: np.random.Generator) -> np.ndarray:
    """Draw the state of a kernel's generator: int64[1]."""
    return rng.integers(1, MODULUS, 1, dtype=np.int64)


@inlined
def _below(seed: np.ndarray, bound: int) -> int:
    """Draw a whole number from 0 to bound - 1."""
    seed[0] = seed[0] * MULTIPLIER % MODULUS
    return int(seed[0] * bound // MODULUS)


@kernel
def _settle(crossed: np.ndarray, standing: np.ndarray) -> None:
    """Work out trees and blocked ways from the lines."""
    dots = standing.shape[0] - 1
    standing[:dots, BLOCKED] = 0
    for first in range(dots):
        tree = fresh = 1 << first
        while fresh:
            near = standing[lowest(fresh), JOINED] & ~tree
            fresh = fresh & (fresh - 1) | near
            tree |= near
        standing[first, TREE] = tree
        ends = standing[first, JOINED] >> first + 1 << first + 1
        while ends:
            second = lowest(ends)
            ends &= ends - 1
            for dot in range(dots):
                standing[dot, BLOCKED] |= crossed[first, second, dot]


@inlined
def _legal(standing: np.ndarray, dot: int) -> int:
    """Return the dots to which a line may be drawn from a dot that is there."""
    there = standing[-1, PRESENT] & ~(1 << dot)
    return int(there & ~(standing[dot, JOINED] | standing[dot, BLOCKED]))


@inlined
def _cycle(standing: np.ndarray, first: int, second: int) -> int:
    """Return the dots on the way between two dots of a tree."""
    tree = standing[first, TREE]
    kept = 1 << first | 1 << second
    cut = True
    while cut:
        cut = False
        rest = tree & ~kept
        while rest:
            dot = lowest(rest)
            rest &= rest - 1
            near = standing[dot, JOINED] & tree
            if near & (near - 1) == 0:
                tree ^= 1 << dot
                cut = True
    return int(tree)


@kernel
def draw_line(crossed: np.ndarray, standing: np.ndarray, first: int, second: int) -> None:
    """Draw a legal line for the seat to move."""
    dots = standing.shape[0] - 1
    seat = standing[dots, MOVER]
    standing[dots, MOVER] = 1 - seat
    if standing[first, TREE] >> second & 1:
        gone = _cycle(standing, first, second)
        standing[dots, LEAD] += count(gone) if seat == 0 else -count(gone)
        standing[dots, PRESENT] &= ~gone
        for dot in range(dots):
            standing[dot, JOINED] = 0 if gone >> dot & 1 else standing[dot, JOINED] & ~gone
        _settle(crossed, standing)
        return
    whole = standing[first, TREE] | standing[second, TREE]
    for dot in range(dots):
        standing[dot, BLOCKED] |= crossed[first, second, dot]
        if whole >> dot & 1:
            standing[dot, TREE] = whole
    standing[first, JOINED] |= 1 << second
    standing[second, JOINED] |= 1 << first


@inlined
def _opens(crossed: np.ndarray, standing: np.ndarray, first: int, second: int) -> bool:
    """Say whether a line that joins two trees lets the other close a cycle."""
    other = standing[second, TREE]
    rest = standing[first, TREE]
    while rest:
        dot = lowest(rest)
        rest &= rest - 1
        ways = _legal(standing, dot) & other & ~crossed[first, second, dot]
        if dot == first:
            ways &= ~(1 << second)
        if ways:
            return True
    return False


@inlined
def _worth(crossed: np.ndarray, standing: np.ndarray, first: int, second: int, thought: int) -> int:
    """Return what a rule of thumb thinks of a legal line: the dots it takes, 0 if it opens no cycle, else less."""
    if standing[first, TREE] >> second & 1:
        return count(_cycle(standing, first, second))
    if thought == CLOSER or not _opens(crossed, standing, first, second):
        return 0
    return -count(standing[first, TREE] | standing[second, TREE])


@kernel
def think(
    crossed: np.ndarray, standing: np.ndarray, thought: int, tried: np.ndarray, seed: np.ndarray
) -> tuple[int, int]:
    """Return the line that is worth most; of equals, any is as likely. Return (-1, -1) where none is left.

    ``tried``: int64[n or more], for each dot the greater ones to which lines are not looked at.
    """
    best = -LONG
    chosen = (-1, -1)
    equals = 0
    dots = standing[-1, PRESENT]
    while dots:
        first = lowest(dots)
        dots &= dots - 1
        ways = _legal(standing, first) & dots & ~tried[first]
        while ways:
            second = lowest(ways)
            ways &= ways - 1
            value = _worth(crossed, standing, first, second, thought)
            if value < best:
                continue
            equals = equals + 1 if value == best else 1
            best = value
            if _below(seed, equals) == 0:
                chosen = (first, second)
    return chosen


@kernel
def play_out(crossed: np.ndarray, standing: np.ndarray, seed: np.ndarray) -> int:
    """Play a standing, which is overwritten, to the end; return the lead of seat 0."""
    tried = np.zeros(standing.shape[0], dtype=np.int64)
    while count(standing[-1, PRESENT]) >= 3:
        first, second = think(crossed, standing, CAREFUL, tried, seed)
        draw_line(crossed, standing, first, second)
    return int(standing[-1, LEAD])


def best_thought(position: Position, thought: int, rng: np.random.Generator) -> tuple[int, int]:
    """Return the line that a rule of thumb likes best, as its two dots; of equals, any is as likely."""
    standing = standing_of(position)
    tried = np.zeros(len(standing), dtype=np.int64)
    first, second = think(crossed_of(position.rules), standing, thought, tried, seed_of(rng))
    return int(first), int(second)
