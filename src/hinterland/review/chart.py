"""A review as a picture: the scores move by move, below them what each move lost; to be read from a wall.

Both panels share the moves as their x. The first moves of a game own nearly everything for a moment, so the scale of
the scores is that of the moves after everybody has had one.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from PIL import Image, ImageDraw, ImageFont

from hinterland.palette import GROUND, INK, RGB, mixed, region, stone
from hinterland.review.words import verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hinterland.review.story import MoveReview, Review

__all__ = ["draw"]

WIDTH, HEIGHT = 1600, 900
SHARPER = 2
"""The picture is drawn so many times larger and then reduced, which smooths every edge."""
LEFT, RIGHT, BOTTOM = 170, 40, 52
LOSSES = 216
"""Height of the lower panel."""
GAP = 74
FAINT: RGB = mixed(INK, GROUND, 0.38)
HAIR: RGB = mixed(INK, GROUND, 0.86)
LARGE, MEDIUM, SMALL = 38, 27, 22
MOST_TICKS = 24
LONGEST_NAME = 24


class Panel(NamedTuple):
    """A part of the picture and the numbers that its edges stand for."""

    top: float
    bottom: float
    least: float
    most: float
    moves: int

    def x(self, move: float) -> float:
        """Return where a move is; the start of the game is move 0."""
        return LEFT + (WIDTH - LEFT - RIGHT) * move / (self.moves + 0.5)

    def y(self, value: float) -> float:
        """Return where a value is; one that is off the scale stays at its edge."""
        share = (min(max(value, self.least), self.most) - self.least) / ((self.most - self.least) or 1)
        return self.bottom - (self.bottom - self.top) * share


class Pen:
    """Draws in the units of the picture."""

    def __init__(self) -> None:
        self.picture = Image.new("RGB", (WIDTH * SHARPER, HEIGHT * SHARPER), GROUND)
        self._draw = ImageDraw.Draw(self.picture)

    def line(self, points: list[tuple[float, float]], colour: RGB, width: float) -> None:
        """Draw a line through points."""
        scaled = [(x * SHARPER, y * SHARPER) for x, y in points]
        self._draw.line(scaled, fill=colour, width=round(width * SHARPER), joint="curve")

    def box(self, left: float, top: float, right: float, bottom: float, colour: RGB) -> None:
        """Fill a rectangle."""
        self._draw.rectangle(tuple(SHARPER * edge for edge in (left, top, right, bottom)), fill=colour)

    def dot(self, x: float, y: float, radius: float, colour: RGB) -> None:
        """Fill a disc."""
        self._draw.ellipse(tuple(SHARPER * edge for edge in (x - radius, y - radius, x + radius, y + radius)), colour)

    def text(self, x: float, y: float, words: str, height: int, colour: RGB = INK, anchor: str = "lm") -> float:
        """Write, ringed in the ground's colour so that it can be read over lines, and return how wide it is."""
        font = ImageFont.load_default(height * SHARPER)
        self._draw.text(
            (x * SHARPER, y * SHARPER), words, colour, font, anchor, stroke_width=3 * SHARPER, stroke_fill=GROUND
        )
        return font.getlength(words) / SHARPER


def draw(found: Review) -> Image.Image:
    """Draw a review, 1600 by 900."""
    found = msgspec.structs.replace(found, players=tuple(map(_short, found.players)))
    pen = Pen()
    below = _header(pen, found)
    split = HEIGHT - BOTTOM - LOSSES
    least, most = _range(found)
    scores = Panel(below + 44, split - GAP, least, most, len(found.moves))
    dearest = max((move.loss or 0 for move in found.moves), default=0)
    losses = Panel(split, HEIGHT - BOTTOM, 0, dearest * 1.16 or 1, len(found.moves))
    what = "of the best gain" if found.measure == "gain" else "against best play"
    pen.text(LEFT, scores.top - 24, "score after each move", SMALL, FAINT)
    pen.text(LEFT, losses.top - 24, f"what each move lost {what}; losing moves in full colour", SMALL, FAINT)
    _grid(pen, scores, 6)
    _grid(pen, losses, 4)
    _numbers(pen, losses)
    _lines(pen, scores, found)
    _bars(pen, losses, found)
    return pen.picture.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)


