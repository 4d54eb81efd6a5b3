"""The best stone against a rival whose answers can be computed, for it looks two plies ahead and no farther.

Many programs put their stone where it keeps the most after the best answer, as ``search:depth=2,width=24`` does. Such a
rival says the same to the same position each time. So a stone need not stand against all answers but against the one
that comes: each is played, answered by the model, and worth what a short search from there promises. The best one is
moved about by smaller and smaller steps then. That is opponent-model search (Iida, Uiterwijk, van den Herik and
Herschberg 1993) at the root, with playouts below; and the model is given up as soon as the rival strays from it.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from hinterland import stopwatch
from hinterland.gravity.coarse import coarse_board
from hinterland.gravity.guide.network import NO_GUIDE
from hinterland.gravity.habits import NONE, habit_of
from hinterland.gravity.rules import Position, Stone
from hinterland.gravity.search import candidates, expansion, mcts, puct_tree
from hinterland.gravity.search.refinement import (
    APART,
    COSTLY,
    DRAWN,
    EARLY,
    EQUAL,
    EQUAL_OPENINGS,
    PLANNED,
    PLANNING_S,
    PLANS,
    SHORT,
    WIDTH,
    Refinement,
    SearchOptions,
    has_time_to_compare,
)
from hinterland.gravity.search.stones_left import turns_of
from hinterland.search.budget import Budget

MODEL = SearchOptions(depth=2, width=24)
"""The rival. It sees all that it looks at, so that time makes no difference to it."""
MODEL_S = 60.0
FINEST = 200
"""Its answer is looked for on boards until places around the best are closer than this share of the board."""
TELLING = 2
"""So many of its last answers must be those of the model, or all if there are fewer;"""
NEAR = 40
"""that is, no farther away than this share of the board: a model that ends on coarser boards is off by so much."""
LEAST_S, LEAST_PLAYOUTS = PLANNING_S, PLANS * COSTLY
"""For less time, or playouts, there are too few stones that could be compared."""
FIRST = 0.2
"""The share of that for a tree that says which stones to compare,"""
COMPARED = 12
"""the best of which are so many."""
ANSWERS = 2
"""So many answers to come are computed,"""
QUICK = 40
"""between which the mover goes on as so many playouts say;"""
PLAYOUTS = 400
"""a stone is worth what so many promise then,"""
COST = 512
"""and all that takes as long as so many."""


def best_moves(options: SearchOptions, position: Position, seconds: float, seed: int = 0) -> list[Stone]:
    """Return stones, best first, against a rival whose answers can be computed; none where nobody is known to be one.

    ``options``, ``seconds``, ``seed``: as of Refinement.
    """
    until_s = stopwatch.now_s() + seconds
    if not _applies(options, position, seconds):
        return []
    first = Refinement(options, position, seconds, seed).on_first_board(FIRST)
    looks = options.playouts and int(options.playouts * (1 - FIRST)) // COST
    promises = _climb(options, position, first, Budget(looks, until_s - stopwatch.now_s()))
    best = sorted(promises, key=promises.__getitem__, reverse=True)
    return _drawn(position, best, promises, seed if options.seed is None else options.seed) or first


def _drawn(position: Position, best: list[Stone], promises: dict[Stone, float], seed: int) -> list[Stone]:
    """Put one of the stones that promise about as much as the best first, so that nobody can prepare for it.

    That is so with each seat's first stones, as in a tree; for seed 0 nothing is drawn.
    """
    placed = sum(seat == position.to_move for seat, _ in position.moves)
    if seed == 0 or placed >= EARLY or turns_of(position).plies < DRAWN:
        return best
    equal = EQUAL if placed else EQUAL_OPENINGS
    likely = [stone for stone in best if promises[stone] >= promises[best[0]] - equal]
    first = likely[int(np.random.default_rng(seed).integers(len(likely)))] if likely else None
    return [first, *(stone for stone in best if stone != first)] if first else best


def _applies(options: SearchOptions, position: Position, seconds: float) -> bool:
    """Say whether the rival's answers are known, there is one to come, and time to make use of it."""
    rules = position.rules
    if rules.players != 2 or rules.size < PLANNED or options.depth or options.width or options.guide:
        return False
    if seconds < LEAST_S if options.playouts is None else options.playouts < LEAST_PLAYOUTS:
        return False
    turns, compares = turns_of(position), has_time_to_compare(options, position, seconds)
    is_open = turns.plies > 2 and bool(turns.stones.all())
    return is_open and looks_two_plies_ahead(position, 1 - turns.seat, compares=compares)


