"""The search is exact where it can be, keeps its clock, and repeats itself when its work is fixed."""

import numpy as np
import pytest

from hinterland import stopwatch
from hinterland.contract import Clock
from hinterland.graph import boards, budget, endgame, search, standing, tree
from hinterland.graph.players import Gain, Rollout, Search
from hinterland.graph.ranks import ranks_of
from hinterland.graph.rules import Rules, Token
from hinterland.jit import JIT_ON

BOARDS = 200 if JIT_ON else 12


def minimax(position, seat):
    """Return the lead of a seat at the end, both playing their best: plain Python over the positions themselves."""
    if position.to_move is None:
        return position.scores[seat] - position.scores[1 - seat]
    leads = [minimax(position.play_unchecked(move), seat) for move in position.legal_moves]
    return max(leads) if position.to_move == seat else min(leads)


class Solved:
    """An exhaustive minimax without pruning, fast enough for 200 boards: distances and owners as plain lists."""

    def __init__(self, rules):
        self.far = rules.distances.tolist()
        self.values = rules.values

    def value(self, nearest, owner, free, turns):
        """Return the greatest lead of seat 0 over seat 1."""
        if not turns:
            return sum(v * (1 - 2 * o) for v, o in zip(self.values, owner, strict=True) if o >= 0)
        leads = [self.after(nearest, owner, free, turns, vertex) for vertex in free]
        return max(leads) if turns[0] == 0 else min(leads)

    def after(self, nearest, owner, free, turns, vertex):
        """Return the same after one more move."""
        far = self.far[vertex]
        taken = [f < n for f, n in zip(far, nearest, strict=True)]
        nearest = [f if t else n for f, n, t in zip(far, nearest, taken, strict=True)]
        owner = [turns[0] if t else o for o, t in zip(owner, taken, strict=True)]
        return self.value(nearest, owner, [v for v in free if v != vertex], turns[1:])

    def leads(self, position):
        """Return the lead of the seat to move after each of its moves."""
        board = position.board
        turns = standing.turns_of(position).tolist()
        sign = 1 - 2 * turns[0]
        free = [move.vertex for move in position.legal_moves]
        nearest, owner = board.nearest.tolist(), board.owner.tolist()
        return {vertex: sign * self.after(nearest, owner, free, turns, vertex) for vertex in free}


def small_board(seed, vertices):
    """Return a small board, in turn dense, thin, in parts, and a grid full of ties."""
    match seed % 4:
        case 0:
            return boards.random(vertices=vertices, seed=seed, tokens=2)
        case 1:
            return boards.sparse(vertices=vertices, density=0.3, seed=seed, tokens=2)
        case 2:
            return boards.sparse(vertices=vertices, density=0.12, seed=seed, tokens=2)
        case _:
            return boards.grid(rows=2, cols=vertices // 2, seed=seed, tokens=2)


@pytest.mark.parametrize("seed", range(BOARDS))
def test_search_equals_exhaustive_minimax(seed):
    rng = np.random.default_rng(seed)
    position = small_board(seed, int(rng.integers(4, 13 if JIT_ON else 7))).start()
    for _ in range(int(rng.integers(3))):
        position = position.play(position.legal_moves.sample(rng))
    leads = Solved(position.rules).leads(position)
    chosen = Search(playouts=100_000).choose(position, Clock(), rng)
    assert leads[chosen.vertex] == max(leads.values())
