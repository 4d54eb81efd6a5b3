"""The stack of positions between the root of a search and where it is: a row a ply, a column for each thing known.

A ply is made from the one before it in one of two ways. A line that joins two trees changes little, and the little is
copied over. A cycle takes dots and lines away, and then blocked lines, trees and keys are worked out anew.

One array holds it all, because a kernel that is given an array is given seven numbers, and these are many small
kernels.
"""

from __future__ import annotations

import numpy as np

from hinterland.dots.order_types.bitsets import WORD, count, lowest
from hinterland.dots.solver.board_tables import MOST, MOST_LINES, MOST_WORDS, Ground
from hinterland.dots.solver.canonical_forms import FIRST, SIZE, Labels, record_of
from hinterland.dots.solver.transpositions import Memory, pair_number
from hinterland.jit import inlined, kernel

__all__ = [
    "ALIVE",
    "BEGAN",
    "BEST",
    "BLOCKED",
    "CHECK",
    "JOINED",
    "KEY",
    "KEYS",
    "LEGAL",
    "LINES",
    "MOVE",
    "MOVES",
    "PRESENT",
    "REACH",
    "ROW",
    "TREE",
    "TRIED",
    "WANTED",
    "WITHIN",
    "close",
    "cycle",
    "join",
    "new_plies",
    "settle",
]

PRESENT, MOVES, TRIED, WANTED, BEST, BEGAN, KEY, CHECK, ROW = range(9)
"""The dots there; how many moves there are, and how many were tried; the question, and the greatest value that a move
tried so far may have; the positions looked at before; the two keys, and the numbering that gave them."""
ALIVE = 9
"""From here in words: the lines whose ends are there."""
LINES = ALIVE + MOST_WORDS
"""The lines drawn."""
BLOCKED = LINES + MOST_WORDS
"""The lines crossed by one that is drawn."""
WITHIN = BLOCKED + MOST_WORDS
"""The lines that join two dots of one tree, so that they close a cycle."""
LEGAL = WITHIN + MOST_WORDS
"""The lines that may be drawn; set when moves are listed."""
JOINED = LEGAL + MOST_WORDS
"""From here for each dot: the dots that a line joins to it."""
TREE = JOINED + MOST
"""The dots of the tree it is in."""
REACH = TREE + MOST
"""For each dot, in words: the lines that end on a dot of its tree."""
KEYS = REACH + MOST * MOST_WORDS
"""For each canonical numbering, two: the sums of the random numbers of the lines."""
MOVE = KEYS + 4 * MOST
"""The moves, in order as far as they were tried: from the lowest bit the line 9, dots that it takes 5, and its rank."""
COLUMNS = MOVE + MOST_LINES


def new_plies(dots: int) -> np.ndarray:
    """Return a stack deep enough for any game with so many dots: int64 (plies, COLUMNS)."""
    return np.zeros((sum(range(dots, 2, -3)) + 2, COLUMNS), dtype=np.int64)


@inlined
def cycle(plies: np.ndarray, ply: int, first: int, second: int) -> int:
    """Return the dots on the way between two dots of a tree: what is left when all other ends are cut back."""
    tree = plies[ply, TREE + first]
    kept = 1 << first | 1 << second
    cut = True
    while cut:
        cut = False
        rest = tree & ~kept
        while rest:
            dot = lowest(rest)
            rest &= rest - 1
            near = plies[ply, JOINED + dot] & tree
            if near & (near - 1) == 0:
                tree ^= 1 << dot
                cut = True
    return int(tree)


