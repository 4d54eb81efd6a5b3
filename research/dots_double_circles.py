"""Double circles, and the boards between them and circles: ``python -m research.dots_double_circles``.

A pattern has 1 for each side of a convex polygon that has a dot just within it, else 0. ``dots_double_circles`` has the
patterns of ones alone, ``dots_patterns`` all patterns up to symmetry. Rows that exist are not computed again.
"""

from __future__ import annotations

import argparse
import csv
import math
import time
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from hinterland.dots import Rules
from hinterland.dots.solver.solutions import Solver
from research.measuring import DATA, Cells, write

if TYPE_CHECKING:
    from collections.abc import Iterator

MEMORY_MB = 6_000
DEPTH_SHARE = 0.02
"""Distance of a dot from its side, as a share of the way to the middle: no other line comes so near."""
LARGEST = {"dots_double_circles": 12, "dots_patterns": 11}
"""Most dots in each table."""


def points(pattern: str) -> list[tuple[float, float]]:
    """Return corners, then the dots within sides; side i joins corners i and i + 1."""
    sides = len(pattern)
    corners = [(math.cos(2 * math.pi * side / sides), math.sin(2 * math.pi * side / sides)) for side in range(sides)]
    within = [(corners[side], corners[(side + 1) % sides]) for side in range(sides) if pattern[side] == "1"]
    return corners + [((1 - DEPTH_SHARE) * (a + c) / 2, (1 - DEPTH_SHARE) * (b + d) / 2) for (a, b), (c, d) in within]


def patterns(dots: int) -> Iterator[str]:
    """Yield all patterns of ``dots`` dots, one of each class of rotations and reflections."""
    for sides in range(max(3, (dots + 1) // 2), dots + 1):
        for digits in product("01", repeat=sides):
            pattern = "".join(digits)
            if sides + pattern.count("1") == dots and pattern == max(_images(pattern)):
                yield pattern


def _images(pattern: str) -> Iterator[str]:
    for way in (pattern, pattern[::-1]):
        for turn in range(len(way)):
            yield way[turn:] + way[:turn]


def row(pattern: str) -> Cells:
    """Return the value of a pattern, and the number of first moves that keep it."""
    rules = Rules(points=tuple(points(pattern)))
    found = Solver(MEMORY_MB).solve(rules.start())
    lines = len(rules.points or ()) * (len(rules.points or ()) - 1) // 2
    return {
        "pattern": pattern, "dots": len(pattern) + pattern.count("1"), "value": found.value,
        "best": len(found.best), "lines": lines,
    }  # fmt: skip


def boards(name: str, largest: int) -> list[str]:
    """Return the patterns of a table."""
    if name == "dots_double_circles":
        return ["1" * sides for sides in range(3, largest // 2 + 1)]
    return [pattern for dots in range(3, largest + 1) for pattern in patterns(dots)]


def fill(name: str, largest: int, folder: Path) -> None:
    """Add the missing boards to a table."""
    path = folder / f"{name}.csv"
    rows: list[Cells] = list(csv.DictReader(path.open(newline=""))) if path.exists() else []
    for pattern in boards(name, largest)[len(rows) :]:
        began = time.monotonic()
        rows.append(row(pattern))
        write(name, rows, folder)
        print(name, *rows[-1].values(), f"{time.monotonic() - began:.1f} s", flush=True)


def main() -> None:
    """Fill both tables, or one."""
    options = argparse.ArgumentParser(prog="python -m research.dots_double_circles")
    options.add_argument("tables", nargs="*", default=list(LARGEST), help="both, if none is named")
    options.add_argument("--largest", type=int, help="dots of the largest board")
    options.add_argument("--out", type=Path, default=DATA, help="the folder of the tables")
    chosen = options.parse_args()
    for name in chosen.tables:
        fill(name, chosen.largest or LARGEST[name], chosen.out)


if __name__ == "__main__":
    main()
