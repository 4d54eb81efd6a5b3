"""Playouts by a heuristic policy, on boards of any size.

The policy closes the longest cycle it can. Otherwise it draws a line after which no cycle can be closed. If there is no
such line, it draws the line that makes the smallest tree, since the opponent can take at most the dots of this tree.

A state is one array, int64 (3, n + 1). For each dot, its rows hold three sets: the dots joined to this dot, the dots to
which drawn lines block the way, and the dots of this dot's tree. The last column holds the dots on the board, the seat
to move, and the lead of seat 0. Sets of dots are bits.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from hinterland.dots.order_types.bitsets import count, cycle, lowest
from hinterland.dots.order_types.segments import find_crossing
from hinterland.dots.rules import Line, Position, Rules
from hinterland.jit import inlined, kernel
from hinterland.search.random_numbers import below, seed_of

JOINED, BLOCKED, TREE = range(3)
PRESENT, MOVER, LEAD = range(3)
CLOSER, CAREFUL = range(2)
"""Policies: CLOSER considers only the cycles that a line closes, CAREFUL also the cycles that the opponent could close
after it."""
WORST_SCORE = -64


@lru_cache(maxsize=8)
def crossed_of(rules: Rules) -> np.ndarray:
    """Return at [a, b, c] the set of dots d for which the line c d crosses the line a b: int64 (n, n, n)."""
    bit = 1 << np.arange(rules.dots)
    table = np.zeros((rules.dots, rules.dots, rules.dots), dtype=np.int64)
    for a, b in rules.segments.ends:
        table[a, b] = table[b, a] = find_crossing(rules.sides, a, b) @ bit
    return table


def state_of(position: Position) -> np.ndarray:
    """Return the state of a position."""
    forest, dots = position.forest, position.rules.dots
    state = np.zeros((3, dots + 1), dtype=np.int64)
    state[JOINED, :dots] = forest.joined
    state[:, dots] = forest.present, position.to_move or 0, forest.scores[0] - forest.scores[1]
    _derive_trees(crossed_of(position.rules), state)
    return state


@kernel
def _derive_trees(crossed: np.ndarray, state: np.ndarray) -> None:
    """Derive the rows TREE and BLOCKED of a state from its row JOINED."""
    dots = state.shape[1] - 1
    state[BLOCKED, :dots] = 0
    for first in range(dots):
        tree = fresh = 1 << first
        while fresh:
            near = state[JOINED, lowest(fresh)] & ~tree
            fresh = fresh & (fresh - 1) | near
            tree |= near
        state[TREE, first] = tree
        ends = state[JOINED, first] >> first + 1 << first + 1
        while ends:
            second = lowest(ends)
            ends &= ends - 1
            for dot in range(dots):
                state[BLOCKED, dot] |= crossed[first, second, dot]


@inlined
def _legal(state: np.ndarray, dot: int) -> int:
    """Return the dots to which a line may be drawn from a dot on the board."""
    there = state[PRESENT, -1] & ~(1 << dot)
    return int(there & ~(state[JOINED, dot] | state[BLOCKED, dot]))


@inlined
def _cycle(state: np.ndarray, first: int, second: int) -> int:
    """Return the dots of the cycle that a line between two dots of one tree closes."""
    return cycle(state[JOINED], state[TREE, first], first, second)


@kernel
def draw_line(crossed: np.ndarray, state: np.ndarray, first: int, second: int) -> None:
    """Draw a legal line for the seat to move."""
    dots = state.shape[1] - 1
    seat = state[MOVER, dots]
    state[MOVER, dots] = 1 - seat
    if state[TREE, first] >> second & 1:
        gone = _cycle(state, first, second)
        state[LEAD, dots] += count(gone) if seat == 0 else -count(gone)
        state[PRESENT, dots] &= ~gone
        for dot in range(dots):
            state[JOINED, dot] = 0 if gone >> dot & 1 else state[JOINED, dot] & ~gone
        _derive_trees(crossed, state)
        return
    whole = state[TREE, first] | state[TREE, second]
    for dot in range(dots):
        state[BLOCKED, dot] |= crossed[first, second, dot]
        if whole >> dot & 1:
            state[TREE, dot] = whole
    state[JOINED, first] |= 1 << second
    state[JOINED, second] |= 1 << first


@inlined
def _opens(crossed: np.ndarray, state: np.ndarray, first: int, second: int) -> bool:
    """Say whether a line that joins two trees lets the opponent close a cycle."""
    other = state[TREE, second]
    rest = state[TREE, first]
    while rest:
        dot = lowest(rest)
        rest &= rest - 1
        ways = _legal(state, dot) & other & ~crossed[first, second, dot]
        if dot == first:
            ways &= ~(1 << second)
        if ways:
            return True
    return False


@inlined
def _score(crossed: np.ndarray, state: np.ndarray, first: int, second: int, policy: int) -> int:
    """Return the policy's score of a legal line.

    It is the number of dots that the line takes. If the line takes none, the score is 0 if it opens no cycle, otherwise
    less: minus the number of dots of the tree that the line makes.
    """
    if state[TREE, first] >> second & 1:
        return count(_cycle(state, first, second))
    if policy == CLOSER or not _opens(crossed, state, first, second):
        return 0
    return -count(state[TREE, first] | state[TREE, second])


@kernel
def choose_line(
    crossed: np.ndarray, state: np.ndarray, policy: int, tried: np.ndarray, seed: np.ndarray
) -> tuple[int, int]:
    """Return the line with the greatest score, a random one if there are several; (-1, -1) if no line is left.

    ``tried``: int64[n or more], for each dot a set of greater dots; the lines from the dot to them are not considered.
    """
    best = WORST_SCORE
    chosen = (-1, -1)
    equals = 0
    dots = state[PRESENT, -1]
    while dots:
        first = lowest(dots)
        dots &= dots - 1
        ways = _legal(state, first) & dots & ~tried[first]
        while ways:
            second = lowest(ways)
            ways &= ways - 1
            score = _score(crossed, state, first, second, policy)
            if score < best:
                continue
            equals = equals + 1 if score == best else 1
            best = score
            if below(seed, equals) == 0:
                chosen = (first, second)
    return chosen


@kernel(allocates=True)
def play_out(crossed: np.ndarray, state: np.ndarray, seed: np.ndarray) -> int:
    """Play from a state, which is overwritten, to the end; return the lead of seat 0."""
    tried = np.zeros(state.shape[1], dtype=np.int64)
    while count(state[PRESENT, -1]) >= 3:
        first, second = choose_line(crossed, state, CAREFUL, tried, seed)
        draw_line(crossed, state, first, second)
    return int(state[LEAD, -1])


def best_by_policy(position: Position, policy: int, rng: np.random.Generator) -> Line:
    """Return the line that a policy prefers, a random one if there are several."""
    state = state_of(position)
    tried = np.zeros(state.shape[1], dtype=np.int64)
    first, second = choose_line(crossed_of(position.rules), state, policy, tried, seed_of(rng))
    return Line(int(first), int(second))
