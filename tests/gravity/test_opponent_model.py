"""The model of a rival that looks two plies ahead: its answers, how such a rival is recognised, and what it gains."""

import math

import msgspec
import numpy as np
import pytest

from hinterland.contract import Clock
from hinterland.gravity import Rules, Stone
from hinterland.gravity.coarse import coarse_board
from hinterland.gravity.players import Lloyd, Reply, Search
from hinterland.gravity.search import opponent_model
from hinterland.gravity.search.config import CONFIG, SearchOptions
from hinterland.jit import JIT_ON

UNTIMED = Clock()
AHEAD = Search(depth=2, width=24, playouts=2000)
ENOUGH = CONFIG.model_least_playouts
SIZE = 200 if JIT_ON else 100


def begun(rival, rules, plies, rng):
    """Return a position in which the second seat is a player, and the first one places stones anywhere."""
    position = rules.start()
    while len(position.moves) < plies:
        stone = position.legal_moves.sample(rng)
        position = position.play(rival.choose(position, UNTIMED, rng) if position.to_move == 1 else stone)
    return position


def away(one, other):
    """Return how far apart two stones are, in cells."""
    return math.hypot(one.row - other.row, one.col - other.col)


@pytest.mark.jit
def test_predicted_answers_are_those_of_the_player(rng):
    """Except where the player draws among stones of about equal worth."""
    apart = []
    for _ in range(4):
        position = begun(AHEAD, Rules(size=SIZE, spacing=13, stones=6), 5, rng)
        while position.stones_left(1) > 1:
            stone = AHEAD.choose(position, UNTIMED, rng) if position.to_move else position.legal_moves.sample(rng)
            if position.to_move:
                apart.append(away(opponent_model.predict_answer(position), stone))
            position = position.play(stone)
    assert np.mean(np.array(apart) <= SIZE / CONFIG.model_tolerance_per_side) > 0.8


def test_the_last_predicted_answer_is_the_exact_best(rng):
    position = begun(Reply(), Rules(size=24, spacing=3, stones=2), 3, rng)
    gains = position.reply_map()
    answer = opponent_model.predict_answer(position)
    assert gains[answer.row, answer.col] == gains.max()


@pytest.mark.jit
def test_a_two_ply_player_is_recognised_by_its_last_two_answers(rng):
    rules = Rules(size=SIZE, spacing=13, stones=6)
    before = begun(AHEAD, rules, 3, rng)
    other = Stone(0, 0) if Stone(0, 0) in before.legal_moves else Stone(SIZE - 1, SIZE - 1)
    ahead = before.play(opponent_model.predict_answer(before))
    assert opponent_model.is_model_answer(ahead, 3)
    assert not opponent_model.is_model_answer(before.play(other), 3)
    found = 0
    for _ in range(4):
        one = begun(AHEAD, rules, 9, rng)
        two = one.play(opponent_model.predict_answer(one)).play(one.legal_moves.sample(rng))
        found += opponent_model.is_two_ply_player(one, 1)
        expected = opponent_model.predict_answer(two)
        strayed = two.play(next(stone for stone in two.legal_moves if away(stone, expected) > 99))
        assert not opponent_model.is_two_ply_player(strayed, 1)
    assert found >= 3


@pytest.mark.parametrize(("stones", "weight", "expected"), [(6, None, True), (7, None, False), (6, 60, False)])
def test_a_rival_without_answers_counts_as_one_in_short_games(stones, weight, expected):
    start = Rules(size=100, spacing=7, stones=stones, weight=weight).start()
    assert not opponent_model.is_two_ply_player(start, 1)
    assert opponent_model.is_two_ply_player(start.play(Stone(40, 45, 1)), 0) == expected
    layout = Lloyd().choose(start, UNTIMED, np.random.default_rng(1))
    assert not opponent_model.is_two_ply_player(start.play(layout), 0)


@pytest.mark.jit
@pytest.mark.parametrize("rival", [Lloyd(), Reply(), Search(playouts=300)])
def test_other_players_are_not_taken_for_one(rival, rng):
    rules = Rules(size=SIZE, spacing=13, stones=6)
    taken = [opponent_model.is_two_ply_player(begun(rival, rules, plies, rng), 1) for plies in (2, 4, 7) * 3]
    assert sum(taken) <= (rival.name == "search")


@pytest.mark.parametrize(
    ("options", "rules", "applies"),
    [
        ({"playouts": ENOUGH}, {}, True),
        ({"playouts": ENOUGH}, {"weight": 90}, True),
        ({"playouts": ENOUGH}, {"law": "nearest"}, True),
        ({"playouts": ENOUGH - 1}, {}, False),
        ({"playouts": ENOUGH}, {"players": 3}, False),
        ({"playouts": ENOUGH}, {"size": 99}, False),
        ({"playouts": ENOUGH, "width": 30}, {}, False),
        ({"playouts": ENOUGH, "depth": 3}, {}, False),
        ({"seconds": CONFIG.model_least_s}, {}, True),
        ({"seconds": CONFIG.model_least_s / 2}, {}, False),
    ],
)
def test_the_model_needs_two_players_a_large_board_and_time(options, rules, applies, rng, monkeypatch):
    monkeypatch.setattr(opponent_model, "is_two_ply_player", lambda position, seat, **_: seat == 1)
    position = begun(Search(playouts=1, seed=3), Rules(**{"size": 100, "spacing": 7, "stones": 3, **rules}), 0, rng)
    assert not opponent_model.can_use_model(SearchOptions(**options), position, options.get("seconds", 0.0)) or applies
    for _ in range(position.rules.players):
        stone = position.legal_moves.sample(rng)
        position = position.play(Stone(stone.row, stone.col, 1 if position.rules.weight is None else 3))
    assert opponent_model.can_use_model(SearchOptions(**options), position, options.get("seconds", 0.0)) == applies


