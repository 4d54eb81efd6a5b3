"""Dots on a circle and Dawson's Kayles: ``python -m research.dots_circles``.

It makes two tables. ``dots_circles`` has the value of each circle. ``dots_pairings`` has the value of every position in
which no dot has two lines, beside its value in Dawson's Kayles. There each line divides a group of dots that can see
one another into two, and a player that finds no group of two has lost. Rows that exist are not computed again.
"""

from __future__ import annotations

import argparse
import csv
import time
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hinterland.dots import Line, Position, boards
from hinterland.dots.solver.solutions import Solver
from hinterland.jit import cores
from research.measuring import DATA, Cells, write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MEMORY_MB = 6_000
ALL_MOVES_DOTS = 18
"""Dots of the largest circle for which every first move is solved."""
LARGEST = {"dots_circles": 20, "dots_pairings": 14}
"""Dots of the largest circle of each table that takes minutes; the solver takes at most 24."""

Pairs = tuple[tuple[int, int], ...]


class Solved(NamedTuple):
    """A position without a dot of two lines."""

    pairs: Pairs
    grundy: int
    value: int


@cache
def dawson(dots: int) -> int:
    """Return the Grundy value of a row in Dawson's Kayles: a move removes two, and leaves any two parts of the rest."""
    options = {dawson(part) ^ dawson(dots - 2 - part) for part in range(dots - 1)}
    return min(set(range(len(options) + 1)) - options)


def groups(dots: int, pairs: Pairs) -> list[int]:
    """Return the number of dots without a line in each part into which lines divide a circle."""
    other = {end: pair[1 - place] for pair in pairs for place, end in enumerate(pair)}
    found: list[int] = []
    parts = {frozenset(_part(dots, dot, other)) for dot in range(dots) if dot not in other}
    found.extend(len(part) for part in parts)
    return sorted(found)


def _part(dots: int, start: int, other: dict[int, int]) -> Iterator[int]:
    """Yield the dots that a dot without a line can see, itself included: walk on, and across each line on the way."""
    dot = start
    while True:
        if dot not in other:
            yield dot
        dot = (other.get(dot, dot) + 1) % dots
        if dot == start:
            return


def grundy(dots: int, pairs: Pairs) -> int:
    """Return the Grundy value of a position in Dawson's Kayles."""
    total = 0
    for group in groups(dots, pairs):
        total ^= dawson(group)
    return total


def pairings(first: int, last: int) -> Iterator[Pairs]:
    """Yield all sets of lines among the dots ``first`` to ``last``, no two of which meet or cross."""
    if last - first < 1:
        yield ()
        return
    yield from pairings(first + 1, last)
    for other in range(first + 1, last + 1):
        for within in pairings(first + 1, other - 1):
            for beside in pairings(other + 1, last):
                yield ((first, other), *within, *beside)


def up_to_symmetry(dots: int) -> list[Pairs]:
    """Return one pairing of each class that rotations and reflections of a circle map to one another."""
    return sorted({min(_images(dots, pairs)) for pairs in pairings(0, dots - 1)}, key=lambda pairs: (len(pairs), pairs))


def _images(dots: int, pairs: Pairs) -> Iterator[Pairs]:
    for turn in range(dots):
        for sense in (1, -1):
            moved = [((turn + sense * a) % dots, (turn + sense * b) % dots) for a, b in pairs]
            yield tuple(sorted((min(pair), max(pair)) for pair in moved))


def position_of(dots: int, pairs: Pairs) -> Position:
    """Return a circle with these lines."""
    position = boards.circle(dots).start()
    for pair in pairs:
        position = position.play(Line(*pair))
    return position


def solve_pairings(dots: int) -> list[Solved]:
    """Solve all positions of a circle without a dot of two lines, up to symmetry."""
    memory, found = Solver(MEMORY_MB), []
    for pairs in up_to_symmetry(dots):
        study = memory.study(position_of(dots, pairs))
        study.run(one_move=True)
        found.append(Solved(pairs, grundy(dots, pairs), study.low))
    return found


def circle_row(dots: int) -> Cells:
    """Return the value of a circle, the number of best first moves where that is quick, and its Grundy value."""
    start, memory = boards.circle(dots).start(), Solver(MEMORY_MB, cores())
    if dots <= ALL_MOVES_DOTS:
        found = memory.solve(start)
        return {"dots": dots, "value": found.value, "best": len(found.best), "grundy": dawson(dots)}
    study = memory.study(start)
    study.run(one_move=True)
    return {"dots": dots, "value": study.low, "best": "", "grundy": dawson(dots)}


def pairings_row(dots: int) -> Cells:
    """Count the positions without a dot of two lines by Grundy value, zero or not, and by result."""
    row: Cells = {"dots": dots}
    solved = solve_pairings(dots)
    for name, is_zero in (("zero", True), ("other", False)):
        values = [one.value for one in solved if (one.grundy == 0) == is_zero]
        row[f"{name}_lost"] = sum(value < 0 for value in values)
        row[f"{name}_even"] = sum(value == 0 for value in values)
        row[f"{name}_won"] = sum(value > 0 for value in values)
    row |= {"least": min(one.value for one in solved), "most": max(one.value for one in solved)}
    against = [one.pairs for one in solved if (one.value > 0 if one.grundy == 0 else one.value < 0)]
    row["counterexample"] = " ".join(f"{a}-{b}" for a, b in against[0]) if against else ""
    return row


TABLES: dict[str, Callable[[int], Cells]] = {"dots_circles": circle_row, "dots_pairings": pairings_row}
SMALLEST = 3


def fill(name: str, largest: int, folder: Path) -> None:
    """Add the missing circles to a table."""
    path = folder / f"{name}.csv"
    rows: list[Cells] = list(csv.DictReader(path.open(newline=""))) if path.exists() else []
    for dots in range(SMALLEST + len(rows), largest + 1):
        began = time.monotonic()
        rows.append(TABLES[name](dots))
        write(name, rows, folder)
        print(name, *rows[-1].values(), f"{time.monotonic() - began:.1f} s", flush=True)


def main() -> None:
    """Fill both tables, or one."""
    options = argparse.ArgumentParser(prog="python -m research.dots_circles")
    options.add_argument("tables", nargs="*", default=list(TABLES), help="both, if none is named")
    options.add_argument("--largest", type=int, help="dots of the largest circle")
    options.add_argument("--out", type=Path, default=DATA, help="the folder of the tables")
    chosen = options.parse_args()
    for name in chosen.tables:
        fill(name, chosen.largest or LARGEST[name], chosen.out)


if __name__ == "__main__":
    main()
