"""The stack of positions between the root of a search and where it is: a record a ply.

A ply is made from the one before it in one of two ways. A line that joins two trees changes little, and the little is
copied over. A cycle takes dots and lines away, and then blocked lines, trees and keys are worked out anew.

A ply is one record, because a kernel that is given a record is given one number, and these are many small kernels.
"""

from __future__ import annotations

import numpy as np

from hinterland.dots.order_types.bitsets import WORD, count, cycle, lowest, touching
from hinterland.dots.solver.board_tables import MOST, MOST_LINES, MOST_WORDS, BoardTables, Record
from hinterland.dots.solver.canonical_forms import NOT_CONVEX, CanonicalForms, form_of, label_of
from hinterland.dots.solver.transpositions import ZOBRIST, pair_number
from hinterland.jit import inlined, kernel

LINES = (np.int64, (MOST_WORDS,))
PLY = np.dtype((np.record, [
    ("present", np.int64),  # the dots there
    ("wanted", np.int64),  # the question
    ("best", np.int64),  # the greatest value that a move tried so far may have
    ("listed", np.int64),  # how many moves there are
    ("tried", np.int64),  # and how many were tried
    ("hint", np.int64),  # the line that proved the last answer, or NO_MOVE
    ("complete", np.int64),  # whether all moves are listed, not only those that close cycles
    ("began", np.int64),  # how many positions were looked at before
    ("key", np.int64),  # the two keys
    ("check", np.int64),
    ("image", np.int64),  # the symmetry that gave the keys
    ("alive", *LINES),  # the lines whose ends are there
    ("lines", *LINES),  # those drawn
    ("blocked", *LINES),  # those crossed by one that is drawn
    ("within", *LINES),  # those that join two dots of one tree, so that they close a cycle
    ("legal", *LINES),  # those that may be drawn; set when moves are listed
    ("joined", np.int64, (MOST,)),  # for each dot: the dots that a line joins to it
    ("tree", np.int64, (MOST,)),  # the dots of the tree it is in
    ("reach", np.int64, (MOST, MOST_WORDS)),  # the lines that end on a dot of its tree
    ("keys", np.int64, (2 * MOST, 2)),  # for each canonical labelling: the sums of the random numbers of the lines
    ("moves", np.int64, (MOST_LINES,)),  # in order as far as they were tried, see packed_move
]))  # fmt: skip
"""A position on the way from the root of a search, and what is asked about it."""
GAIN_AT, RANK_AT = 9, 14
LINE_MASK, GAIN_MASK = 2**9 - 1, 2**5 - 1


def new_plies(dots: int) -> np.ndarray:
    """Return a stack deep enough for any game with so many dots: PLY[plies]."""
    return np.zeros(sum(range(dots, 2, -3)) + 2, PLY)


@inlined
def packed_move(rank: int, gain: int, line: int) -> int:
    """Return a move as a number, the greater the higher its rank: a line, and how many dots it takes."""
    return rank << RANK_AT | gain << GAIN_AT | line


@kernel
def line_of(move: int) -> int:
    """Return the line of a packed move; Python asks, too."""
    return move & LINE_MASK


@inlined
def gain_of(move: int) -> int:
    """Return how many dots a packed move takes."""
    return move >> GAIN_AT & GAIN_MASK


@inlined
def best_to_front(here: Record) -> int:
    """Swap the greatest of a ply's moves with the first that was not tried; return it."""
    best = here.tried
    for place in range(here.tried + 1, here.listed):
        if here.moves[place] > here.moves[best]:
            best = place
    move = here.moves[best]
    here.moves[best] = here.moves[here.tried]
    here.moves[here.tried] = move
    return int(move)


@inlined
def cycle_of(here: Record, first: int, second: int) -> int:
    """Return the dots of the cycle that is closed by a line between two dots of a tree."""
    return cycle(here.joined, here.tree[first], first, second)