def test_a_stone_is_worth_the_lead_that_is_left_at_the_end(rng):
    """The rival's answer is the last stone."""
    rules = Rules(size=16, spacing=2, stones=2)
    for _ in range(4):
        position = begun(Search(playouts=1), rules, 2, rng)
        stone = position.legal_moves.sample(rng)
        middle = position.play(stone)
        after = middle.play(opponent_model.predict_answer(middle))
        assert after.to_move is None
        lead = 2 * after.scores[0] - sum(after.scores)
        assert opponent_model.estimate_lead(position, stone, 16) == lead / 256


def test_the_stone_that_promises_the_most_comes_first(rng, monkeypatch):
    """Among all stones that were compared. The first seat has two stones left, so that each lead is exact."""
    config = msgspec.structs.replace(CONFIG, model_least_side=0, model_least_playouts=0, model_stone_playouts=2)
    monkeypatch.setattr(opponent_model, "CONFIG", config)
    monkeypatch.setattr(opponent_model, "is_two_ply_player", lambda *_, **__: True)
    position = begun(Search(playouts=1), Rules(size=14, spacing=2, stones=3), 3, rng)
    found = opponent_model.find_best_against_model(SearchOptions(playouts=15, grid=7), position, 0.0)
    promises = [opponent_model.estimate_lead(position, stone, 7) for stone in found]
    assert len(found) == 6
    assert promises == sorted(promises, reverse=True)


def test_early_stones_are_drawn_among_those_of_about_equal_worth():
    start = Rules(size=100, spacing=7, stones=4).start()
    best = [Stone(10, col) for col in range(20, 80, 10)]
    promises = dict(zip(best, (0.3, 0.297, 0.29, 0.28, 0.2, 0.1), strict=True))
    second = start.play(Stone(50, 50))
    drawn = [opponent_model.draw_equal_first(second, best, promises, seed) for seed in range(1, 60)]
    assert {stones[0] for stones in drawn} == set(best[:3])
    assert all(sorted(stones, key=best.index) == best for stones in drawn)
    assert opponent_model.draw_equal_first(second, best, promises, 0) == best
    fourth = second.play(Stone(90, 90)).play(Stone(90, 10))
    assert {opponent_model.draw_equal_first(fourth, best, promises, seed)[0] for seed in range(1, 60)} == set(best[:2])
    last = fourth.play(Stone(90, 30)).play(Stone(70, 30))
    assert {opponent_model.draw_equal_first(last, best, promises, seed)[0] for seed in range(1, 60)} == {best[0]}


def test_without_a_free_cell_of_the_coarse_board_the_lead_stays(monkeypatch):
    """All legal places lie between the four cells of the coarse board, each of which a stone owns."""
    monkeypatch.setattr(coarse_board, "RING_MOST_SPACING", 0)  # no places beside stones, of which some would be free
    position = Rules(size=24, spacing=3, stones=4).start()
    for row, col in ((5, 5), (5, 17), (17, 5), (17, 17)):
        position = position.play(Stone(row, col))
    assert not coarse_board.coarsen(position, 2, 4).free[0].any()
    lead, stone = opponent_model.search_briefly(position, 2, 3)
    assert stone == Stone(0, 0)
    assert lead == pytest.approx(0.0)


def played(position, seed):
    """Return the share of the first seat against a two-ply player."""
    player, rng = Search(playouts=1200, seed=5), np.random.default_rng(seed)
    while position.to_move is not None:
        mover = AHEAD if position.to_move else player
        position = position.play(mover.choose(position, UNTIMED, rng))
    return position.scores[0] / sum(position.scores)


@pytest.mark.thorough
@pytest.mark.jit
def test_the_model_takes_more_and_repeats(monkeypatch):
    config = msgspec.structs.replace(
        CONFIG, model_least_playouts=0, model_stone_playouts=60, model_leaf_playouts=50
    )
    monkeypatch.setattr(opponent_model, "CONFIG", config)
    rules = Rules(size=SIZE, spacing=13, stones=6)
    starts = [begun(AHEAD, rules, 2, np.random.default_rng(seed)) for seed in range(4)]
    known = [played(position, 9) for position in starts]
    assert played(starts[0], 9) == known[0]
    monkeypatch.setattr(opponent_model, "is_two_ply_player", lambda *_, **__: False)
    assert np.mean(known) > np.mean([played(position, 9) for position in starts])
