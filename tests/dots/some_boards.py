"""Boards and positions that several tests of this game look at."""

import math

from hinterland.dots import Rules, boards
from hinterland.dots.atlas import atlas_file

AROUND = Rules(points=((0, 0), (9, 0), (4, 8), (4, 3)))
"""Three dots around one."""


def circle(dots):
    """Return dots on a circle."""
    turns = (k * math.tau / dots for k in range(dots))
    return Rules(points=tuple((math.cos(turn), math.sin(turn + 0.1)) for turn in turns))


def small_boards(count, least=3, most=7, seed=0):
    """Return seeded boards of all kinds, with so many dots."""
    kinds = sorted(boards.BOARDS)
    span = most - least + 1
    return [boards.make(kinds[k % len(kinds)], dots=least + k % span, seed=seed + k) for k in range(count)]


def random_game(rules, rng):
    """Yield the positions of a random game, the first and the last included."""
    position = rules.start()
    yield position
    while position.to_move is not None:
        position = position.play(position.legal_moves.sample(rng))
        yield position


def somewhere(rules, rng):
    """Return a position of a random game that has a move left."""
    *going, _ = random_game(rules, rng)
    return going[int(rng.integers(len(going)))]


def plain(position):
    """Return (dots, lines) as the oracle has them."""
    return frozenset(position.dots), frozenset(line.numbers for line in position.lines)


def entries_in(file):
    """Return the entries of a finished atlas, a line each below the heading."""
    *lines, end = file.read_text().split("\n")
    assert (lines[0], end) == (atlas_file.CSV_HEADER, "")
    return [atlas_file.from_row(line, file.name) for line in lines[1:]]
