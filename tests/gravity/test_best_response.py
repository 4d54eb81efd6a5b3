"""Plans against rivals of known habits: their values agree with the rules, and rise the longer they are improved."""

import subprocess
import sys

import numpy as np
import pytest

from hinterland import catalog
from hinterland.contract import Clock
from hinterland.gravity import Rules, Stone
from hinterland.gravity.coarse import coarse_board
from hinterland.gravity.coarse.coarse_board import GREEDY, LAYOUT, NO_HABIT, TWO_PLIES
from hinterland.gravity.players import Search
from hinterland.gravity.search import best_response
from hinterland.gravity.search.config import SearchOptions
from hinterland.gravity.search.habits import find_habits
from hinterland.gravity.search.move_search import MoveSearch
from hinterland.gravity.search.stones_left import turns_of
from hinterland.jit import JIT_ON, kernel
from hinterland.search.random_numbers import seed_of

SIZE = 20 if JIT_ON else 8
ROUNDS = 400 if JIT_ON else 40
UNTIMED = Clock()


def begun(spec, rules, rng, plies=2):
    """Return a position in which a player has answered random stones."""
    player, position = catalog.player(catalog.game("gravity"), spec), rules.start()
    while len(position.moves) < plies:
        stone = position.legal_moves.sample(rng)
        position = position.play(player.choose(position, UNTIMED, rng) if position.to_move == 1 else stone)
    return position


def climbed(position, rounds, grid=SIZE, seed=1):
    """Return plans after a number of rounds; a rival without a habit is expected to look two plies ahead."""
    turns = turns_of(position)
    habits = tuple(
        habit or (TWO_PLIES if seat != turns.seat else NO_HABIT) for seat, habit in enumerate(find_habits(position))
    )
    board = coarse_board.coarsen(position, grid, turns.plies, habits=habits, foresees=True)
    climb = best_response.new_climb(turns, turns.plies, seed_of(np.random.default_rng(seed)))
    assert best_response.improve(board, turns, climb, rounds) == rounds
    return board, climb


def lead(position, seat):
    """Return a seat's area less that of the other."""
    return 2 * position.scores[seat] - sum(position.scores)


@pytest.mark.parametrize("law", ["gravity", "nearest"])
@pytest.mark.parametrize("weight", [None, 12])
def test_the_value_of_a_plan_agrees_with_the_rules(law, weight, rng):
    """On a board as fine as the real one: stones are legal, rivals follow their habit, the value is the final lead."""
    rules = Rules(size=SIZE, spacing=2, stones=3, weight=weight, law=law)
    position = begun("reply", rules, rng)
    board, climb = climbed(position, ROUNDS)
    assert board.habits[1] == GREEDY
    for seat, row, col, heavy in climb.line.astype(int).tolist():
        assert seat == position.to_move
        stone = Stone(row, col, heavy)
        if seat == 1:
            cells = np.argwhere(position.reply_map(heavy) >= 0).tolist()
            assert lead(position.play(stone), 1) == max(lead(position.play(Stone(*cell, heavy)), 1) for cell in cells)
        position = position.play(stone)
    assert position.to_move is None
    assert climb.value.tolist() == pytest.approx([lead(position, seat) / SIZE**2 for seat in range(2)])


@kernel(allocates=True)
def play_trial(board, turns, climb) -> None:
    best_response.play_trial(board, turns, climb, 0)


@pytest.mark.parametrize("row", [-0.36, 3.02, 47.4])
def test_a_plan_keeps_its_places_beside_stones_up_to_the_edge(row):
    """On a coarse board with rings; the outermost rows of the real board lie beyond the middles of the coarse cells."""
    position = Rules(size=1000, spacing=1, stones=2).start().play(Stone(480, 500)).play(Stone(510, 470))
    board, turns = coarse_board.coarsen(position, 48, 2), turns_of(position)
    climb = best_response.new_climb(turns, 2, seed_of(np.random.default_rng(1)))
    climb.trial[0, :2] = row, 24.1
    play_trial(board, turns, climb)
    assert climb.trial_line[0].tolist() == [0, row, 24.1, 1]
    assert climb.trial_line[1, 0] == 1


