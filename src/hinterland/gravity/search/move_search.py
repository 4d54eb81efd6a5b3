"""Chooses the stone of ``search``, in the first of four ways that applies.

1. The rival is known to look two plies ahead. Then the rival's answers are computed, and stones are compared by the
   lead that is left after these answers. This way is opponent-model search (Iida, Uiterwijk, van den Herik and
   Herschberg 1993) at the root, with playouts below. The search gives it up as soon as the rival answers differently.
2. The stone is the last but one. Then all cells are compared (last_but_one.py), and the best one is improved by exact
   answers to it.
3. All rivals are predictable: each follows a habit (habits.py), or is only expected, not known, to look two plies
   ahead. Then plans for all our remaining stones are compared (best_response.py).
4. In all other cases a tree (mcts.py) grows on a coarse board, and then on finer boards around its best moves.

Begin with ``find_best_moves``.
"""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from functools import cached_property, lru_cache

import msgspec
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
    can_check,
    is_worth_trusting,
    open_safely,
    replace_unsafe,
)
from hinterland.gravity.search.habits import find_habit, find_habits
from hinterland.gravity.search.stones_left import turns_of
from hinterland.search.budget import Budget
from hinterland.search.random_numbers import seed_of


def find_best_moves(options: SearchOptions, position: Position, seconds: float, seed: int = 0) -> list[Stone]:
    """Return the best stones that there was time to find, best first; none if no coarse board shows a free cell.

    ``seed`` is used if ``options`` have none. Raises RulesError if the guide in ``options`` cannot play by the rules.
    """
    if not can_check(options, position, seconds):
        return _find_unchecked(options, position, seconds, seed)
    if opening := open_safely(position, seconds, seed):
        return [opening]
    until_s, share = search_clock.now_s() + seconds, 1 - CONFIG.safe_share
    playouts = options.playouts and int(options.playouts * share)
    found = _find_unchecked(msgspec.structs.replace(options, playouts=playouts), position, seconds * share, seed)
    answers = options.playouts and (options.playouts - (playouts or 0)) // CONFIG.playouts_per_answer
    return replace_unsafe(position, found, Budget(answers, until_s - search_clock.now_s()))


def _find_unchecked(options: SearchOptions, position: Position, seconds: float, seed: int) -> list[Stone]:
    until_s = search_clock.now_s() + seconds
    found = find_best_against_model(options, position, seconds, seed)
    return found or MoveSearch(options, position, until_s - search_clock.now_s(), seed).find_best_moves()


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


def can_use_model(options: SearchOptions, position: Position, seconds: float) -> bool:
    """Say whether there is a rival that plays like the model, has answers to come, and can be predicted in the time."""
    rules = position.rules
    if rules.players != 2 or rules.size < CONFIG.model_least_side or options.depth or options.width or options.guide:
        return False
    playouts = options.playouts
    if seconds < CONFIG.model_least_s if playouts is None else playouts < CONFIG.model_least_playouts:
        return False
    turns, compares = turns_of(position), CONFIG.can_compare_exactly(options, position, seconds)
    is_open = turns.plies > 2 and bool(turns.stones.all())
    return is_open and is_two_ply_player(position, 1 - turns.seat, compares=compares)


def find_best_against_model(options: SearchOptions, position: Position, seconds: float, seed: int = 0) -> list[Stone]:
    """Return stones, best first, against a rival that looks two plies ahead; none unless ``can_use_model``."""
    until_s = search_clock.now_s() + seconds
    if not can_use_model(options, position, seconds):
        return []
    first = MoveSearch(options, position, seconds, seed).search_first_board(CONFIG.model_tree_share)
    share = 1 - CONFIG.model_tree_share
    stones = options.playouts and int(options.playouts * share) // CONFIG.model_stone_playouts
    leads = _compare_stones(options.grid, position, first, Budget(stones, until_s - search_clock.now_s()))
    best = sorted(leads, key=leads.__getitem__, reverse=True)
    return draw_equal_first(position, best, leads, seed if options.seed is None else options.seed) or first


def draw_equal_first(position: Position, best: list[Stone], leads: dict[Stone, float], seed: int) -> list[Stone]:
    """Put first a stone drawn from those about as good as the best; change nothing late in a game, or for seed 0."""
    own_stones = sum(seat == position.to_move for seat, _ in position.moves)
    if seed == 0 or own_stones >= CONFIG.draw_own_stones or turns_of(position).plies < CONFIG.draw_least_plies:
        return best
    gap = CONFIG.draw_gap if own_stones else CONFIG.draw_opening_gap
    equal = [stone for stone in best if leads[stone] >= leads[best[0]] - gap]
    first = equal[int(np.random.default_rng(seed).integers(len(equal)))] if equal else None
    return [first, *(stone for stone in best if stone != first)] if first else best


