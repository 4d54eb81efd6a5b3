"""Two plies: a rival is expected where a stone keeps the most by the rules, and plans against it keep their promise."""

import msgspec
import numpy as np
import pytest

from hinterland.contract import Clock
from hinterland.gravity import Rules, Stone
from hinterland.gravity.coarse import coarse_board
from hinterland.gravity.coarse.coarse_board import MIRROR, NO_HABIT, TWO_PLIES
from hinterland.gravity.coarse.coarse_replies import map_replies
from hinterland.gravity.players import Search
from hinterland.gravity.search import move_search, two_plies
from hinterland.gravity.search.config import CONFIG, SearchOptions
from hinterland.gravity.search.move_search import MoveSearch
from hinterland.gravity.search.stones_left import turns_of
from hinterland.jit import JIT_ON, kernel
from more_of_the_same import first_shows

UNTIMED = Clock()
SIZE = 9 if JIT_ON else 7
FEW_PLANS, ENOUGH = 400, CONFIG.playouts_per_plan * CONFIG.plan_least_plans


@kernel(allocates=True)
def kept(board, seat, cell, stones, weights):
    map_replies(board, seat, max(weights[seat] // stones[seat], 1))
    gain = coarse_board.gain_at(board, cell)
    return two_plies.count_kept(board, 0, seat, cell, gain, (stones, weights))


def begun(rules, plies, rng):
    """Return a position after random stones, all of which leave weight for others."""
    position = rules.start()
    while len(position.moves) < plies:
        stone = position.legal_moves.sample(rng)
        position = position.play(Stone(stone.row, stone.col, 1 if rules.weight is None else 3))
    return position


def lead(position, seat):
    """Return a seat's area less that of the other."""
    return 2 * position.scores[seat] - sum(position.scores)


def answered(position, cell, weight):
    """Return what a stone adds to its seat's lead once the best answer has come, as the rules say."""
    seat, after = position.to_move, position.play(Stone(*cell, weight))
    share = max((after.weight_left(1 - seat) or 0) // after.stones_left(1 - seat), 1)
    cells = np.argwhere(after.reply_map(share) >= 0).tolist()
    return min(lead(after.play(Stone(*answer, share)), seat) for answer in cells) - lead(position, seat)


@pytest.mark.parametrize(
    ("law", "weight"), first_shows(("gravity", None), ("nearest", 12), ("gravity", 12), ("nearest", None))
)
def test_kept_cells_agree_with_the_rules(law, weight, rng):
    """On a board as fine as the real one."""
    rules = Rules(size=SIZE, spacing=2, stones=3, weight=weight, law=law)
    for plies in (2, 3, 4):
        position = begun(rules, plies, rng)
        board, turns = coarse_board.coarsen(position, SIZE, 2), turns_of(position)
        share = max(turns.weights[turns.seat] // turns.stones[turns.seat], 1)
        cells = np.argwhere(position.reply_map(int(share)) >= 0)
        for row, col in cells[:: 1 if JIT_ON else 6].tolist():
            found = kept(board, turns.seat, row * SIZE + col, turns.stones, turns.weights)
            assert found == answered(position, (row, col), int(share))


@pytest.mark.thorough
def test_the_cell_that_keeps_the_most_is_mostly_found(rng):
    """Few cells anywhere keep more."""
    rules = Rules(size=SIZE, spacing=1, stones=3)
    better = []
    for plies in (1, 2, 3, 4) * (3 if JIT_ON else 1):
        position = begun(rules, plies, rng)
        board, turns = coarse_board.coarsen(position, SIZE, 2), turns_of(position)
        map_replies(board, turns.seat, 1)
        row, col = divmod(two_plies.two_plies_cell(board, 0, turns.seat, turns.stones, turns.weights), SIZE)
        cells = [tuple(cell) for cell in np.argwhere(position.reply_map(1) >= 0).tolist()]
        keeps = {cell: answered(position, cell, 1) for cell in cells}
        better.append(sum(value > keeps[row, col] for value in keeps.values()) / len(keeps))
    assert np.mean(better) < 0.02


def test_the_last_stone_takes_the_most(rng):
    rules = Rules(size=SIZE, spacing=1, stones=2)
    position = begun(rules, 3, rng)
    board, turns = coarse_board.coarsen(position, SIZE, 1), turns_of(position)
    map_replies(board, turns.seat, 1)
    cell = divmod(two_plies.two_plies_cell(board, 0, turns.seat, turns.stones, turns.weights), SIZE)
    assert position.play(Stone(*cell)).scores[1] == max(
        position.play(stone).scores[1] for stone in position.legal_moves
    )


def test_nothing_is_found_where_no_cell_is_free():
    rules = Rules(size=SIZE, spacing=SIZE - 1, stones=3)
    position = rules.start().play(Stone(SIZE // 2, SIZE // 2))
    board, turns = coarse_board.coarsen(position, SIZE, 2), turns_of(position)
    board.free[:] = 0
    map_replies(board, turns.seat, 1)
    assert two_plies.two_plies_cell(board, 0, turns.seat, turns.stones, turns.weights) == -1


@pytest.mark.jit
@pytest.mark.parametrize(
    ("options", "rules", "expects"),
    [
        ({"playouts": ENOUGH}, {}, True),
        ({"playouts": ENOUGH - 1}, {}, False),
        ({"playouts": ENOUGH}, {"stones": CONFIG.short_game_stones + 1}, False),
        ({"playouts": ENOUGH}, {"weight": 90}, False),
        ({"playouts": ENOUGH}, {"players": 3}, False),
        ({"playouts": ENOUGH}, {"size": 99}, False),
        ({"playouts": ENOUGH, "width": 30}, {}, False),
        ({"playouts": ENOUGH, "depth": 3}, {}, False),
        ({"seconds": CONFIG.plan_least_s}, {}, True),
        ({"seconds": CONFIG.plan_least_s / 2}, {}, False),
    ],
)
def test_rivals_without_a_habit_are_expected_to_look_two_plies_ahead_in_short_games(options, rules, expects, rng):
    position = begun(Rules(**{"size": 200, "spacing": 13, "stones": 3, **rules}), 2, rng)
    looked = MoveSearch(SearchOptions(**options), position, options.get("seconds", 0.0))
    assert looked.can_plan == expects


def test_rivals_with_a_habit_are_not_expected_to_look_two_plies_ahead(rng):
    rules = Rules(size=200 if JIT_ON else CONFIG.model_least_side, spacing=13, stones=3)
    start, options = rules.start(), SearchOptions(playouts=ENOUGH)
    assert not MoveSearch(options, start, 0.0).can_plan
    mirrored = start.play(Stone(40, 40)).play(Stone(rules.size - 41, rules.size - 41))
    assert MoveSearch(options, mirrored, 0.0).habits == (NO_HABIT, MIRROR)
    strange = start.play(Stone(40, 40)).play(Stone(60, 70))
    assert MoveSearch(options, strange, 0.0).habits == (NO_HABIT, TWO_PLIES)


@pytest.mark.thorough
@pytest.mark.jit
def test_a_plan_promises_little_more_than_it_gets(monkeypatch):
    """If good answers were left out, plans would soon find that, and promise what never comes."""
    monkeypatch.setattr(move_search, "CONFIG", msgspec.structs.replace(CONFIG, plan_least_plans=FEW_PLANS))
    kept = [played(np.random.default_rng(seed)) for seed in range(6)]
    assert np.mean([promised - owned for promised, owned in kept]) < 0.02
    assert np.mean([owned for _, owned in kept]) > 0.6


def played(rng):
    """Return the share that a plan promises against a two-ply player, and the share it gets."""
    ahead, options = Search(depth=2, playouts=800), SearchOptions(playouts=CONFIG.playouts_per_plan * FEW_PLANS)
    position = begun(Rules(size=200, spacing=13, stones=3), 1, rng)
    promised = []
    while position.to_move is not None:
        if position.to_move == 0:
            stone = ahead.choose(position, UNTIMED, rng)
        elif position.stones_left(1) == 1:
            stone = position.best_reply(1)[0]
        else:
            planned = MoveSearch(options, position, 0.0, seed=1)
            assert planned.can_plan
            stone = planned.find_best_moves()[0]
            promised.append(planned.shares[1])
        position = position.play(stone)
    return promised[0], position.scores[1] / sum(position.scores)
