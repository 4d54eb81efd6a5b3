"""The search: is a position worth at least so much to the mover? Asked with narrow windows, as often as needed.

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
from hinterland.dots.solver.board_tables import MOST_WORDS, Ground
from hinterland.dots.solver.canonical_forms import CELL, FIRST, SIZE, Labels, record_of
from hinterland.dots.solver.canonical_forms import KEY as TYPE_KEY
from hinterland.dots.solver.transpositions import ENDING, NO_MOVE, OFFSET, Memory, keep, look_up, pair_number
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
    close,
    cycle,
    join,
)
from hinterland.jit import inlined, kernel

__all__ = ["ANSWER", "ANSWERED", "NODES", "PLY", "UNKNOWN", "gain_of", "line_of", "list_moves", "prove"]

UNKNOWN = -100
"""Less than any value: the answer where the question has to be searched."""
PLY, ANSWERED, ANSWER, NODES = range(4)
"""The state of a search: where it is, whether an answer goes up, the answer, and how many positions were looked at."""
HINT, CYCLE, OPENING = 10_000_000, 100_000, 1000
"""What ranks a move: the last answer, each dot of a cycle, and each cycle that it opens to the other."""


@inlined
def line_of(move: int) -> int:
    """Return the line of a packed move."""
    return move & 511


@inlined
def gain_of(move: int) -> int:
    """Return how many dots a packed move takes."""
    return move >> 9 & 31


@kernel
def prove(ground: Ground, labels: Labels, memory: Memory, plies: np.ndarray, state: np.ndarray, nodes: int) -> bool:
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
            answer = _enter(ground, labels, memory, plies, ply)
            plies[ply, BEGAN] = state[NODES]
            if answer != UNKNOWN:
                plies[ply, MOVES] = 0
        else:
            return False
        if answer == UNKNOWN and plies[ply, TRIED] == plies[ply, MOVES]:
            answer = plies[ply, BEST]
        if answer == UNKNOWN:
            line, gain = _next_move(plies, ply)
            if gain:
                close(ground, labels, memory, plies, ply, line)
            else:
                join(ground, labels, memory, plies, ply, line)
            plies[ply + 1, WANTED] = gain - plies[ply, WANTED] + 1
            state[PLY] = ply + 1
            continue
        if plies[ply, MOVES]:
            _remember(ground, labels, memory, plies, ply, state[NODES] - plies[ply, BEGAN])
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


@inlined
def _next_move(plies: np.ndarray, ply: int) -> tuple[int, int]:
    """Bring the move of greatest rank to the front of those that were not tried; return its line and its gain."""
    front = MOVE + plies[ply, TRIED]
    best = front
    for place in range(front + 1, MOVE + plies[ply, MOVES]):
        if plies[ply, place] > plies[ply, best]:
            best = place
    move = plies[ply, best]
    plies[ply, best] = plies[ply, front]
    plies[ply, front] = move
    return line_of(move), gain_of(move)


@kernel
def _enter(ground: Ground, labels: Labels, memory: Memory, plies: np.ndarray, ply: int) -> int:
    """Answer a question at once, or list the moves. The question at ply 0 always goes to its moves."""
    wanted = plies[ply, WANTED]
    dots = count(plies[ply, PRESENT])
    if ply > 0:
        answer = _by_counting(plies, ply, dots, wanted)
        if answer != UNKNOWN:
            return answer
    least, most, hint = _recall(ground, labels, memory, plies, ply, dots)
    if ply > 0 and least >= wanted:
        return least
    if ply > 0 and most < wanted:
        return most
    plies[ply, TRIED] = 0
    plies[ply, BEST] = UNKNOWN
    certain = list_moves(ground, plies, ply, hint)
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
def list_moves(ground: Ground, plies: np.ndarray, ply: int, hint: int) -> int:
    """List the moves of a ply and rank them; return what is certain by taking the longest cycle, or UNKNOWN.

    ``hint``: a line to be tried first, or NO_MOVE.
    """
    listed = 0
    longest = 0
    for word in range(ground.words):
        taken = plies[ply, BLOCKED + word] | plies[ply, LINES + word]
        plies[ply, LEGAL + word] = plies[ply, ALIVE + word] & ~taken
    for word in range(ground.words):
        within = plies[ply, WITHIN + word]
        rest = plies[ply, LEGAL + word]
        while rest:
            place = lowest(rest)
            rest &= rest - 1
            line = place + word * WORD
            first, second = ground.ends[line, 0], ground.ends[line, 1]
            gain = 0
            if within >> place & 1:
                gain = count(cycle(plies, ply, first, second))
                longest = max(longest, gain)
                rank = CYCLE * gain
            else:
                rank = 0
                for other in range(ground.words):  # written out here, which saves an eighth of all time
                    free = plies[ply, LEGAL + other] & ~ground.crossed[line, other]
                    one = plies[ply, REACH + first * MOST_WORDS + other]
                    two = plies[ply, REACH + second * MOST_WORDS + other]
                    rank -= OPENING * count(free & (plies[ply, WITHIN + other] | one & two)) + count(free)
            if line == hint:
                rank += HINT
            plies[ply, MOVE + listed] = rank << 14 | gain << 9 | line
            listed += 1
    plies[ply, MOVES] = listed
    return 2 * longest - count(plies[ply, PRESENT]) if longest else UNKNOWN


@kernel
def _recall(
    ground: Ground, labels: Labels, memory: Memory, plies: np.ndarray, ply: int, dots: int
) -> tuple[int, int, int]:
    """Return bounds on the value of a ply, and the line that proved the last of them; see memory.py."""
    record = record_of(ground, labels, memory, plies[ply, PRESENT])
    start = labels.records[record, FIRST]
    if dots <= ENDING:
        cell = labels.records[record, CELL] + _canonical_lines(ground, plies, ply, labels.numbers[start])
        plies[ply, KEY] = cell
        if memory.endings[cell, 0]:
            return memory.endings[cell, 0] - OFFSET, memory.endings[cell, 1] - OFFSET, NO_MOVE
        return -dots, dots, NO_MOVE
    row = 0
    for other in range(1, labels.records[record, SIZE]):
        if plies[ply, KEYS + 2 * other] < plies[ply, KEYS + 2 * row]:
            row = other
    key = plies[ply, KEYS + 2 * row] ^ labels.records[record, TYPE_KEY]
    check = plies[ply, KEYS + 2 * row + 1] ^ labels.records[record, TYPE_KEY + 1]
    plies[ply, KEY] = key
    plies[ply, CHECK] = check
    plies[ply, ROW] = start + row
    entry = look_up(memory.table, key, check)
    if entry == 0:
        return -dots, dots, NO_MOVE
    hint = _line_between(ground, labels.numbers[start + row], plies[ply, PRESENT], entry >> 14 & 511)
    return (entry & 127) - OFFSET, (entry >> 7 & 127) - OFFSET, hint


@inlined
def _canonical_lines(ground: Ground, plies: np.ndarray, ply: int, numbers: np.ndarray) -> int:
    """Return the set of lines drawn, by pair_number of the canonical numbers of their ends."""
    lines = 0
    for word in range(ground.words):
        rest = plies[ply, LINES + word]
        while rest:
            line = lowest(rest) + word * WORD
            rest &= rest - 1
            lines |= 1 << pair_number(numbers[ground.ends[line, 0]], numbers[ground.ends[line, 1]])
    return lines


@inlined
def _line_between(ground: Ground, numbers: np.ndarray, dots: int, pair: int) -> int:
    """Return the line between those of some dots whose canonical numbers are a pair, or NO_MOVE."""
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
        if numbers[dot] in (least, most):
            ends |= 1 << dot
    first = lowest(ends)
    second = lowest(ends & (ends - 1))
    return first * (2 * ground.dots - first - 1) // 2 + second - first - 1


@kernel
def _remember(ground: Ground, labels: Labels, memory: Memory, plies: np.ndarray, ply: int, nodes: int) -> None:
    """Keep an answer that took so many positions: a lower bound where a move was its proof, else an upper bound."""
    dots = count(plies[ply, PRESENT])
    answer = plies[ply, BEST]
    proven = answer >= plies[ply, WANTED]
    least = answer if proven else -dots
    most = dots if proven else answer
    key = plies[ply, KEY]
    if dots <= ENDING:
        if memory.endings[key, 0]:
            least = max(least, memory.endings[key, 0] - OFFSET)
            most = min(most, memory.endings[key, 1] - OFFSET)
        memory.endings[key, 0] = least + OFFSET
        memory.endings[key, 1] = most + OFFSET
        return
    pair = NO_MOVE
    if proven:
        line = line_of(plies[ply, MOVE + plies[ply, TRIED]])
        numbers = labels.numbers[plies[ply, ROW]]
        pair = pair_number(numbers[ground.ends[line, 0]], numbers[ground.ends[line, 1]])
    work = 0
    while nodes:
        nodes >>= 1
        work += 1
    keep(memory.table, key, plies[ply, CHECK], least, most, pair, work)