def is_two_ply_player(position: Position, seat: int, *, compares: bool = True) -> bool:
    """Say whether a seat shows no habit, but answers as a player that looks two plies ahead.

    In short games without weights, a seat that has not answered yet counts as such a player; plans (best_response.py)
    expect the same of it. ``compares``: as for ``habits.find_habit``.
    """
    answers = [ply for ply, (mover, _) in enumerate(position.moves) if mover == seat and ply > 0]
    if not position.moves or find_habit(position, seat, compares=compares) != NO_HABIT:
        return False
    if not answers:
        return position.rules.stones <= CONFIG.short_game_stones and position.rules.weight is None
    return all(is_model_answer(position, ply) for ply in answers[-CONFIG.model_matches :])


def is_model_answer(position: Position, ply: int) -> bool:
    """Say whether the stone of a ply stands near where the model would put it, with the same weight."""
    stone, expected = position.moves[ply][1], predict_answer(position.before(ply))
    square = (stone.row - expected.row) ** 2 + (stone.col - expected.col) ** 2
    return stone.weight == expected.weight and square * CONFIG.model_tolerance_per_side**2 <= position.rules.size**2


@lru_cache(maxsize=1024)
def predict_answer(position: Position) -> Stone:
    """Return roughly the stone that a player looking two plies ahead would place; as last stone, the exact best."""
    if turns_of(position).plies == 1:
        return candidates.best_reply(position)
    options = SearchOptions(depth=CONFIG.model_depth, width=CONFIG.model_width)
    finest_step = position.rules.size / CONFIG.model_steps_per_side
    model = MoveSearch(options, position, CONFIG.model_s, finest_step=finest_step)
    return next(iter(model.find_best_moves()), None) or candidates.first_free(position)


def _compare_stones(grid: int, position: Position, first: list[Stone], budget: Budget) -> dict[Stone, float]:
    """Compare the stones ``first``, then others nearer and nearer to the best; return the expected lead after each."""
    leads: dict[Stone, float] = {}

    def compare(stones: list[Stone]) -> None:
        for stone in stones:
            if stone not in leads and budget.left() > 0:
                leads[stone] = estimate_lead(position, stone, grid)
                budget.spend(1)

    compare(first[: CONFIG.model_first_stones])
    step = position.rules.size / grid / 2
    while leads and budget.left() > 0 and step * CONFIG.model_steps_per_side > position.rules.size:
        best = max(leads, key=leads.__getitem__)
        compare(candidates.around(position, [best], step))
        if best == max(leads, key=leads.__getitem__):
            step /= 2
    return leads


def estimate_lead(position: Position, stone: Stone, grid: int) -> float:
    """Return the mover's expected final lead after a stone, as a share of the board.

    The rival's next answers are computed; between these answers the mover places what a short search finds.
    """
    seat, answers = position.to_move or 0, 0
    while True:
        position = position.play(stone)
        if position.to_move == 1 - seat:
            position = position.play(predict_answer(position))
            answers += 1
        if position.to_move is not None and turns_of(position).plies == 1:
            position = position.play(candidates.best_reply(position))
        if position.to_move is None:
            return (2 * position.scores[seat] - sum(position.scores)) / position.rules.size**2
        if answers >= CONFIG.model_answers:
            return search_briefly(position, grid, CONFIG.model_leaf_playouts)[0]
        stone = search_briefly(position, grid, CONFIG.model_step_playouts)[1]


def search_briefly(position: Position, grid: int, playouts: int) -> tuple[float, Stone]:
    """Return the mover's final lead, estimated by ``playouts`` playouts, and its best stone."""
    turns, children = turns_of(position), CONFIG.candidates_per_node
    board = coarse_board.coarsen(position, grid, turns.plies, foresees=True)
    tree = puct_tree.new_tree(children * (playouts + 1), 2)
    width = expansion.Width(children, round(grid / CONFIG.candidates_per_side))
    mcts.grow(tree, playouts, board, turns, width, turns.plies, NO_GUIDE)
    best = puct_tree.best_children(tree, turns.seat)[:1]
    stones = candidates.legal(position, tree.places[best], tree.weights[best], position.rules.size / grid)
    node = best[0] if best.size else 0  # the root has no children if no cell of the coarse board is free
    lead = float(tree.value_sum[node, turns.seat] / max(tree.visits[node], 1))
    return lead, stones[0] if stones else candidates.first_free(position)
