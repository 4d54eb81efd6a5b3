"""The time to solve boards of dots, and the speed of playouts: ``python -m benchmarks.dots``.

Random boards of 9 to 12 dots and a circle of 14 have bars. Numbers of dots as arguments choose other circles. A row
shows the seconds for the value alone, and for the value, every best move and a principal line.
"""

from __future__ import annotations

import resource
import sys
import time
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.timing import median_ms
from hinterland.dots import Position, boards
from hinterland.dots.search.playout_policy import crossed_of, play_out, state_of
from hinterland.dots.solver.solutions import Solver
from hinterland.search.random_numbers import seed_of

if TYPE_CHECKING:
    from collections.abc import Iterable

RANDOM_BOARDS = ((8, 100, None), (9, 100, 0.1), (10, 50, 0.5), (11, 20, 5.0), (12, 20, 1.0))
"""Dots, boards, and the bar in seconds a board."""
CIRCLES = ((14, 45.0), (15, None), (16, None), (17, None))
MEMORY_MB = 1024


def report(name: str, positions: Iterable[Position], bar_s: float | None) -> None:
    """Solve positions one after another, each with an empty cache, and print the mean times."""
    value_s, all_s, nodes, values = [], [], [], []
    for position in positions:
        started = time.perf_counter()
        Solver(MEMORY_MB).study(position).run(one_move=True)
        value_s.append(time.perf_counter() - started)
        found = Solver(MEMORY_MB).solve(position)
        all_s.append(found.seconds)
        nodes.append(found.nodes)
        values.append(found.low)
    mean = np.mean(value_s)
    bar = "" if bar_s is None else f"   at most {bar_s:g} s: {'kept' if mean <= bar_s else 'MISSED'}"
    summary = f"value {values[0]}" if len(values) == 1 else f"values {min(values)} to {max(values)}"
    times = f"{mean:>9.3f} s{np.mean(all_s):>10.3f} s"
    print(f"  {name:<28}{times}{np.mean(nodes):>14,.0f} nodes   {summary}{bar}", flush=True)


def playouts(dots: int) -> None:
    """Print the time of a playout."""
    rules = boards.random(dots)
    crossed, state, seed = crossed_of(rules), state_of(rules.start()), seed_of(np.random.default_rng(1))
    ms = median_ms(lambda: play_out(crossed, state.copy(), seed), 500)
    print(f"  {f'a game of {dots} dots played out':<28}{ms:>9.3f} ms")


def main() -> None:
    """Print the report."""
    Solver(1).solve(boards.circle(7).start())
    print(f"{'value':>40}{'all best':>12}")
    for dots, count, bar_s in RANDOM_BOARDS:
        report(f"{count} random boards of {dots}", (boards.random(dots, seed).start() for seed in range(count)), bar_s)
    circles = [(int(word), None) for word in sys.argv[1:]] or CIRCLES
    for dots, bar_s in circles:
        report(f"a circle of {dots}", [boards.circle(dots).start()], bar_s)
    for dots in (12, 30, 60):
        playouts(dots)
    print(f"  memory at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GiB")


if __name__ == "__main__":
    main()
