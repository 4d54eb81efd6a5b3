"""From a coarse board to finer ones, each time closer around the best moves, as long as there is time.

The tree (mcts.py) grows on a coarse board first. Then the places around the best moves it found are looked at on finer
boards, each time closer around the best. The last stone but one (last_but_one.py) is moved to where the exact best
answer to it leaves the most.
"""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from functools import cached_property
from typing import Annotated

import msgspec
import numpy as np

from hinterland import stopwatch
from hinterland.contract import Slips
from hinterland.gravity.guide import guide_file
from hinterland.gravity.guide.network import NO_GUIDE, Guide
from hinterland.gravity.habits import GREEDY, NONE, TWO_PLIES, habits_of
from hinterland.gravity.rules import Position, Rules, Stone
from hinterland.gravity.search import candidates
from hinterland.gravity.search.guide_planes import PLANES
from hinterland.gravity.search.stones_left import turns_of
from hinterland.search.budget import Budget
from hinterland.search.random_numbers import seed_of

MOST_NODES = 2_000_000
LONGEST = 400
"""Playouts are no longer than so many plies."""
EXACT_S = 0.4
"""The last stone is looked for on the whole board of 1000 x 1000 if there is so much time."""
MANY = 200
"""So many stones on the board take as much time again."""
WIDTH = 24
WIDEST = 200
"""It looks at no more than twice so many."""
SMALL = 12
"""On boards of at most this size all cells are looked at, and the cells that a last stone leaves to nobody count."""
APART = 20
"""Moves looked at are so many to a side of the board, at most."""
COARSE = 0.6
"""The share of its budget for the first board."""
FINER = 1.6
"""Each board is so many times finer than the one before."""
KEPT = 4
"""So many of the best moves are looked at more closely."""
CLOSER = 3
"""Places around a move are so many times closer to it than on the board before."""
STEPS = 250
"""The last stone but one is moved by steps of so many to a side of the board, and by smaller ones then."""
DRAWN = 4
"""With so many stones to come or more it draws among moves of about equal worth, so that nobody can prepare for it."""
EARLY = 3
"""But only so many of a seat's own: each draw costs a little, which adds up where many stones are to come."""
EQUAL, EQUAL_OPENINGS = 0.004, 0.012
"""Moves are of about equal worth where they are worth so much less at most, in shares of the board; so first stones."""
PLANNED = 100
"""On smaller boards stones stand where a simple rule puts them by chance too often to plan by that."""
SHORT = 6
"""In games of so many stones a seat, at most, who has no habit is expected to look two plies ahead; in longer ones a
plan against that takes no more than a tree does."""
LONG = 12
"""In games of two without weights and with more stones a seat than that, playouts are mixed where no guide is asked;
see mcts.py."""
PLANNING_S, PLANS = 1.0, 1000
"""That takes so many seconds, or so many plans, at least."""
COSTLY = 24
"""Each of these counts for so many playouts, for it takes as long."""
COMPARING_S = 1.0
"""Where playouts are counted, stones are compared with the exact best ones on boards on which that takes no longer."""
ALL_S, ALL = 0.2, 30_000
"""The last stone but one is looked for among all cells if there are so many seconds, or playouts,"""
ALL_SHARE = 0.5
"""in such a share of them: then it is moved about with exact answers."""
MOST_CELLS = 20_000_000
"""No coarse board has more, over all plies."""


class SearchOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """How much a search may spend, and where it looks."""

    seconds: Annotated[float, msgspec.Meta(gt=0, le=3600)] | None = None
    """The most it takes for a move. Without it the clock decides; where there is none, it takes two seconds."""
    playouts: Annotated[int, msgspec.Meta(ge=1, le=10_000_000)] | None = None
    """When given, the clock is not looked at, and the same position and seed get the same answer."""
    depth: Annotated[int, msgspec.Meta(ge=1, le=LONGEST)] | None = None
    """Looks at no more plies than this, and counts areas there; without it, it looks at whole games."""
    width: Annotated[int, msgspec.Meta(ge=1, le=10_000)] | None = None
    """How many moves it looks at in each position; without it 24, and on boards of up to 12 x 12 all."""
    grid: Annotated[int, msgspec.Meta(ge=4, le=200)] = 24
    """Cells a side of the first coarse board."""
    seed: Annotated[int, msgspec.Meta(ge=0)] | None = None
    """Another seed, another order among moves of about equal promise; without it, the match's decides."""
    slips: Slips = 0.0
    """The share of its moves that it leaves to chance."""
    threads: Annotated[int, msgspec.Meta(ge=1, le=8)] = 1
    """How many trees it grows side by side."""
    guide: str | None = None
    """The file of a guide: a network that says which moves to look at, and what they lead to."""

    def __post_init__(self) -> None:
        _ = self.network  # what is wrong with its file is said when it is named, not in mid-game

    @cached_property
    def network(self) -> Guide:
        """The guide. Raises BadText for a file that is none of this game."""
        return NO_GUIDE if self.guide is None else guide_file.read(self.guide, PLANES)[1]

    def guide_for(self, rules: Rules) -> Guide:
        """Return the guide for a game. Raises RulesError for rules that no guide is for."""
        if self.guide is not None:
            guide_file.check_rules(rules)
        return self.network


def exact_s(position: Position) -> float:
    """Return how long the exact best cell may take, with a wide margin."""
    return EXACT_S * (position.rules.size / 1000) ** 2 * (1 + len(position.moves) / MANY)


def has_time_to_compare(options: SearchOptions, position: Position, seconds: float) -> bool:
    """Say whether rivals' stones can be compared with the exact best ones."""
    return exact_s(position) <= (COMPARING_S if options.playouts is not None else seconds / 4)


