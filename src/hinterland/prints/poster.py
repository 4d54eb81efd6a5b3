"""A position as a poster in the proportions of A4: title, board, a bar with all players' shares, names and scores.

All lengths are millimetres on A4; other papers scale them.
"""

from __future__ import annotations

import math
import re
from calendar import month_name
from collections.abc import Iterator

import msgspec

from hinterland.drawing import film
from hinterland.drawing.palette import GROUND, INK, NEUTRAL, mix, region, stone
from hinterland.drawing.shapes import Box, Disc, Shape, Words
from hinterland.errors import UnknownName
from hinterland.prints.lettering import shorten_to_fit
from hinterland.prints.sheet import Board, Scene, Sheet, paint, write_svg

WIDTH, HEIGHT = 210, 297
MARGIN = 14
BOARD_SIDE = WIDTH - 2 * MARGIN
BOARD_TOP = 42
BAR_TOP = BOARD_TOP + BOARD_SIDE + 6
NAMES_TOP = BAR_TOP + 17
FOOT_LINE = HEIGHT - 12
FAINT = mix(INK, GROUND, 0.38)
PAPERS = {"a5": 148, "a4": 210, "a3": 297}
"""Width in millimetres, by name."""
ISO_DAY = re.compile(r"(\d{4})-(0[1-9]|1[0-2])-(\d\d)")
DPI = 300
"""Resolution of PNG posters for printing, in pixels per inch."""


class Poster(msgspec.Struct, frozen=True):
    """A poster to be drawn."""

    scene: Scene
    kind: str = "svg"
    """svg or png."""
    paper: str = "a4"
    """One of ``PAPERS``."""
    played: str = ""
    """The day of the game in words; empty if it is not shown."""

    def __post_init__(self) -> None:
        """Raise UnknownName for an unknown paper."""
        if self.paper not in PAPERS:
            raise UnknownName("paper", self.paper, PAPERS)


def draw_poster(wanted: Poster) -> bytes:
    """Draw a poster as a file of the wanted kind."""
    marks = tuple(_lay_out_marks(wanted.scene, wanted.played))
    sheet = Sheet(wanted.scene, WIDTH, HEIGHT, Board(MARGIN, BOARD_TOP, BOARD_SIDE), marks)
    if wanted.kind == "svg":
        return write_svg(sheet, PAPERS[wanted.paper]).encode()
    pixels = round(PAPERS[wanted.paper] / 25.4 * DPI)
    return film.encode_png(paint(sheet, pixels, is_poster=True), DPI)


def describe_day(started: str) -> str:
    """Write the day of an ISO 8601 time in words; return an empty text for anything else."""
    found = ISO_DAY.match(started)
    return "" if found is None else f"{int(found[3])} {month_name[int(found[2])]} {found[1]}"


def _lay_out_marks(scene: Scene, played: str) -> Iterator[Shape]:
    rules = scene.game.page.words(scene.position.rules)
    yield Words(MARGIN, 24, shorten_to_fit(scene.heading, 13, BOARD_SIDE), 13)
    yield Words(MARGIN, 34, shorten_to_fit(rules[:1].upper() + rules[1:], 4.6, BOARD_SIDE), 4.6, FAINT)
    yield from _bar(scene)
    columns = 2 if len(scene.names) <= 4 else 3 if len(scene.names) <= 6 else 4
    rows = math.ceil(len(scene.names) / columns)
    for seat, name in enumerate(scene.names):
        yield from _seat(scene, seat, name, columns, rows)
    yield Words(MARGIN, FOOT_LINE, " · ".join(filter(None, [scene.moment.capitalize(), played])), 4.2, FAINT)
    yield Words(WIDTH - MARGIN, FOOT_LINE, "Hinterland", 4.2, FAINT, "end")


def _bar(scene: Scene) -> Iterator[Box]:
    """Draw one bar with the share of each player in the sum of all scores."""
    yield Box(MARGIN, BAR_TOP, BOARD_SIDE, 4, NEUTRAL)
    scores = scene.position.scores
    whole = max(sum(scores), 1)
    left = float(MARGIN)
    for seat, score in enumerate(scores):
        yield Box(left, BAR_TOP, BOARD_SIDE * score / whole, 4, region(seat))
        left += BOARD_SIDE * score / whole


def _seat(scene: Scene, seat: int, name: str, columns: int, rows: int) -> Iterator[Words | Disc]:
    """Write a player's name, and below it the score, as large as ``columns`` and ``rows`` of players allow."""
    width = BOARD_SIDE / columns
    down = min(26.0, (FOOT_LINE - 6 - NAMES_TOP) / rows)
    large = min(12.0, 26 / columns, down * 0.48)
    x, y = MARGIN + width * (seat % columns), NAMES_TOP + down * (seat // columns)
    small = large * 0.58
    indent = small * 1.15
    yield Disc(x + small * 0.4, y - small * 0.32, small * 0.4, stone(seat))
    yield Words(x + indent, y, shorten_to_fit(name, small, width - indent - 4), small)
    yield Words(x + indent, y + large, f"{scene.position.scores[seat]:,}", large)
