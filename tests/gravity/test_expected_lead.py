"""Expected leads agree with their definition, and are exact where no stone is to come."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from hinterland.gravity import Rules
from hinterland.gravity.coarse import coarse_board
from hinterland.gravity.coarse.coarse_replies import map_expected, map_replies
from hinterland.gravity.coarse.expected_lead import UNITS_PER_CELL
from hinterland.gravity.guide.network import NO_GUIDE
from hinterland.gravity.search import expansion, mcts, puct_tree
from hinterland.gravity.search.stones_left import turns_of


def played(rules, moves, rng):
    position = rules.start()
    for _ in range(moves):
        position = position.play(position.legal_moves.sample(rng))
    return position


def pulls(position, grid, extra=()):
    """Return what each seat pulls on every cell of a coarse board, in fractions; ``extra``: stones on its cells."""
    rules = position.rules
    scale = Fraction(grid, rules.size)
    half = Fraction(1, 2)
    stones = [
        (seat, (stone.row + half) * scale - half, (stone.col + half) * scale - half, stone.weight)
        for seat, stone in position.moves
    ]
    found = [[[Fraction(0)] * grid for _ in range(grid)] for _ in range(rules.players)]
    for seat, down, right, weight in [*stones, *extra]:
        for row in range(grid):
            for col in range(grid):
                pull = weight / max((row - down) ** 2 + (col - right) ** 2, Fraction(1, 10**9))
                before = found[seat][row][col]
                found[seat][row][col] = max(before, pull) if rules.law == "nearest" else before + pull
    return found


def expected(own, rival, risks, law):
    """Return what a block counts for the mover. ``risks``: k of the mover and of its rival."""
    if own > rival:
        lead = own if law == "nearest" else own - rival
        return lead / (lead + Fraction(risks[0]))
    lead = rival if law == "nearest" else rival - own
    return -lead / (lead + Fraction(risks[1])) if lead else 0


def pooled(field, side):
    """Return the means of blocks of cells."""
    grid = len(field)
    blocks = [range(first, min(first + side, grid)) for first in range(0, grid, side)]
    return [
        [sum(field[i][j] for i in rows for j in cols) / (len(rows) * len(cols)) for cols in blocks] for rows in blocks
    ]


@pytest.mark.parametrize("law", ["gravity", "nearest"])
@pytest.mark.parametrize(("size", "grid", "weight", "players"), [(15, 5, None, 2), (15, 5, 20, 3), (96, 16, 30, 2)])
def test_expected_gains_agree_with_their_definition(law, size, grid, weight, players, rng):
    rules = Rules(size=size, stones=4, spacing=2, weight=weight, law=law, players=players)
    position = played(rules, 2 * players - 1, rng)
    seat, turns = position.to_move, turns_of(position)
    board = coarse_board.coarsen(position, grid, 4, foresees=True)
    stone, left = 2 if weight else 1, turns.weights.astype(int).tolist()
    map_expected(board, seat, stone, turns.weights.copy())
    side, stride = board.lattice.block, board.lattice.stride
    others = sum(left) - left[seat]
    risks = (max(math.pi * others / grid**2, 1e-9), max(math.pi * (left[seat] - stone) / grid**2, 1e-9))
    fields = pulls(position, grid)
    own, others = fields.pop(seat), np.array(fields)
    own, rival = pooled(own, side), pooled(others.max(axis=0).tolist(), side)
    blocks = range(len(own))
    for row in range(stride // 2, grid, stride):
        for col in range(stride // 2, grid, stride):
            gain = 0
            for i in blocks:
                for j in blocks:
                    middle = [Fraction(side * number) + Fraction(side - 1, 2) for number in (i, j)]
                    square = (middle[0] - row) ** 2 + (middle[1] - col) ** 2
                    pull = stone / max(square, Fraction(1, 10**9))
                    after = max(own[i][j], pull) if law == "nearest" else own[i][j] + pull
                    gain += expected(after, rival[i][j], risks, law) - expected(own[i][j], rival[i][j], risks, law)
            if board.free[0, row, col]:
                assert board.gains[row, col] == pytest.approx(float(max(gain, 0)) * side**2 * UNITS_PER_CELL, abs=3)
    assert (board.gains >= 0).sum() == len(range(stride // 2, grid, stride)) ** 2


def test_expected_gains_of_the_last_stone_are_gains(rng):
    position = played(Rules(size=60, stones=2, spacing=4), 3, rng)
    board = coarse_board.coarsen(position, 6, 1, foresees=True)
    map_expected(board, position.to_move, 1, turns_of(position).weights)
    promised = board.gains / UNITS_PER_CELL
    map_replies(board, position.to_move, 1)
    assert np.abs(promised - board.gains).max() < 0.1


def test_areas_count_less_while_stones_are_to_come(rng):
    position = played(Rules(size=60, stones=3, spacing=4), 3, rng)
    board = coarse_board.coarsen(position, 20, 4, foresees=True)
    found = []
    for left in ((0, 0), (1, 0), (1, 1), (3, 3)):
        areas = np.empty(2)
        coarse_board.count_areas(board, np.array(left), areas)
        found.append(areas)
    fields = pulls(position, 20)
    cells = [(row, col) for row in range(20) for col in range(20)]
    owned = [sum(fields[seat][i][j] > fields[1 - seat][i][j] for i, j in cells) for seat in range(2)]
    assert found[0].tolist() == owned
    assert found[1][0] == pytest.approx(owned[0])
    assert found[1][1] < owned[1]
    assert all((more <= less + 1e-6).all() for less, more in itertools.pairwise(found))
    k = math.pi * 3 / 400
    leads = [float(fields[0][i][j] - fields[1][i][j]) for i, j in cells]
    assert found[3][0] == pytest.approx(sum(lead / (lead + k) for lead in leads if lead > 0))


def test_a_move_is_found_where_the_lattice_has_no_free_place(rng):
    position = played(Rules(size=200, stones=3, spacing=4), 2, rng)
    board = coarse_board.coarsen(position, 50, 4, foresees=True)
    first, stride = board.lattice.stride // 2, board.lattice.stride
    assert stride > 1
    board.free[0, first::stride, first::stride] = 0
    tree = puct_tree.new_tree(1000, 2)
    mcts.grow(tree, 1, board, turns_of(position), expansion.Width(24, 1), 4, NO_GUIDE)
    assert tree.children[0] > 0
    assert not tree.proven[0]
    places = tree.places[1 : tree.children[0] + 1].astype(int)
    assert all(board.free[0, row, col] for row, col in places)
