"""Exact best answers, and the stones of a search that are replaced because they give too much away."""

import itertools

import msgspec
import numpy as np
import pytest

import oracle_gravity
from gravity_boards import by_seat
from hinterland.contract import Clock
from hinterland.gravity import lloyd
from hinterland.gravity.coarse.coarse_board import GREEDY, LAYOUT, MIRROR
from hinterland.gravity.players import PLAYERS, Reply, Search
from hinterland.gravity.rules import Rules, Stone
from hinterland.gravity.search import best_moves, exact_answers
from hinterland.gravity.search.config import CONFIG, SearchOptions
from hinterland.gravity.search.exact_answers import AnsweredStones, can_check, lead_when_answered, replace_unsafe
from hinterland.gravity.search.habits import predict_stone
from hinterland.search.budget import Budget

PLENTY = 10_000


def answered_plainly(position, stone):
    """Try every answer to a stone in plain fractions; return what the best one leaves."""
    rules, seat = position.rules, position.to_move
    after, weight = position.play(stone), 1
    if rules.weight is not None:
        weight = after.weight_left(1 - seat) // after.stones_left(1 - seat)
    gains = oracle_gravity.gains(by_seat(after), rules.size, rules.law, 1 - seat, weight, rules.spacing)
    row, col = max(itertools.product(range(rules.size), repeat=2), key=lambda cell: gains[cell[0]][cell[1]])
    placed = by_seat(after)
    placed[1 - seat].append((row, col, weight))
    owners = list(itertools.chain(*oracle_gravity.owners(placed, rules.size, rules.law)))
    return owners.count(seat) - owners.count(1 - seat)


@pytest.mark.parametrize(
    "rules",
    [
        Rules(size=9, stones=3, spacing=1),
        Rules(size=10, stones=3, spacing=2, law="nearest"),
        Rules(size=9, stones=3, spacing=2, weight=9),
    ],
)
def test_the_lead_is_that_of_the_best_of_all_answers(rules, rng):
    weight = 1 if rules.weight is None else 2
    position = rules.start()
    for _ in range(2):
        stone = position.legal_moves.sample(rng)
        position = position.play(Stone(stone.row, stone.col, weight))
    for row, col in [(0, 0), (4, 4), (8, 3)]:
        stone = Stone(row, col, weight)
        if stone in position.legal_moves:
            assert lead_when_answered(position, stone) == answered_plainly(position, stone)


