"""The graph game's kernels beside NumPy and beside one search a vertex: ``python -m benchmarks.graph``.

Boards of 100 and of 100,000 vertices have bars. Figures depend on the machine; the ratios say more.
"""

from __future__ import annotations

import resource
import statistics
import sys
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.timing import median_ms, row
from hinterland.graph import Position, Token, boards
from hinterland.graph.distances.gain import compute_gains, compute_swings, compute_worth
from hinterland.graph.distances.network import lay_out
from hinterland.graph.distances.shortest_paths import compute_all_distances, compute_distances_from
from hinterland.jit import cores

if TYPE_CHECKING:
    from collections.abc import Callable

    from hinterland.graph import Rules
    from hinterland.graph.distances.board import Board

SEED = 2017
TOKENS = 20
SAMPLE_VERTICES = 50
"""Vertices from which single searches are timed."""
REPEATS = 1000
"""Calls of a measurement where one call takes microseconds."""


def assemble_board(rules: Rules) -> Board:
    """Put ten tokens of two seats each on random vertices."""
    vertices = np.random.default_rng(SEED).permutation(rules.vertices)[:TOKENS].tolist()
    return Position(rules, tuple((turn % 2, Token(vertex)) for turn, vertex in enumerate(vertices))).board


def numpy_gains(board: Board, seat: int) -> np.ndarray:
    """Compare the distances with whole arrays."""
    assert board.distances is not None
    taking = np.where(board.owner == seat, 0, board.network.values)
    sums: np.ndarray = (board.distances < board.nearest) @ taking
    return np.where(board.nearest > 0, sums, -1)


def search_gain(board: Board, taking: np.ndarray, vertex: int) -> int:
    """Compute one gain by a search of the whole board."""
    return int(taking[compute_distances_from(board.network, vertex) < board.nearest].sum())


def median_call_ms(work: Callable[[], object]) -> float:
    """Return the median time of a call that takes microseconds, in milliseconds."""

    def repeated() -> None:
        for _ in range(REPEATS):
            work()

    return median_ms(repeated, 9) / REPEATS


def time_small_board() -> None:
    """Time a board of the course."""
    rules = boards.random(seed=SEED)
    board = assemble_board(rules)
    vertex = int(np.flatnonzero(board.nearest)[0])

    def place() -> None:
        board.place(vertex, 0)
        board.undo()

    print(f"\n{rules.summary}, {TOKENS} tokens")
    print(row("the gain of every vertex", median_call_ms(lambda: compute_gains(board, 0)), 0.02))
    print(row("the swing of every vertex", median_call_ms(lambda: compute_swings(board, 0)), 0.02))
    plain = median_call_ms(lambda: numpy_gains(board, 0))
    print(row("the gain of every vertex with NumPy", plain))
    print(row("a token and its undo", median_call_ms(place)))
    print(row("all distances", median_ms(lambda: compute_all_distances(rules.network), 50)))
    print(row("drawing the board", median_ms(lambda: boards.random(seed=SEED), 50)))
    print(row("laying it out in arrays", median_ms(lambda: lay_out(rules.edges, rules.values), 50)))


def time_large_board(vertices: int) -> None:
    """Time a road-like board."""
    rules = boards.road(vertices, seed=SEED)
    print(f"\n{rules.summary}, {TOKENS} tokens, {cores()} cores")
    print(row("drawing the board", median_ms(lambda: boards.road(vertices, seed=SEED), 1)))
    board = assemble_board(rules)
    print(row("all tokens, one after another", median_ms(lambda: assemble_board(rules), 3)))
    ms = median_ms(lambda: compute_gains(board, 0), 5)
    print(row("the gain of every vertex", ms, 10_000.0))
    taking = compute_worth(board.network.values, board.owner, 0, 0)
    sample = np.random.default_rng(SEED).integers(0, vertices, SAMPLE_VERTICES).tolist()
    single = statistics.median(median_ms(partial(search_gain, board, taking, v), 1) for v in sample)
    note = f"   (estimated from {SAMPLE_VERTICES} vertices; {single * vertices / cores() / ms:,.0f} times as long)"
    print(row("one search of the board a vertex, on all cores", single * vertices / cores(), note=note))
    print(f"  memory at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GiB, bar 2 GB")


def main() -> None:
    """Print the report; another number of vertices for the large board may be given."""
    time_small_board()
    time_large_board(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)


if __name__ == "__main__":
    main()
