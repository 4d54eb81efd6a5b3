"""Computes the reply map: what a stone on each cell would gain, for all cells at once.

A cell x with reach k (capture_radius.py) is taken by a new stone on any cell c of the disc ``|x - c|^2 <= k``. So the
gains of all replies are a sum of discs, one for each cell x, and the board need not be counted for each reply. Discs
are entered as differences (discs.py), and a sweep over the board sums them up (prefix_sums.py).

Each core has tables of its own and takes one band of rows after another. Against a single stone all discs are large,
and half-planes are counted instead (half_planes.py). On small boards discs are entered row by row, which is as quick
there and compiles much faster.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from hinterland.gravity.area.stones import NewStone
from hinterland.gravity.replies import half_planes, octagons
from hinterland.gravity.replies.capture_radius import find_reaches, leave_out_covering, new_scratch
from hinterland.gravity.replies.discs import enter_band
from hinterland.gravity.replies.half_planes import count_nearer
from hinterland.gravity.replies.prefix_sums import sum_up, sums_of
from hinterland.gravity.spacing import forbid
from hinterland.jit import cores, in_strips, kernel

BAND_ROWS = 128
"""Rows that a core takes at a time, whenever it is free."""
ONE_CORE_SIDE = 200
"""Maps of boards of up to this many cells a side are made on one core; a second would save no time."""
ROW_BY_ROW_SIDE = 40
"""On boards of up to this many cells a side, discs are entered row by row."""


def reply_map(new: NewStone) -> np.ndarray:
    """Return the gain of a stone on every cell: int32 (size, size), -1 where it may not go.

    A stone's gain is the number of cells that its seat would own after the move and does not own before it.
    """
    gains = reply_map_in_time(new, lambda: True)
    assert gains is not None, "there was all the time"
    return gains


def reply_map_in_time(new: NewStone, has_time: Callable[[], bool]) -> np.ndarray | None:
    """Return the reply map; None if ``has_time``, which is called before each band of rows, returns False."""
    size = new.stones.size
    gains = np.empty((size, size), dtype=np.int32)
    if half_planes.can_count(new):
        in_strips(
            lambda _, first, end: has_time() and count_nearer(new.stones, first, end, gains),
            size, BAND_ROWS, threads_for(size),
        )  # fmt: skip
    elif size <= ROW_BY_ROW_SIDE:
        _add_rows_of_discs(new, gains)
    else:
        _add_discs(new, gains, has_time)
    if not has_time():
        return None
    forbid(new.stones, gains)
    return gains


def threads_for(size: int) -> int:
    """Return the number of threads that are worth waking for a board."""
    return 1 if size <= ONE_CORE_SIDE else cores()


def _add_discs(new: NewStone, gains: np.ndarray, has_time: Callable[[], bool]) -> None:
    """Set ``gains``, int32 (size, size), to the sum of the discs of all cells, unless time runs out."""
    size = new.stones.size
    threads = threads_for(size)
    reaches = np.empty((size, size), dtype=np.int32)
    everywhere = in_strips(
        lambda _, first, end: _reach_rows(new, first, end, reaches) if has_time() else 0, size, BAND_ROWS, threads
    )
    entered = _enter_parts(reaches, threads, has_time)
    if has_time():
        parts, tables = [part for _, part in entered], list(entered.values())
        in_strips(lambda _, i, __: sum_up(tables[i], parts[i], size), len(tables), 1, threads)
        sums, always = [sums_of(table, size) for table in tables], sum(everywhere)
        in_strips(lambda _, first, end: _add_up(sums, always, gains, slice(first, end)), size, BAND_ROWS, threads)


def _add_rows_of_discs(new: NewStone, gains: np.ndarray) -> None:
    """Set ``gains``, int32 (size, size), to the sum of the discs of all cells of a small board."""
    size = new.stones.size
    reaches = np.empty((size, size), dtype=np.int32)
    always = _reach_rows(new, 0, size, reaches)
    roots = np.sqrt(np.arange(2 * size * size)).astype(np.int32)
    differences = np.zeros((size, size + 1), dtype=np.int32)
    _enter_rows(reaches, roots, differences)
    np.cumsum(differences[:, :size], axis=1, dtype=np.int32, out=gains)
    gains += always


@kernel
def _enter_rows(reaches: np.ndarray, roots: np.ndarray, differences: np.ndarray) -> None:
    """Enter the discs of all cells as differences along rows: +1 where a disc begins in a row, -1 behind its end.

    ``reaches``: int32 (size, size), -1 where there is no disc; ``roots``: int32[n], the square roots of 0, 1, 2 …,
    rounded down; ``differences``: int32 (size, size + 1).
    """
    size = reaches.shape[0]
    for row in range(size):
        for col in range(size):
            reach = reaches[row, col]
            if reach >= 0:
                tall = roots[reach]
                for at in range(max(row - tall, 0), min(row + tall + 1, size)):
                    half = roots[reach - (at - row) * (at - row)]
                    differences[at, max(col - half, 0)] += 1
                    differences[at, min(col + half + 1, size)] -= 1


def _add_up(sums: list[np.ndarray], always: int, gains: np.ndarray, rows: slice) -> None:
    """Set the rows ``rows`` of ``gains`` to the sums of all tables plus ``always``, what a stone gains anywhere."""
    gains[rows] = always
    for part in sums:
        gains[rows] += part[rows]


def _enter_parts(reaches: np.ndarray, threads: int, has_time: Callable[[], bool]) -> dict[tuple[int, int], np.ndarray]:
    """Enter both parts of all discs; return the tables by thread and part.

    Bands are listed first for one part, then for the other, and threads with odd numbers take bands from the end of the
    list. So each of two threads begins with a part of its own, whose tables have the thread's cache to themselves, and
    then helps the other thread.
    """
    size = reaches.shape[0]
    bands = -(-size // BAND_ROWS)
    tables: dict[tuple[int, int], np.ndarray] = {}

    def enter(thread: int, number: int, _: int) -> None:
        part, band = divmod(number, bands)
        if has_time():
            if (thread, part) not in tables:
                tables[thread, part] = octagons.new_tables(part, size)
            enter_band(tables[thread, part], part, band * BAND_ROWS, reaches[band * BAND_ROWS : (band + 1) * BAND_ROWS])

    in_strips(enter, len(octagons.TABLES) * bands, 1, threads)
    return tables


@kernel(allocates=True)
def _reach_rows(new: NewStone, first: int, end: int, reaches: np.ndarray) -> int:
    """Write the reach of each cell (capture_radius.py) of the rows ``first`` to ``end`` - 1 into ``reaches``.

    ``reaches``: int32 (size, size). Returns the number of cells that a stone takes wherever it stands; for these cells
    -1 is written.
    """
    size = new.stones.size
    scratch = new_scratch(size)
    everywhere = 0
    for row in range(first, end):
        find_reaches(new, row, scratch)
        everywhere += leave_out_covering(row, scratch.reaches)
        for col in range(size):  # assigning whole rows would compile checks of shapes: two seconds
            reaches[row, col] = scratch.reaches[col]
    return everywhere