def middle_game(spacing, size=150, **options):
    """Return a position with two stones side by side in the middle."""
    start = Rules(size=size, stones=4, spacing=spacing, **options).start()
    return start.play(Stone(size // 2, size // 2)).play(Stone(size // 2 + spacing, size // 2))


@pytest.mark.jit
def test_a_climb_ends_where_no_neighbour_keeps_more():
    position = middle_game(1)
    stone = AnsweredStones(position, Budget(PLENTY, 0.0)).climb([Stone(20, 30)])
    most = lead_when_answered(position, stone)
    for down, right in itertools.product((-1, 0, 1), repeat=2):
        near = Stone(stone.row + down, stone.col + right)
        if near in position.legal_moves:
            assert lead_when_answered(position, near) <= most


@pytest.mark.parametrize("budget", [Budget(0, 60.0), Budget(None, -1.0)])
def test_without_time_no_answer_is_found(budget):
    answered = AnsweredStones(middle_game(1), budget)
    assert answered.lead(Stone(20, 30)) is None
    assert answered.climb([Stone(20, 30), Stone(40, 40)]) == Stone(20, 30)


@pytest.mark.jit
def test_a_budget_counts_each_answer_once():
    budget = Budget(3, 0.0)
    answered = AnsweredStones(middle_game(1), budget)
    leads = [answered.lead(stone) for stone in (Stone(20, 30), Stone(20, 30), Stone(40, 40), Stone(60, 20))]
    assert leads[0] == leads[1]
    assert None not in leads
    assert answered.lead(Stone(5, 5)) is None
    assert answered.lead(Stone(20, 30)) == leads[0]


def test_stones_are_checked_on_large_boards_where_time_allows():
    quick, enough = SearchOptions(playouts=2000), SearchOptions(playouts=10_000)
    assert can_check(enough, middle_game(1), 0.0)
    assert can_check(SearchOptions(), middle_game(1), 1.0)
    assert not can_check(quick, middle_game(1), 1.0)
    assert not can_check(SearchOptions(), middle_game(1, size=1000), 0.6)
    assert can_check(enough, middle_game(10), 1.0)
    assert not can_check(enough, middle_game(1, size=12), 1.0)
    assert not can_check(enough, middle_game(1, players=3), 1.0)
    for option in ({"depth": 2}, {"width": 9}):
        assert not can_check(msgspec.structs.replace(enough, **option), middle_game(1), 1.0)
    last = middle_game(1)
    while len(last.moves) < 2 * last.rules.stones - 2:
        last = last.play(next(iter(last.legal_moves)))
    assert not can_check(enough, last, 1.0)


@pytest.mark.jit
def test_a_stone_that_gives_too_much_away_is_replaced():
    position = middle_game(1)
    safe = position.best_reply(1)[0]
    poor = Stone(0, 0)
    least = lead_when_answered(position, safe)
    assert lead_when_answered(position, poor) < least - CONFIG.safe_gap * 150**2
    found = replace_unsafe(position, [poor, safe], Budget(PLENTY, 0.0))
    assert lead_when_answered(position, found[0]) >= least
    assert found[1:] == [poor, safe]
    assert replace_unsafe(position, [], Budget(PLENTY, 0.0))[0] in position.legal_moves


@pytest.mark.jit
def test_a_stone_that_gives_little_away_is_kept():
    position = middle_game(1)
    safe = position.best_reply(1)[0]
    assert replace_unsafe(position, [safe], Budget(PLENTY, 0.0)) == [safe]
    assert replace_unsafe(position, [Stone(0, 0)], Budget(1, 0.0)) == [Stone(0, 0)], "no time to compare"


@pytest.mark.jit
@pytest.mark.parametrize("options", [{}, {"law": "nearest"}, {"weight": 8}])
def test_no_stone_of_a_search_gives_more_away_than_is_stated(options, monkeypatch):
    rules = Rules(size=120, stones=4, spacing=1, **options)
    monkeypatch.setattr(best_moves, "_find_unchecked", lambda _, position, *__: [worst(position)])
    position, rng = rules.start(), np.random.default_rng(3)
    while position.to_move is not None:
        player = Search(playouts=8000) if position.to_move == 0 else Reply()
        before, position = position, position.play(player.choose(position, Clock(), rng))
        stone = position.moves[-1][1]
        if can_check(SearchOptions(playouts=8000), before, 0.0) and before.moves and before.to_move == 0:
            least = lead_when_answered(before, before.best_reply(stone.weight)[0])
            assert lead_when_answered(before, stone) >= least - CONFIG.safe_gap * rules.size**2


def worst(position):
    """Return a stone in a corner, which is seldom any good."""
    last = position.rules.size - 1
    corners = (Stone(row, col) for row, col in itertools.product((0, last), repeat=2))
    return next(stone for stone in corners if stone in position.legal_moves)


def test_a_game_begins_in_the_middle_where_stones_may_almost_touch():
    rules = Rules(size=60, stones=4, spacing=1)
    stone = exact_answers.open_safely(rules.start(), 60.0, 1)
    assert max(abs(stone.row - 29.5), abs(stone.col - 29.5)) < 2
    assert exact_answers.open_safely(rules.start().play(Stone(1, 1)), 60.0, 1) is None
    enough = SearchOptions(playouts=10_000)
    assert can_check(enough, rules.start(), 0.0)
    assert not can_check(enough, Rules(size=60, stones=4, spacing=5).start(), 0.0), "there trees find first stones"


@pytest.mark.parametrize("name", ["lloyd", "mirror"])
def test_habits_are_predicted_to_the_cell(name, rng):
    player, habit = PLAYERS[name](), {"lloyd": LAYOUT, "mirror": MIRROR}[name]
    position = Rules(size=60, stones=4, spacing=4).start()
    while position.to_move is not None:
        if position.to_move == 1:
            stone = player.choose(position, Clock(), rng)
            assert predict_stone(position, habit) in {stone, None}
            assert len(position.moves) > 3 or predict_stone(position, habit) == stone
        else:
            stone = position.legal_moves.sample(rng)
        position = position.play(stone)


def test_without_a_place_nothing_is_predicted():
    start = Rules(size=20, stones=1, spacing=3).start()
    assert predict_stone(start, MIRROR) is None
    assert predict_stone(start.play(Stone(9, 9)), MIRROR) is None, "too near"
    assert predict_stone(start.play(Stone(10, 10)), LAYOUT) is None, "the only site is taken"
    assert predict_stone(start.play(Stone(1, 1)), GREEDY) is None


@pytest.mark.jit
def test_a_habit_is_trusted_if_that_gains_twice_what_it_may_cost():
    rules = Rules(size=60, stones=2, spacing=4)
    position = rules.start().play(Stone(30, 30)).play(Stone(*lloyd.even_layout(60, 2)[0]))
    safe, trusting = Stone(10, 10), Stone(45, 50)
    ends = {}
    for stone in (safe, trusting):
        after = position.play(stone)
        for kept, answer in ((True, predict_stone(after, LAYOUT)), (False, after.best_reply(1)[0])):
            ended = after.play(answer)
            ends[stone, kept] = ended.scores[0] - ended.scores[1]
    gained = ends[trusting, True] - ends[safe, True]
    lost = ends[safe, False] - ends[trusting, False]
    assert exact_answers.is_worth_trusting(position, trusting, safe, LAYOUT) == (gained >= 2 * lost)
    assert exact_answers.is_worth_trusting(position, safe, trusting, LAYOUT) == (-gained >= -2 * lost)
    assert gained
    assert lost