def test_plans_get_better_and_keep_to_the_weight(rng):
    rules = Rules(size=SIZE, spacing=2, stones=4, weight=40)
    position = begun("reply", rules, rng)
    values = [climbed(position, rounds)[1].best_value[0] for rounds in (1, ROUNDS // 4, ROUNDS)]
    assert values == sorted(values)
    assert values[0] < values[-1]
    best = climbed(position, ROUNDS)[1].best
    assert best[:, 2].sum() == position.weight_left(0)
    assert best[:, 2].min() >= 1


@pytest.mark.compiles
@pytest.mark.parametrize("weight", [None, 40])
@pytest.mark.parametrize("spec", ["lloyd", "reply", "random"])
def test_the_unchanged_part_of_a_plan_is_repeated(spec, weight, rng):
    """Playing on from the first stone that changed gives the same line as playing the whole plan."""
    rules = Rules(size=SIZE, spacing=2, stones=4, weight=weight)
    position = begun(spec, rules, rng)
    for rounds in (3, 10, ROUNDS // 4):
        board, climb = climbed(position, rounds)
        line, value = climb.line.copy(), climb.value.copy()
        climb.trial[:] = climb.plan
        best_response.play_trial(board, turns_of(position), climb, 0)
        assert climb.trial_line.tolist() == line.tolist()
        assert climb.trial_value.tolist() == value.tolist()


def test_stones_that_find_no_room_end_a_plan():
    rules = Rules(size=SIZE, spacing=SIZE - 1, stones=4)
    _, climb = climbed(rules.start().play(Stone(0, 0)).play(Stone(SIZE - 1, 0)), ROUNDS // 4)
    assert np.isfinite(climb.best_value).all()
    assert climb.line[0, 0] == 0
    assert (climb.line[2:, 0] == best_response.OPEN_ROW).all()


@pytest.mark.jit
@pytest.mark.parametrize("spec", ["lloyd", "reply", "mirror", "hug"])
def test_a_search_plans_against_rivals_of_known_habit(spec, rng):
    """The same seed gives the same moves, and at least about the share that the plan promised."""
    rules = Rules(size=200, spacing=13, stones=4)
    position = begun(spec, rules, rng, plies=4)
    options = SearchOptions(playouts=300)
    one, two = (MoveSearch(options, position, 0.0, seed=7) for _ in range(2))
    assert one.find_best_moves() == two.find_best_moves()
    assert len(one.find_best_moves()) == 1
    assert sum(one.shares) == pytest.approx(1, abs=0.01)
    rival, knowing = catalog.player(catalog.game("gravity"), spec), Search(playouts=300)
    while position.to_move is not None:
        position = position.play((knowing, rival)[position.to_move].choose(position, UNTIMED, rng))
    assert position.scores[0] / sum(position.scores) > one.shares[0] - 0.05


@pytest.mark.jit
def test_plans_are_compiled_before_a_match_begins():
    """A clock that ran during compilation would run out."""
    code = (
        "from hinterland import catalog; catalog.game('gravity').warm_up()\n"
        "from hinterland.gravity.search import best_response, last_but_one\n"
        "print(len(best_response.improve.signatures), len(last_but_one.count_kept_on.signatures))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout == "1 1\n"


@pytest.mark.jit
def test_a_search_plans_for_large_boards_and_known_rivals_only(rng):
    small, large = (Rules(size=size, spacing=size // 15, stones=4) for size in (60, 200))
    for rules, spec, plies, plans in (
        (small, "lloyd", 4, False),
        (large, "random", 4, False),
        (large, "lloyd", 6, False),
        (large, "lloyd", 4, True),
    ):
        search = MoveSearch(SearchOptions(playouts=20), begun(spec, rules, rng, plies), 0.0)
        search.find_best_moves()
        assert search.can_plan == plans


def test_a_layout_is_expected_on_its_sites_that_may_be_taken():
    """Even close to its own stones, for a rival on a layout does not keep away from them."""
    rules = Rules(size=40, spacing=4, stones=4)
    even = [Stone(row, col) for row, col in coarse_board.even_layout(40, 4)]
    position = rules.start().play(even[0]).play(Stone(even[1].row, even[1].col + 2))
    board = coarse_board.coarsen(position, 40, 4, habits=find_habits(position, compares=False))
    assert board.habits.tolist() == [0, 0], "the mover has none"
    position = position.play(Stone(even[2].row - 5, even[2].col)).play(Stone(20, 20))
    position = position.play(Stone(0, 0))
    board = coarse_board.coarsen(position, 40, 3, habits=find_habits(position, compares=False))
    assert board.habits[0] != LAYOUT
    position = rules.start().play(Stone(0, 0)).play(even[0]).play(Stone(even[1].row, even[1].col + 2))
    position = position.play(even[2])
    board = coarse_board.coarsen(position, 40, 4, habits=find_habits(position, compares=False))
    assert board.habits[1] == LAYOUT
    assert np.argwhere(board.expected[1, 0]).tolist() == [[even[3].row, even[3].col]]
