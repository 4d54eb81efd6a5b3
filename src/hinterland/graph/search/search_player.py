"""The strongest built-in player: a tree search over games played out by expected gain, and exact play at the end.

With a clock, the search stops early enough to answer in time. With a budget of playouts, the same position gets the
same answer. ``expected_gain`` explains expected gains and swings; boards of more than MAX_RANKED_VERTICES vertices have
no ranks, and the search on them is simpler.
"""

from __future__ import annotations

from typing import Annotated, ClassVar

import msgspec
import numpy as np

from hinterland.contract import Clock, Expectation, Slips, rehearse, slip
from hinterland.graph.rules import Position, Rules, Token
from hinterland.graph.search import endgame
from hinterland.graph.search.gain_tree import GainSearch
from hinterland.graph.search.search_state import (
    MAX_RANKED_VERTICES,
    Ranks,
    SearchState,
    place,
    ranks_of,
    state_of,
    turns_of,
)
from hinterland.search.budget import Budget

EXACT_PLIES = 7
"""In a game of two, the exact search is tried when at most this many plies are left."""
STATES_PER_PLAYOUT = 3
"""Number of states of the exact search that cost as much as one playout."""
GUESS_SHARE = 0.1
"""Share of the budget that the tree gets before the exact search, which first tries the tree's best move."""
SOLVE_SHARE = 0.6
"""Share of the budget after which the exact search gives up."""
SWING_SWEEP_S = 2e-8
"""On a board without ranks, computing all swings takes this many seconds, times the square of the number of vertices,
divided by one more than the number of tokens."""
GOLDEN_RATIO = 0.6180339887498949
"""A number whose multiples have evenly scattered fractional parts; it gives the order in which equal vertices are
tried."""
CANDIDATES = 6
"""On a board without ranks, the number of moves that are compared: those with the greatest swings."""
SECONDS = 1.0


class Search(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Searches games played out by expected gain, for limited seconds or playouts; exact in the last plies."""

    name: ClassVar[str] = "search"
    seconds: Annotated[float, msgspec.Meta(gt=0, le=3600)] = 1.0
    """Most seconds for a move; the clock may allow less."""
    playouts: Annotated[int, msgspec.Meta(ge=1, le=10_000_000)] | None = None
    """Number of playouts for a move. If given, the clock is ignored, and the same position gets the same answer."""
    slips: Slips = 0.0
    """The share of its moves that are random."""

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Token:
        """Take the move that the search tried most often, or the best move if the exact search finds it in time."""
        if (chance := slip(self.slips, position.legal_moves, rng)) is not None:
            return chance
        moves = position.tokens_left(position.to_move or 0)
        budget = Budget(self.playouts, clock.thinking_s(moves, self.seconds))
        if position.rules.vertices > MAX_RANKED_VERTICES:
            return Token(_search_two_plies(position, budget))
        return Token(_search(position, budget))

    def warm_up(self, rules: Rules) -> None:
        """Play a game with few playouts; its end is played exactly."""
        rehearse(Search(playouts=8), rules)


def _search(position: Position, budget: Budget) -> int:
    ranks, root, turns = ranks_of(position.rules), state_of(position), turns_of(position)
    if turns.size == 1:
        return int(position.swings().argmax())
    search = GainSearch(turns, ranks, root)
    if position.rules.players == 2 and turns.size <= EXACT_PLIES:
        search.grow_within(budget, GUESS_SHARE)
        solved = endgame.solve(turns, ranks, root, search.line[0], lambda spent: allow_states(budget, spent))
        if solved is not None:
            return solved[0]
    search.grow_within(budget)
    return search.line[0]


def allow_states(budget: Budget, states: int) -> int:
    """Return how many more states the exact search may visit, after it reported ``states`` visited."""
    budget.spend(states // STATES_PER_PLAYOUT)
    return max(budget.left(SOLVE_SHARE), 0) * STATES_PER_PLAYOUT


def _search_two_plies(position: Position, budget: Budget) -> int:
    """Return the move with the greatest lead after the best answer, among the moves with the greatest swings.

    When time is up, return the best so far.
    """
    if not budget.has_seconds(SWING_SWEEP_S * position.rules.vertices**2 / (len(position.moves) + 1)):
        return _sample_swings(position, budget)
    seat = position.mover
    swings = position.swings()
    order = np.argsort(-swings, kind="stable")[:CANDIDATES]
    budget.spend(1)
    best, best_lead = int(order[0]), None
    scratch = position.scratch()
    for vertex in order:
        if swings[vertex] < 0 or budget.left() < 2:
            break
        scratch.play(Token(int(vertex)))
        answer = scratch.to_move
        lost = 0 if answer is None or answer == seat else int(scratch.position.swings(answer).max())
        scratch.undo()
        budget.spend(1)
        lead = int(swings[vertex]) - lost
        if best_lead is None or lead > best_lead:
            best, best_lead = int(vertex), lead
    return best


def _sample_swings(position: Position, budget: Budget) -> int:
    """Try free vertices, the most valuable first, until time is up; return the one with the greatest swing."""
    seat, values = position.mover, position.rules.network.values
    board = position.scratch().board
    scattered = np.argsort(np.arange(values.size) * GOLDEN_RATIO % 1.0)
    order = scattered[np.argsort(-values[scattered], kind="stable")]
    best, most = -1, None
    for vertex in order.tolist():
        if vertex in position.taken:
            continue
        before = board.points.copy()
        board.place(vertex, seat)
        gained = board.points - before
        board.undo()
        budget.spend(1)
        swing = int(2 * gained[seat] - gained.sum())
        if most is None or swing > most:
            best, most = vertex, swing
        if budget.left() < 2:
            break
    return best


def expectation(position: Position) -> Expectation | None:
    """Return the expected final scores; None on boards without ranks.

    These are the scores after best play if the exact search finds it, else after the line that the tree tried most.
    """
    if position.to_move is None:
        return Expectation(tuple(map(float, position.scores)), is_exact=True)
    if position.rules.vertices > MAX_RANKED_VERTICES:
        return None
    ranks, state, turns = ranks_of(position.rules), state_of(position), turns_of(position)
    budget = Budget(None, SECONDS)
    search = GainSearch(turns, ranks, state)
    search.grow_within(budget, GUESS_SHARE)
    is_small = position.rules.players == 2 and turns.size <= EXACT_PLIES
    line = _solve_line(search.line[0], turns, ranks, state, budget) if is_small else None
    if line is None:
        search.grow_within(budget)
    scores = search.scores_after(search.line[: turns.size - 1] if line is None else line)
    return Expectation(tuple(map(float, scores)), is_exact=line is not None)


def _solve_line(first: int, turns: np.ndarray, ranks: Ranks, state: SearchState, budget: Budget) -> list[int] | None:
    """Return the moves of best play, except the last token's; None if they are not found in time.

    ``first``: the move to try first.
    """
    after = SearchState(*(array.copy() for array in state))
    line: list[int] = []
    for ply in range(turns.size - 1):
        guess = None if line else first
        found = endgame.solve(turns[ply:], ranks, after, guess, lambda spent: allow_states(budget, spent))
        if found is None:
            return None
        line.append(found[0])
        place(ranks, after, found[0], turns[ply])
    return line
