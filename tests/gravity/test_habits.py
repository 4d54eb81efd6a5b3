"""A rival that follows a simple rule is recognised by its stones and expected to go on; other rivals are not."""

import numpy as np
import pytest

from hinterland import catalog
from hinterland.contract import Clock
from hinterland.gravity import Rules, Stone
from hinterland.gravity.coarse import coarse_board
from hinterland.gravity.coarse.coarse_board import GREEDY, HUG, LAYOUT, MIRROR, NO_HABIT
from hinterland.gravity.coarse.coarse_replies import map_replies
from hinterland.gravity.guide.network import NO_GUIDE
from hinterland.gravity.players import Search
from hinterland.gravity.search import expansion, habits, mcts, puct_tree
from hinterland.gravity.search.habits import find_habit, find_habits, habitual_cell
from hinterland.gravity.search.stones_left import turns_of
from hinterland.jit import JIT_ON, kernel

UNTIMED = Clock()
SIZE = 200 if JIT_ON else 40
RULES = Rules(size=SIZE, spacing=SIZE // 15, stones=4)


def met(spec, rng, rules=RULES, plies=4):
    """Return a position after a player has answered random stones."""
    player = catalog.player(catalog.game("gravity"), spec)
    position = rules.start()
    while len(position.moves) < plies:
        stone = position.legal_moves.sample(rng)
        position = position.play(player.choose(position, UNTIMED, rng) if position.to_move == 1 else stone)
    return position


@pytest.mark.parametrize(("spec", "habit"), [("lloyd", LAYOUT), ("mirror", MIRROR), ("reply", GREEDY)])
def test_the_habits_of_simple_players_are_recognised(spec, habit, rng):
    for plies in (2, 4, 6):
        position = met(spec, rng, plies=plies)
        assert find_habit(position, 1) == habit
        assert find_habit(position, 0) == NO_HABIT


def test_a_rival_that_stays_close_is_recognised(rng):
    """Stones just beside those of the other, but not where that gains the most."""
    near = RULES.spacing
    position = RULES.start().play(Stone(SIZE // 2, SIZE // 2)).play(Stone(SIZE // 2 + near, SIZE // 2))
    position = position.play(Stone(SIZE // 4, SIZE // 4)).play(Stone(SIZE // 4, SIZE // 4 - near))
    assert find_habit(position, 1) == HUG
    assert find_habit(position.play(Stone(3, SIZE - 3)).play(Stone(SIZE - 3, SIZE - 3)), 1) == NO_HABIT


def test_nobody_has_a_habit_before_its_first_stone():
    assert find_habit(RULES.start(), 0) == find_habit(RULES.start(), 1) == NO_HABIT


def test_a_search_has_no_habit(rng):
    assert find_habit(met("search:playouts=20,grid=16,seed=3", rng), 1) == NO_HABIT


def test_without_time_stones_are_not_compared_with_the_best(monkeypatch, rng):
    position = met("reply", rng)
    find_habit.cache_clear()
    assert find_habit(position, 1, compares=False) != GREEDY
    monkeypatch.setattr(habits, "_is_greedy", None)
    search = Search(grid=10)
    assert search.choose(position, Clock(left_ms=30), rng) in position.legal_moves
    find_habit.cache_clear()
    with pytest.raises(TypeError):
        Search(playouts=5, grid=10).choose(position, UNTIMED, rng)


@kernel(allocates=True)
def expected(board, ply, seat):
    return habitual_cell(board, ply, seat)


def where(position, grid=20):
    """Return a coarse board, and the cell where the seat to move is expected by its habit."""
    board = coarse_board.coarsen(position, grid, 3)
    board.habits[position.to_move] = find_habit(position, position.to_move)
    map_replies(board, position.to_move, 1)
    return board, divmod(expected(board, 0, position.to_move), grid)


def test_a_mirroring_rival_is_expected_in_the_mirror(rng):
    position = met("mirror", rng).play(Stone(SIZE // 10, SIZE // 5))
    cell = (19 - 20 * (SIZE // 10) // SIZE, 19 - 20 * (SIZE // 5) // SIZE)
    assert max(abs(np.subtract(where(position)[1], cell))) <= 1


def test_a_greedy_rival_is_expected_at_the_greatest_gain(rng):
    position = met("reply", rng).play(Stone(SIZE // 10, SIZE // 5))
    board, (row, col) = where(position)
    assert board.gains[row, col] == board.gains[board.free[0] == 1].max()


def test_a_hugging_rival_is_expected_close_to_a_stone(rng):
    near = RULES.spacing
    position = RULES.start().play(Stone(SIZE // 2, SIZE // 2)).play(Stone(SIZE // 2 + near, SIZE // 2))
    position = position.play(Stone(SIZE // 4, SIZE // 4)).play(Stone(SIZE // 4, SIZE // 4 - near))
    position = position.play(Stone(SIZE - 5, SIZE // 2))
    row, col = where(position)[1]
    stones = np.array([(stone.row, stone.col) for seat, stone in position.moves if seat == 0]) * 20 / SIZE
    away = np.hypot(*(stones - (row, col)).T)
    assert away.min() < near * 20 / SIZE + 2


def test_a_tree_has_few_answers_of_a_rival_with_a_habit(rng):
    position = met("reply", rng)
    board = coarse_board.coarsen(position, 20, 4, habits=find_habits(position))
    assert board.habits.tolist() == [NO_HABIT, GREEDY]
    tree = puct_tree.new_tree(2000, 2)
    mcts.grow(tree, 60 if JIT_ON else 30, board, turns_of(position), expansion.Width(24, 1), 4, NO_GUIDE)
    grown = [child for child in range(1, tree.children[0] + 1) if tree.children[child]]
    assert tree.children[0] > expansion.HABITUAL_CHILDREN
    assert grown
    assert all(tree.children[child] <= expansion.HABITUAL_CHILDREN for child in grown)


def test_a_rival_with_a_habit_is_beaten(rng):
    rules = Rules(size=SIZE, spacing=SIZE // 15, stones=3)
    knowing, other = Search(playouts=60, grid=16, seed=1), catalog.player(catalog.game("gravity"), "reply")
    position = rules.start().play(Stone(SIZE // 3, SIZE // 4))
    while position.to_move is not None:
        position = position.play((other, knowing)[position.to_move].choose(position, UNTIMED, rng))
    assert position.scores[1] > position.scores[0]
