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
from hinterland.dots.solver.board_tables import MOST_WORDS, BoardTables
from hinterland.dots.solver.canonical_forms import CELL, FIRST, SIZE, Lookups, form_of
from hinterland.dots.solver.canonical_forms import KEY as TYPE_KEY
from hinterland.dots.solver.plies import (
    ALIVE,
    BEGAN,
    BEST,
    BLOCKED,
    CHECK,
    KEY,
    KEYS,
    LEGAL,
    LINES,
    MOVE,
    MOVES,
    PRESENT,
    REACH,
    ROW,
    TRIED,
    WANTED,
    WITHIN,
    best_to_front,
    close,
    cycle_of,
    gain_of,
    join,
    line_of,
    packed_move,
)
from hinterland.dots.solver.transpositions import (
    ENDGAME,
    NO_MOVE,
    OFFSET,
    bounds_in,
    move_in,
    pair_number,
    probe,
    store,
)
from hinterland.jit import inlined, kernel

__all__ = ["ANSWER", "ANSWERED", "NODES", "PLY", "UNKNOWN", "prove"]

UNKNOWN = -100
"""Less than any value: the answer where the question has to be searched."""
PLY, ANSWERED, ANSWER, NODES = range(4)
"""The state of a search: where it is, whether an answer goes up, the answer, and how many positions were looked at."""
HINT, CYCLE, OPENING = 10_000_000, 100_000, 1000
"""What ranks a move: the last answer, each dot of a cycle, and each cycle that it opens to the other."""


@kernel
def prove(lookups: Lookups, plies: np.ndarray, state: np.ndarray, nodes: int) -> bool:
    """Search on until the question at ply 0 is answered, or so many positions more were looked at.

    Return whether it is: then the answer, in ``state`` (int64[4]), bounds the value: where it is WANTED or more, the
    value is no less, and the move at the front of ply 0 is the proof; where it is less, the value is no greater.
    """
    limit = state[NODES] + nodes
    while True:
        ply = state[PLY]
        if state[ANSWERED]:
            state[ANSWERED] = 0
            answer = _take(plies, ply, state[ANSWER])
        elif state[NODES] < limit:
            state[NODES] += 1
            answer = _enter(lookups, plies, ply)
            plies[ply, BEGAN] = state[NODES]
            if answer != UNKNOWN:
                plies[ply, MOVES] = 0
        else:
            return False
        if answer == UNKNOWN and plies[ply, TRIED] == plies[ply, MOVES]:
            answer = plies[ply, BEST]
        if answer == UNKNOWN:
            move = best_to_front(plies, ply, MOVE + plies[ply, TRIED], MOVE + plies[ply, MOVES])
            line, gain = line_of(move), gain_of(move)
            if gain:
                close(lookups, plies, ply, line)
            else:
                join(lookups, plies, ply, line)
            plies[ply + 1, WANTED] = gain - plies[ply, WANTED] + 1
            state[PLY] = ply + 1
            continue
        if plies[ply, MOVES]:
            _remember(lookups, plies, ply, state[NODES] - plies[ply, BEGAN])
        state[ANSWER] = answer
        if ply == 0:
            return True
        state[ANSWERED] = 1
        state[PLY] = ply - 1


@inlined
def _take(plies: np.ndarray, ply: int, answer: int) -> int:
    """Take the answer to a move; return what it proves of this ply, or UNKNOWN."""
    value = gain_of(plies[ply, MOVE + plies[ply, TRIED]]) - answer
    plies[ply, BEST] = max(plies[ply, BEST], value)
    if value >= plies[ply, WANTED]:
        return value
    plies[ply, TRIED] += 1
    return UNKNOWN


@kernel
def _enter(lookups: Lookups, plies: np.ndarray, ply: int) -> int:
    """Answer a question at once, or list the moves. The question at ply 0 always goes to its moves."""
    wanted = plies[ply, WANTED]
    dots = count(plies[ply, PRESENT])
    if ply > 0:
        answer = _by_counting(plies, ply, dots, wanted)
        if answer != UNKNOWN:
            return answer
    least, most, hint = _recall(lookups, plies, ply, dots)
    if ply > 0 and least >= wanted:
        return least
    if ply > 0 and most < wanted:
        return most
    plies[ply, TRIED] = 0
    plies[ply, BEST] = UNKNOWN
    certain = _list_moves(lookups.tables, plies, ply, hint)
    return certain if ply > 0 and certain >= wanted else UNKNOWN


@inlined
def _by_counting(plies: np.ndarray, ply: int, dots: int, wanted: int) -> int:
    """Answer where the dots left decide."""
    if dots < 3:
        return 0
    if dots == 3:
        drawn = 0
        for word in range(MOST_WORDS):
            drawn += count(plies[ply, LINES + word])
        return -3 if drawn == 1 else 3
    if wanted <= -dots:
        return -dots
    return dots if wanted > dots else UNKNOWN