def looks_two_plies_ahead(position: Position, seat: int, *, compares: bool = True) -> bool:
    """Say whether a seat's last answers, and no other habit, are those of a rival that looks two plies ahead.

    In short games without weights that is expected of who has not answered yet, as it is where plans are made.
    ``compares``: as of habits.habit_of.
    """
    answers = [ply for ply, (mover, _) in enumerate(position.moves) if mover == seat and ply > 0]
    if not position.moves or habit_of(position, seat, compares=compares) != NONE:
        return False
    if not answers:
        return position.rules.stones <= SHORT and position.rules.weight is None
    return all(_foretold(position, ply) for ply in answers[-TELLING:])


def _foretold(position: Position, ply: int) -> bool:
    """Say whether a stone stands near where the model puts it, with the same weight."""
    stone, expected = position.moves[ply][1], answer_to(position.before(ply))
    square = (stone.row - expected.row) ** 2 + (stone.col - expected.col) ** 2
    return stone.weight == expected.weight and square * NEAR**2 <= position.rules.size**2


@lru_cache(maxsize=1024)
def answer_to(position: Position) -> Stone:
    """Return the stone of a player that looks two plies ahead, about; if it is the last one, the exact best."""
    if turns_of(position).plies == 1:
        return candidates.best_last(position)
    model = Refinement(MODEL, position, MODEL_S, closest=position.rules.size / FINEST)
    return next(iter(model.best_moves()), None) or candidates.first_free(position)


def _climb(options: SearchOptions, position: Position, first: list[Stone], budget: Budget) -> dict[Stone, float]:
    """Compare the first stones, then those around the best at smaller and smaller steps; return what all promise."""
    promises: dict[Stone, float] = {}

    def compare(stones: list[Stone]) -> None:
        for stone in stones:
            if stone not in promises and budget.left() > 0:
                promises[stone] = promised(position, stone, options.grid)
                budget.took(1)

    compare(first[:COMPARED])
    step = position.rules.size / options.grid / 2
    while promises and budget.left() > 0 and step * FINEST > position.rules.size:
        best = max(promises, key=promises.__getitem__)
        compare(candidates.around(position, [best], step))
        if best == max(promises, key=promises.__getitem__):
            step /= 2
    return promises


def promised(position: Position, stone: Stone, grid: int) -> float:
    """Return by how much the mover is to lead in the end after a stone, as a share of the board.

    The rival's next answers are computed; between them the mover goes on as a quick look says.
    """
    seat, answers = position.to_move or 0, 0
    while True:
        position = position.play(stone)
        if position.to_move == 1 - seat:
            position = position.play(answer_to(position))
            answers += 1
        if position.to_move is not None and turns_of(position).plies == 1:
            position = position.play(candidates.best_last(position))
        if position.to_move is None:
            return (2 * position.scores[seat] - sum(position.scores)) / position.rules.size**2
        if answers >= ANSWERS:
            return _looked(position, grid, PLAYOUTS)[0]
        stone = _looked(position, grid, QUICK)[1]


def _looked(position: Position, grid: int, playouts: int) -> tuple[float, Stone]:
    """Return by how much the mover leads in the end, as so many playouts promise, and its best stone."""
    turns = turns_of(position)
    board = coarse_board.coarsen(position, grid, turns.plies, foresees=True)
    tree = puct_tree.new_tree(WIDTH * (playouts + 1), 2)
    mcts.grow(tree, playouts, board, turns, expansion.Width(WIDTH, round(grid / APART)), turns.plies, NO_GUIDE)
    best = puct_tree.best_children(tree, turns.seat)[:1]
    stones = candidates.legal(position, tree.places[best], tree.weights[best], position.rules.size / grid)
    node = best[0] if best.size else 0  # it has no children where no cell of the coarse board is free
    lead = float(tree.value_sum[node, turns.seat] / max(tree.visits[node], 1))
    return lead, stones[0] if stones else candidates.first_free(position)
