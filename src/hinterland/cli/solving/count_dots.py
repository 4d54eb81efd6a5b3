"""``hinterland count-dots``: counts order types, and positions on a board."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from hinterland.cli.console import make_table, print_json, print_table, read_dots_board
from hinterland.cli.options import AsJson
from hinterland.errors import BadText, quote

if TYPE_CHECKING:
    from hinterland.dots.order_types.position_counts import PositionCounts

MAX_DIGITS = 20
UNREALISABLE_TYPES = {9: 13, 10: 14_320_182 - 14_309_547}
"""Order types of no dots in the plane: Aichholzer, Aurenhammer and Krasser, "Enumerating order types" (2002)."""


def count_dots(
    what: str | None = None,
    /,
    *,
    circle: int | None = None,
    random: int | None = None,
    seed: int = 0,
    json: AsJson = False,
) -> None:
    """Count the order types of n dots, or the positions that play can reach on a board.

    Order types are counted up to relabelling and reflection, for 3 to 10 dots; 10 take minutes. A position is a set of
    dots and of lines between them; positions on boards of 3 to 11 dots are counted, all and up to symmetry.

    Parameters
    ----------
    what
        A number of dots, to count their order types; or a file, CSV with x,y a line or JSON [[x, y], ...].
    circle
        Count the positions on a circle of this many dots.
    random
        Count the positions on this many dots drawn at random.
    seed
        The same seed draws the same dots.
    """
    if what is not None and what.isascii() and what.removeprefix("-").isdigit():
        if circle is not None or random is not None:
            raise BadText("name one board, or one number of dots whose order types to count")
        _count_types(what, json)
        return
    from hinterland.dots.order_types.position_counts import count_positions  # noqa: PLC0415

    rules = read_dots_board(None if what is None else Path(what), circle, random, seed)
    counted = count_positions(rules.sides)
    if json:
        print_json(counted)
    else:
        _print(counted)


def _count_types(text: str, json: bool) -> None:
    from hinterland.dots.order_types.enumeration import MAX_COUNTED_DOTS, count_order_types  # noqa: PLC0415

    dots = int(text) if len(text) < MAX_DIGITS else 0
    if not 3 <= dots <= MAX_COUNTED_DOTS:
        raise BadText(f"order types are counted for 3 to {MAX_COUNTED_DOTS} dots, not {quote(text)}")
    types = count_order_types(dots)
    missing = UNREALISABLE_TYPES.get(dots, 0)
    if json:
        print_json({"n": dots, "types": types, "realisable": types - missing})
        return
    sys.stdout.write(f"{types:,} order types of {dots} dots, up to reflection\n")
    if missing:
        sys.stdout.write(f"of these {types - missing:,} are of dots in the plane, as published\n")


def _print(counted: PositionCounts) -> None:
    symmetries = "1 symmetry" if counted.symmetries == 1 else f"{counted.symmetries} symmetries"
    sys.stdout.write(f"a board of {counted.dots} dots with {symmetries}\n\n")
    listed = make_table("positions", "all", "up to symmetry")
    listed.add_row("with nothing removed", f"{counted.whole:,}", f"{counted.whole_classes:,}")
    listed.add_row("that play can reach", f"{counted.positions:,}", f"{counted.classes:,}")
    print_table(listed)
