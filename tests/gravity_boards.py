"""Random boards of gravity, some of them symmetric, as positions and as plain lists for the oracle."""

from hinterland.gravity import Position, Rules, Stone


def random_board(rng, largest=24):
    """Return (position, stones by seat): any law, 2 to 4 players, weights 1 to 50, often symmetric."""
    size = int(rng.integers(2, largest + 1))
    players = int(rng.integers(2, 5))
    law = ("gravity", "nearest")[int(rng.integers(2))]
    heaviest = (1, 50)[int(rng.integers(2))]
    moves = _scattered(rng, size, players, heaviest)
    symmetry = int(rng.integers(4))
    if symmetry < 3:
        moves = _mirrored(moves, size, symmetry)
    rules = Rules(size=size, players=players, stones=1000, spacing=1, weight=1_000_000, law=law)
    position = Position(rules, tuple(moves))
    return position, by_seat(position)


def by_seat(position):
    """Return the stones of a position as [(row, col, weight)] for each seat."""
    stones = [[] for _ in range(position.rules.players)]
    for seat, stone in position.moves:
        stones[seat].append((stone.row, stone.col, stone.weight))
    return stones


def _scattered(rng, size, players, heaviest):
    taken = {}
    for _ in range(int(rng.integers(1, 9))):
        cell = (int(rng.integers(size)), int(rng.integers(size)))
        taken.setdefault(cell, (int(rng.integers(players)), int(rng.integers(1, heaviest + 1))))
    return [(seat, Stone(row, col, weight)) for (row, col), (seat, weight) in taken.items()]


def _mirrored(moves, size, symmetry):
    """Mirror each stone for the next seat across a line or the centre, if there is room."""
    last = size - 1
    images = (lambda s: (s.row, last - s.col), lambda s: (last - s.row, last - s.col), lambda s: (s.col, s.row))
    taken = {(stone.row, stone.col) for _, stone in moves}
    twins = []
    for seat, stone in moves:
        row, col = images[symmetry](stone)
        if (row, col) not in taken:
            taken.add((row, col))
            twins.append(((seat + 1) % 2 if seat < 2 else seat, Stone(row, col, stone.weight)))
    return moves + twins
