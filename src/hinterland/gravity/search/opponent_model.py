"""Computes what a rival that looks two plies ahead answers, and compares stones by the lead after these answers.

This is opponent-model search (Iida, Uiterwijk, van den Herik and Herschberg 1993) at the root, with playouts below. A
rival is taken for such a player while its answers are those that this file computes.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from hinterland import search_clock
from hinterland.gravity.coarse import coarse_board
from hinterland.gravity.coarse.coarse_board import NO_HABIT
from hinterland.gravity.guide.network import NO_GUIDE
from hinterland.gravity.rules import Position, Stone
from hinterland.gravity.search import candidates, expansion, mcts, puct_tree
from hinterland.gravity.search.config import CONFIG, SearchOptions
from hinterland.gravity.search.habits import find_habit
from hinterland.gravity.search.move_search import MoveSearch
from hinterland.gravity.search.stones_left import turns_of
from hinterland.search.budget import Budget


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
