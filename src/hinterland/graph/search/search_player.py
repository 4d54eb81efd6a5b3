"""The strongest player of the house: a tree search over games played out by expected gain, and exact play at the end.

With the budget of a clock it stops early enough to be in time; with a budget of playouts it plays the same game again.
"""

from __future__ import annotations

from typing import Annotated, ClassVar

import msgspec
import numpy as np

from hinterland.contract import Clock, Slips, rehearse, slip
from hinterland.graph.distances.distance_ranks import RANKED, ranks_of
from hinterland.graph.rules import Position, Rules, Token
from hinterland.graph.search import endgame
from hinterland.graph.search.gain_tree import GainSearch
from hinterland.graph.search.search_state import state_of, turns_of
from hinterland.search.budget import Budget

EXACT_PLIES = 7
"""So many plies before the end, between two seats, an exact answer is tried."""
STATES = 3
"""How many states of the exact search cost as much as one playout."""
GUESSING, SOLVING = 0.1, 0.6
"""By which share of its budget a search has a first guess, and by which it gives up to be exact."""
SWEEP_S = 2e-8
"""On such boards all swings take about so long, times the square of the vertices over the tokens."""
GOLDEN = 0.6180339887498949
"""Multiples of the golden ratio, less their whole parts, are strewn evenly."""
CANDIDATES = 6
"""On boards without ranks, so many moves of greatest swing are looked at."""


class Search(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Searches games played out by expected gain, for at most so many seconds or playouts; exact in the last plies."""

    name: ClassVar[str] = "search"
    seconds: Annotated[float, msgspec.Meta(gt=0, le=3600)] = 1.0
    """The most it takes for a move; less when its clock says so."""
    playouts: Annotated[int, msgspec.Meta(ge=1, le=10_000_000)] | None = None
    """When given, the clock is not looked at, and the same position gets the same answer."""
    slips: Slips = 0.0
    """The share of its moves that it leaves to chance."""

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Token:
        """Take the move that the search came back to most often, or the best one where that could be worked out."""
        if (chance := slip(self.slips, position.legal_moves, rng)) is not None:
            return chance
        moves = position.tokens_left(position.to_move or 0)
        budget = Budget(self.playouts, clock.thinking_s(moves, self.seconds))
        if position.rules.vertices > RANKED:
            return Token(_two_deep(position, budget))
        return Token(_searched(position, budget))

    def warm_up(self, rules: Rules) -> None:
        """Play a game, the end of it exactly, with few playouts."""
        rehearse(Search(playouts=8), rules)


def _searched(position: Position, budget: Budget) -> int:
    ranks, root, turns = ranks_of(position.rules), state_of(position), turns_of(position)
    if turns.size == 1:
        return int(position.swings().argmax())
    search = GainSearch(turns, ranks, root)
    if position.rules.players == 2 and turns.size <= EXACT_PLIES:
        search.grow_within(budget, GUESSING)
        solved = endgame.solve(turns, ranks, root, search.line[0], lambda spent: allowed(budget, spent))
        if solved is not None:
            return solved[0]
    search.grow_within(budget)
    return search.line[0]


def allowed(budget: Budget, states: int) -> int:
    """Return how many states more the exact search may look at after so many more than it last reported."""
    budget.spend(states // STATES)
    return max(budget.left(SOLVING), 0) * STATES


def _two_deep(position: Position, budget: Budget) -> int:
    """Look at the moves of greatest swing and the greatest swing that answers each, for as long as there is time."""
    if not budget.has_seconds(SWEEP_S * position.rules.vertices**2 / (len(position.moves) + 1)):
        return _sampled(position, budget)
    seat = position.to_move
    assert seat is not None
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


def _sampled(position: Position, budget: Budget) -> int:
    """Compare the swings of free vertices all over the board, the most valuable first, for as long as there is time."""
    seat, values = position.to_move, position.rules.network.values
    assert seat is not None
    board = position.scratch().board
    strewn = np.argsort(np.arange(values.size) * GOLDEN % 1.0)
    order = strewn[np.argsort(-values[strewn], kind="stable")]
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