def _header(pen: Pen, found: Review) -> float:
    """Write who played, how it ended and what lost it; return where that ends."""
    x, y = 40.0, 50.0
    height = LARGE if len(found.players) <= 4 else MEDIUM
    for seat, (name, score) in enumerate(zip(found.players, found.scores, strict=True)):
        words = f"{name}  {score:,}{'  won' if seat in found.winners else ''}"
        wide = ImageFont.load_default(height).getlength(words) + height
        if x > 40 and x + wide > WIDTH - 40:
            x, y = 40.0, y + height * 1.6
        pen.dot(x + height * 0.35, y, height * 0.35, stone(seat))
        x += height + pen.text(x + height, y, words, height) + height * 1.4
    for verdict in verdicts(found)[:3]:
        y += MEDIUM * 1.7
        pen.text(40, y, verdict, MEDIUM, FAINT)
    return y + MEDIUM


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


def _range(found: Review) -> tuple[float, float]:
    """Return the least and greatest score worth showing, with some air."""
    later = [score for move in found.moves[len(found.players) - 1 :] for score in move.scores]
    shown = later or [score for move in found.moves for score in move.scores] or [0, 1]
    air = (max(shown) - min(shown)) * 0.07 or 1
    return max(min(shown) - air, 0), max(shown) + air


def _grid(pen: Pen, panel: Panel, lines: int) -> None:
    step = _step((panel.most - panel.least) / lines)
    value = math.ceil(panel.least / step) * step
    while value <= panel.most:
        y = panel.y(value)
        pen.line([(LEFT, y), (WIDTH - RIGHT, y)], HAIR, 1)
        pen.text(LEFT - 16, y, f"{value:,}", SMALL, FAINT, "rm")
        value += step


def _step(least: float) -> int:
    """Return the smallest of 1, 2, 5, 10, 20 … that is not below a number."""
    power: int = 10 ** math.floor(math.log10(max(least, 1)))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= least)


def _numbers(pen: Pen, panel: Panel) -> None:
    """Write the numbers of the moves below a panel."""
    for move in range(1, panel.moves + 1):
        if move % _step(panel.moves / MOST_TICKS) == 0:
            pen.text(panel.x(move), panel.bottom + 24, str(move), SMALL, FAINT, "mm")


def _lines(pen: Pen, panel: Panel, found: Review) -> None:
    histories = [[0, *(move.scores[seat] for move in found.moves)] for seat in range(len(found.players))]
    for seat, history in enumerate(histories):
        pen.line([(panel.x(move), panel.y(score)) for move, score in enumerate(history)], stone(seat), 4)
    for move in _marked(found):
        x, y = panel.x(move.number), panel.y(move.scores[move.seat])
        for radius, colour in ((13, GROUND), (11, INK), (7, stone(move.seat))):
            pen.dot(x, y, radius, colour)
        pen.text(x, y - 30, str(move.number), SMALL, INK, "mm")


def _bars(pen: Pen, panel: Panel, found: Review) -> None:
    width = min((WIDTH - LEFT - RIGHT) / (panel.moves + 0.5) * 0.3, 22)
    for move in found.moves:
        x = panel.x(move.number)
        if move.loss is None:
            pen.text(x, panel.bottom - 14, "?", SMALL, FAINT, "mm")
        elif move.loss:
            colour = stone(move.seat) if move.losing else region(move.seat)
            pen.box(x - width, panel.y(move.loss), x + width, panel.bottom, colour)
    for move in _marked(found):
        words = f"{move.number}: -{move.loss:,}"
        half = ImageFont.load_default(SMALL).getlength(words) / 2
        pen.text(min(panel.x(move.number), WIDTH - 8 - half), panel.y(move.loss or 0) - 15, words, SMALL, INK, "mm")
    pen.line([(LEFT, panel.bottom), (WIDTH - RIGHT, panel.bottom)], FAINT, 1.5)


def _marked(found: Review) -> Iterator[MoveReview]:
    """Yield the losing moves that get a label: those with the greatest swings."""
    for number in found.losing[:3]:
        yield found.moves[number - 1]
