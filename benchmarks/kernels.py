"""Gravity's large kernels against their bars, position by position: ``python -m benchmarks.kernels``.

Each figure is the least of eight runs of a position. ``--beside DIR`` times the kernels of another checkout in turn
with these, in a process of its own, so that both see the same machine; kernels that it lacks are left out. Processor
time is summed over threads: on a busy machine it says more than wall time. ``--case WORD`` runs only cases whose name
holds a word.
"""

from __future__ import annotations

import argparse
import math
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hinterland.gravity import Position, Rules, Stone

try:
    from hinterland.gravity.coarse import coarse_board, coarse_replies
except ModuleNotFoundError:  # another checkout, from before there were any
    HAS_SEARCH_MAPS = False
else:
    HAS_SEARCH_MAPS = True

if TYPE_CHECKING:
    from collections.abc import Callable

RUNS = 8
SEED = 2017


class Case(NamedTuple):
    """A function of each of some positions, with its bars."""

    name: str
    works: list[Callable[[], object]]
    slowest: float
    """Milliseconds that the slowest position may take."""
    median: float | None = None
    """Milliseconds that the median position may take."""
    calls: int = 1
    """Calls of a run; figures are for one call."""


class RunTime(NamedTuple):
    """Milliseconds of wall time, and of all processors."""

    wall: float
    processor: float


def random_game(rules: Rules, rng: np.random.Generator) -> list[Position]:
    """Return the positions of a random game, from the empty board on."""
    positions = [rules.start()]
    while positions[-1].to_move is not None:
        positions.append(positions[-1].play(positions[-1].legal_moves.sample(rng)))
    return positions


def search_map(position: Position, grid: int) -> Callable[[], object]:
    """Return a function that makes a reply map of a coarse board."""
    board = coarse_board.coarsen(position, grid, 1)
    return lambda: coarse_replies.map_replies(board, position.to_move or 0, 1)


def cases() -> list[Case]:
    """Return all cases, the same in each process."""
    rng = np.random.default_rng(SEED)
    game = random_game(Rules(), rng)[:-1]
    nearest = [Position(Rules(law="nearest"), position.moves) for position in game]
    unequal = [Rules(weight=60).start().play(Stone(300, 420, weight)) for weight in (2, 5, 20)]
    large = random_game(Rules(size=2000, spacing=132, stones=4), rng)[1:-1]
    coarse = game[1:] if HAS_SEARCH_MAPS else []
    return [
        Case("the map, every move of a game", [position.reply_map for position in game], 100.0, 70.0),
        Case("the map, law nearest", [position.reply_map for position in nearest], 100.0),
        Case("the map, against one heavier stone", [position.reply_map for position in unequal], 100.0),
        Case("the map, 2000 x 2000", [position.reply_map for position in large], 500.0),
        Case("the best cell alone", [position.best_reply for position in game], 30.0),
        Case("the map of a search, 100 x 100", [search_map(position, 100) for position in coarse], 0.05, calls=20),
        Case("the map of a search, 40 x 40", [search_map(position, 40) for position in coarse], 0.05, calls=20),
    ]


def spend(work: Callable[[], object], calls: int) -> RunTime:
    """Time one run."""
    wall, processor = time.perf_counter(), time.process_time()
    for _ in range(calls):
        work()
    return RunTime((time.perf_counter() - wall) * 1000 / calls, (time.process_time() - processor) * 1000 / calls)


class OtherCheckout:
    """The kernels of another checkout, in a process that times them on request."""

    def __init__(self, checkout: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.kernels", "--answer"],
            cwd=Path(__file__).parent.parent, env={**os.environ, "PYTHONPATH": str(checkout / "src")},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def spend(self, case: int, position: int) -> RunTime:
        """Time one run of a case there; not a number if the checkout lacks its kernel."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(case, position, file=self.process.stdin, flush=True)
        wall, processor = self.process.stdout.readline().split()
        return RunTime(float(wall), float(processor))


def answer() -> None:
    """Time the case and the position that each line on standard input names."""
    known = cases()
    for line in sys.stdin:
        number, position = map(int, line.split())
        case = known[number]
        print(*(spend(case.works[position], case.calls) if case.works else (math.nan, math.nan)), flush=True)


def least(runs: list[RunTime]) -> RunTime:
    """Return the least times, without the first run, which may compile."""
    return RunTime(min(run.wall for run in runs[1:]), min(run.processor for run in runs[1:]))


def summary(name: str, spent: list[RunTime]) -> str:
    """Return a line: median and slowest position, by wall time and by processor time."""
    figures = [(statistics.median(kind), max(kind)) for kind in zip(*spent, strict=True)]
    (wall, wall_most), (processor, processor_most) = figures
    return f"  {name:<36} {wall:>9.3f} {wall_most:>9.3f} {processor:>12.3f} {processor_most:>9.3f}"


def report(beside: Path | None = None, word: str = "") -> None:
    """Time all cases whose name holds a word, and print them."""
    other = OtherCheckout(beside) if beside else None
    print(f"\nthe least of {RUNS} runs a position, ms{'':<14} median   slowest    processors: m.   slowest")
    for number, case in enumerate(cases()):
        if word not in case.name:
            continue
        mine, theirs = [], []
        for position, work in enumerate(case.works):
            runs, their_runs = [], []
            for _ in range(RUNS + 1):
                runs.append(spend(work, case.calls))
                their_runs += [other.spend(number, position)] if other else []
            mine.append(least(runs))
            theirs += [least(their_runs)] if other else []
        kept = max(spent.wall for spent in mine) <= case.slowest
        kept &= case.median is None or statistics.median(spent.wall for spent in mine) <= case.median
        bar = f"at most {case.slowest:g}" + (f", median {case.median:g}" if case.median else "")
        print(f"{summary(case.name, mine)}   {bar}: {'kept' if kept else 'MISSED'}", flush=True)
        if other and math.isnan(theirs[0].wall):
            print("      the other checkout has no such kernel", flush=True)
        elif other:
            print(summary("    the other checkout", theirs), flush=True)
            ratios = [one.processor / two.processor for one, two in zip(mine, theirs, strict=True)]
            print(f"      of its processor time: median {statistics.median(ratios):.2f}, at most {max(ratios):.2f}")


def main() -> None:
    """Read the options."""
    options = argparse.ArgumentParser()
    options.add_argument("--beside", type=Path, help="another checkout, whose kernels are timed in turn with these")
    options.add_argument("--case", default="", help="only cases whose names hold this")
    options.add_argument("--answer", action="store_true", help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.answer:
        answer()
    else:
        report(chosen.beside and chosen.beside.resolve(), chosen.case)


if __name__ == "__main__":
    main()
