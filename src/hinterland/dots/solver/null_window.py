"""The null-window search: is a position worth at least ``wanted`` to the mover? The question is repeated as needed.

The value of a position is what the mover will still gain less what its opponent will; earlier scores do not matter. A
question about it becomes questions about its moves: a line that takes k dots is worth k less the opponent's value of
the rest. The order of the moves decides how many questions there are. First comes the move that answered the last
question about this position, then cycles, long ones first, then lines after which the opponent can close the fewest
cycles.

The number of dots left answers some questions without a search. With m dots, every value is between -m and m. A cycle
of k can be taken, and at worst everything else is lost. Of three dots, the seat that draws the last of their lines
takes them.

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
"""Less than any value: the question has no answer yet."""
PROGRESS = np.dtype((np.record, [
    ("ply", np.int64),  # the current ply
    ("answered", np.int64),  # whether ``answer`` is to be handed to the ply above
    ("answer", np.int64),
    ("nodes", np.int64),  # number of positions visited
    ("stored", np.int64),  # number of free slots of the table that were filled
    ("twist", np.int64),  # differs between parallel searches, so that they try equal moves in different orders
]))  # fmt: skip
"""The state of a search that can be continued."""
HINT_RANK, CYCLE_RANK, OPENING_RANK = 10_000_000, 100_000, 1000
"""Ranks by which moves are ordered: added for the move of the last answer, added for each dot of a cycle, subtracted
for each cycle that a move opens."""


@kernel
def prove(
    tables: BoardTables, forms: CanonicalForms, table: np.ndarray, plies: np.ndarray, progress: NumpyRecord, nodes: int
) -> bool:
    """Search until the question at ply 0 is answered, or ``nodes`` more positions were visited.

    Return whether the question is answered. The answer is a bound. If it is at least ``wanted``, the value is at least
    the answer, and the first move at ply 0 that counts as untried is the proof. Otherwise the value is at most the
    answer.
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
    """Apply the answer to a move; return what it proves for this ply, or UNKNOWN."""
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
    """Answer a question at once, or list the moves. The root always lists its moves."""
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
    """Answer if the number of dots decides."""
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
    """List the moves that close a cycle; return the value guaranteed by the longest, or UNKNOWN."""
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


@part
def _list_joins(tables: BoardTables, here: NumpyRecord, twist: int) -> None:
    """List the moves that join two trees, behind those that close cycles. Often a cycle makes this unnecessary."""
    here.complete = 1
    listed = here.listed
    for word in range(tables.words):
        rest = here.legal[word] & ~here.within[word]
        while rest:
            line = lowest(rest) + word * WORD
            rest &= rest - 1
            first, second = tables.ends[line, 0], tables.ends[line, 1]
            rank = HINT_RANK * (line == here.hint)
            for other in range(tables.words):  # written out here, which saves an eighth of the time
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
    """Return bounds on a ply's value, and the line that proved the last of them; see transpositions.py."""
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
    """Return the line between the dots of a ply whose canonical labels are ``pair``; NO_MOVE for NO_MOVE."""
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

    Return 1 if that filled a free slot of the table, else 0.
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
