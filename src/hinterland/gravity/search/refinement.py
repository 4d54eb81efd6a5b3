"""The strongest player of the house: a tree of games played out by gain, from a coarse sketch to finer ones.

The tree (playtree.py) grows on a coarse sketch of the board first. Then the places around the best moves it found are
looked at on finer sketches, each time closer around the best, as long as there is time. The last stone but one is moved
to where the exact best answer leaves the most, and the last goes where it gains the most on the whole board, exactly.
Where a busy machine would lose the game on time over that, the last stone goes where a sketch shows the most.

It plans its time like this: of what the clock has left it takes up to twice an even share for an early move, for there
trees are widest and playouts longest, and comes down to an even share; three seconds are held back. With a budget of
playouts it does not look at the time, and the same position gets the same answer.
"""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache
from typing import TYPE_CHECKING, Annotated, ClassVar

import msgspec
import numpy as np

from hinterland import stopwatch
from hinterland.budget import Budget
from hinterland.gravity.rules import Stone
from hinterland.gravity.search import candidates

if TYPE_CHECKING:
    from hinterland.contract import Clock
    from hinterland.gravity.rules import Position

__all__ = ["Search"]

MOST_NODES = 2_000_000
LONGEST = 400
"""Playouts are no longer than so many plies."""
UNTIMED_S = 2.0
"""How long it thinks about a move where nothing says how long it may."""
HELD_BACK_MS = 3000
"""Is not planned for, nor more than a third of what is left."""
EXACT_S = 0.4
"""The last stone is looked for on the whole board of 1000 x 1000 if there is so much time."""
MANY = 200
"""So many stones on the board take as much time again."""
WIDTH = 24
SMALL = 12
"""On boards of at most this size all cells are looked at, and the cells that a last stone leaves to nobody count."""
APART = 20
"""Moves looked at are so many to a side of the board, at most."""
COARSE = 0.6
"""The share of its budget for the first sketch."""
FINER = 1.6
"""Each sketch is so many times finer than the one before."""
KEPT = 4
"""So many of the best moves are looked at more closely."""
CLOSER = 3
"""Places around a move are so many times closer to it than on the sketch before."""
STEPS = 250
"""The last stone but one is moved by steps of so many to a side of the board, and by smaller ones then."""
MOST_CELLS = 20_000_000
"""No sketch has more, over all plies."""


