"""The null-window search: is a position worth at least so much to the mover? Asked as often as needed.

The value of a position is the mover's score from here on less the other's; what was scored before does not matter. A
question about it becomes questions about its moves: a line that takes k dots is worth k less the value that is left
to the other. What is tried first decides how many questions there are: the move that answered the last question about
this position, then cycles, long ones first, then lines after which the other can close fewest cycles.

Nothing is asked where the dots left decide: with m of them, no value is beyond -m and m; a cycle of k can be taken
and at worst all else lost; of three dots, whoever draws the last of their lines takes them.

The search is a loop over a stack, so that it can stop after any number of positions and go on later.
"""

from __future__ import annotations

import numpy as np

from hinterland.dots.order_types.bitsets import WORD, count, lowest
from hinterland.dots.solver.board_tables import MOST_WORDS, BoardTables, Record, line_number
from hinterland.dots.solver.canonical_forms import CanonicalForms, form_of, label_of
from hinterland.dots.solver.plies import best_to_front, close, cycle_of, gain_of, join, line_of, packed_move
from hinterland.dots.solver.transpositions import NO_MOVE, bounds_in, move_in, pair_number, probe, store
from hinterland.jit import inlined, kernel

UNKNOWN = -100
"""Less than any value: the answer where the question has to be searched."""
PROGRESS = np.dtype((np.record, [
    ("ply", np.int64),  # where the search is
    ("answered", np.int64),  # whether an answer goes up
    ("answer", np.int64),
    ("nodes", np.int64),  # how many positions were looked at
    ("stored", np.int64),  # how many free places of the table were taken
    ("twist", np.int64),  # searches side by side differ in it, and so in what they try first of equal moves
]))  # fmt: skip
"""Where a search is that may be gone on with."""
HINT, CYCLE, OPENING = 10_000_000, 100_000, 1000
"""What ranks a move: the last answer, each dot of a cycle, and each cycle that it opens to the other."""


@kernel
def prove(
    tables: BoardTables, forms: CanonicalForms, table: np.ndarray, plies: np.ndarray, progress: Record, nodes: int
) -> bool:
    """Search on until the question at ply 0 is answered, or so many positions more were looked at.

    Return whether it is: then the answer bounds the value: where it is what was wanted or more, the value is no less,
    and the first move at ply 0 that counts as not tried is the proof; where it is less, the value is no greater.
    """
    limit = progress.nodes + nodes
    while True:
        here = plies[progress.ply]
        if progress.answered:
            progress.answered = 0
            answer = _take(here, progress.answer)
        elif progress.nodes < limit:
            progress.nodes += 1
            answer = _enter(tables, forms, table, here, progress.twist, progress.ply == 0)
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
            move = best_to_front(here)
            progress.ply += 1
            there = plies[progress.ply]
            if gain_of(move):
                close(tables, forms, here, there, line_of(move))
            else:
                join(tables, forms, here, there, line_of(move))
            there.wanted = gain_of(move) - here.wanted + 1
            continue
        if here.listed:
            progress.stored += _remember(tables, forms, table, here, progress.nodes - here.began)
        progress.answer = answer
        if progress.ply == 0:
            return True
        progress.answered = 1
        progress.ply -= 1


@inlined
def _take(here: Record, answer: int) -> int:
    """Take the answer to a move; return what it proves of this ply, or UNKNOWN."""
    value = gain_of(here.moves[here.tried]) - answer
    here.best = max(here.best, value)
    if value >= here.wanted:
        return value
    here.tried += 1
    return UNKNOWN


@kernel
def _enter(
    tables: BoardTables, forms: CanonicalForms, table: np.ndarray, here: Record, twist: int, is_root: bool
) -> int:
    """Answer a question at once, or list the moves. The question at the root always goes to its moves."""
    dots = count(here.present)
    if not is_root:
        answer = _by_counting(here, dots)
        if answer != UNKNOWN:
            return answer
    least, most, hint = _recall(tables, forms, table, here, dots)
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
def _by_counting(here: Record, dots: int) -> int:
    """Answer where the dots left decide."""
    if dots < 3:
        return 0
    if dots == 3:
        drawn = 0
        for word in range(MOST_WORDS):
            drawn += count(here.lines[word])
        return -3 if drawn == 1 else 3
    if here.wanted <= -dots:
        return -dots
    return dots if here.wanted > dots else UNKNOWN


@inlined
def _list_cycles(tables: BoardTables, here: Record) -> int:
    """List the moves that close a cycle; return what is certain by taking the longest, or UNKNOWN."""
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
            here.moves[listed] = packed_move(2 * HINT * (line == here.hint) + CYCLE * gain, gain, line)
            listed += 1
    here.listed = listed
    return 2 * longest - count(here.present) if longest else UNKNOWN


@kernel
def _list_joins(tables: BoardTables, here: Record, twist: int) -> None:
    """List the moves that join two trees behind the cycles, most of which need not be listed: a cycle was enough."""
    here.complete = 1
    listed = here.listed
    for word in range(tables.words):
        rest = here.legal[word] & ~here.within[word]
        while rest:
            line = lowest(rest) + word * WORD
            rest &= rest - 1
            first, second = tables.ends[line, 0], tables.ends[line, 1]
            rank = HINT * (line == here.hint)
            for other in range(tables.words):  # written out here, which saves an eighth of all time
                free = here.legal[other] & ~tables.crossed[line, other]
                between = here.reach[first, other] & here.reach[second, other]
                rank -= OPENING * count(free & (here.within[other] | between)) + count(free)
            here.moves[listed] = packed_move(2 * rank + (twist & line), 0, line)
            listed += 1
    here.listed = listed


@kernel
def _recall(
    tables: BoardTables, forms: CanonicalForms, table: np.ndarray, here: Record, dots: int
) -> tuple[int, int, int]:
    """Return bounds on the value of a ply, and the line that proved the last of them; see transpositions.py."""
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
def _line_between(tables: BoardTables, forms: CanonicalForms, form: Record, here: Record, pair: int) -> int:
    """Return the line between those dots of a ply whose canonical labels are a pair, or NO_MOVE."""
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


@kernel
def _remember(tables: BoardTables, forms: CanonicalForms, table: np.ndarray, here: Record, nodes: int) -> int:
    """Keep an answer that took so many positions: a lower bound where a move was its proof, else an upper bound.

    Return 1 where that took a free place of the table, else 0.
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
