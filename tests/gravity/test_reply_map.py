"""The reply map against brute force at every cell, and against playing the moves."""

import math

import msgspec
import numpy as np
import pytest

import oracle_gravity
from gravity_boards import by_seat, random_board
from hinterland.errors import IllegalMove
from hinterland.gravity import Position, Rules, Stone
from hinterland.gravity.replies import half_planes, octagons
from hinterland.gravity.replies.reply_map import reply_map_in_time
from hinterland.jit import JIT_ON

BOARDS = 200 if JIT_ON else 40


def check(position, weight):
    rules = position.rules
    expected = oracle_gravity.gains(by_seat(position), rules.size, rules.law, position.to_move, weight, rules.spacing)
    found = position.reply_map(weight)
    assert found.dtype == np.int32
    assert np.array_equal(found, np.array(expected)), str(position)


def test_random_boards_at_every_cell(rng):
    checked = 0
    while checked < BOARDS:
        position, _ = random_board(rng)
        rules = msgspec.structs.replace(position.rules, spacing=int(rng.integers(1, min(4, rules_room(position)))))
        spaced = Position(rules, position.moves)
        if spaced.to_move is not None:
            check(spaced, int(rng.integers(1, 51)))
            checked += 1


def rules_room(position):
    """Return a spacing that is just too wide for the board."""
    return int(1.41 * (position.rules.size - 1)) + 1


@pytest.mark.parametrize("law", ["gravity", "nearest"])
def test_one_stone_against_one_where_all_radii_are_whole(law, rng):
    for _ in range(12 if JIT_ON else 5):
        size = int(rng.integers(8, 25))
        rules = Rules(size=size, spacing=2, weight=60, law=law)
        alone = Position(
            rules, ((0, Stone(int(rng.integers(size)), int(rng.integers(size)), int(rng.integers(1, 5)))),)
        )
        for weight in (1, 2, 7):
            check(alone, weight)
        facing = alone.play(next(iter(alone.legal_moves)))
        check(facing, 1)


@pytest.mark.parametrize("law", ["gravity", "nearest"])
def test_half_planes_beside_a_single_stone(law):
    for size in range(2, 8):
        rules = Rules(size=size, spacing=1, weight=60, law=law)
        for row in range(size):
            for col in range((size + 1) // 2):
                check(Position(rules, ((0, Stone(row, col, 3)),)), 3)


@pytest.mark.jit
def test_half_planes_are_what_discs_add_up_to(monkeypatch):
    for size, row, col in ((200, 23, 177), (199, 99, 99), (200, 0, 0), (1000, 999, 300)):
        position = Rules(size=size).start().play(Stone(row, col))
        halves = position.reply_map()
        with monkeypatch.context() as patch:
            patch.setattr(half_planes, "can_count", lambda *_: False)
            assert np.array_equal(position.reply_map(), halves)


def test_gain_is_what_playing_adds(rng):
    for _ in range(BOARDS // 10):
        position, _ = random_board(rng, 14)
        seat = position.to_move
        if seat is None:
            continue
        gains = position.reply_map()
        for _ in range(6):
            stone = position.legal_moves.sample(rng)
            stone = Stone(stone.row, stone.col)
            after = position.play(stone)
            assert after.scores[seat] - position.scores[seat] == gains[stone.row, stone.col]


@pytest.mark.jit
@pytest.mark.parametrize("law", ["gravity", "nearest"])
@pytest.mark.parametrize("options", [{"size": 200, "spacing": 13}, {"stones": 2}], ids=["whole game", "full size"])
def test_gain_is_what_playing_adds_to_the_end(law, options, rng):
    position = Rules(law=law, **options).start()
    while position.to_move is not None:
        gains = position.reply_map()
        seat = position.to_move
        stone = position.legal_moves.sample(rng)
        after = position.play(stone)
        assert after.scores[seat] - position.scores[seat] == gains[stone.row, stone.col]
        assert (gains < 0).sum() == position.rules.size**2 - len(position.legal_moves)
        position = after


@pytest.mark.jit
def test_two_cores_and_one_give_the_same_map(rng, monkeypatch):
    from hinterland.gravity.replies import reply_map

    position = Rules(size=300, spacing=20).start()
    for _ in range(7):
        position = position.play(position.legal_moves.sample(rng))
    maps = []
    for cores in (1, 2, 3):
        monkeypatch.setattr(reply_map, "cores", lambda cores=cores: cores)
        maps.append(position.reply_map())
    assert np.array_equal(maps[0], maps[1])
    assert np.array_equal(maps[0], maps[2])


def test_an_empty_board_is_gained_whole():
    position = Rules(size=9, spacing=3).start()
    assert (position.reply_map() == 81).all()


def test_no_map_after_the_end_or_for_weight_that_is_not_there():
    position = Rules(size=9, spacing=3, stones=1).start().play(Stone(0, 0))
    with pytest.raises(IllegalMove, match="every stone weighs 1"):
        position.reply_map(2)
    with pytest.raises(IllegalMove, match="game is over"):
        position.play(Stone(8, 8)).reply_map()


@pytest.mark.jit
@pytest.mark.parametrize("stones", [1, 4])
def test_a_map_that_runs_out_of_time_is_none_and_with_time_enough_it_is_whole(stones, rng):
    position = Rules(size=150, spacing=10, stones=3).start()
    for _ in range(stones):
        position = position.play(position.legal_moves.sample(rng))
    for questions in range(30):
        answers = iter([True] * questions)
        gains = reply_map_in_time(position.new_stone(1), lambda: next(answers, False))  # noqa: B023
        if gains is not None:
            break
    assert questions > 2
    assert np.array_equal(gains, position.reply_map())


def test_roots_are_whole_and_exact(rng):
    near = [whole * whole + off for whole in range(2, 32_767, 1 if JIT_ON else 101) for off in (-1, 0, 1)]
    squares = np.array([-5, 0, 1, 2**30 - 1, *near, *rng.integers(2**30, size=1000)], dtype=np.int32)
    assert all(octagons.root(square) == math.isqrt(max(int(square), 0)) for square in squares)


def test_octagons_leave_no_cell_to_two_caps(rng):
    group = np.zeros(octagons.FIELDS * octagons.LANES, dtype=np.int32)
    for greatest in (3, 30, 300, 3_000, 30_000, 300_000, 3_000_000, 2 * 9_999**2):
        squares = rng.integers(greatest + 1, size=octagons.LANES)
        for lane, square in enumerate(squares):
            octagons.set_lane(group, lane, int(rng.integers(10_000)), int(rng.integers(10_000)), int(square))
        octagons.shape(group, octagons.LANES, 10_000)
        high, both = (group[field : field + octagons.LANES] for field in (octagons.HALF, octagons.DIAGONAL))
        wide = both - high
        assert (wide <= high).all()
        assert (high**2 + wide**2 <= squares).all()
        assert (high**2 + (wide + 1) ** 2 > squares).all(), "wide is not the greatest"
        assert ((high + 1) ** 2 * 2 > squares).all(), "a cell beyond two sides"
