"""The null-window search: it finds out whether a position is worth at least ``wanted`` to the mover.

The value of a position is what the mover will still gain less what its opponent will; earlier scores do not matter.
Several questions with different ``wanted`` narrow a value down, see ``study.py``.

A question about a position becomes questions about its moves: a line that takes k dots is worth k less what the
position after it is worth to the opponent. The order of the moves decides how many questions there are. First comes the
move that proved the last answer about this position, then lines that close cycles, long cycles first, then lines after
which the opponent can close the fewest cycles.

The number of dots left answers some questions without a search. With m dots, every value is between -m and m. If a
cycle of k dots can be closed, the value is at least 2k - m, since at worst all other dots are lost. If three dots are
left, the seat that draws the third line between them takes them.

The search is a loop over a stack, so it can stop after any number of positions and continue later.
"""

from __future__ import annotations

import numpy as np

from hinterland.dots.order_types.bitsets import WORD, count, lowest
from hinterland.dots.solver.board_tables import MAX_WORDS, BoardTables, NumpyRecord, line_number
from hinterland.dots.solver.canonical_forms import CanonicalForms, form_of, label_of
from hinterland.dots.solver.plies import (
    close_cycle,
    cycle_of,
    gain_of,
    join_trees,
    line_of,
    move_best_to_front,
    pack_move,
)
from hinterland.dots.solver.transpositions import NO_MOVE, bounds_in, move_in, pair_number, probe, store
from hinterland.jit import inlined, kernel, part

UNKNOWN = -100
"""Stands for an answer that is not known yet; it is less than any value."""
PROGRESS = np.dtype((np.record, [
    ("ply", np.int64),  # the current ply
    ("answered", np.int64),  # whether ``answer``, about the ply after ``ply``, must still be applied to ``ply``
    ("answer", np.int64),
    ("nodes", np.int64),  # number of positions visited
    ("stored", np.int64),  # number of free slots of the table that were filled
    ("twist", np.int64),  # differs between parallel searches, so that they try moves of equal rank in different orders
]))  # fmt: skip
"""The state of a search, from which it can be continued."""
HINT_RANK, CYCLE_RANK, OPENING_RANK = 10_000_000, 100_000, 1000
"""Moves are tried in the order of their ranks. HINT_RANK is added for the move that proved the last answer, CYCLE_RANK
for each dot of the cycle that a move closes; OPENING_RANK is subtracted for each line by which the opponent could then
close a cycle."""


@kernel
def prove(
    tables: BoardTables, forms: CanonicalForms, table: np.ndarray, plies: np.ndarray, progress: NumpyRecord, nodes: int
) -> bool:
    """Search until the question at ply 0 is answered, or ``nodes`` more positions were visited.

    Return whether the question is answered. If ``answer`` is at least ``wanted``, it is a lower bound of the value, and
    the move at index ``tried`` of ply 0 proves it. Otherwise ``answer`` is an upper bound of the value.
    """
    limit = progress.nodes + nodes
    while True:
        here = plies[progress.ply]
        if progress.answered:
            progress.answered = 0
            answer = _apply_answer(here, progress.answer)
        elif progress.nodes < limit:
            progress.nodes += 1
            answer = _start_ply(tables, forms, table, here, progress.twist, progress.ply == 0)
            here.began = progress.nodes
            if answer != UNKNOWN:
                here.listed = 0
        else:
            return False
        if answer == UNKNOWN and here.tried == here.listed and not here.complete:
            _list_joins(tables, here, progress.twist)
        if answer == UNKNOWN and here.tried == here.listed:
            answer = here.best
        if answer == UNKNOWN:
            move = move_best_to_front(here)
            progress.ply += 1
            there = plies[progress.ply]
            if gain_of(move):
                close_cycle(tables, forms, here, there, line_of(move))
            else:
                join_trees(tables, forms, here, there, line_of(move))
            there.wanted = gain_of(move) - here.wanted + 1
            continue
        if here.listed:
            progress.stored += _store_answer(tables, forms, table, here, progress.nodes - here.began)
        progress.answer = answer
        if progress.ply == 0:
            return True
        progress.answered = 1
        progress.ply -= 1


@inlined
def _apply_answer(here: NumpyRecord, answer: int) -> int:
    """Apply the answer about the move being tried; return the answer that it proves for this ply, or UNKNOWN."""
    value = gain_of(here.moves[here.tried]) - answer
    here.best = max(here.best, value)
    if value >= here.wanted:
        return value
    here.tried += 1
    return UNKNOWN


