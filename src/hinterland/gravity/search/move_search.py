"""Searches for one stone: compares all cells for the last stone but one, plans, or grows trees on finer boards.

If all rivals are predictable, plans for all our remaining stones are compared (best_response.py). Else a tree (mcts.py)
grows on a coarse board, and then on finer boards around its best moves. best_moves.py says when which search is used.
"""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from functools import cached_property

import numpy as np

from hinterland import search_clock
from hinterland.gravity.coarse import coarse_board
from hinterland.gravity.coarse.coarse_board import HUG, LAYOUT, MIRROR, NO_HABIT, TWO_PLIES
from hinterland.gravity.guide.network import NO_GUIDE, Guide
from hinterland.gravity.rules import Position, Stone
from hinterland.gravity.search import best_response, candidates, expansion, last_but_one, mcts, puct_tree
from hinterland.gravity.search.config import CONFIG, SearchOptions
from hinterland.gravity.search.exact_answers import (
    AnsweredStones,
    is_worth_trusting,
)
from hinterland.gravity.search.habits import find_habits
from hinterland.gravity.search.stones_left import turns_of
from hinterland.search.budget import Budget
from hinterland.search.random_numbers import seed_of


class MoveSearch:
    """The search for one stone, on finer and finer boards, until its time or its playouts are spent.

    ``options``, ``seed``: as for ``find_best_moves``. ``finest_step``: no finer board follows once places around the
    best moves are at most this many cells apart.
    """

    def __init__(
        self, options: SearchOptions, position: Position, seconds: float, seed: int = 0, *, finest_step: float = 1.0
    ) -> None:
        rules, size = position.rules, position.rules.size
        self._options = options
        self._guide = options.guide_for(rules)
        self._seed = seed if options.seed is None else options.seed
        self._position = position
        self._finest_step = finest_step
        self._until_s = search_clock.now_s() + seconds
        self._playouts = options.playouts
        self._playout_s = 0.0
        self._turns = turns_of(position)
        self._depth = min(self._turns.plies, options.depth or CONFIG.most_plies)
        is_small = size <= CONFIG.whole_board_side
        self._looks_ahead = not is_small and options.depth is None
        is_long = rules.players == 2 and rules.stones >= CONFIG.mixing_least_stones
        self._mixes = is_long and rules.weight is None and options.guide is None
        plan_playouts = CONFIG.plan_least_plans * CONFIG.playouts_per_plan
        has_time = seconds >= CONFIG.plan_least_s if options.playouts is None else options.playouts >= plan_playouts
        self._has_time_for_plans = has_time and options.width is None and rules.stones <= CONFIG.short_game_stones
        self._compares = CONFIG.can_compare_exactly(options, position, seconds)
        self._width = options.width or (size * size if is_small else CONFIG.candidates_per_node)
        self._candidates_per_side = float(CONFIG.candidates_per_side)
        self._is_proven = False
        self.shares: tuple[float, ...] = ()
        """Share of the board that each seat will own in the end, as expected after the best move; empty before a
        search."""

    def find_best_moves(self) -> list[Stone]:
        """Return the best moves, best first; none if no board shows a free cell.

        If the result is proven before the time is spent, the search begins again with twice as many moves in each
        position, nearer to one another. A new result that is proven, too, replaces the old one.
        """
        if self._can_compare_all_cells and (compared := self._choose_last_but_one()):
            return compared
        if self.can_plan and (planned := self._find_plan()):
            return planned
        found = self._refine()
        while found and self._can_widen and self._is_proven and self._has_time(1, 1.0):
            self._width, self._candidates_per_side = 2 * self._width, math.sqrt(2) * self._candidates_per_side
            again = self._refine()
            found = again if self._is_proven else found
        position = self._position
        return found if position.moves else candidates.turn_at_random(found, position.rules.size, self._seed)

    def search_first_board(self, share: float) -> list[Stone]:
        return self._search_board(min(self._options.grid, self._position.rules.size), [], share, self._guide)

    @property
    def can_plan(self) -> bool:
        """Whether the stones of all rivals can be predicted, and no option asks for a tree."""
        turns, position = self._turns, self._position
        is_large = position.rules.size >= CONFIG.model_least_side
        if not self._looks_ahead or turns.plies <= 2 or not is_large or self._guide.channels:
            return False
        seats = range(position.rules.players)
        return all(self.habits[seat] != NO_HABIT for seat in seats if seat != turns.seat and turns.stones[seat])

    @cached_property
    def habits(self) -> tuple[int, ...]:
        """What each rival is expected to do: follow its habit or, without one, if time allows, look two plies ahead."""
        rules, moves = self._position.rules, self._position.moves
        habits, mover = find_habits(self._position, compares=self._compares), self._turns.seat
        if not (self._has_time_for_plans and moves and rules.players == 2 and rules.weight is None):
            return habits
        return tuple(habit or (NO_HABIT if seat == mover else TWO_PLIES) for seat, habit in enumerate(habits))

    def _find_plan(self) -> list[Stone]:
        """Return the first stone of the best plan that there was time to find."""
        position, turns, grid = self._position, self._turns, CONFIG.plan_grid
        board = coarse_board.coarsen(position, grid, self._depth, habits=self.habits, foresees=True)
        climb = best_response.new_climb(turns, self._depth, seed_of(np.random.default_rng(self._seed)))
        playouts_per_plan = CONFIG.playouts_per_plan if TWO_PLIES in self.habits else 1
        plans = self._playouts and max(self._playouts // playouts_per_plan, 1)
        budget = Budget(plans, self._until_s - search_clock.now_s())
        rounds = 1
        while rounds > 0:
            budget.spend(best_response.improve(board, turns, climb, rounds))
            rounds = budget.step()
        self.shares = _shares_of(climb.best_value)
        first = climb.best[:1]
        if first[0, 0] == best_response.OPEN_ROW:
            return []
        return candidates.legal(position, first[:, :2], first[:, 2].astype(np.int64), position.rules.size / grid)

    @property
    def _can_compare_all_cells(self) -> bool:
        turns, options = self._turns, self._options
        is_free = self._looks_ahead and options.width is None and not self._guide.channels
        if not is_free or turns.stones.tolist() != [1, 1]:
            return False
        seconds, playouts = self._until_s - search_clock.now_s(), self._playouts
        least_s, least_playouts = CONFIG.all_cells_least_s, CONFIG.all_cells_least_playouts
        has_time = seconds >= least_s if playouts is None else playouts >= least_playouts
        return has_time and self.habits[1 - turns.seat] != HUG

    def _choose_last_but_one(self) -> list[Stone]:
        """Return the best stones against the best last stone or, if that is worth its risk, against a rival's habit."""
        position, habit = self._position, self.habits[1 - self._turns.seat]
        if habit not in (LAYOUT, MIRROR):
            return self._compare_all_cells()
        trusting = self._refine()
        self._until_s -= 2 * CONFIG.seconds_for_exact_reply(position)
        safe = self._compare_all_cells()
        if not (trusting and safe):
            return safe or trusting
        return trusting if is_worth_trusting(position, trusting[0], safe[0], habit) else safe

    def _compare_all_cells(self) -> list[Stone]:
        """Return the best candidates for the last stone but one, best first; see last_but_one.py.

        They are found by comparing all cells of a coarse board, and the places beside stones if it has rings.
        """
        given = self._playouts and int(self._playouts * CONFIG.all_cells_share)
        budget = Budget(given, (self._until_s - search_clock.now_s()) * CONFIG.all_cells_share)
        found, lead = last_but_one.find_best_moves(self._position, budget)
        if not found:
            return []
        beside = last_but_one.find_best_beside(self._position, budget)
        if self._playouts is not None and given is not None:
            self._playouts -= given - max(budget.left(), 0)
        leads = np.full(2, -lead)
        leads[self._turns.seat] = lead
        self.shares = _shares_of(leads)
        return [self._climb_exactly([found[0], *beside]), *found[1:]]

    @property
    def _can_widen(self) -> bool:
        options, is_large = self._options, self._position.rules.size > CONFIG.whole_board_side
        is_free = options.width is None and options.depth is None and is_large
        return is_free and self._turns.plies > 2 and self._width <= CONFIG.most_widened_candidates

    def _refine(self) -> list[Stone]:
        """Search on a coarse board and then on finer ones; return the best moves, best first."""
        position, size = self._position, self._position.rules.size
        grid = min(self._options.grid, size)
        step = size / grid
        first = [] if position.moves else candidates.openings(position)
        self._is_proven = True
        found = self._search_board(grid, first, CONFIG.first_board_share if grid < size else 1.0, self._guide)
        while found and step > self._finest_step:
            step /= CONFIG.step_ratio
            finer = min(round(grid * CONFIG.grid_ratio), size)
            closer = candidates.around(position, found[: CONFIG.refined_moves], step)
            cells = finer * finer * (self._depth + 1) * 2
            if cells > CONFIG.most_cells or not self._has_time(len(closer), (finer / grid) ** 3):
                break
            grid = finer
            found = self._search_board(grid, closer, 1.0) or found
        if found and self._turns.plies == 2 and size > CONFIG.whole_board_side and self._options.depth is None:
            is_trusting = self._looks_ahead and {LAYOUT, MIRROR}.intersection(self.habits)
            found[0] = found[0] if is_trusting else self._climb_exactly(found[:1])
        return found

    def _climb_exactly(self, stones: list[Stone]) -> Stone:
        budget = Budget(self._playouts, self._until_s - search_clock.now_s())
        return AnsweredStones(self._position, budget).climb(stones)

    def _has_time(self, playouts: int, slower: float) -> bool:
        """Say whether a number of playouts can still be made, each taking ``slower`` times as long as the last ones."""
        if self._playouts is not None:
            return self._playouts >= playouts
        return search_clock.now_s() + playouts * self._playout_s * slower < self._until_s

    def _search_board(self, grid: int, stones: list[Stone], share: float, guide: Guide = NO_GUIDE) -> list[Stone]:
        """Grow a tree on a coarse board for ``share`` of the budget that is left; return the moves found, best first.

        ``stones``: the moves to compare; if there are none, the moves of greatest gain are compared.
        """
        position, threads, began_s = self._position, self._options.threads, search_clock.now_s()
        looks_ahead = self._looks_ahead
        habits = tuple(NO_HABIT if habit == TWO_PLIES else habit for habit in self.habits) if looks_ahead else ()
        mixes = looks_ahead and self._mixes
        board = coarse_board.coarsen(position, grid, self._depth, habits=habits, foresees=looks_ahead, mixes=mixes)
        places = coarse_board.places_of(stones, grid / position.rules.size) if stones else None
        width = expansion.Width(self._width, round(grid / self._candidates_per_side))
        nodes = expansion.count_nodes(width, len(stones), self._depth, CONFIG.most_nodes // threads)

        def grow(number: int) -> tuple[puct_tree.PuctTree, int]:
            """Grow the tree ``number``; return it and its number of playouts."""
            own = deepcopy(board) if number else board
            seconds = (self._until_s - search_clock.now_s()) * share
            budget = Budget(self._playouts and math.ceil(self._playouts * share / threads), seconds)
            tree = puct_tree.new_tree(nodes, position.rules.players)
            if places is not None:
                puct_tree.seed_root(tree, places, [stone.weight for stone in stones])
                if guide.channels:
                    tree.priors[1 : len(stones) + 1] = mcts.priors_at(own, self._turns, guide, places)
            made = mcts.grow(tree, 1, own, self._turns, width, self._depth, guide)
            puct_tree.shuffle(tree, self._seed + number)
            budget.spend(made)
            while (rounds := budget.step()) > 0 and not tree.proven[0]:
                rounds = mcts.grow(tree, rounds, own, self._turns, width, self._depth, guide)
                budget.spend(rounds)
                made += rounds
            return tree, made

        if threads == 1:
            grown = [grow(0)]
        else:
            with ThreadPoolExecutor(threads, thread_name_prefix="search") as pool:
                grown = list(pool.map(grow, range(threads)))
        made = sum(rounds for _, rounds in grown)
        tree = puct_tree.join([tree for tree, _ in grown])
        self._is_proven &= bool(tree.proven[0])
        self._playout_s = (search_clock.now_s() - began_s) / max(made, 1) * threads
        self._playouts = self._playouts and max(self._playouts - made, 0)
        best = puct_tree.best_children(tree, self._turns.seat)
        own_stones = sum(seat == self._turns.seat for seat, _ in position.moves)
        if self._turns.plies >= CONFIG.draw_least_plies and own_stones < CONFIG.draw_own_stones:
            gap = CONFIG.draw_gap if own_stones else CONFIG.draw_opening_gap
            best = puct_tree.draw_first(tree, best, self._turns.seat, self._seed, gap)
        node = int(best[0]) if best.size and tree.visits[best[0]] else 0
        self.shares = _shares_of(tree.value_sum[node] / max(tree.visits[node], 1))
        if stones:
            return [stones[child - tree.first[0]] for child in best]
        return candidates.legal(position, tree.places[best], tree.weights[best], position.rules.size / grid)


def _shares_of(value: np.ndarray) -> tuple[float, ...]:
    """Return each seat's share of the board. ``value``: each seat's lead over all others, as a share of the board."""
    players = value.size
    owned = 1.0 if players == 2 else float(value.sum()) / (2 - players)
    return tuple(float(one + owned) / 2 for one in value)
