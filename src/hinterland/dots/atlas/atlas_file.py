"""Entries of the atlas as lines of CSV, and the shipped atlas: all order types of up to 8 dots."""

from __future__ import annotations

import gzip
from functools import cache
from importlib import resources
from math import comb

import msgspec

from hinterland.errors import BadText, quote

CSV_HEADER = "dots,number,value,hull,crossings,best,orientations,points"
SHIPPED_SIZES = range(3, 9)
"""Numbers of dots for which the package ships all order types."""
TYPE_COUNTS = {3: 1, 4: 2, 5: 3, 6: 16, 7: 135, 8: 3315, 9: 158_830}
"""Number of order types up to reflection, by number of dots."""
SHIPPED_FILE = "atlas.csv.gz"


class Entry(msgspec.Struct, frozen=True):
    """One order type, up to reflection."""

    dots: int
    number: int
    """The number of this order type among all with as many dots, counted from 0."""
    value: int
    """The first mover's score less its opponent's under best play."""
    hull: int
    """Number of dots that are corners of the hull."""
    crossings: int
    """Number of crossings if every two dots were joined."""
    best: int
    """Number of first moves that keep the value."""
    orientations: str
    """The turns of all triples, in the form of ``Rules.orientations``."""
    points: tuple[tuple[int, int], ...] = ()
    """Coordinates of the dots, whole numbers from 0 to 255; empty for more than 8 dots."""

    @property
    def features(self) -> dict[str, int]:
        """Numbers that describe the order type to people, by name."""
        return {"hull": self.hull, "crossings": self.crossings}


def count_types(dots: int) -> int:
    """Return the number of order types with ``dots`` dots, up to reflection."""
    return TYPE_COUNTS[dots]


@cache
def entries(dots: int) -> tuple[Entry, ...]:
    """Return the shipped order types with ``dots`` dots. Raises BadText for a size that is not shipped."""
    if dots not in SHIPPED_SIZES:
        least, most = SHIPPED_SIZES[0], SHIPPED_SIZES[-1]
        raise BadText(f"the atlas that is shipped has boards of {least} to {most} dots, not of {dots}")
    return tuple(entry for entry in _read_shipped() if entry.dots == dots)


@cache
def _read_shipped() -> list[Entry]:
    packed = resources.files("hinterland.dots.atlas").joinpath(SHIPPED_FILE).read_bytes()
    lines = gzip.decompress(packed).decode("ascii").splitlines()
    return [from_row(line, f"{SHIPPED_FILE}, line {number}") for number, line in enumerate(lines[1:], start=2)]


def to_row(entry: Entry) -> str:
    """Write an entry as a line of CSV, without the line break."""
    points = ";".join(f"{x} {y}" for x, y in entry.points)
    numbers = (entry.dots, entry.number, entry.value, entry.hull, entry.crossings, entry.best)
    return ",".join([*map(str, numbers), entry.orientations, points])


def from_row(row: str, where: str) -> Entry:
    """Read back what ``to_row`` wrote. Raises BadText for any other row; the message begins with ``where``."""
    try:
        *numbers, orientations, points = row.split(",")
        dots, number, value, hull, crossings, best = map(int, numbers)
        places = tuple((int(x), int(y)) for x, y in (place.split(" ") for place in points.split(";") if place))
    except ValueError:
        raise BadText(f"{where}: no line of an atlas: {quote(row)}") from None
    entry = Entry(dots, number, value, hull, crossings, best, orientations, places)
    if not _is_possible(entry) or to_row(entry) != row:
        raise BadText(f"{where}: no line of an atlas: {quote(row)}")
    return entry


def _is_possible(entry: Entry) -> bool:
    """Say whether the numbers of an entry are in their ranges."""
    dots = entry.dots
    return (
        dots in TYPE_COUNTS
        and 0 <= entry.number < count_types(dots)
        and abs(entry.value) <= dots
        and 3 <= entry.hull <= dots
        and 0 <= entry.crossings <= comb(dots, 4)
        and 1 <= entry.best <= comb(dots, 2)
        and len(entry.orientations) == comb(dots, 3)
        and not set(entry.orientations) - {"+", "-"}
        and len(entry.points) in (0, dots)
    )
