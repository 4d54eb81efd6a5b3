"""Whether an even layout holds until the last stone: ``python -m research.even_layouts``.

The first player places all its stones evenly, and the second sees them before it places any. From a few random
beginnings, the second's stones are moved one after another to where each gains the most, by the exact reply map, until
none of them gains by moving. The area that is found is a lower bound of what the second player can hold.
"""

from __future__ import annotations

import argparse
from itertools import chain, product, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hinterland.gravity import Position, Rules, Stone
from hinterland.gravity.lloyd import even_layout
from research.measuring import DATA, Cells, write

if TYPE_CHECKING:
    from collections.abc import Iterator

SIZES = (25, 50, 100)
STONES = 16
BEGINNINGS = 6
SEED = 176


def layouts(size: int, stones: int) -> Iterator[tuple[str, list[Stone]]]:
    """Yield even layouts: the cell centres of Lloyd's method, and lattices of rows and columns."""
    yield "lloyd", [Stone(row, col) for row, col in even_layout(size, stones)]
    for rows in range(1, stones + 1):
        cols, rest = divmod(stones, rows)
        if not rest and rows <= cols:
            yield f"{rows}x{cols}", [Stone(*cell) for cell in product(centres(size, rows), centres(size, cols))]


def centres(size: int, parts: int) -> list[int]:
    """Cut a line of cells in equal parts and return their middles."""
    return [int((part + 0.5) * size / parts) for part in range(parts)]


def place_all(rules: Rules, first: list[Stone], second: list[Stone]) -> Position:
    """Return the position of the first player's stones and some of the second's; the order does not matter."""
    position = rules.start()
    for stone in chain.from_iterable(zip_longest(first[: len(second) + 1], second)):
        position = position if stone is None else position.play(stone)
    return position


def scores(rules: Rules, first: list[Stone], second: list[Stone]) -> tuple[int, int]:
    """Return the areas of both players when all stones are placed."""
    one, other = place_all(rules, first, second).scores
    return one, other


def answer(rules: Rules, first: list[Stone], rng: np.random.Generator) -> list[Stone]:
    """Return stones of the second player, none of which gains by moving alone, from a random beginning."""
    second: list[Stone] = []
    for stone in first:
        second.append(draw_near(rules, stone, first + second, rng))
    while True:
        before = scores(rules, first, second)[1]
        for number in range(len(second)):
            others = second[:number] + second[number + 1 :]
            second[number] = place_all(rules, first, others).best_reply()[0]
        if scores(rules, first, second)[1] <= before:
            return second


def draw_near(rules: Rules, stone: Stone, taken: list[Stone], rng: np.random.Generator) -> Stone:
    """Return a free cell at a random distance from a stone."""
    reach = max(rules.size // 8, 2)
    while True:
        down, right = rng.integers(-reach, reach + 1, size=2).tolist()
        row, col = stone.row + down, stone.col + right
        if 0 <= row < rules.size and 0 <= col < rules.size and Stone(row, col) not in taken:
            return Stone(row, col)


def table_row(size: int, stones: int, name: str, first: list[Stone]) -> Cells:
    """Return the best area that is found for the second player against a layout."""
    rules = Rules(size=size, stones=stones, spacing=1)
    rng = np.random.default_rng([SEED, size, stones])
    found = max((scores(rules, first, answer(rules, first, rng)) for _ in range(BEGINNINGS)), key=lead)
    return {
        "size": size, "stones": stones, "layout": name, "first": found[0], "second": found[1],
        "second_share": found[1] / size**2, "holds": "no" if lead(found) > 0 else "not refuted",
    }  # fmt: skip


def lead(held: tuple[int, int]) -> int:
    """Return the second player's lead."""
    return held[1] - held[0]


def main() -> None:
    """Write the table, a row for each layout."""
    options = argparse.ArgumentParser(prog="python -m research.even_layouts")
    options.add_argument("--out", type=Path, default=DATA, help="the folder of the table")
    chosen = options.parse_args()
    rows = []
    for size, stones in product(SIZES, range(1, STONES + 1)):
        for name, first in layouts(size, stones):
            rows.append(table_row(size, stones, name, first))
            print(*rows[-1].values(), flush=True)
    write("even_layouts", rows, chosen.out)


if __name__ == "__main__":
    main()
