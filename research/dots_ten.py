"""Order types of 10 dots: ``python -m research.dots_ten``, a sample; with ``--all``, every one of them.

Each of the 14,320,182 types is made once, by adding a corner to one of the 158,830 types of 9 dots, its parent. Parents
are the chunks of the work, solved in their order into a file that only grows. A stratum is all parents with the same
number of corners. The sample draws equally many parents from each stratum, and one child of each parent; a child counts
as often as its parent has children.
"""

from __future__ import annotations

import argparse
import csv
import time
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hinterland.contest import workers
from hinterland.contest.runner import run
from hinterland.dots.atlas.atlas_survey import count_hull_and_crossings
from hinterland.dots.order_types.canonical import sides_of
from hinterland.dots.order_types.enumeration import extend, list_codes
from hinterland.dots.rules import Rules
from hinterland.dots.solver.solutions import Solver
from hinterland.evidence.intervals import Z
from hinterland.storage.append_file import AppendFile
from research.measuring import DATA, Cells, write

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

DOTS = 10
SEED = 1760
PARENTS_PER_STRATUM = 150
"""Parents of each stratum in the published sample; all of a smaller stratum."""
MEMORY_MB = 512
COLUMNS = ("stratum", "parent", "children", "child", "value", "hull", "crossings")


class Share(NamedTuple):
    """A share of all order types with its 95 % interval."""

    share: float
    low: float
    high: float