@kernel
def _list_moves(tables: BoardTables, plies: np.ndarray, ply: int, hint: int) -> int:
    """List the moves of a ply and rank them; return what is certain by taking the longest cycle, or UNKNOWN.

    ``hint``: a line to be tried first, or NO_MOVE.
    """
    listed = 0
    longest = 0
    for word in range(tables.words):
        taken = plies[ply, BLOCKED + word] | plies[ply, LINES + word]
        plies[ply, LEGAL + word] = plies[ply, ALIVE + word] & ~taken
    for word in range(tables.words):
        within = plies[ply, WITHIN + word]
        rest = plies[ply, LEGAL + word]
        while rest:
            place = lowest(rest)
            rest &= rest - 1
            line = place + word * WORD
            first, second = tables.ends[line, 0], tables.ends[line, 1]
            gain = 0
            if within >> place & 1:
                gain = count(cycle_of(plies, ply, first, second))
                longest = max(longest, gain)
                rank = CYCLE * gain
            else:
                rank = 0
                for other in range(tables.words):  # written out here, which saves an eighth of all time
                    free = plies[ply, LEGAL + other] & ~tables.crossed[line, other]
                    one = plies[ply, REACH + first * MOST_WORDS + other]
                    two = plies[ply, REACH + second * MOST_WORDS + other]
                    rank -= OPENING * count(free & (plies[ply, WITHIN + other] | one & two)) + count(free)
            if line == hint:
                rank += HINT
            plies[ply, MOVE + listed] = packed_move(rank, gain, line)
            listed += 1
    plies[ply, MOVES] = listed
    return 2 * longest - count(plies[ply, PRESENT]) if longest else UNKNOWN


@kernel
def _recall(lookups: Lookups, plies: np.ndarray, ply: int, dots: int) -> tuple[int, int, int]:
    """Return bounds on the value of a ply, and the line that proved the last of them; see transpositions.py."""
    tables, forms, transpositions = lookups
    form = form_of(lookups, plies[ply, PRESENT])
    start = forms.forms[form, FIRST]
    if dots <= ENDGAME:
        cell = forms.forms[form, CELL] + _canonical_lines(tables, plies, ply, forms.labels[start])
        plies[ply, KEY] = cell
        if transpositions.endgames[cell, 0]:
            return transpositions.endgames[cell, 0] - OFFSET, transpositions.endgames[cell, 1] - OFFSET, NO_MOVE
        return -dots, dots, NO_MOVE
    row = 0
    for other in range(1, forms.forms[form, SIZE]):
        if plies[ply, KEYS + 2 * other] < plies[ply, KEYS + 2 * row]:
            row = other
    key = plies[ply, KEYS + 2 * row] ^ forms.forms[form, TYPE_KEY]
    check = plies[ply, KEYS + 2 * row + 1] ^ forms.forms[form, TYPE_KEY + 1]
    plies[ply, KEY] = key
    plies[ply, CHECK] = check
    plies[ply, ROW] = start + row
    entry = probe(transpositions.table, key, check)
    if entry == 0:
        return -dots, dots, NO_MOVE
    least, most = bounds_in(entry)
    return least, most, _line_between(tables, forms.labels[start + row], plies[ply, PRESENT], move_in(entry))


@inlined
def _canonical_lines(tables: BoardTables, plies: np.ndarray, ply: int, labels: np.ndarray) -> int:
    """Return the set of lines drawn, by pair_number of the canonical labels of their ends."""
    lines = 0
    for word in range(tables.words):
        rest = plies[ply, LINES + word]
        while rest:
            line = lowest(rest) + word * WORD
            rest &= rest - 1
            lines |= 1 << pair_number(labels[tables.ends[line, 0]], labels[tables.ends[line, 1]])
    return lines


@inlined
def _line_between(tables: BoardTables, labels: np.ndarray, dots: int, pair: int) -> int:
    """Return the line between those of some dots whose canonical labels are a pair, or NO_MOVE."""
    if pair == NO_MOVE:
        return NO_MOVE
    most = 1
    while (most + 1) * most // 2 <= pair:
        most += 1
    least = pair - most * (most - 1) // 2
    ends = 0
    while dots:
        dot = lowest(dots)
        dots &= dots - 1
        if labels[dot] in (least, most):
            ends |= 1 << dot
    first = lowest(ends)
    second = lowest(ends & (ends - 1))
    return first * (2 * tables.dots - first - 1) // 2 + second - first - 1


@kernel
def _remember(lookups: Lookups, plies: np.ndarray, ply: int, nodes: int) -> None:
    """Keep an answer that took so many positions: a lower bound where a move was its proof, else an upper bound."""
    tables, forms, transpositions = lookups
    dots = count(plies[ply, PRESENT])
    answer = plies[ply, BEST]
    proven = answer >= plies[ply, WANTED]
    least = answer if proven else -dots
    most = dots if proven else answer
    key = plies[ply, KEY]
    if dots <= ENDGAME:
        if transpositions.endgames[key, 0]:
            least = max(least, transpositions.endgames[key, 0] - OFFSET)
            most = min(most, transpositions.endgames[key, 1] - OFFSET)
        transpositions.endgames[key, 0] = least + OFFSET
        transpositions.endgames[key, 1] = most + OFFSET
        return
    pair = NO_MOVE
    if proven:
        line = line_of(plies[ply, MOVE + plies[ply, TRIED]])
        labels = forms.labels[plies[ply, ROW]]
        pair = pair_number(labels[tables.ends[line, 0]], labels[tables.ends[line, 1]])
    work = 0
    while nodes:
        nodes >>= 1
        work += 1
    store(transpositions.table, key, plies[ply, CHECK], least, most, pair, work)