@part
def _start_ply(
    tables: BoardTables, forms: CanonicalForms, table: np.ndarray, here: NumpyRecord, twist: int, is_root: bool
) -> int:
    """Answer the question about a ply at once, or list its moves and return UNKNOWN; for the root always list them."""
    dots = count(here.present)
    if not is_root:
        answer = _answer_by_counting(here, dots)
        if answer != UNKNOWN:
            return answer
    least, most, hint = _look_up(tables, forms, table, here, dots)
    if not is_root and least >= here.wanted:
        return least
    if not is_root and most < here.wanted:
        return most
    here.tried = 0
    here.best = UNKNOWN
    here.hint = hint
    certain = _list_cycles(tables, here)
    if hint != NO_MOVE and here.within[hint // WORD] >> hint % WORD & 1 == 0:
        _list_joins(tables, here, twist)
    return certain if not is_root and certain >= here.wanted else UNKNOWN


@inlined
def _answer_by_counting(here: NumpyRecord, dots: int) -> int:
    """Return the answer if the number of dots decides it, else UNKNOWN."""
    if dots < 3:
        return 0
    if dots == 3:
        drawn = 0
        for word in range(MAX_WORDS):
            drawn += count(here.lines[word])
        return -3 if drawn == 1 else 3
    if here.wanted <= -dots:
        return -dots
    return dots if here.wanted > dots else UNKNOWN


@inlined
def _list_cycles(tables: BoardTables, here: NumpyRecord) -> int:
    """List the moves that close a cycle; return the value that the longest cycle guarantees, UNKNOWN without cycles."""
    here.complete = 0
    listed = 0
    longest = 0
    for word in range(tables.words):
        here.legal[word] = here.alive[word] & ~(here.blocked[word] | here.lines[word])
        rest = here.legal[word] & here.within[word]
        while rest:
            line = lowest(rest) + word * WORD
            rest &= rest - 1
            gain = count(cycle_of(here, tables.ends[line, 0], tables.ends[line, 1]))
            longest = max(longest, gain)
            here.moves[listed] = pack_move(2 * HINT_RANK * (line == here.hint) + CYCLE_RANK * gain, gain, line)
            listed += 1
    here.listed = listed
    return 2 * longest - count(here.present) if longest else UNKNOWN


@kernel  # compiled as a part of ``prove``, it makes the solver a tenth slower
def _list_joins(tables: BoardTables, here: NumpyRecord, twist: int) -> None:
    """List the moves that join two trees, after those that close cycles.

    Often a cycle answers the question before this is needed.
    """
    here.complete = 1
    listed = here.listed
    for word in range(tables.words):
        rest = here.legal[word] & ~here.within[word]
        while rest:
            line = lowest(rest) + word * WORD
            rest &= rest - 1
            first, second = tables.ends[line, 0], tables.ends[line, 1]
            rank = HINT_RANK * (line == here.hint)
            for other in range(tables.words):  # written out here, not in a helper: this saves an eighth of the time
                free = here.legal[other] & ~tables.crossed[line, other]
                between = here.reach[first, other] & here.reach[second, other]
                rank -= OPENING_RANK * count(free & (here.within[other] | between)) + count(free)
            here.moves[listed] = pack_move(2 * rank + (twist & line), 0, line)
            listed += 1
    here.listed = listed


@part
def _look_up(
    tables: BoardTables, forms: CanonicalForms, table: np.ndarray, here: NumpyRecord, dots: int
) -> tuple[int, int, int]:
    """Set a ply's keys; return the stored bounds on its value, and the line that proved the lower one or NO_MOVE."""
    form = forms.found[form_of(tables, forms, here.present)]
    row = 0
    for other in range(1, form.rows):
        if here.keys[other, 0] < here.keys[row, 0]:
            row = other
    here.key = here.keys[row, 0] ^ form.key
    here.check = here.keys[row, 1] ^ form.check
    here.image = form.first + row
    entry = probe(table, here.key, here.check)
    if entry == 0:
        return -dots, dots, NO_MOVE
    least, most = bounds_in(entry)
    return least, most, _line_between(tables, forms, form, here, move_in(entry))


@inlined
def _line_between(tables: BoardTables, forms: CanonicalForms, form: NumpyRecord, here: NumpyRecord, pair: int) -> int:
    """Return the line between the dots whose labels are pair number ``pair``; NO_MOVE if ``pair`` is NO_MOVE."""
    if pair == NO_MOVE:
        return NO_MOVE
    most = 1
    while (most + 1) * most // 2 <= pair:
        most += 1
    least = pair - most * (most - 1) // 2
    ends = 0
    dots = here.present
    while dots:
        dot = lowest(dots)
        dots &= dots - 1
        if label_of(forms, form, here.image, dot) in (least, most):
            ends |= 1 << dot
    first = lowest(ends)
    second = lowest(ends & (ends - 1))
    return line_number(tables, first, second)


@part
def _store_answer(tables: BoardTables, forms: CanonicalForms, table: np.ndarray, here: NumpyRecord, nodes: int) -> int:
    """Store an answer that took ``nodes`` positions: a lower bound if a move proved it, else an upper bound.

    Return 1 if the answer filled a free slot of the table, else 0.
    """
    dots = count(here.present)
    is_proven = here.best >= here.wanted
    least = here.best if is_proven else -dots
    most = dots if is_proven else here.best
    pair = NO_MOVE
    if is_proven:
        line = line_of(here.moves[here.tried])
        form = forms.found[form_of(tables, forms, here.present)]
        first, second = tables.ends[line, 0], tables.ends[line, 1]
        pair = pair_number(label_of(forms, form, here.image, first), label_of(forms, form, here.image, second))
    work = 0
    while nodes:
        nodes >>= 1
        work += 1
    return store(table, here.key, here.check, least, most, pair, work)