class Search(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Searches a tree of games played out by gain, coarse to fine; its last stone is the exact best."""

    name: ClassVar[str] = "search"
    seconds: Annotated[float, msgspec.Meta(gt=0, le=3600)] | None = None
    """The most it takes for a move. Without it the clock decides; where there is none, it takes two seconds."""
    playouts: Annotated[int, msgspec.Meta(ge=1, le=10_000_000)] | None = None
    """When given, the clock is not looked at, and the same position gets the same answer."""
    depth: Annotated[int, msgspec.Meta(ge=1, le=LONGEST)] | None = None
    """Looks at no more plies than this, and counts areas there; without it, it looks at whole games."""
    width: Annotated[int, msgspec.Meta(ge=1, le=10_000)] | None = None
    """How many moves it looks at in each position; without it 24, and on boards of up to 12 x 12 all."""
    grid: Annotated[int, msgspec.Meta(ge=4, le=200)] = 40
    """Cells a side of the first sketch of the board."""
    seed: Annotated[int, msgspec.Meta(ge=0)] = 0
    """Another seed, another order among moves of about equal promise."""

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Stone:  # noqa: ARG002
        """Take the move that the search came back to most often, or the best where that is known."""
        seconds = self.seconds_for(position, clock)
        size = position.rules.size
        in_time = self.playouts is not None or seconds > _exact_s(position)
        if _plies_left(position) == 1 and size > SMALL and in_time:
            return self._last(position, seconds)
        found = _Ladder(self, position, seconds).climb()
        if found:
            return found[0]
        return candidates.best_last(position) if in_time else candidates.first_free(position)

    def _last(self, position: Position, seconds: float) -> Stone:
        """Return the exact best last stone, or the one that a sketch shows if a busy machine takes too long for it."""
        if self.playouts is not None:
            return candidates.best_last(position)
        until_s = stopwatch.now_s() + seconds
        exact = _beside().submit(candidates.best_last, position)
        shown = _Ladder(self, position, 0.0).climb()
        wait([exact], max(until_s - stopwatch.now_s(), 0.0) if shown else None)
        return exact.result() if exact.done() else shown[0]

    def seconds_for(self, position: Position, clock: Clock) -> float:
        """Return how long to think about the next move."""
        if clock.left_ms is None and clock.move_ms is None:
            return self.seconds or UNTIMED_S
        if clock.left_ms is not None:
            held_back = min(HELD_BACK_MS, clock.left_ms // 3)
            clock = msgspec.structs.replace(clock, left_ms=clock.left_ms - held_back)
        moves = position.stones_left(position.to_move or 0)
        return clock.thinking_s(moves // 2 + 1, self.seconds or math.inf)


def _exact_s(position: Position) -> float:
    """Return how long the exact best cell may take, with a wide margin."""
    return EXACT_S * (position.rules.size / 1000) ** 2 * (1 + len(position.moves) / MANY)


@cache
def _beside() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(thread_name_prefix="last stone")


def _plies_left(position: Position) -> int:
    """Count the stones that may still be placed: of a seat no more than it has units of weight."""
    seats = set(range(position.rules.players)) - set(position.withdrawn)
    weights = {seat: position.weight_left(seat) for seat in seats}
    stones = {seat: position.stones_left(seat) for seat in seats}
    return sum(left if (weight := weights[seat]) is None else min(left, weight) for seat, left in stones.items())


class _Ladder:
    """Looks at a position on finer and finer sketches, until its time or its playouts are spent."""

    def __init__(self, search: Search, position: Position, seconds: float) -> None:
        size = position.rules.size
        self._search = search
        self._position = position
        self._until_s = stopwatch.now_s() + seconds
        self._rounds = search.playouts
        self._round_s = 0.0
        self._depth = min(_plies_left(position), search.depth or LONGEST)
        self._habits = size > SMALL and search.depth is None
        self._width = search.width or (size * size if size <= SMALL else WIDTH)

    def climb(self) -> list[Stone]:
        """Return the best moves that there was time to find, best first; none where no sketch shows a free cell."""
        position, size = self._position, self._position.rules.size
        grid = min(self._search.grid, size)
        step = size / grid
        first = [] if position.moves else candidates.openings(position)
        found = self._look(grid, first, COARSE if grid < size else 1.0)
        while found and step > 1:
            step /= CLOSER
            finer = min(round(grid * FINER), size)
            closer = candidates.around(position, found[:KEPT], step)
            if not self._has_time(len(closer), (finer / grid) ** 3) or self._cells(finer) > MOST_CELLS:
                break
            grid = finer
            found = self._look(grid, closer, 1.0) or found
        if found and _plies_left(position) == 2 and size > SMALL and self._search.depth is None:
            found[0] = self._answered(found[0])
        return found

    def _answered(self, stone: Stone) -> Stone:
        """Move the last stone but one, step by step, to where the exact best answer leaves the most."""
        lead = -math.inf
        self._round_s = max(self._round_s, _exact_s(self._position) / 2)
        step = max(self._position.rules.size // STEPS, 1)
        while step > 0:
            before = stone
            for near in candidates.around(self._position, [stone], step):
                began_s = stopwatch.now_s()
                if not self._has_time(1, 1.0):
                    return stone
                kept = candidates.lead_when_answered(self._position, near)
                if kept > lead:
                    stone, lead = near, kept
                self._rounds = self._rounds and self._rounds - 1
                self._round_s = max(self._round_s, stopwatch.now_s() - began_s)
            if stone == before:
                step //= 2
        return stone

    def _has_time(self, rounds: int, slower: float) -> bool:
        """Say whether so many rounds can still be made if each takes so many times longer than the last ones."""
        if self._rounds is not None:
            return self._rounds >= rounds
        return stopwatch.now_s() + rounds * self._round_s * slower < self._until_s

    def _cells(self, grid: int) -> int:
        """Count the cells of a sketch over all plies."""
        return grid * grid * (self._depth + 1) * 2

    def _look(self, grid: int, stones: list[Stone], share: float) -> list[Stone]:
        """Grow a tree on a sketch for a share of what is left; return the moves that it found, best first.

        ``stones``: the moves to look at; none for those of greatest gain.
        """
        from hinterland.gravity.search import coarse_board, mcts  # noqa: PLC0415

        position = self._position
        began_s = stopwatch.now_s()
        budget = Budget(self._rounds and math.ceil(self._rounds * share), (self._until_s - began_s) * share)
        drawn, board = coarse_board.sketch_of(position, grid, self._depth, habits=self._habits)
        tree = mcts.new_tree(MOST_NODES, position.rules.players)
        if stones:
            mcts.plant(tree, coarse_board.places_of(stones, grid / position.rules.size), [s.weight for s in stones])
        turns = mcts.turns_of(position)
        plan = mcts.Plan(self._depth, self._width, round(grid / APART))
        made = mcts.grow(tree, 1, drawn, board, turns, plan)
        mcts.shuffle(tree, self._search.seed)
        budget.took(made)
        while (rounds := budget.step()) > 0 and not tree.known[0]:
            more = mcts.grow(tree, rounds, drawn, board, turns, plan)
            budget.took(more)
            made += more
        self._round_s = (stopwatch.now_s() - began_s) / max(made, 1)
        self._rounds = self._rounds and self._rounds - made
        best = mcts.best_children(tree, turns.seat)
        if stones:
            return [stones[child - tree.first[0]] for child in best]
        return candidates.legal(position, tree.places[best], tree.weights[best], position.rules.size / grid)
