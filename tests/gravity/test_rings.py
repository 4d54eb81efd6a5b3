"""The places beside stones, which coarse boards compare where stones may almost touch."""

import math

import numpy as np
import pytest
from numba import njit

from hinterland.contract import Clock
from hinterland.gravity.coarse import coarse_board
from hinterland.gravity.coarse.coarse_replies import map_replies
from hinterland.gravity.players import Reply, Search
from hinterland.gravity.rules import Rules, Stone


@pytest.mark.parametrize("spacing", [1, 2, 3, 7, 20, 66])
def test_places_lie_close_beside_a_stone_all_around(spacing):
    offsets = coarse_board.ring_offsets(spacing)
    away = np.hypot(offsets[:, 0], offsets[:, 1])
    assert (away >= spacing).all()
    assert (away < spacing + 2).all()
    angles = np.sort(np.arctan2(offsets[:, 0], offsets[:, 1]) % (2 * math.pi))
    assert len(np.unique(angles)) == len(offsets) == 16
    assert np.diff(angles, append=angles[0] + 2 * math.pi).max() < math.radians(31)


def test_only_boards_whose_cells_are_too_large_have_rings():
    assert coarse_board.needs_rings(Rules(spacing=1), 24)
    assert coarse_board.needs_rings(Rules(spacing=15), 48)
    assert not coarse_board.needs_rings(Rules(spacing=16), 48)
    assert not coarse_board.needs_rings(Rules(), 24)
    assert not coarse_board.needs_rings(Rules(size=24, spacing=1, stones=2), 24)


def middles(grid, side):
    """Return, for each group of side x side cells, its cells and its middle."""
    for row in range(0, grid, side):
        for col in range(0, grid, side):
            cells = [(row + i, col + j) for i in range(side) for j in range(side)]
            yield cells, (row + (side - 1) / 2, col + (side - 1) / 2)


def lead_gained(board, seat, place, weight, law):
    """Count plainly how many cells a stone of some weight adds to a seat's lead; all cells of a block count alike."""
    side, gained = 2 if board.blocks else 1, 0
    own, rival = board.pulls[seat, board.placed[seat]], board.pulls[1 - seat, board.placed[1 - seat]]
    for cells, (row, col) in middles(board.grid, side):
        mine, theirs = sum(own[cell] for cell in cells), sum(rival[cell] for cell in cells)
        new = len(cells) * weight / ((row - place[0]) ** 2 + (col - place[1]) ** 2)
        after = max(mine, new) if law == "nearest" else mine + new
        if theirs > mine and after > theirs:
            gained += 2 * len(cells)
    return gained


@pytest.mark.parametrize("law", ["gravity", "nearest"])
@pytest.mark.parametrize("grid", [15, 24, 25])
def test_gains_beside_stones_are_those_of_plain_counting(law, grid, rng):
    for spacing in (1, 4, 12):
        position = Rules(size=500, stones=9, spacing=spacing, law=law).start()
        for _ in range(int(rng.integers(3, 9))):
            position = position.play(position.legal_moves.sample(rng))
        board, seat = coarse_board.coarsen(position, grid, 2), position.to_move
        map_replies(board, seat, 1)
        for number, (mover, stone) in enumerate(position.moves):
            for direction, gain in enumerate(board.ring_gains[number]):
                place = [(at + 0.5) * grid / 500 - 0.5 for at in (stone.row, stone.col)] + board.ring[direction]
                if mover == seat:
                    assert gain == -1
                else:  # equal pulls differ by rounding
                    least, most = (lead_gained(board, seat, place, 1 + change, law) for change in (-1e-9, 1e-9))
                    assert least <= gain <= most


@njit
def choose(board, ply):
    number = coarse_board.best_free(board, ply)
    return number, coarse_board.gain_at(board, number), coarse_board.place_at(board, number)


@pytest.mark.parametrize("spacing", [1, 5])
def test_the_best_free_place_may_lie_beside_a_stone(spacing, rng):
    beside = 0
    for _ in range(12):
        position = Rules(size=400, stones=9, spacing=spacing).start()
        for _ in range(7):
            position = position.play(position.legal_moves.sample(rng))
        board = coarse_board.coarsen(position, 24, 2)
        map_replies(board, position.to_move, 1)
        number, gain, (row, col) = choose(board, 0)
        places = [(row + 0.5) * 400 / 24 - 0.5, (col + 0.5) * 400 / 24 - 0.5]
        best = [Stone(*map(round, places)), gain]
        free = board.gains[board.free[0] == 1].max()
        assert best[1] >= free
        if number >= 24 * 24:
            beside += 1
            assert places == pytest.approx([round(at) for at in places])
            assert best[0] in position.legal_moves
            assert best[1] > free
        for mover, stone in position.moves:
            if mover != position.to_move:
                own = board.ring_gains[[other for _, other in position.moves].index(stone)]
                for (down, right), other in zip(coarse_board.ring_offsets(spacing).tolist(), own, strict=True):
                    if Stone(stone.row + down, stone.col + right) in position.legal_moves:
                        assert other <= gain
    assert beside > 0


@pytest.mark.jit
@pytest.mark.once
@pytest.mark.thorough
@pytest.mark.parametrize("spacing", [1, 4])
def test_a_search_takes_more_than_a_greedy_player_where_stones_may_almost_touch(spacing):
    shares = []
    for seat in (0, 1):
        players = [Reply(), Search(playouts=5000)]
        position, rng = Rules(size=300, stones=4, spacing=spacing).start(), np.random.default_rng(5)
        while position.to_move is not None:
            player = players[position.to_move == seat]
            position = position.play(player.choose(position, Clock(), rng))
        shares.append(position.scores[seat] / sum(position.scores))
    assert sum(shares) / 2 > 0.53