@kernel
def join(tables: BoardTables, forms: CanonicalForms, here: Record, there: Record, line: int) -> None:
    """Make the next ply by a line that joins two trees."""
    first, second = tables.ends[line, 0], tables.ends[line, 1]
    whole = here.tree[first] | here.tree[second]
    there.present = here.present
    for dot in range(tables.dots):
        there.joined[dot] = here.joined[dot]
        there.tree[dot] = whole if whole >> dot & 1 else here.tree[dot]
    there.joined[first] |= 1 << second
    there.joined[second] |= 1 << first
    for word in range(tables.words):
        one, other = here.reach[first, word], here.reach[second, word]
        there.alive[word] = here.alive[word]
        there.lines[word] = here.lines[word]
        there.blocked[word] = here.blocked[word] | tables.crossed[line, word]
        there.within[word] = here.within[word] | one & other
        for dot in range(tables.dots):
            there.reach[dot, word] = one | other if whole >> dot & 1 else here.reach[dot, word]
    there.lines[line // WORD] |= 1 << line % WORD
    form = forms.found[form_of(tables, forms, here.present)]
    _add_line(forms, form, here, there, first, second)


@inlined
def _add_line(forms: CanonicalForms, form: Record, here: Record, there: Record, first: int, second: int) -> None:
    """Set the keys of a ply to those of another, or its own, with a line between two dots."""
    if form.turned != NOT_CONVEX:
        pair = pair_number(forms.labels[form.number, first], forms.labels[form.number, second])
        start = form.turned + pair * form.rows
        for row in range(form.rows):
            there.keys[row, 0] = here.keys[row, 0] ^ forms.turned[start + row, 0]
            there.keys[row, 1] = here.keys[row, 1] ^ forms.turned[start + row, 1]
        return
    for row in range(form.rows):
        image = form.first + row
        pair = pair_number(label_of(forms, form, image, first), label_of(forms, form, image, second))
        there.keys[row, 0] = here.keys[row, 0] ^ ZOBRIST[pair, 0]
        there.keys[row, 1] = here.keys[row, 1] ^ ZOBRIST[pair, 1]


@kernel
def close(tables: BoardTables, forms: CanonicalForms, here: Record, there: Record, line: int) -> None:
    """Make the next ply by a line that closes a cycle."""
    gone = cycle_of(here, tables.ends[line, 0], tables.ends[line, 1])
    there.present = here.present & ~gone
    if count(there.present) < 3:
        return
    for word in range(tables.words):
        there.alive[word] = here.alive[word] & ~touching(tables.star, gone, word)
        there.lines[word] = here.lines[word] & there.alive[word]
    settle(tables, forms, there)


@kernel
def settle(tables: BoardTables, forms: CanonicalForms, here: Record) -> None:
    """Work out blocked lines, trees and keys of a ply from its dots and lines."""
    form = forms.found[form_of(tables, forms, here.present)]
    here.blocked[:] = 0
    here.joined[:] = 0
    here.keys[: form.rows] = 0
    for place in range(tables.words):
        rest = here.lines[place]
        while rest:
            line = lowest(rest) + place * WORD
            rest &= rest - 1
            first, second = tables.ends[line, 0], tables.ends[line, 1]
            here.joined[first] |= 1 << second
            here.joined[second] |= 1 << first
            for word in range(tables.words):
                here.blocked[word] |= tables.crossed[line, word]
            _add_line(forms, form, here, here, first, second)
    _find_trees(tables, here)


@inlined
def _find_trees(tables: BoardTables, here: Record) -> None:
    """Find which dots hang together, and which lines would join two of a tree."""
    here.within[:] = 0
    left = here.present
    while left:
        tree = fresh = left & -left
        while fresh:
            near = here.joined[lowest(fresh)] & ~tree
            fresh = fresh & (fresh - 1) | near
            tree |= near
        left &= ~tree
        for word in range(tables.words):
            reach = 0
            rest = tree
            while rest:
                ending = tables.star[lowest(rest), word]
                here.within[word] |= reach & ending
                reach |= ending
                rest &= rest - 1
            rest = tree
            while rest:
                dot = lowest(rest)
                here.tree[dot] = tree
                here.reach[dot, word] = reach
                rest &= rest - 1
