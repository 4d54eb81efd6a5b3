"""Exact values of gravity with one and with two stones a side: ``python -m research.gravity_values``.

It makes three tables: one stone a side, by the reply map of every first stone; two stones a side, by ``two_stones``;
and two stones that are placed before the other player places any. Sizes that exist in the tables are not computed
again; an empty folder as ``--out`` computes all anew.
"""

from __future__ import annotations

import argparse
import csv
import time
from pathlib import Path
from typing import TYPE_CHECKING

from hinterland.gravity import Rules, Stone
from research import two_stones
from research.measuring import DATA, Cells, write

if TYPE_CHECKING:
    from collections.abc import Callable

SIZES = {"gravity_one_stone": 40, "gravity_two_stones": 40, "gravity_layouts": 32}
"""Cells a side of the largest board of each table."""


def one_stone(size: int) -> Cells:
    """Return the first player's lead with best play, one stone a side, and the number of first stones that secure it.

    The area of one stone against another is its gain as a reply to it, so leads come from two maps.
    """
    start = Rules(size=size, stones=1, spacing=1).start()
    cells = [Stone(*divmod(cell, size)) for cell in range(size * size)]
    maps = [start.play(stone).reply_map().ravel() for stone in cells]
    openings = two_stones.openings(size)
    kept = [min(int(maps[b][a] - maps[a][b]) for b in range(size * size) if b != a) for a in openings]
    best = max(kept)
    return {
        "size": size, "first_lead": best, "first": place(openings[kept.index(best)], size),
        "as_good": kept.count(best),
    }  # fmt: skip


def two_a_side(size: int) -> Cells:
    """Return the second player's lead with best play, two stones a side, and a game of best play."""
    line = two_stones.solve(size)
    stones = dict(zip(("first", "second", "third", "fourth"), (place(cell, size) for cell in line[1:]), strict=True))
    return {"size": size, "second_lead": line.lead, "lead_share": line.lead / size**2, **stones}


def layouts(size: int) -> Cells:
    """Return the second player's lead against the best two stones that are placed first, and these stones."""
    lead, first, other = two_stones.best_layout(size)
    return {
        "size": size, "second_lead": lead, "lead_share": lead / size**2,
        "one": place(first, size), "other": place(other, size),
    }  # fmt: skip


def place(cell: int, size: int) -> str:
    """Write a cell as row:col."""
    return f"{cell // size}:{cell % size}"


TABLES: dict[str, tuple[int, Callable[[int], Cells]]] = {
    "gravity_one_stone": (2, one_stone),
    "gravity_two_stones": (2, two_a_side),
    "gravity_layouts": (2, layouts),
}
"""The size of the smallest board of each table, and the function that makes a row."""


def fill(name: str, largest: int, folder: Path) -> None:
    """Add the missing sizes to a table."""
    path = folder / f"{name}.csv"
    rows: list[Cells] = list(csv.DictReader(path.open(newline=""))) if path.exists() else []
    smallest, make = TABLES[name]
    for size in range(smallest + len(rows), largest + 1):
        began = time.monotonic()
        rows.append(make(size))
        write(name, rows, folder)
        print(name, *rows[-1].values(), f"{time.monotonic() - began:.1f} s", flush=True)


def main() -> None:
    """Fill all tables, or one."""
    options = argparse.ArgumentParser(prog="python -m research.gravity_values")
    options.add_argument("tables", nargs="*", default=list(TABLES), help="all, if none is named")
    options.add_argument("--largest", type=int, help="size of the largest board")
    options.add_argument("--out", type=Path, default=DATA, help="the folder of the tables")
    chosen = options.parse_args()
    for name in chosen.tables:
        fill(name, chosen.largest or SIZES[name], chosen.out)


if __name__ == "__main__":
    main()
