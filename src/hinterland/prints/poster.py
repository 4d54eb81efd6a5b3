"""A position as a poster in the proportions of A4: title, board, one bar of all areas, names and scores."""

from __future__ import annotations

import math
import re
from calendar import month_name
from collections.abc import Iterator

import msgspec

from hinterland import film
from hinterland.errors import UnknownName
from hinterland.palette import GROUND, INK, NEUTRAL, mixed, region, stone
from hinterland.prints.lettering import fitted
from hinterland.prints.painting import paint
from hinterland.prints.sheet import Board, Box, Disc, Scene, Sheet, Words
from hinterland.prints.svg import write_svg

WIDTH, HEIGHT = 210, 297
"""All here is in millimetres on A4."""
MARGIN = 14
BOARD = WIDTH - 2 * MARGIN
TOP = 42
"""Of the board."""
BAR = TOP + BOARD + 6
SEATS = BAR + 17
"""Where names begin."""
FOOT = HEIGHT - 12
FAINT = mixed(INK, GROUND, 0.38)
PAPERS = {"a5": 148, "a4": 210, "a3": 297}
"""Millimetres of width, by name."""
DAY = re.compile(r"(\d{4})-(0[1-9]|1[0-2])-(\d\d)")
DPI = 300
"""Pixels an inch of images, as printers want them."""


class Poster(msgspec.Struct, frozen=True):
    """A poster that somebody wants."""

    scene: Scene
    """What is on it."""
    kind: str = "svg"
    """svg or png."""
    paper: str = "a4"
    """One of ``PAPERS``."""
    played: str = ""
    """When, in words."""

    def __post_init__(self) -> None:
        """Raise UnknownName for a paper that there is not."""
        if self.paper not in PAPERS:
            raise UnknownName("paper", self.paper, PAPERS)


def draw_poster(wanted: Poster) -> bytes:
    """Draw a poster as the file that is wanted."""
    marks = tuple(_marks(wanted.scene, wanted.played))
    sheet = Sheet(wanted.scene, WIDTH, HEIGHT, Board(MARGIN, TOP, BOARD), marks)
    if wanted.kind == "svg":
        return write_svg(sheet, PAPERS[wanted.paper]).encode()
    pixels = round(PAPERS[wanted.paper] / 25.4 * DPI)
    return film.png(paint(sheet, pixels, is_poster=True), DPI)


def played_on(started: str) -> str:
    """Return the day of a moment, ISO 8601, in words; nothing where it is none."""
    found = DAY.match(started)
    return "" if found is None else f"{int(found[3])} {month_name[int(found[2])]} {found[1]}"


def _marks(scene: Scene, played: str) -> Iterator[Words | Box | Disc]:
    rules = scene.game.page.words(scene.position.rules)
    yield Words(MARGIN, 24, fitted(scene.heading, 13, BOARD), 13)
    yield Words(MARGIN, 34, fitted(rules[:1].upper() + rules[1:], 4.6, BOARD), 4.6, FAINT)
    yield from _bar(scene)
    columns = 2 if len(scene.names) <= 4 else 3 if len(scene.names) <= 6 else 4
    rows = math.ceil(len(scene.names) / columns)
    for seat, name in enumerate(scene.names):
        yield from _seat(scene, seat, name, columns, rows)
    yield Words(MARGIN, FOOT, " · ".join(filter(None, [scene.moment.capitalize(), played])), 4.2, FAINT)
    yield Words(WIDTH - MARGIN, FOOT, "Hinterland", 4.2, FAINT, "end")


def _bar(scene: Scene) -> Iterator[Box]:
    """Draw the board's area as one bar; what is left over is nobody's."""
    yield Box(MARGIN, BAR, BOARD, 4, NEUTRAL)
    scores = scene.position.scores
    whole = max(sum(scores), 1)
    left = float(MARGIN)
    for seat, score in enumerate(scores):
        yield Box(left, BAR, BOARD * score / whole, 4, region(seat))
        left += BOARD * score / whole


def _seat(scene: Scene, seat: int, name: str, columns: int, rows: int) -> Iterator[Words | Disc]:
    """Write a name, and below it the score as large as there is room for."""
    width = BOARD / columns
    down = min(26.0, (FOOT - 6 - SEATS) / rows)
    large = min(12.0, 26 / columns, down * 0.48)
    x, y = MARGIN + width * (seat % columns), SEATS + down * (seat // columns)
    small = large * 0.58
    indent = small * 1.15
    yield Disc(x + small * 0.4, y - small * 0.32, small * 0.4, stone(seat))
    yield Words(x + indent, y, fitted(name, small, width - indent - 4), small)
    yield Words(x + indent, y + large, f"{scene.position.scores[seat]:,}", large)
