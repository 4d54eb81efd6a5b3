"""Contests with random results, drawn by a seeded generator, instead of games."""

import numpy as np

from hinterland.contest.pairings.rounds import TableResult

UNIT = 10**9


def drawn(table, rng, matches=1, chances=None):
    """Return a random result of a table; ``chances``: each player's chance to win a match, equal by default."""
    if len(table) == 1:
        return TableResult(table, 0, (0,), (0,))
    half_points, shares = [0] * len(table), [0] * len(table)
    for _ in range(matches):
        first = rng.choice(len(table), p=chances)
        if chances is None and rng.random() < 0.2:
            half_points[first] += 1
            half_points[(first + 1) % len(table)] += 1
        else:
            half_points[first] += 2
        parts = rng.dirichlet(np.ones(len(table)))
        shares = [share + int(part * UNIT) for share, part in zip(shares, parts, strict=True)]
    return TableResult(table, matches, tuple(half_points), tuple(shares))


def play(form, rng, matches=1, most=10**6):
    """Play a contest to its end, or for ``most`` rounds; return its rounds."""
    finished = []
    while len(finished) < most and (tables := form.tables(finished)) is not None:
        finished.append(tuple(drawn(table, rng, matches) for table in tables))
    return finished


def tables_of(finished):
    """Return the tables of each round."""
    return [tuple(result.table for result in played) for played in finished]
