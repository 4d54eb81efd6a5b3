"""``hug`` and ``lloyd`` play as documented, checked by plain fractions, and keep to a short clock."""

import math

import numpy as np
import pytest

import oracle_gravity
from hinterland import search_clock
from hinterland.contract import Clock
from hinterland.gravity import Rules
from hinterland.gravity.lloyd import even_layout
from hinterland.gravity.players import Hug, Lloyd
from hinterland.gravity.search import candidates
from ticking import Ticking

KINDS = [{}, {"law": "nearest"}, {"players": 3}, {"weight": 25}]


def positions(options, rng, size=9):
    """Yield the positions of a game of random stones that have a move left."""
    position = Rules(size=size, **{"spacing": 2, "stones": 4, **options}).start()
    while position.to_move is not None:
        yield position
        position = position.play(position.legal_moves.sample(rng))


def stones_of(position, seat):
    return [(stone.row, stone.col, stone.weight) for who, stone in position.moves if who == seat]


def gains_of(position, weight):
    """Return what a stone of this weight gains on each cell, counted cell by cell; -1 where it may not go."""
    rules, by_seat = position.rules, [stones_of(position, seat) for seat in range(position.rules.players)]
    return np.array(oracle_gravity.gains(by_seat, rules.size, rules.law, position.to_move, weight, rules.spacing))


def close_by(position):
    """Say of each cell whether it is as near to a stone of another seat as a stone may be."""
    rows, cols = np.indices((position.rules.size, position.rules.size))
    near, spacing = np.zeros(rows.shape, dtype=bool), position.rules.spacing
    for seat, stone in position.moves:
        squares = (rows - stone.row) ** 2 + (cols - stone.col) ** 2
        near |= (seat != position.to_move) & (spacing**2 <= squares) & (squares < (spacing + 1) ** 2)
    return near


@pytest.mark.parametrize("options", KINDS)
def test_hug_goes_where_it_gains_the_most_close_by_another_stone(options, rng):
    hugged = 0
    for position in positions(options, rng):
        stone = Hug().choose(position, Clock(), rng)
        gains = gains_of(position, stone.weight)
        near = np.where(close_by(position), gains, -1)
        hugged += near.max() >= 0
        assert gains[stone.row, stone.col] == (near if near.max() >= 0 else gains).max()
        assert near.max() < 0 or near[stone.row, stone.col] >= 0
    assert hugged > 3


@pytest.mark.parametrize("options", KINDS)
def test_lloyd_takes_the_free_place_of_its_layout_that_gains_the_most(options, rng):
    on_layout = 0
    for position in positions(options, rng):
        stone = Lloyd().choose(position, Clock(), rng)
        gains = gains_of(position, stone.weight)
        free = [place for place in even_layout(position.rules.size, position.rules.stones) if gains[place] >= 0]
        on_layout += bool(free)
        best = max(free, key=lambda place: gains[place]) if free else (stone.row, stone.col)
        assert (stone.row, stone.col) == best
        assert free or gains[best] == gains.max()
    assert on_layout > 3


@pytest.mark.parametrize("options", KINDS)
@pytest.mark.parametrize("size", [12, pytest.param(70, marks=pytest.mark.jit)])
def test_hug_goes_by_a_coarse_board_when_its_clock_is_short(monkeypatch, options, size, rng):
    for position in positions(options, rng, size):
        gains = position.reply_map(1)
        coarse = candidates.map_coarsely(position, 1)
        assert np.array_equal(coarse < 0, gains < 0)
        assert not position.moves or gains.flat[coarse.argmax()] >= 0.7 * gains.max()
        monkeypatch.setattr(search_clock, "now_s", Ticking(1.0).now_s)
        stone = Hug().choose(position, Clock(left_ms=1000), rng)
        assert stone in position.legal_moves
        near = close_by(position) & (gains >= 0)
        assert near[stone.row, stone.col] or not near.any()


def test_a_layout_of_one_stone_is_the_middle():
    assert [even_layout(size, 1) for size in (2, 10, 60, 61)] == [((1, 1),), ((5, 5),), ((30, 30),), ((30, 30),)]


@pytest.mark.parametrize("points", [2, 3, 5, 8])
def test_each_site_of_a_layout_is_the_centre_of_the_cells_nearest_to_it(points):
    size = 60
    sites = [(row + 0.5, col + 0.5) for row, col in even_layout(size, points)]
    nearest = {site: [] for site in sites}
    for row in range(size):
        for col in range(size):
            cell = row + 0.5, col + 0.5
            nearest[min(sites, key=lambda site: math.dist(site, cell))].append(cell)
    for site, cells in nearest.items():
        centre = tuple(sum(place) / len(cells) for place in zip(*cells, strict=True))
        assert math.dist(site, centre) < 0.8, "the cell that holds the centre is half a diagonal away at most"
    least, most = min(map(len, nearest.values())), max(map(len, nearest.values()))
    assert most < 1.5 * least, "the shares of an even layout are about equal"


@pytest.mark.jit
def test_lloyd_looks_at_no_cell_but_those_of_its_layout(monkeypatch, rng):
    position = Rules().start().play(next(iter(Rules().start().legal_moves)))
    monkeypatch.setattr(type(position), "reply_map", lambda *_: pytest.fail("all cells were looked at"))
    for clock in (Clock(), Clock(left_ms=1)):
        stone = Lloyd().choose(position, clock, rng)
        assert (stone.row, stone.col) in even_layout(1000, 10)
