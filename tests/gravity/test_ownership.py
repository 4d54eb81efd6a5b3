"""Areas and owners against fractions, symmetry, and the boards the issue names."""

import numpy as np
import pytest

import oracle_gravity
from gravity_boards import by_seat, random_board
from hinterland.gravity import Position, Rules, Stone
from hinterland.jit import JIT_ON

BOARDS = 500 if JIT_ON else 120


def test_areas_and_owners_equal_the_oracle(rng):
    ties = 0
    for _ in range(BOARDS):
        position, stones = random_board(rng)
        expected = np.array(oracle_gravity.owners(stones, position.rules.size, position.rules.law))
        assert np.array_equal(position.owners, expected), str(position)
        counts = tuple(int((expected == seat).sum()) for seat in range(position.rules.players))
        assert position.scores == counts, str(position)
        ties += int((expected == -1).sum())
    assert ties > BOARDS, "the boards should hold many ties, or the test misses its point"


def test_order_of_stones_does_not_matter(rng):
    for _ in range(BOARDS // 5):
        position, _ = random_board(rng)
        shuffled = Position(position.rules, tuple(position.moves[i] for i in rng.permutation(len(position.moves))))
        assert np.array_equal(position.owners, shuffled.owners)
        assert position.scores == shuffled.scores


def test_eight_symmetries_of_the_board(rng):
    for _ in range(BOARDS // 10):
        position, _ = random_board(rng, 12)
        last = position.rules.size - 1
        turned = Position(
            position.rules, tuple((seat, Stone(s.col, last - s.row, s.weight)) for seat, s in position.moves)
        )
        assert np.array_equal(turned.owners, np.rot90(position.owners, -1))
        flipped = Position(
            position.rules, tuple((seat, Stone(last - s.row, s.col, s.weight)) for seat, s in position.moves)
        )
        assert np.array_equal(flipped.owners, position.owners[::-1])


def test_seats_swapped_swap_the_scores(rng):
    for _ in range(BOARDS // 10):
        position, _ = random_board(rng, 12)
        players = position.rules.players
        swapped = Position(position.rules, tuple(((seat + 1) % players, stone) for seat, stone in position.moves))
        assert swapped.scores == tuple(position.scores[(seat - 1) % players] for seat in range(players))


def test_nobody_owns_an_empty_board():
    position = Rules(size=20, spacing=2).start()
    assert position.scores == (0, 0)
    assert (position.owners == -1).all()


@pytest.mark.parametrize("law", ["gravity", "nearest"])
@pytest.mark.parametrize("size", [2, 7, 8, 9, 64, 65])
def test_a_single_stone_owns_its_board(size, law):
    for cell in ((0, 0), (size - 1, size // 2)):
        position = Rules(size=size, spacing=1, law=law).start().play(Stone(*cell))
        assert position.scores == (size * size, 0)


@pytest.mark.jit
@pytest.mark.parametrize("law", ["gravity", "nearest"])
@pytest.mark.parametrize("size", [999, 1000, 1037])
def test_a_single_stone_owns_a_large_board(size, law):
    assert Rules(size=size, law=law).start().play(Stone(size // 3, 5)).scores == (size * size, 0)


def mirrored(size, players, rng, stones=10):
    """Return a position of two seats whose stones are mirror images across the middle column."""
    rules = Rules(size=size, spacing=66, stones=stones, players=players)
    moves = []
    while len(moves) < 2 * stones:
        row, col = int(rng.integers(size)), int(rng.integers(size // 2 - 40))
        square = min(((row - s.row) ** 2 + (col - s.col) ** 2 for _, s in moves), default=10**9)
        if square >= 66**2:
            moves += [(0, Stone(row, col)), (1, Stone(row, size - 1 - col))]
    return Position(rules, tuple(moves))


@pytest.mark.jit
def test_the_axis_of_a_mirrored_board_is_nobodys_to_the_cell(rng):
    for size in (999, 1001, 1000):
        position = mirrored(size, 2, rng)
        owners = position.owners
        assert np.array_equal(owners[:, ::-1], np.where(owners < 0, owners, 1 - owners))
        axis = size % 2 * size
        if axis:
            assert (owners[:, size // 2] == -1).all()
        ties = int((owners < 0).sum())
        assert ties == axis + 2 * int((owners[:, : size // 2] < 0).sum())
        assert position.scores == ((size * size - ties) // 2,) * 2


@pytest.mark.jit
def test_large_boards_equal_numpy_where_margins_are_clear(rng):
    for law in ("gravity", "nearest"):
        rules = Rules(size=1000, players=3, stones=7, law=law)
        position = rules.start()
        while position.to_move is not None:
            position = position.play(position.legal_moves.sample(rng))
        rows, cols = np.mgrid[:1000, :1000]
        pulls = np.zeros((3, 1000, 1000))
        for seat, stones in enumerate(by_seat(position)):
            for row, col, weight in stones:
                with np.errstate(divide="ignore"):
                    term = weight / ((rows - row) ** 2 + (cols - col) ** 2)
                pulls[seat] = np.maximum(pulls[seat], term) if law == "nearest" else pulls[seat] + term
        ranked = np.sort(pulls, axis=0)
        clear = ranked[-1] - ranked[-2] > 1e-12 * ranked[-2]
        assert clear.mean() > 0.999
        assert np.array_equal(position.owners[clear], pulls.argmax(axis=0)[clear])
