"""The best cell alone against the reply map, which is checked against brute force elsewhere."""

import msgspec
import numpy as np
import pytest

from gravity_boards import random_board
from hinterland.errors import IllegalMove
from hinterland.gravity import Position, Rules, Stone
from hinterland.gravity.area.stones import lay_out
from hinterland.gravity.replies import best_reply
from hinterland.gravity.replies.block_counts import list_flagged
from hinterland.gravity.spacing import forbids
from hinterland.jit import JIT_ON, kernel


def check(position, weight=1):
    gains = position.reply_map(weight)
    row, col = divmod(int(gains.argmax()), position.rules.size)
    assert position.best_reply(weight) == (Stone(row, col, weight), gains[row, col]), str(position)


@pytest.mark.parametrize("top", [1, 4, 6])
def test_random_boards_with_weights_and_several_players(rng, top, monkeypatch):
    monkeypatch.setattr(best_reply, "FIRST_LEVEL", top)
    monkeypatch.setattr(best_reply, "threads_for", lambda _: top)
    for _ in range(60 if JIT_ON else 4):
        position, _ = random_board(rng, 40 if JIT_ON else 12)
        widest = int(1.41 * (position.rules.size - 1))
        rules = msgspec.structs.replace(position.rules, spacing=int(rng.integers(1, max(widest // 3, 2))))
        spaced = Position(rules, position.moves)
        if spaced.to_move is not None:
            check(spaced, int(rng.integers(1, 51)))


@pytest.mark.jit
@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("law", ["gravity", "nearest"])
def test_a_game_on_a_board_of_many_tiles(law, players, rng):
    position = Rules(size=301, spacing=20, stones=4, players=players, law=law, weight=40).start()
    while position.to_move is not None:
        check(position, 7)
        stone = position.legal_moves.sample(rng)
        position = position.play(Stone(stone.row, stone.col, int(rng.integers(1, 11))))


def test_ties_go_to_the_first_in_reading_order():
    empty = Rules(size=20, spacing=3).start()
    assert empty.best_reply() == (Stone(0, 0), 400)
    mirrored = Rules(size=21, spacing=3).start().play(Stone(10, 10))
    gains = mirrored.reply_map()
    assert (gains == gains.max()).sum() >= 4
    check(mirrored)


def test_as_many_tiles_as_there_are_can_be_listed():
    flags, listed = np.ones(300, dtype=np.uint8), np.zeros(400, dtype=np.int32)
    flags[[0, 200]] = 0
    assert list_all(flags, listed) == 50 + 298
    assert np.array_equal(listed[50:348], 1000 + np.flatnonzero(flags))


@kernel
def list_all(flags: np.ndarray, listed: np.ndarray) -> int:
    return list_flagged(flags, flags.size, 1000, listed, 50)


def test_where_bounds_do_not_separate_the_map_decides(monkeypatch):
    monkeypatch.setattr(best_reply, "MOST_BLOCKS_PER_ROW", 0)
    check(Rules(size=20, spacing=3).start().play(Stone(4, 7)))


def test_a_bound_that_is_too_low_would_be_found(monkeypatch, rng):
    """The checks above can fail: with distances from blocks too great the best cell is lost on some board."""
    squares_from = best_reply.squares_from
    monkeypatch.setattr(best_reply, "squares_from", lambda side, size: squares_from(1, size) * (1 if side == 1 else 2))
    monkeypatch.setattr(best_reply, "FIRST_LEVEL", 2)
    wrong = 0
    for _ in range(12 if JIT_ON else 4):
        position = Rules(size=24, spacing=2).start()
        for _ in range(3):
            position = position.play(position.legal_moves.sample(rng))
        wrong += position.best_reply()[1] != position.reply_map().max()
    assert wrong > 0


def test_no_best_reply_after_the_end_or_for_weight_that_is_not_there():
    position = Rules(size=9, spacing=3, stones=1).start().play(Stone(0, 0))
    with pytest.raises(IllegalMove, match="every stone weighs 1"):
        position.best_reply(2)
    with pytest.raises(IllegalMove, match="game is over"):
        position.play(Stone(8, 8)).best_reply()


def test_blocks_are_dropped_only_where_one_stone_forbids_all_of_them():
    def dropped(spacing, blocks, side):
        stones = lay_out([(0, 5, 5, 1)], 2, 9, spacing, nearest=False)
        return [forbids(stones, row, col, side) for row, col in blocks]

    blocks = [(4, 4), (2, 2), (0, 0), (5, 5)]
    assert dropped(3, blocks, 2) == [True, False, False, True]
    assert dropped(5, blocks, 4) == [True, True, False, True]
