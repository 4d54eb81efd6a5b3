"""The openings of ``reply`` against brute force over two plies, and its play on a short clock."""

import numpy as np
import pytest

import oracle_gravity
from hinterland import catalog, search_clock
from hinterland.contract import Clock
from hinterland.gravity import Rules, Stone
from hinterland.gravity.players import Reply
from hinterland.gravity.search import candidates, opening
from hinterland.host import synchronous
from hinterland.referee.clock import TimeControl
from hinterland.referee.game_terms import GameTerms
from ticking import Ticking

KINDS = [
    {}, {"law": "nearest"}, {"players": 3}, {"stones": 2, "weight": 9}, {"law": "nearest", "stones": 1, "weight": 4},
]  # fmt: skip


def always():
    return True


def kept(rules, row, col, weight):
    """Return how many cells the best reply leaves, counted cell by cell."""
    stones = [[(row, col, weight)], *[[] for _ in range(rules.players - 1)]]
    gains = oracle_gravity.gains(stones, rules.size, rules.law, 1, weight, rules.spacing)
    return rules.size**2 - max(0, *(gain for line in gains for gain in line))


@pytest.mark.parametrize("options", KINDS)
@pytest.mark.parametrize(("size", "spacing"), [(2, 1), (5, 1), (6, 4)])
def test_small_boards_are_opened_where_the_best_reply_leaves_the_most(size, spacing, options):
    rules = Rules(size=size, spacing=spacing, **options)
    stone = Reply().choose(rules.start(), Clock(), np.random.default_rng(0))
    assert stone.weight == (1 if rules.weight is None else rules.weight // rules.stones)
    found = kept(rules, stone.row, stone.col, stone.weight)
    assert found == max(kept(rules, row, col, stone.weight) for row in range(size) for col in range(size))


@pytest.mark.jit
@pytest.mark.parametrize("options", [{}, {"law": "nearest"}, {"stones": 4, "weight": 90}])
@pytest.mark.parametrize(("size", "spacing"), [(61, 4), (90, 6), (90, 45)])
def test_larger_boards_are_opened_where_nothing_near_is_better(size, spacing, options, rng):
    rules = Rules(size=size, spacing=spacing, **options)
    weight = 1 if rules.weight is None else 7
    first = opening.first_stone(rules, weight, always, rng)

    def worth(row, col):
        after = rules.start().play(Stone(row, col, weight))
        return size**2 - (0 if after.to_move is None else after.best_reply(weight)[1])

    elsewhere = [tuple(rng.integers(size, size=2).tolist()) for _ in range(60)]
    near = [(first.row + down, first.col + right) for down in (-1, 0, 1) for right in (-1, 0, 1)]
    on_board = [cell for cell in (*elsewhere, *near) if min(cell) >= 0 and max(cell) < size]
    assert worth(first.row, first.col) >= max(worth(*cell) for cell in on_board)


def test_all_images_of_the_best_cell_are_equally_likely(rng):
    rules = Rules(size=6, spacing=2)
    seen = [opening.first_stone(rules, 1, always, rng) for _ in range(200)]
    images = {(stone.row, stone.col) for stone in seen}
    assert len(images) in (4, 8)
    assert images == {image for row, col in images for image in ((col, row), (5 - row, col), (row, 5 - col))}
    again = [opening.first_stone(rules, 1, always, np.random.default_rng(3)) for _ in range(2)]
    assert again[0] == again[1]


def test_an_opening_for_which_there_was_no_time_is_not_remembered(rng):
    rules = Rules(size=40, spacing=3, stones=7)
    asked = []

    def for_a_while():
        asked.append(True)
        return len(asked) < 9

    assert opening.first_stone(rules, 1, for_a_while, rng) in rules.start().legal_moves
    assert len(asked) < 60
    assert (rules, 1) not in opening._known_openings
    assert opening.first_stone(rules, 1, always, rng) in rules.start().legal_moves
    assert (rules, 1) in opening._known_openings


@pytest.mark.parametrize("options", KINDS)
@pytest.mark.parametrize("size", [pytest.param(size, marks=pytest.mark.jit) for size in (41, 70)])
def test_reply_plays_a_move_of_a_coarse_board_when_its_clock_is_short(monkeypatch, options, size, rng):
    rules = Rules(size=size, spacing=2, **{"stones": 4, **options})
    position = rules.start()
    while position.to_move is not None:
        clock = Clock(left_ms=1000)
        asked_s = 1000 / position.stones_left(position.to_move)
        monkeypatch.setattr(search_clock, "now_s", Ticking(asked_s).now_s)
        stone = Reply().choose(position, clock, rng)
        assert stone in position.legal_moves
        if position.moves:
            weight = stone.weight
            assert stone == candidates.best_coarse(position, weight)
            gains = position.reply_map(weight)
            assert gains[stone.row, stone.col] >= 0.7 * gains.max(), str(position)
        position = position.play(stone)


@pytest.mark.parametrize("options", KINDS)
@pytest.mark.parametrize("size", [12, pytest.param(40, marks=pytest.mark.jit)])
def test_reply_plays_the_best_cell_of_a_small_board_however_short_its_clock_is(options, size, rng):
    """A coarse board would take as long."""
    position = Rules(size=size, spacing=2, **{"stones": 3, **options}).start()
    while position.to_move is not None:
        stone = Reply().choose(position, Clock(left_ms=0), rng)
        if position.moves:
            gains = position.reply_map(stone.weight)
            assert gains[stone.row, stone.col] == gains.max() >= 0
        position = position.play(stone)


def test_reply_takes_no_notice_of_a_clock_with_time_enough(rng):
    position = Rules(size=20, spacing=3).start().play(Stone(4, 9)).play(Stone(12, 5)).play(Stone(17, 17))
    gains = position.reply_map()
    for clock in (Clock(), Clock(left_ms=100_000), Clock(move_ms=60_000)):
        stone = Reply().choose(position, clock, rng)
        assert gains[stone.row, stone.col] == gains.max()


@pytest.mark.thorough
@pytest.mark.jit
def test_reply_does_not_lose_on_time_with_half_a_second_for_a_stone():
    game = catalog.game("gravity")
    game.warm_up()
    players = [catalog.player(game, "reply"), catalog.player(game, "random")]
    terms = GameTerms(rules=Rules(), names=("reply", "random"), clock=TimeControl.of_seconds(5.0), seed=1)
    records = synchronous.play_match(terms, players)
    assert [(record.reason, len(record.moves)) for record in records] == [("complete", 20)] * 2
    assert all(record.winners == (record.players.index("reply"),) for record in records)