class Refinement:
    """Looks at a position on finer and finer boards, until its time or its playouts are spent."""

    def __init__(
        self, options: SearchOptions, position: Position, seconds: float, seed: int = 0, *, closest: float = 1.0
    ) -> None:
        """``seed``: where the options name none; ``closest``: boards end when places around the best are so close.

        Raises RulesError for rules that the options' guide does not know.
        """
        rules, size = position.rules, position.rules.size
        self._options = options
        self._guide = options.guide_for(rules)
        self._seed = seed if options.seed is None else options.seed
        self._position = position
        self._closest = closest
        self._until_s = stopwatch.now_s() + seconds
        self._rounds = options.playouts
        self._round_s = 0.0
        self._turns = turns_of(position)
        self._depth = min(self._turns.plies, options.depth or LONGEST)
        self._looks_ahead = size > SMALL and options.depth is None
        self._mixes = rules.players == 2 and rules.stones > LONG and rules.weight is None and options.guide is None
        has_time = seconds >= PLANNING_S if options.playouts is None else options.playouts >= PLANS * COSTLY
        self._has_time_for_plans = has_time and options.width is None and rules.stones <= SHORT
        self._compares = has_time_to_compare(options, position, seconds)
        self._width = options.width or (size * size if size <= SMALL else WIDTH)
        self._apart = float(APART)
        self._proven = False
        self.shares: tuple[float, ...] = ()
        """What each seat will own in the end, as the best move on the last board promises; once that was looked for."""

    def best_moves(self) -> list[Stone]:
        """Return the best moves that there was time to find, best first; none where no board shows a free cell.

        Where all is known before the time is spent, which is so when few stones are to come, it looks again at twice as
        many moves in each position, nearer to one another, and takes what it finds if there was time for all of it.
        """
        if self._compares_all and (compared := self._compared()):
            return compared
        if self._plans and (planned := self._planned()):
            return planned
        found = self._approach()
        while found and self._widens and self._proven and self._has_time(1, 1.0):
            self._width, self._apart = 2 * self._width, math.sqrt(2) * self._apart
            again = self._approach()
            found = again if self._proven else found
        return found if self._position.moves else self._turned(found)

    def on_first_board(self, share: float) -> list[Stone]:
        """Return the best moves of the first board alone, for a share of the time or the playouts, best first."""
        return self._look(min(self._options.grid, self._position.rules.size), [], share, self._guide)

    @property
    def _plans(self) -> bool:
        """Whether it is known what all rivals do, as stones on a large board tell, and nothing else is asked for."""
        turns, position = self._turns, self._position
        if not self._looks_ahead or turns.plies <= 2 or position.rules.size < PLANNED or self._guide.channels:
            return False
        seats = range(position.rules.players)
        return all(self._habits[seat] != NONE for seat in seats if seat != turns.seat and turns.stones[seat])

    @cached_property
    def _habits(self) -> tuple[int, ...]:
        """What rivals are expected to do: what they are used to, or else, where that pays, to look two plies ahead."""
        rules, moves = self._position.rules, self._position.moves
        habits = habits_of(self._position, compares=self._compares)
        if not (self._has_time_for_plans and moves and rules.players == 2 and rules.weight is None):
            return habits
        return tuple(habit or (NONE if seat == self._turns.seat else TWO_PLIES) for seat, habit in enumerate(habits))

    def _planned(self) -> list[Stone]:
        """Return the first stone of the best plan that there was time to find; see best_response.py."""
        from hinterland.gravity.coarse import coarse_board  # noqa: PLC0415
        from hinterland.gravity.search import best_response  # noqa: PLC0415

        position, turns, grid = self._position, self._turns, best_response.GRID
        board = coarse_board.coarsen(position, grid, self._depth, habits=self._habits, foresees=True)
        climb = best_response.new_climb(turns, self._depth, seed_of(np.random.default_rng(self._seed)))
        each = COSTLY if TWO_PLIES in self._habits else 1
        budget = Budget(self._rounds and max(self._rounds // each, 1), self._until_s - stopwatch.now_s())
        rounds = 1
        while rounds > 0:
            budget.took(best_response.improve(board, turns, climb, rounds))
            rounds = budget.step()
        self.shares = _shares(climb.best_value)
        first = climb.best[:1]
        if first[0, 0] < 0:
            return []
        return candidates.legal(position, first[:, :2], first[:, 2].astype(np.int64), position.rules.size / grid)

    @property
    def _compares_all(self) -> bool:
        """Whether this is the last stone but one, and there is time to compare all cells for it."""
        turns, options = self._turns, self._options
        is_free = self._looks_ahead and options.width is None and not self._guide.channels
        if not is_free or turns.stones.tolist() != [1, 1]:
            return False
        seconds = self._until_s - stopwatch.now_s()
        has_time = seconds >= ALL_S if self._rounds is None else self._rounds >= ALL
        return has_time and self._habits[1 - turns.seat] in (NONE, GREEDY, TWO_PLIES)

    def _compared(self) -> list[Stone]:
        """Return the last stone but one that keeps the most, all cells compared; see last_but_one.py."""
        from hinterland.gravity.search import last_but_one  # noqa: PLC0415

        given = self._rounds and int(self._rounds * ALL_SHARE)
        budget = Budget(given, (self._until_s - stopwatch.now_s()) * ALL_SHARE)
        found, lead = last_but_one.best_moves(self._position, budget)
        if not found:
            return []
        if self._rounds is not None and given is not None:
            self._rounds -= given - max(budget.left(), 0)
        leads = np.full(2, -lead)
        leads[self._turns.seat] = lead
        self.shares = _shares(leads)
        return [self._answered(found[0]), *found[1:]]

    @property
    def _widens(self) -> bool:
        """Whether there may be more moves to look at than it has looked at."""
        is_free = self._options.width is None and self._options.depth is None and self._position.rules.size > SMALL
        return is_free and self._turns.plies > 2 and self._width <= WIDEST

    def _approach(self) -> list[Stone]:
        """Look at coarse to fine boards; return the best moves, best first."""
        position, size = self._position, self._position.rules.size
        grid = min(self._options.grid, size)
        step = size / grid
        first = [] if position.moves else candidates.openings(position)
        self._proven = True
        found = self._look(grid, first, COARSE if grid < size else 1.0, self._guide)
        while found and step > self._closest:
            step /= CLOSER
            finer = min(round(grid * FINER), size)
            closer = candidates.around(position, found[:KEPT], step)
            cells = finer * finer * (self._depth + 1) * 2
            if cells > MOST_CELLS or not self._has_time(len(closer), (finer / grid) ** 3):
                break
            grid = finer
            found = self._look(grid, closer, 1.0) or found
        if found and self._turns.plies == 2 and size > SMALL and self._options.depth is None:
            found[0] = self._answered(found[0])
        return found

    def _turned(self, openings: list[Stone]) -> list[Stone]:
        """Return the images of first stones under a symmetry of the board; which one depends on the seed."""
        chances = np.random.default_rng(self._seed).integers(2, size=3) if self._seed else np.zeros(3)
        last, (down, right, across) = self._position.rules.size - 1, chances.tolist()
        turned = []
        for stone in openings:
            row, col = last - stone.row if down else stone.row, last - stone.col if right else stone.col
            turned.append(Stone(col, row, stone.weight) if across else Stone(row, col, stone.weight))
        return turned

    def _answered(self, stone: Stone) -> Stone:
        """Move the last stone but one, step by step, to where the exact best answer leaves the most."""
        lead = -math.inf
        self._round_s = max(self._round_s, exact_s(self._position) / 2)
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

    def _look(self, grid: int, stones: list[Stone], share: float, guide: Guide = NO_GUIDE) -> list[Stone]:
        """Grow a tree on a coarse board for a share of what is left; return the moves that it found, best first.

        ``stones``: the moves to look at; none for those of greatest gain.
        """
        from hinterland.gravity.coarse import coarse_board  # noqa: PLC0415
        from hinterland.gravity.search import expansion, mcts, puct_tree  # noqa: PLC0415

        position, threads, began_s = self._position, self._options.threads, stopwatch.now_s()
        looks_ahead = self._looks_ahead
        habits = tuple(NONE if habit == TWO_PLIES else habit for habit in self._habits) if looks_ahead else ()
        mixes = looks_ahead and self._mixes
        board = coarse_board.coarsen(position, grid, self._depth, habits=habits, foresees=looks_ahead, mixes=mixes)
        places = coarse_board.places_of(stones, grid / position.rules.size) if stones else None
        width = expansion.Width(self._width, round(grid / self._apart))
        nodes = expansion.most_nodes(width, len(stones), self._depth, MOST_NODES // threads)

        def grow(number: int) -> tuple[puct_tree.PuctTree, int]:
            """Grow one of the trees; return it, and how many playouts that took."""
            own = deepcopy(board) if number else board
            seconds = (self._until_s - stopwatch.now_s()) * share
            budget = Budget(self._rounds and math.ceil(self._rounds * share / threads), seconds)
            tree = puct_tree.new_tree(nodes, position.rules.players)
            if places is not None:
                puct_tree.seed_root(tree, places, [stone.weight for stone in stones])
                if guide.channels:
                    tree.priors[1 : len(stones) + 1] = mcts.priors(own, self._turns, guide, places)
            made = mcts.grow(tree, 1, own, self._turns, width, self._depth, guide)
            puct_tree.shuffle(tree, self._seed + number)
            budget.took(made)
            while (rounds := budget.step()) > 0 and not tree.proven[0]:
                rounds = mcts.grow(tree, rounds, own, self._turns, width, self._depth, guide)
                budget.took(rounds)
                made += rounds
            return tree, made

        if threads == 1:
            grown = [grow(0)]
        else:
            with ThreadPoolExecutor(threads, thread_name_prefix="search") as pool:
                grown = list(pool.map(grow, range(threads)))
        made = sum(rounds for _, rounds in grown)
        tree = puct_tree.joined([tree for tree, _ in grown])
        self._proven &= bool(tree.proven[0])
        self._round_s = (stopwatch.now_s() - began_s) / max(made, 1) * threads
        self._rounds = self._rounds and max(self._rounds - made, 0)
        best = puct_tree.best_children(tree, self._turns.seat)
        placed = sum(seat == self._turns.seat for seat, _ in position.moves)
        if self._turns.plies >= DRAWN and placed < EARLY:
            equal = EQUAL if placed else EQUAL_OPENINGS
            best = puct_tree.draw_first(tree, best, self._turns.seat, self._seed, equal)
        node = int(best[0]) if best.size and tree.visits[best[0]] else 0
        self.shares = _shares(tree.value_sum[node] / max(tree.visits[node], 1))
        if stones:
            return [stones[child - tree.first[0]] for child in best]
        return candidates.legal(position, tree.places[best], tree.weights[best], position.rules.size / grid)


def _shares(value: np.ndarray) -> tuple[float, ...]:
    """Return the shares of the board that have led to a value: what each seat owns less what all others do."""
    players = value.size
    owned = 1.0 if players == 2 else float(value.sum()) / (2 - players)
    return tuple(float(one + owned) / 2 for one in value)
