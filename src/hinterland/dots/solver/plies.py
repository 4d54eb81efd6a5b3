"""The stack of positions from the root of a search to the current one: a record for each ply.

A ply is made from the one before it in one of two ways. After a line that joins two trees, most fields are copied,
since little changes. After a line that closes a cycle, which removes dots and lines, the blocked lines, trees and keys
are computed anew.

A ply is one record, because a record is passed to a kernel as a single pointer, and there are many small kernels here.
"""

from __future__ import annotations

import numpy as np

from hinterland.dots.order_types.bitsets import WORD, count, cycle, lowest, touching
from hinterland.dots.solver.board_tables import MAX_DOTS, MAX_LINES, MAX_WORDS, BoardTables, NumpyRecord
from hinterland.dots.solver.canonical_forms import NOT_CONVEX, CanonicalForms, form_of, label_of
from hinterland.dots.solver.transpositions import ZOBRIST, pair_number
from hinterland.jit import inlined, kernel, part

LINES = (np.int64, (MAX_WORDS,))
PLY = np.dtype((np.record, [
    ("present", np.int64),  # the dots on the board
    ("wanted", np.int64),  # the question: is the value at least this?
    ("best", np.int64),  # the greatest value that a move tried so far may have
    ("listed", np.int64),  # number of moves listed
    ("tried", np.int64),  # number of moves tried
    ("hint", np.int64),  # the line that proved the last answer, or NO_MOVE
    ("complete", np.int64),  # whether all moves are listed, not only those that close cycles
    ("began", np.int64),  # number of positions visited up to this one
    ("key", np.int64),  # the two keys
    ("check", np.int64),
    ("image", np.int64),  # the symmetry that gave the keys, as a row of ``CanonicalForms.images``
    ("alive", *LINES),  # lines with both ends on the board
    ("lines", *LINES),  # lines drawn
    ("blocked", *LINES),  # lines crossed by a drawn line
    ("within", *LINES),  # lines that join two dots of one tree, so that they close a cycle
    ("legal", *LINES),  # lines that may be drawn; set when moves are listed
    ("joined", np.int64, (MAX_DOTS,)),  # for each dot: the dots joined to it
    ("tree", np.int64, (MAX_DOTS,)),  # for each dot: the dots of its tree
    ("reach", np.int64, (MAX_DOTS, MAX_WORDS)),  # for each dot: the lines that end on a dot of its tree
    ("keys", np.int64, (2 * MAX_DOTS, 2)),  # for each canonical labelling: the sums of the random numbers of the lines
    ("moves", np.int64, (MAX_LINES,)),  # see pack_move; the moves tried come first, best first
]))  # fmt: skip
"""A position on the way from the root of a search, and the question about it."""
GAIN_SHIFT, RANK_SHIFT = 9, 14
LINE_MASK, GAIN_MASK = 2**9 - 1, 2**5 - 1


def new_plies(dots: int) -> np.ndarray:
    """Return a stack deep enough for any game with ``dots`` dots: PLY[plies]."""
    return np.zeros(sum(range(dots, 2, -3)) + 2, PLY)


@inlined
def pack_move(rank: int, gain: int, line: int) -> int:
    """Pack a move's rank, gain and line into one number, so that a higher rank makes a greater number."""
    return rank << RANK_SHIFT | gain << GAIN_SHIFT | line


@kernel
def line_of(move: int) -> int:
    """Return the line of a packed move. Python calls it, too."""
    return move & LINE_MASK


@inlined
def gain_of(move: int) -> int:
    """Return the number of dots that a packed move takes."""
    return move >> GAIN_SHIFT & GAIN_MASK


@inlined
def move_best_to_front(here: NumpyRecord) -> int:
    """Swap the greatest untried move of a ply to the front of the untried moves; return that move."""
    best = here.tried
    for place in range(here.tried + 1, here.listed):
        if here.moves[place] > here.moves[best]:
            best = place
    move = here.moves[best]
    here.moves[best] = here.moves[here.tried]
    here.moves[here.tried] = move
    return int(move)


@inlined
def cycle_of(here: NumpyRecord, first: int, second: int) -> int:
    """Return the dots of the cycle that a line between two dots of one tree closes."""
    return cycle(here.joined, here.tree[first], first, second)


@part
def join_trees(tables: BoardTables, forms: CanonicalForms, here: NumpyRecord, there: NumpyRecord, line: int) -> None:
    """Set ``there`` to the position after ``line``, which joins two trees."""
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
def _add_line(
    forms: CanonicalForms, form: NumpyRecord, here: NumpyRecord, there: NumpyRecord, first: int, second: int
) -> None:
    """Set the keys of ``there`` to those of ``here`` and one more line; ``here`` and ``there`` may be the same ply."""
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


@part
def close_cycle(tables: BoardTables, forms: CanonicalForms, here: NumpyRecord, there: NumpyRecord, line: int) -> None:
    """Set ``there`` to the position after ``line``, which closes a cycle."""
    gone = cycle_of(here, tables.ends[line, 0], tables.ends[line, 1])
    there.present = here.present & ~gone
    if count(there.present) < 3:
        return
    for word in range(tables.words):
        there.alive[word] = here.alive[word] & ~touching(tables.star, gone, word)
        there.lines[word] = here.lines[word] & there.alive[word]
    derive_ply(tables, forms, there)


@kernel
def derive_ply(tables: BoardTables, forms: CanonicalForms, here: NumpyRecord) -> None:
    """Compute blocked lines, trees and keys of a ply from its dots and lines."""
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
def _find_trees(tables: BoardTables, here: NumpyRecord) -> None:
    """Find the trees, and the lines that would join two dots of one tree."""
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
