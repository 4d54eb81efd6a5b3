"""Gravity's kernels beside a NumPy recomputation and compiled brute force, in one run: ``make bench``.

Figures depend on the machine; the ratios say more. Brute force over all replies would take minutes, so it is timed on a
sample of cells, scaled up, and marked as an estimate. ``benchmarks.kernels``, called at the end, holds the large
kernels against their bars; ``make bench BESIDE=DIR`` times those of another checkout in turn with them.
"""

from __future__ import annotations

import argparse
import statistics
import time
from itertools import pairwise
from pathlib import Path

import msgspec
import numpy as np

from benchmarks import kernels
from benchmarks.kernels import random_game
from benchmarks.timing import median_ms, row
from hinterland.gravity import Position, Rules, Stone
from hinterland.gravity.area.stones import Stones
from hinterland.gravity.game import warm_up
from hinterland.jit import cores, kernel

SEED = 2017
SAMPLE_CELLS = 24
"""Cells on which brute force is timed."""


def copy_without_cache(position: Position) -> Position:
    """Return an equal position without cached values."""
    return Position(position.rules, position.moves)


def numpy_areas(position: Position) -> tuple[int, ...]:
    """Count areas with whole-board arrays, in floating point."""
    size = position.rules.size
    rows, cols = np.mgrid[:size, :size].astype(np.float64)
    pulls = np.zeros((position.rules.players, size, size))
    with np.errstate(divide="ignore"):
        for seat, stone in position.moves:
            pulls[seat] += stone.weight / ((rows - stone.row) ** 2 + (cols - stone.col) ** 2)
    best = pulls.max(axis=0)
    alone = (pulls == best).sum(axis=0) == 1
    return tuple(int(((pulls[seat] == best) & alone).sum()) for seat in range(len(pulls)))


def numpy_gain(position: Position, row_: int, col: int) -> int:
    """Compute the gain of one reply with whole-board arrays: the areas after it less those before it."""
    seat = position.to_move or 0
    after = Position(position.rules, (*position.moves, (seat, Stone(row_, col))))
    return numpy_areas(after)[seat] - numpy_areas(position)[seat]


@kernel
def brute_gain(stones: Stones, seat: int, row: int, col: int) -> int:
    """Compute the gain of one reply from every cell, as a tuned program in C would."""
    gain = 0
    for cell_row in range(stones.size):
        for cell_col in range(stones.size):
            own = rival = 0.0
            for other in range(stones.starts.size - 1):
                pull = 0.0
                for i in range(stones.starts[other], stones.starts[other + 1]):
                    square = (cell_row - stones.rows[i]) ** 2 + (cell_col - stones.cols[i]) ** 2
                    pull += stones.weights[i] / square
                if other == seat:
                    own = pull
                else:
                    rival = max(rival, pull)
            new = 1.0 / max((cell_row - row) ** 2 + (cell_col - col) ** 2, 1e-30)
            gain += own <= rival < own + new
    return gain


def brute_map_ms(position: Position, rng: np.random.Generator) -> float:
    """Time brute force on a sample of cells and scale it to the whole board."""
    size = position.rules.size
    stones = position._stones
    seat = position.to_move or 0
    cells = rng.integers(size, size=(SAMPLE_CELLS, 2)).tolist()
    brute_gain(stones, seat, 0, 0)
    started = time.perf_counter()
    for row_, col in cells:
        brute_gain(stones, seat, row_, col)
    return (time.perf_counter() - started) * 1000 / SAMPLE_CELLS * size * size / cores()


def main() -> None:
    """Print the report; with ``--beside DIR`` the kernels of another checkout, too, in turn with these."""
    options = argparse.ArgumentParser()
    options.add_argument("--beside", type=Path, help="another checkout, whose kernels are timed in turn with these")
    beside = options.parse_args().beside
    warm_up()
    rng = np.random.default_rng(SEED)
    positions = random_game(Rules(), rng)
    middle = positions[10]
    print(f"gravity, 1000 x 1000, 2 players, 10 stones each, {cores()} cores, medians")
    print("\nplacing a stone and counting areas, exactly")
    per_ply = [placing_ms(before, after) for before, after in pairwise(positions)]
    print(row("whole game: median over its 20 moves", statistics.median(per_ply), 1.0))
    print(row("the slowest of them (all 20 stones on the board)", max(per_ply)))
    print(row("NumPy, whole board, floating point, after 10 stones", median_ms(lambda: numpy_areas(middle), 3)))
    print("\nwhat the reply map and the best cell alone are beside")
    exact = median_ms(middle.reply_map, 3)
    print(row("the reply map, after 10 stones", exact))
    brute = brute_map_ms(middle, rng)
    note = f"   (estimated from {SAMPLE_CELLS} of 1,000,000 cells)"
    print(row("brute force in a compiled kernel, after 10 stones", brute, note=note))
    print(row("NumPy, one cell of the map, after 10 stones", median_ms(lambda: numpy_gain(middle, 500, 500), 3)))
    print(f"  brute force / reply map: {brute / exact:,.0f} times")
    small = random_game(Rules(size=100, spacing=7), rng)
    print("\nexactly at 100 x 100, one core")
    small_maps = [median_ms(position.reply_map, 200) for position in small[:-1]]
    print(row("the reply map, median over the 20 moves of a game", statistics.median(small_maps)))
    print(row("the slowest of them", max(small_maps)))
    print(row("the best cell alone, after 10 stones", median_ms(small[10].best_reply, 50)))
    kernels.report(beside and beside.resolve())
    print(f"\na position of 20 stones takes {len(msgspec.msgpack.encode(positions[-1]))} bytes packed")


def placing_ms(before: Position, after: Position) -> float:
    """Time playing the move that leads from one position to the next, with the areas after it."""
    stone: Stone = after.moves[-1][1]
    return median_ms(lambda: copy_without_cache(before).play(stone).scores, 15)


if __name__ == "__main__":
    main()
