"""The search: coarse boards against brute force, choices against exhaustive play, its plan of time, its strength."""

import math
import threading

import msgspec
import numpy as np
import pytest

import oracle_gravity
from gravity_boards import by_seat
from hinterland import catalog
from hinterland.contract import Clock
from hinterland.errors import BadText, UnknownName
from hinterland.gravity import Position, Rules, Stone, lloyd
from hinterland.gravity.coarse import coarse_board
from hinterland.gravity.coarse.coarse_replies import map_replies
from hinterland.gravity.guide.network import NO_GUIDE
from hinterland.gravity.players import Reply, Search
from hinterland.gravity.search import candidates, exact_answers, expansion, mcts, puct_tree
from hinterland.gravity.search.config import CONFIG
from hinterland.gravity.search.habits import find_habits
from hinterland.gravity.search.stones_left import turns_of
from hinterland.jit import JIT_ON

UNTIMED = Clock()


def after(rules, moves, rng):
    """Return a position after some random moves of small weight."""
    position = rules.start()
    for _ in range(moves):
        stone = position.legal_moves.sample(rng)
        weight = 1 if rules.weight is None else int(rng.integers(1, rules.weight // rules.stones + 1))
        position = position.play(msgspec.structs.replace(stone, weight=weight))
    return position


def lead(position, seat):
    """Return the area of a seat less those of the others, in whole fractions."""
    rules = position.rules
    owned = [owner for line in oracle_gravity.owners(by_seat(position), rules.size, rules.law) for owner in line]
    return 2 * owned.count(seat) - sum(owner >= 0 for owner in owned)


@pytest.mark.parametrize("law", ["gravity", "nearest"])
@pytest.mark.parametrize("weight", [None, 12])
def test_a_coarse_board_as_fine_as_the_real_one_shows_what_every_stone_adds(law, weight, rng):
    for moves in (1, 2, 3):
        position = after(Rules(size=7, stones=3, spacing=2, weight=weight, law=law), moves, rng)
        board = coarse_board.coarsen(position, 7, 1)
        map_replies(board, position.to_move, 1)
        before = lead(position, position.to_move)
        for stone in position.legal_moves:
            if stone.weight == 1:
                assert board.free[0, stone.row, stone.col] == 1
                gained = lead(position.play(stone), position.to_move) - before
                assert board.gains[stone.row, stone.col] == gained, (str(position), stone)
        assert board.free[0].sum() == position.legal_moves.cells()


@pytest.mark.jit
def test_blocks_of_cells_change_gains_by_little(rng):
    """The bar is what docs/performance.md says of gains; the coarse board counts a cell taken from another twice."""
    for moves in (1, 2, 5, 12, 19):
        position = after(Rules(size=640, spacing=42), moves, rng)
        board = coarse_board.coarsen(position, 64, 1)
        map_replies(board, position.to_move, 1)
        found = board.gains[board.free[0] == 1] / (2 * 64 * 64)
        exact = position.reply_map()[5::10, 5::10][board.free[0] == 1] / 640**2
        assert board.blocks
        assert np.abs(found - exact).mean() < 0.01
        assert exact[found.argmax()] > exact.max() - 0.015


class Exhaustive:
    """Minimax without pruning for 5 x 5 boards of light stones: pulls are whole multiples of one over all squares."""

    SIZE = 5
    UNIT = math.lcm(*({i * i + j * j for i in range(5) for j in range(5)} - {0}))
    NEAR = 10**9 * UNIT

    def __init__(self, position):
        cells = [(row, col) for row in range(self.SIZE) for col in range(self.SIZE)]
        squares = np.array([[(a - c) ** 2 + (b - d) ** 2 for c, d in cells] for a, b in cells])
        self.pulls = np.where(squares == 0, self.NEAR, self.UNIT // np.maximum(squares, 1))
        self.near = squares < position.rules.spacing**2
        self.turns = [turn % 2 for turn in range(len(position.moves), 2 * position.rules.stones)]
        self.fields = np.zeros((2, self.SIZE**2), dtype=np.int64)
        self.free = np.ones(self.SIZE**2, dtype=bool)
        for seat, stone in position.moves:
            cell = stone.row * self.SIZE + stone.col
            self.fields[seat] += self.pulls[cell]
            self.free &= ~self.near[cell]

    def leads(self, fields, free, turns):
        """Return the lead of the seat to move after each cell, as best play from there gives it."""
        seat = turns[0]
        found = {}
        for cell in np.flatnonzero(free):
            grown = fields.copy()
            grown[seat] += self.pulls[cell]
            found[int(cell)] = -self.value(grown, free & ~self.near[cell], turns[1:], seat)
        return found

    def value(self, fields, free, turns, moved):
        """Return the lead of the seat after the one that moved last."""
        if not turns or not free.any():
            return int((fields[1 - moved] > fields[moved]).sum() - (fields[moved] > fields[1 - moved]).sum())
        if len(turns) == 1:
            grown = fields[turns[0]] + self.pulls[free]
            rival = fields[1 - turns[0]]
            return int(((grown > rival).sum(axis=1) - (grown < rival).sum(axis=1)).max())
        return max(self.leads(fields, free, turns).values())


@pytest.mark.parametrize("moves", [1, 2, 3])
def test_small_boards_are_played_perfectly(moves, rng):
    for _ in range(8 if JIT_ON else 1):
        position = after(Rules(size=5, stones=2, spacing=2), moves, rng)
        solved = Exhaustive(position)
        leads = solved.leads(solved.fields, solved.free, solved.turns)
        chosen = Search(playouts=3000).choose(position, UNTIMED, rng)
        assert leads[chosen.row * 5 + chosen.col] == max(leads.values()), str(position)


def test_a_search_of_two_plies_is_minimax(rng):
    position = after(Rules(size=5, stones=4, spacing=2), 2, rng)
    solved = Exhaustive(position)
    leads = solved.leads(solved.fields, solved.free, solved.turns[:2])
    chosen = Search(playouts=3000, depth=2).choose(position, UNTIMED, rng)
    assert leads[chosen.row * 5 + chosen.col] == max(leads.values())


@pytest.mark.jit
def test_the_last_stone_is_the_exact_best(rng):
    position = after(Rules(size=301, stones=3, spacing=20), 5, rng)
    gains = position.reply_map()
    for search in (Search(playouts=1), Search(seconds=3600.0)):
        stone = search.choose(position, UNTIMED, rng)
        assert gains[stone.row, stone.col] == gains.max()


@pytest.mark.jit
def test_the_last_stone_but_one_is_moved_to_where_its_answer_leaves_the_most(rng):
    position = after(Rules(size=101, stones=2, spacing=9), 2, rng)
    stone = Search(playouts=2000).choose(position, UNTIMED, rng)
    kept = {near: exact_answers.lead_when_answered(position, near) for near in candidates.around(position, [stone], 1)}
    assert kept[stone] == max(kept.values())
    answered = position.play(stone)
    gains = answered.reply_map()
    best = Stone(*divmod(int(gains.argmax()), 101))
    first, second = answered.play(best).scores
    assert kept[stone] == first - second


@pytest.mark.parametrize("options", [{}, {"weight": 40}, {"players": 3}, {"law": "nearest"}])
def test_fixed_playouts_repeat(options, rng):
    position = after(Rules(size=30, stones=3, spacing=3, **options), 2, rng)
    search = Search(playouts=40 if JIT_ON else 3, grid=10, width=6)
    stones = {search.choose(position, UNTIMED, np.random.default_rng(7)) for _ in range(3)}
    assert len(stones) == 1
    assert stones.pop() in position.legal_moves
    fixed = msgspec.structs.replace(search, seed=5)
    assert len({fixed.choose(position, UNTIMED, np.random.default_rng(seed)) for seed in range(3)}) == 1
    assert msgspec.structs.replace(search, seed=5).choose(position, UNTIMED, rng) in position.legal_moves


@pytest.mark.jit
def test_another_seed_plays_another_game(rng):
    """A recorded win cannot be replayed against it, for it draws from the match's generator."""
    position = after(Rules(size=60, stones=4, spacing=5), 1, rng)
    search = Search(playouts=150, grid=20)
    assert len({search.choose(position, UNTIMED, np.random.default_rng(seed)) for seed in range(12)}) > 1


def test_a_weighted_game_spends_all_there_is(rng):
    position = after(Rules(size=20, stones=2, spacing=3, weight=9), 1, rng)
    search = Search(playouts=10 if JIT_ON else 2, grid=8, width=6)
    while position.to_move is not None:
        position = position.play(search.choose(position, UNTIMED, rng))
    assert [position.weight_left(seat) for seat in range(2) if position.stones_left(seat) == 0] in ([0], [0, 0])


def test_less_weight_than_stones_is_spread_over_fewer_stones(rng):
    rules = Rules(size=20, stones=4, spacing=3, weight=9)
    position = rules.start().play(Stone(3, 3, weight=7)).play(Stone(15, 15, weight=1))
    turns = turns_of(position)
    assert (turns.stones.tolist(), turns.weights.tolist()) == ([2, 3], [2, 8])
    assert Search(playouts=10 if JIT_ON else 2, grid=8, width=6).choose(position, UNTIMED, rng).weight == 1


def test_the_plan_of_time_uses_most_of_a_budget_and_keeps_a_rest():
    for budget_s, least_s, most_s in ((120, 100, 115), (5, 2.5, 4.2), (600, 500, 595)):
        position = Rules().start()
        left_ms = budget_s * 1000
        for stones in range(10, 0, -1):
            after_some = Position(
                position.rules, tuple((seat, Stone(0, 0)) for _ in range(10 - stones) for seat in (0, 1))
            )
            left_ms -= int(Search().seconds_for(after_some, Clock(left_ms=left_ms)) * 1000) if stones > 1 else 0
        assert least_s <= budget_s - left_ms / 1000 <= most_s


@pytest.mark.parametrize("left_ms", [100, 1500, 3000, 5000])
def test_half_of_a_clock_that_runs_out_is_held_back_from_the_last_stone(left_ms):
    position = Position(Rules(), tuple((seat, Stone(0, 0)) for _ in range(9) for seat in (0, 1)))
    assert 0 < Search().seconds_for(position, Clock(left_ms=left_ms)) * 1000 <= left_ms / 2


def test_seconds_and_limits_of_a_move_are_kept():
    position = Rules().start()
    assert Search().seconds_for(position, UNTIMED) == 2.0
    assert Search(seconds=0.3).seconds_for(position, UNTIMED) == 0.3
    assert Search(seconds=0.3).seconds_for(position, Clock(left_ms=120_000)) == 0.3
    assert Search().seconds_for(position, Clock(left_ms=120_000, move_ms=1000)) < 0.9
    assert Search().seconds_for(position, Clock(left_ms=0)) == 0.0


def test_without_any_time_it_opens_in_the_middle(rng):
    stone = Search(grid=10).choose(Rules(size=200, spacing=10).start(), Clock(move_ms=1), rng)
    assert {stone.row, stone.col} <= {90, 109}


def test_without_any_time_it_still_moves(rng):
    position = after(Rules(size=200, stones=3, spacing=10), 3, rng)
    assert Search(grid=10).choose(position, Clock(left_ms=1), rng) in position.legal_moves


def test_a_last_stone_that_takes_too_long_is_placed_by_a_coarse_board(monkeypatch, rng):
    position = after(Rules(size=200 if JIT_ON else 50, stones=2, spacing=10), 3, rng)
    exact = candidates.best_reply(position)
    assert Search(seconds=60).choose(position, UNTIMED, rng) == exact
    slow = threading.Event()
    monkeypatch.setattr(candidates, "best_reply", lambda _: slow.wait(60) and None)
    found = Search(seconds=0.3).choose(position, UNTIMED, rng)
    slow.set()
    gains = position.reply_map()
    assert gains[found.row, found.col] >= 0.9 * gains.max()


def test_a_free_cell_that_no_coarse_board_shows_is_found_at_once(monkeypatch, rng):
    """One corner is free, less than a cell of the coarse board, and there is no time for the exact map."""
    monkeypatch.setattr(candidates, "best_reply", None)
    position = Rules(size=201, stones=2, spacing=282, weight=5).start().play(Stone(0, 0, weight=2))
    chosen = Search(grid=4).choose(position, Clock(move_ms=1), rng)
    assert chosen in position.legal_moves
    assert chosen.weight == 5


def test_a_crowded_board_still_has_a_move(rng):
    position = Rules(size=40, stones=50, spacing=13).start()
    search = Search(playouts=3, grid=4, width=2)
    while position.to_move is not None:
        position = position.play(search.choose(position, UNTIMED, rng))
    assert position.legal_moves.cells() == 0


def test_trees_side_by_side_repeat_and_add_up(rng):
    position = after(Rules(size=60, stones=3, spacing=4), 2, rng)
    search = Search(playouts=40 if JIT_ON else 12, grid=10, width=6, threads=2, seed=4)
    assert search.choose(position, UNTIMED, rng) == search.choose(position, UNTIMED, rng)
    trees = []
    for number in (0, 1):
        board = coarse_board.coarsen(position, 10, 4)
        trees.append(puct_tree.new_tree(500, 2))
        mcts.grow(trees[-1], 1, board, turns_of(position), expansion.Width(6, 1), 4, NO_GUIDE)
        puct_tree.shuffle(trees[-1], number)
        mcts.grow(trees[-1], 20, board, turns_of(position), expansion.Width(6, 1), 4, NO_GUIDE)
    second = trees[1].visits[:7].copy(), trees[1].value_sum[:7].copy()
    first = trees[0].visits[:7].copy(), trees[0].value_sum[:7].copy()
    whole = puct_tree.join(trees)
    assert whole.visits[:7].tolist() == (first[0] + second[0]).tolist()
    assert np.allclose(whole.value_sum[:7], first[1] + second[1])


def test_a_value_that_one_tree_has_proven_holds_for_all():
    trees = [puct_tree.new_tree(5, 2) for _ in range(2)]
    for tree, visits, value in ((trees[0], 4, 0.1), (trees[1], 2, 0.3)):
        puct_tree.seed_root(tree, np.zeros((1, 2)), [1])
        tree.visits[1] = visits
        tree.value_sum[1] = visits * value, -visits * value
    trees[1].proven[1] = 1
    whole = puct_tree.join(trees)
    assert (whole.visits[1], whole.proven[1]) == (6, 1)
    assert np.allclose(whole.value_sum[1] / 6, (0.3, -0.3))


def test_moves_are_drawn_from_those_of_about_equal_worth():
    tree = puct_tree.new_tree(5, 2)
    puct_tree.seed_root(tree, np.zeros((3, 2)), [1, 1, 1])
    tree.visits[1:4] = 30, 20, 10
    tree.value_sum[1:4, 0] = 30 * 0.2, 20 * (0.2 - CONFIG.draw_gap / 2), 10 * (0.2 - 2 * CONFIG.draw_gap)
    best = puct_tree.best_children(tree, 0)
    assert best.tolist() == puct_tree.draw_first(tree, best, 0, 0, CONFIG.draw_gap).tolist() == [1, 2, 3]
    drawn = [puct_tree.draw_first(tree, best, 0, seed, CONFIG.draw_gap).tolist() for seed in range(1, 200)]
    assert all(sorted(order) == [1, 2, 3] for order in drawn)
    first = [order[0] for order in drawn]
    assert 0 < first.count(2) < first.count(1)
    assert first.count(3) == 0


@pytest.mark.parametrize("placed", range(5))
def test_only_the_first_three_stones_are_drawn(monkeypatch, placed, rng):
    drawn = []
    monkeypatch.setattr(puct_tree, "draw_first", lambda _tree, best, *rest: drawn.append(rest[-1]) or best)
    position = after(Rules(size=40, stones=9, spacing=2), 2 * placed + 1, rng)
    Search(playouts=2, grid=8, width=3).choose(position, UNTIMED, rng)
    assert set(drawn) == {0: {CONFIG.draw_opening_gap}, 1: {CONFIG.draw_gap}, 2: {CONFIG.draw_gap}}.get(placed, set())


def test_a_proven_search_compares_more_moves(monkeypatch, rng):
    looked_at = []
    grow = mcts.grow

    def spy(tree, rounds, board, turns, width, *rest):
        looked_at.append(width.children)
        return grow(tree, rounds, board, turns, width, *rest)

    monkeypatch.setattr(mcts, "grow", spy)
    position = after(Rules(size=13, stones=2, spacing=2), 1, rng)
    found = Search(playouts=8000 if JIT_ON else 400, grid=4, seed=1).choose(position, UNTIMED, rng)
    assert found in position.legal_moves
    if JIT_ON:
        assert {24, 48, 96} <= set(looked_at)
    looked_at.clear()
    Search(playouts=200, grid=4, width=3).choose(position, UNTIMED, rng)
    assert set(looked_at) == {3}


def test_another_generator_opens_elsewhere():
    rules = Rules(size=100, spacing=7, stones=3)
    search = Search(playouts=120 if JIT_ON else 8, grid=10, width=8)
    opened = {search.choose(rules.start(), UNTIMED, np.random.default_rng(seed)) for seed in range(12)}
    assert len(opened) > 4


def test_openings_are_all_over_the_board_and_differ():
    for size, count in ((9, 15), (1000, 15)):
        stones = candidates.openings(Rules(size=size, spacing=2).start())
        assert len(set(stones)) == len(stones) >= count
        assert all(stone.row <= stone.col <= size // 2 for stone in stones)


def test_a_rival_on_an_even_layout_is_expected_to_follow_it():
    rules = Rules(size=100, spacing=5, stones=4)
    even = lloyd.even_layout(100, 4)
    elsewhere = next(stone for stone in rules.start().legal_moves if (stone.row, stone.col) not in even)
    position = rules.start().play(Stone(*even[0])).play(elsewhere)
    assert lloyd.layout_sites(rules.start(), 0) == ()
    assert lloyd.layout_sites(position, 0) == even
    assert lloyd.layout_sites(position, 1) == ()
    assert lloyd.layout_sites(position.play(Stone(*even[2])), 0) == even
    away = position.play(Stone(50, 7))
    assert lloyd.layout_sites(away, 0) == ()
    assert lloyd.layout_sites(away.play(Stone(*even[2])), 1) == even
    begun = rules.start().play(Stone(*even[0]))
    board = coarse_board.coarsen(begun, 20, 3, habits=find_habits(begun))
    assert {(5 * row + 2, 5 * col + 2) for row, col in np.argwhere(board.expected[0, 0])} == {
        (row // 5 * 5 + 2, col // 5 * 5 + 2) for row, col in even[1:]
    }
    assert board.expected[1, 0].all()


def test_a_tree_expects_a_layout_rival_only_on_its_sites():
    rules = Rules(size=100, spacing=5, stones=8)
    even = lloyd.even_layout(100, 8)
    position = rules.start().play(Stone(*even[0]))
    board = coarse_board.coarsen(position, 20, 15, habits=find_habits(position))
    tree = puct_tree.new_tree(1000, 2)
    mcts.grow(tree, 60 if JIT_ON else 30, board, turns_of(position), expansion.Width(24, 1), 15, NO_GUIDE)
    grown = [child for child in range(1, tree.children[0] + 1) if tree.children[child]]
    assert grown
    for child in grown:
        replies = tree.places[tree.first[child] : tree.first[child] + tree.children[child]]
        assert 0 < len(replies) < len(even)
        assert {(int(row), int(col)) for row, col in replies} <= {(row // 5, col // 5) for row, col in even}


def test_small_boards_and_counted_plies_are_searched_without_expectations(monkeypatch, rng):
    monkeypatch.setattr(lloyd, "layout_sites", None)
    for size, options in ((9, {}), (40, {"depth": 2})):
        position = Rules(size=size, spacing=2, stones=2).start().play(Stone(*lloyd.even_layout(size, 2)[0]))
        assert Search(playouts=5, **options).choose(position, UNTIMED, rng) in position.legal_moves


def test_where_playouts_are_mixed_three_leaves_in_four_are_played_to_the_end(rng):
    position, grid = after(Rules(size=200, spacing=14, stones=20), 1, rng), 12
    whole = []
    for mixes in (False, True):
        board = coarse_board.coarsen(position, grid, 39, foresees=True, mixes=mixes)
        tree = puct_tree.new_tree(2000, 2)
        mcts.grow(tree, 60, board, turns_of(position), expansion.Width(24, 1), 39, NO_GUIDE)
        areas = tree.value_sum[tree.visits == 1, 0] * grid**2  # whole ones where all stones were placed
        whole.append(np.isclose(areas, np.round(areas), atol=1e-6).mean())
    assert whole[0] < 0.1
    assert 0.6 < whole[1] < 0.9


@pytest.mark.parametrize(
    ("rules", "options", "mixes"),
    [
        ({"stones": 13}, {}, True),
        ({"stones": 13, "weight": 40}, {}, False),
        ({"stones": 12}, {}, False),
        ({"stones": 13, "players": 3}, {}, False),
        ({"stones": 13}, {"depth": 2}, False),
    ],
)
def test_playouts_are_mixed_in_long_games_of_two_without_weights(rules, options, mixes, rng, monkeypatch):
    asked, coarsen = set(), coarse_board.coarsen

    def noted(*args, **settings):
        asked.add(settings["mixes"])
        return coarsen(*args, **settings)

    monkeypatch.setattr(coarse_board, "coarsen", noted)
    Search(playouts=5, **options).choose(after(Rules(size=60, spacing=2, **rules), 2, rng), UNTIMED, rng)
    assert asked == {mixes}


def test_a_seat_is_not_bound_to_its_own_layout():
    rules = Rules(size=100, spacing=5, stones=4)
    position = rules.start().play(Stone(*lloyd.even_layout(100, 4)[0])).play(Stone(3, 3))
    board = coarse_board.coarsen(position, 20, 3, habits=find_habits(position))
    assert board.expected[0, 0].sum() > 4
    assert board.expected[1, 0].sum() > 4


def test_layouts_are_even():
    for points in (2, 5, 10, 15):
        places = np.array(lloyd.even_layout(1000, points))
        squares = ((places[:, None] - places) ** 2).sum(axis=2) + np.eye(points) * 1e9
        assert squares.min() ** 0.5 > 700 / points**0.5
    assert lloyd.layout_sites(Rules(stones=201, spacing=2).start().play(Stone(0, 0)), 0) == ()


def test_a_seat_that_has_left_moves_no_more():
    position = Rules(size=9, players=3, spacing=1, stones=2).start().play(Stone(1, 1)).withdraw(1)
    turns = turns_of(position)
    assert (turns.seat, turns.stones.tolist()) == (2, [1, 0, 2])
    assert Search(playouts=20).choose(position, UNTIMED, np.random.default_rng(0)) in position.legal_moves


def test_options_out_of_range_are_refused():
    for spec in ("search:depth=0", "search:grid=3", "search:seconds=0", "search:width=0", "search:breadth=3"):
        with pytest.raises((BadText, UnknownName), match="search"):
            catalog.player(catalog.game("gravity"), spec)


@pytest.mark.jit
@pytest.mark.parametrize("options", [{"stones": 3}, {"stones": 3, "weight": 300}, {"stones": 2, "players": 3}])
def test_it_beats_the_greatest_gain(options, rng):
    rules = Rules(size=200, spacing=13, **options)
    sums = np.zeros(rules.players)
    players = [Search(playouts=150), *[Reply()] * (rules.players - 1)]
    for shift in range(rules.players):
        position = rules.start()
        while position.to_move is not None:
            player = players[(position.to_move + shift) % rules.players]
            position = position.play(player.choose(position, UNTIMED, np.random.default_rng(3)))
        sums += np.roll(position.scores, shift)
    assert sums[0] == sums.max()


@pytest.mark.jit
@pytest.mark.parametrize(
    ("options", "weight"), [({"depth": 2}, None), ({"depth": 3, "width": 3}, 40), ({"depth": 2, "threads": 2}, 40)]
)
def test_a_tree_of_few_plies_has_all_the_room_it_needs(options, weight, rng, monkeypatch):
    """It chooses the same stone as with far more room."""
    rules = Rules(size=30, spacing=2, stones=4, weight=weight)
    position = rules.start().play(Stone(3, 4, 1)).play(Stone(20, 11, 1))
    found = Search(playouts=90, seed=4, **options).choose(position, UNTIMED, rng)
    monkeypatch.setattr(expansion, "count_nodes", lambda *_: 50_000)
    assert Search(playouts=90, seed=4, **options).choose(position, UNTIMED, rng) == found
