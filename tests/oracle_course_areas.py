"""Areas as the course's servers of 2017 and later counted them: in floating point, move by move, ties within 1e-9.

The first stone takes every cell but its own. After that, a cell of another colour becomes nobody's if the mover's pull
and the owner's are within 1e-9, and the mover's if its pull is greater. A cell of nobody becomes the mover's if its
pull is greater than all others by more than 1e-9. The cell under a new stone does not change.
"""

import numpy as np

TIE = 1e-9


def replayed(moves, size, players):
    """Return owners (size, size), -1 for nobody, and the pulls (players, size, size) after moves (seat, row, col)."""
    rows, cols = np.indices((size, size), dtype=float)
    pulls = np.zeros((players, size, size))
    owners = np.full((size, size), -1)
    for ply, (seat, row, col) in enumerate(moves):
        distance = np.sqrt((rows - row) ** 2 + (cols - col) ** 2)
        distance[row, col] = np.inf
        pulls[seat] += 1 / (distance * distance)
        seen = np.ones((size, size), dtype=bool)
        seen[row, col] = False
        if ply == 0:
            owners[seen] = seat
            continue
        mine, others = pulls[seat], np.delete(pulls, seat, axis=0).max(axis=0)
        held = seen & (owners >= 0) & (owners != seat)
        owner_pull = np.take_along_axis(pulls, np.maximum(owners, 0)[np.newaxis], axis=0)[0]
        tied = held & (np.abs(mine - owner_pull) <= TIE)
        won = (held & ~tied & (mine > owner_pull)) | (seen & (owners < 0) & (others <= mine - TIE))
        owners[tied] = -1
        owners[won] = seat
    return owners, pulls
