"""The stack of positions between the root of a search and where it is: a row a ply, a column for each thing known.

A ply is made from the one before it in one of two ways. A line that joins two trees changes little, and the little is
copied over. A cycle takes dots and lines away, and then blocked lines, trees and keys are worked out anew.

One array holds it all, because a kernel that is given an array is given seven numbers, and these are many small
kernels.
"""

from __future__ import annotations

import numpy as np

from hinterland.dots.order_types.bitsets import WORD, count, lowest
from hinterland.dots.order_types.forest_kernels import cycle, touching
from hinterland.dots.solver.board_tables import MOST, MOST_LINES, MOST_WORDS
from hinterland.dots.solver.canonical_forms import FIRST, SIZE, Lookups, form_of
from hinterland.dots.solver.transpositions import pair_number
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
    "best_to_front",
    "close",
    "cycle_of",
    "gain_of",
    "join",
    "line_of",
    "new_plies",
    "packed_move",
    "settle",
]

PRESENT, MOVES, TRIED, WANTED, BEST, BEGAN, KEY, CHECK, ROW = range(9)
"""The dots there; how many moves there are, and how many were tried; the question, and the greatest value that a move
tried so far may have; the positions looked at before; the two keys, and the labelling that gave them."""
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
"""For each canonical labelling, two: the sums of the random numbers of the lines."""
MOVE = KEYS + 4 * MOST
"""The moves, in order as far as they were tried, see ``packed_move``."""
COLUMNS = MOVE + MOST_LINES
GAIN_AT, RANK_AT = 9, 14
LINE_MASK, GAIN_MASK = 2**9 - 1, 2**5 - 1


def new_plies(dots: int) -> np.ndarray:
    """Return a stack deep enough for any game with so many dots: int64 (plies, COLUMNS)."""
    return np.zeros((sum(range(dots, 2, -3)) + 2, COLUMNS), dtype=np.int64)


@inlined
def packed_move(rank: int, gain: int, line: int) -> int:
    """Return a move as a number, the greater the higher its rank: a line, and how many dots it takes."""
    return rank << RANK_AT | gain << GAIN_AT | line


@inlined
def line_of(move: int) -> int:
    """Return the line of a packed move."""
    return move & LINE_MASK


@inlined
def gain_of(move: int) -> int:
    """Return how many dots a packed move takes."""
    return move >> GAIN_AT & GAIN_MASK


@inlined
def best_to_front(plies: np.ndarray, ply: int, front: int, end: int) -> int:
    """Swap the greatest number of a row, from column ``front`` to before ``end``, with that at the front; return it."""
    best = front
    for place in range(front + 1, end):
        if plies[ply, place] > plies[ply, best]:
            best = place
    move = plies[ply, best]
    plies[ply, best] = plies[ply, front]
    plies[ply, front] = move
    return int(move)


@inlined
def cycle_of(plies: np.ndarray, ply: int, first: int, second: int) -> int:
    """Return the dots of the cycle that is closed by a line between two dots of a tree."""
    return cycle(plies, ply, JOINED, plies[ply, TREE + first], first, second)


@kernel
def join(lookups: Lookups, plies: np.ndarray, ply: int, line: int) -> None:
    """Make the next ply by a line that joins two trees."""
    tables, forms, transpositions = lookups
    there = ply + 1
    first, second = tables.ends[line, 0], tables.ends[line, 1]
    whole = plies[ply, TREE + first] | plies[ply, TREE + second]
    plies[there, PRESENT] = plies[ply, PRESENT]
    for dot in range(tables.dots):
        plies[there, JOINED + dot] = plies[ply, JOINED + dot]
        plies[there, TREE + dot] = whole if whole >> dot & 1 else plies[ply, TREE + dot]
    plies[there, JOINED + first] |= 1 << second
    plies[there, JOINED + second] |= 1 << first
    for word in range(tables.words):
        one = plies[ply, REACH + first * MOST_WORDS + word]
        other = plies[ply, REACH + second * MOST_WORDS + word]
        plies[there, ALIVE + word] = plies[ply, ALIVE + word]
        plies[there, LINES + word] = plies[ply, LINES + word]
        plies[there, BLOCKED + word] = plies[ply, BLOCKED + word] | tables.crossed[line, word]
        plies[there, WITHIN + word] = plies[ply, WITHIN + word] | one & other
        for dot in range(tables.dots):
            at = REACH + dot * MOST_WORDS + word
            plies[there, at] = one | other if whole >> dot & 1 else plies[ply, at]
    plies[there, LINES + line // WORD] |= 1 << line % WORD
    form = form_of(lookups, plies[ply, PRESENT])
    start = forms.forms[form, FIRST]
    for row in range(forms.forms[form, SIZE]):
        pair = pair_number(forms.labels[start + row, first], forms.labels[start + row, second])
        plies[there, KEYS + 2 * row] = plies[ply, KEYS + 2 * row] ^ transpositions.zobrist[pair, 0]
        plies[there, KEYS + 2 * row + 1] = plies[ply, KEYS + 2 * row + 1] ^ transpositions.zobrist[pair, 1]


@kernel
def close(lookups: Lookups, plies: np.ndarray, ply: int, line: int) -> None:
    """Make the next ply by a line that closes a cycle."""
    tables = lookups.tables
    gone = cycle_of(plies, ply, tables.ends[line, 0], tables.ends[line, 1])
    plies[ply + 1, PRESENT] = plies[ply, PRESENT] & ~gone
    if count(plies[ply + 1, PRESENT]) < 3:
        return
    for word in range(tables.words):
        plies[ply + 1, ALIVE + word] = plies[ply, ALIVE + word] & ~touching(tables.star, gone, word)
        plies[ply + 1, LINES + word] = plies[ply, LINES + word] & plies[ply + 1, ALIVE + word]
    settle(lookups, plies, ply + 1)


@kernel
def settle(lookups: Lookups, plies: np.ndarray, ply: int) -> None:
    """Work out blocked lines, trees and keys of a ply from its dots and lines."""
    tables, forms, transpositions = lookups
    form = form_of(lookups, plies[ply, PRESENT])
    start = forms.forms[form, FIRST]
    rows = forms.forms[form, SIZE]
    plies[ply, BLOCKED : BLOCKED + MOST_WORDS] = 0
    plies[ply, JOINED : JOINED + MOST] = 0
    plies[ply, KEYS : KEYS + 2 * rows] = 0
    for place in range(tables.words):
        rest = plies[ply, LINES + place]
        while rest:
            line = lowest(rest) + place * WORD
            rest &= rest - 1
            first, second = tables.ends[line, 0], tables.ends[line, 1]
            plies[ply, JOINED + first] |= 1 << second
            plies[ply, JOINED + second] |= 1 << first
            for word in range(tables.words):
                plies[ply, BLOCKED + word] |= tables.crossed[line, word]
            for row in range(rows):
                pair = pair_number(forms.labels[start + row, first], forms.labels[start + row, second])
                plies[ply, KEYS + 2 * row] ^= transpositions.zobrist[pair, 0]
                plies[ply, KEYS + 2 * row + 1] ^= transpositions.zobrist[pair, 1]
    _find_trees(tables.star, plies, ply)


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