@kernel
def join(ground: Ground, labels: Labels, memory: Memory, plies: np.ndarray, ply: int, line: int) -> None:
    """Make the next ply by a line that joins two trees."""
    there = ply + 1
    first, second = ground.ends[line, 0], ground.ends[line, 1]
    whole = plies[ply, TREE + first] | plies[ply, TREE + second]
    plies[there, PRESENT] = plies[ply, PRESENT]
    for dot in range(ground.dots):
        plies[there, JOINED + dot] = plies[ply, JOINED + dot]
        plies[there, TREE + dot] = whole if whole >> dot & 1 else plies[ply, TREE + dot]
    plies[there, JOINED + first] |= 1 << second
    plies[there, JOINED + second] |= 1 << first
    for word in range(ground.words):
        one = plies[ply, REACH + first * MOST_WORDS + word]
        other = plies[ply, REACH + second * MOST_WORDS + word]
        plies[there, ALIVE + word] = plies[ply, ALIVE + word]
        plies[there, LINES + word] = plies[ply, LINES + word]
        plies[there, BLOCKED + word] = plies[ply, BLOCKED + word] | ground.crossed[line, word]
        plies[there, WITHIN + word] = plies[ply, WITHIN + word] | one & other
        for dot in range(ground.dots):
            at = REACH + dot * MOST_WORDS + word
            plies[there, at] = one | other if whole >> dot & 1 else plies[ply, at]
    plies[there, LINES + line // WORD] |= 1 << line % WORD
    record = record_of(ground, labels, memory, plies[ply, PRESENT])
    start = labels.records[record, FIRST]
    for row in range(labels.records[record, SIZE]):
        pair = pair_number(labels.numbers[start + row, first], labels.numbers[start + row, second])
        plies[there, KEYS + 2 * row] = plies[ply, KEYS + 2 * row] ^ memory.drawn[pair, 0]
        plies[there, KEYS + 2 * row + 1] = plies[ply, KEYS + 2 * row + 1] ^ memory.drawn[pair, 1]


@kernel
def close(ground: Ground, labels: Labels, memory: Memory, plies: np.ndarray, ply: int, line: int) -> None:
    """Make the next ply by a line that closes a cycle."""
    gone = cycle(plies, ply, ground.ends[line, 0], ground.ends[line, 1])
    plies[ply + 1, PRESENT] = plies[ply, PRESENT] & ~gone
    if count(plies[ply + 1, PRESENT]) < 3:
        return
    for word in range(ground.words):
        plies[ply + 1, ALIVE + word] = plies[ply, ALIVE + word] & ~_touching(ground.star, gone, word)
        plies[ply + 1, LINES + word] = plies[ply, LINES + word] & plies[ply + 1, ALIVE + word]
    settle(ground, labels, memory, plies, ply + 1)


@inlined
def _touching(star: np.ndarray, dots: int, word: int) -> int:
    """Return the lines that end on one of some dots, in one word."""
    lines = 0
    while dots:
        lines |= star[lowest(dots), word]
        dots &= dots - 1
    return lines


@kernel
def settle(ground: Ground, labels: Labels, memory: Memory, plies: np.ndarray, ply: int) -> None:
    """Work out blocked lines, trees and keys of a ply from its dots and lines."""
    record = record_of(ground, labels, memory, plies[ply, PRESENT])
    start = labels.records[record, FIRST]
    rows = labels.records[record, SIZE]
    plies[ply, BLOCKED : BLOCKED + MOST_WORDS] = 0
    plies[ply, JOINED : JOINED + MOST] = 0
    plies[ply, KEYS : KEYS + 2 * rows] = 0
    for place in range(ground.words):
        rest = plies[ply, LINES + place]
        while rest:
            line = lowest(rest) + place * WORD
            rest &= rest - 1
            first, second = ground.ends[line, 0], ground.ends[line, 1]
            plies[ply, JOINED + first] |= 1 << second
            plies[ply, JOINED + second] |= 1 << first
            for word in range(ground.words):
                plies[ply, BLOCKED + word] |= ground.crossed[line, word]
            for row in range(rows):
                pair = pair_number(labels.numbers[start + row, first], labels.numbers[start + row, second])
                plies[ply, KEYS + 2 * row] ^= memory.drawn[pair, 0]
                plies[ply, KEYS + 2 * row + 1] ^= memory.drawn[pair, 1]
    _find_trees(ground.star, plies, ply)


@inlined
def _find_trees(star: np.ndarray, plies: np.ndarray, ply: int) -> None:
    """Find which dots hang together, and which lines would join two of a tree."""
    words = star.shape[1]
    plies[ply, WITHIN : WITHIN + MOST_WORDS] = 0
    left = plies[ply, PRESENT]
    while left:
        tree = fresh = left & -left
        while fresh:
            near = plies[ply, JOINED + lowest(fresh)] & ~tree
            fresh = fresh & (fresh - 1) | near
            tree |= near
        left &= ~tree
        for word in range(words):
            reach = 0
            rest = tree
            while rest:
                ending = star[lowest(rest), word]
                plies[ply, WITHIN + word] |= reach & ending
                reach |= ending
                rest &= rest - 1
            rest = tree
            while rest:
                dot = lowest(rest)
                plies[ply, TREE + dot] = tree
                plies[ply, REACH + dot * MOST_WORDS + word] = reach
                rest &= rest - 1
