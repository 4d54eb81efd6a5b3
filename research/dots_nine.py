"""Order types of 9 dots: ``python -m research.dots_nine``.

First come all types that have a symmetry or at least seven corners, then the others in random order. So the table is
always a sample whose first part is complete; run to its end (``--others 157697``) it is the atlas. Rows that exist are
not computed again.
"""

from __future__ import annotations

import argparse
import csv
import time
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np

from hinterland.dots import Rules, solve
from hinterland.dots.order_types.canonical import find_symmetries, sides_of, signs_of
from hinterland.dots.order_types.enumeration import list_codes
from hinterland.dots.solver.small_boards import evaluate
from hinterland.evidence.intervals import wilson
from hinterland.storage.append_file import AppendFile
from research.dots_features import features
from research.measuring import DATA, Cells, write

DOTS = 9
SEED = 176
MANY_CORNERS = 7
OTHERS = 2_400
"""Others in the published table."""
KEY_TYPES = 120
"""Types whose only best first move is examined."""
FEATURES = ("hull", "layers", "halving", "crossings")
COLUMNS = ("part", "number", "value", "best", "hull", "layers", "crossings", "symmetries", "halving", "empty")


@cache
def certain() -> list[int]:
    """Return the numbers of the order types that have a symmetry or many corners."""
    return [number for number, code in enumerate(list_codes(DOTS).tolist()) if _stands_out(sides_of(code, DOTS))]


def _stands_out(side: np.ndarray) -> bool:
    corners = int(((side > 0).sum(axis=2) == DOTS - 2).sum())
    return corners >= MANY_CORNERS or len(find_symmetries(side)[0]) > 1


def order() -> list[tuple[str, int]]:
    """Return all order types in the order of the table, each with the part to which it belongs."""
    first = certain()
    rest = np.delete(np.arange(len(list_codes(DOTS))), first)
    drawn = np.random.Generator(np.random.PCG64(SEED)).permutation(rest).tolist()
    return [*(("certain", number) for number in first), *(("drawn", number) for number in drawn)]


def row(part: str, number: int) -> Cells:
    """Solve an order type by its number in the atlas, and describe it."""
    side = sides_of(int(list_codes(DOTS)[number]), DOTS)
    value, best = evaluate(side)
    return {"part": part, "number": number, "value": value, "best": best} | features(side)


def fill(path: Path, others: int) -> None:
    """Add to a table the missing rows, up to ``others`` others."""
    with AppendFile(path) as file:
        text = path.read_text()
        file.truncate(text.rfind("\n") + 1)
        there = text.count("\n") - 1
        if there < 0:
            file.append((",".join(COLUMNS) + "\n").encode())
            there = 0
        began, places = time.monotonic(), order()
        for number, place in enumerate(places[there : len(certain()) + others], start=1):
            file.append((",".join(map(str, row(*place).values())) + "\n").encode())
            if number % 500 == 0:
                print(f"{there + number} rows, {1000 * (time.monotonic() - began) / number:.1f} ms a row", flush=True)


def shares(rows: list[dict[str, str]], left: int) -> list[Cells]:
    """Return the number of order types of each value: counted for the first part, estimated for the ``left`` others."""
    drawn = [int(one["value"]) for one in rows if one["part"] == "drawn"]
    sure = [int(one["value"]) for one in rows if one["part"] == "certain"]
    found: list[Cells] = []
    for value in sorted({*drawn, *sure}, reverse=True):
        low, high = wilson(drawn.count(value), len(drawn))
        found.append({
            "value": value, "certain": sure.count(value), "drawn": drawn.count(value),
            "types_low": round(sure.count(value) + low * left), "types_high": round(sure.count(value) + high * left),
        })  # fmt: skip
    return found


def by_feature(rows: list[dict[str, str]]) -> list[Cells]:
    """Return the share of each value in the sample, for each level of each feature."""
    drawn = [one for one in rows if one["part"] == "drawn"]
    table: list[Cells] = []
    for feature in FEATURES:
        for level in sorted({one[feature] for one in drawn}, key=_by_number):
            values = [int(one["value"]) for one in drawn if one[feature] == level]
            worths = {"one": 1, "even": 0, "minus": -1}
            parts = {name: values.count(value) / len(values) for name, value in worths.items()}
            table.append({"feature": feature, "level": level, "drawn": len(values)} | parts)
    return table


def _by_number(level: str) -> list[int]:
    return [int(part) for part in level.split("-")]


def keys(rows: list[dict[str, str]], types: int) -> list[Cells]:
    """Return how the only best first move divides the other dots, for the first ``types`` sampled types worth 1.

    ``parts``: dots on the side with fewer. ``all_lines``: the share of such lines among all lines.
    """
    examined = [one for one in rows if one["part"] == "drawn" and (one["value"], one["best"]) == ("1", "1")][:types]
    best: list[int] = []
    every: list[int] = []
    for one in examined:
        code = int(list_codes(DOTS)[int(one["number"])])
        left = (sides_of(code, DOTS) > 0).sum(axis=2)
        (line,) = solve(Rules(orientations=signs_of(code, DOTS)).start()).best
        best.append(_fewer(int(left[line.a, line.b])))
        every += [_fewer(int(left[a, b])) for a, b in combinations(range(DOTS), 2)]
    return [
        {"parts": parts, "types": best.count(parts), "share": best.count(parts) / len(best),
         "all_lines": every.count(parts) / len(every)}
        for parts in range((DOTS - 2) // 2 + 1)
    ]  # fmt: skip


def _fewer(left: int) -> int:
    return min(left, DOTS - 2 - left)


def summarise(folder: Path) -> None:
    """Write the tables that follow from the rows."""
    rows = list(csv.DictReader((folder / "dots_nine.csv").open(newline="")))
    write("dots_nine_shares", shares(rows, len(list_codes(DOTS)) - len(certain())), folder)
    write("dots_nine_features", by_feature(rows), folder)
    write("dots_nine_keys", keys(rows, KEY_TYPES), folder)


def main() -> None:
    """Fill the table."""
    options = argparse.ArgumentParser(prog="python -m research.dots_nine")
    options.add_argument("--others", type=int, default=OTHERS, help="how many are drawn; 157697 are all")
    options.add_argument("--out", type=Path, default=DATA, help="the folder of the table")
    chosen = options.parse_args()
    fill(chosen.out / "dots_nine.csv", chosen.others)
    summarise(chosen.out)


if __name__ == "__main__":
    main()