def children(parent: int) -> list[str]:
    """Return the order types that are made from a parent, as ``Rules.orientations``: the corner first."""
    side = sides_of(int(list_codes(DOTS - 1)[parent]), DOTS - 1)
    corner = "+" * ((DOTS - 1) * (DOTS - 2) // 2)
    return [corner + "".join("+" if turn > 0 else "-" for turn in turns) for turns in extend(side).tolist()]


@cache
def _memory() -> Solver:
    """Return the solver of this process, whose cache serves all boards."""
    return Solver(MEMORY_MB)


def value_of(orientations: str) -> int:
    """Return the value of an order type for the first player."""
    study = _memory().study(Rules(orientations=orientations).start())
    study.run(one_move=True)
    return study.low


@cache
def strata() -> dict[int, list[int]]:
    """Return the parents by their number of corners."""
    found: dict[int, list[int]] = {}
    for parent, code in enumerate(list_codes(DOTS - 1).tolist()):
        corners = int(((sides_of(code, DOTS - 1) > 0).sum(axis=2) == DOTS - 3).sum())
        found.setdefault(corners, []).append(parent)
    return dict(sorted(found.items()))


def draw_parents(family: int) -> Iterator[tuple[int, int]]:
    """Yield the strata and parents of the sample, strata by turns, so that any beginning of it is a sample, too."""
    rng = np.random.Generator(np.random.PCG64(SEED))
    orders = {stratum: rng.permutation(parents)[:family].tolist() for stratum, parents in strata().items()}
    for place in range(family):
        yield from ((stratum, parents[place]) for stratum, parents in orders.items() if place < len(parents))


def row(stratum: int, parent: int) -> Cells:
    """Solve one child of a parent, drawn by the parent's number."""
    born = children(parent)
    about: Cells = {"stratum": stratum, "parent": parent, "children": len(born)}
    if not born:
        return about | dict.fromkeys(COLUMNS[3:], "")
    child = int(np.random.Generator(np.random.PCG64([SEED, parent])).integers(len(born)))
    hull, crossings = count_hull_and_crossings(Rules(orientations=born[child]).sides)
    return about | {"child": child, "value": value_of(born[child]), "hull": hull, "crossings": crossings}


def estimates(rows: Iterable[dict[str, str]], sizes: dict[int, int]) -> dict[int, Share]:
    """Return the share of each value: a ratio of totals over strata, its variance linearised (Cochran 1977, 6.11).

    ``sizes``: parents of each stratum.
    """
    by_stratum: dict[int, list[tuple[int, int | None]]] = {}
    for one in rows:
        value = int(one["value"]) if one["value"] else None
        by_stratum.setdefault(int(one["stratum"]), []).append((int(one["children"]), value))
    total = sum(sizes[key] * float(np.mean([count for count, _ in those])) for key, those in by_stratum.items())
    values = {value for those in by_stratum.values() for _, value in those if value is not None}
    return {value: _share(value, by_stratum, sizes, total) for value in sorted(values, reverse=True)}


def _share(
    value: int, by_stratum: dict[int, list[tuple[int, int | None]]], sizes: dict[int, int], total: float
) -> Share:
    have = {key: np.array([count * (found == value) for count, found in those]) for key, those in by_stratum.items()}
    share = sum(sizes[key] * float(counts.mean()) for key, counts in have.items()) / total
    variance = 0.0
    for key, those in by_stratum.items():
        rest = have[key] - share * np.array([count for count, _ in those])
        if len(rest) > 1:
            variance += sizes[key] ** 2 * float(rest.var(ddof=1)) / len(rest)
    half = Z * variance**0.5 / total
    return Share(share, max(share - half, 0.0), min(share + half, 1.0))


def sample(folder: Path, family: int) -> None:
    """Add the missing rows to the sample, and write the shares that follow from it."""
    path = folder / "dots_ten.csv"
    with AppendFile(path) as file:
        text = path.read_text()
        file.truncate(text.rfind("\n") + 1)
        there = max(text.count("\n") - 1, 0)
        if "\n" not in text:
            file.append((",".join(COLUMNS) + "\n").encode())
        began = time.monotonic()
        for number, place in enumerate(list(draw_parents(family))[there:], start=1):
            file.append((",".join(map(str, row(*place).values())) + "\n").encode())
            if number % 100 == 0:
                print(f"{there + number} rows, {(time.monotonic() - began) / number:.3f} s a row", flush=True)
    summarise(folder)


def summarise(folder: Path) -> None:
    """Write the shares that follow from a sample."""
    rows = list(csv.DictReader((folder / "dots_ten.csv").open(newline="")))
    sizes = {stratum: len(parents) for stratum, parents in strata().items()}
    shares = estimates(rows, sizes)
    write("dots_ten_shares", [{"value": value} | found._asdict() for value, found in shares.items()], folder)


def family_line(parent: int) -> str:
    """Solve all children of a parent; return their values as a line."""
    return f"{parent}," + " ".join(str(value_of(born)) for born in children(parent)) + "\n"


def solve_all(path: Path, jobs: int, cluster: str | None, until: int | None) -> None:
    """Continue the file of all values, parent by parent."""
    with AppendFile(path) as file, workers.open_executor(jobs, cluster) as (executor, ahead):
        text = path.read_text()
        file.truncate(text.rfind("\n") + 1)
        solved, began = 0, time.monotonic()
        parents = range(text.count("\n"), min(len(list_codes(DOTS - 1)), until or len(list_codes(DOTS - 1))))
        for line in run(family_line, parents, executor, ahead):
            file.append(line.encode())
            solved += line.count(" ") + 1
            spent_s = time.monotonic() - began
            print(f"parent {line.partition(',')[0]}: {spent_s / solved:.3f} s an order type", flush=True)


def main() -> None:
    """Draw the sample, or solve all."""
    options = argparse.ArgumentParser(prog="python -m research.dots_ten")
    options.add_argument("--family", type=int, default=PARENTS_PER_STRATUM, help="parents sampled from each stratum")
    options.add_argument("--out", type=Path, default=DATA, help="the folder of the tables")
    options.add_argument("--all", type=Path, metavar="FILE", help="solve every one into this file instead: core-weeks")
    options.add_argument("--until", type=int, help="stop --all before this parent, of 158830")
    options.add_argument("--jobs", type=int, default=1, help="processes for --all")
    options.add_argument("--cluster", help="the scheduler of a Dask cluster for --all")
    chosen = options.parse_args()
    if chosen.all is None:
        sample(chosen.out, chosen.family)
    else:
        solve_all(chosen.all, chosen.jobs, chosen.cluster, chosen.until)


if __name__ == "__main__":
    main()
