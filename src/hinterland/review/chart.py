"""A review as a picture that can be read from a wall: the scores after each move, and below them what each move lost.

Both panels share the moves as their x axis. The first moves of a game own nearly everything for a moment, so the scale
of the scores begins once every player has moved.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from PIL import Image, ImageDraw, ImageFont

from hinterland.palette import GROUND, INK, RGB, mix, region, stone
from hinterland.review.move_words import write_verdicts

if TYPE_CHECKING:
    from hinterland.review.annotations import MoveReview, Review

SUPERSAMPLING = 2
"""The picture is drawn this many times larger and then reduced, which smooths every edge."""
WIDTH, HEIGHT = 1600 * SUPERSAMPLING, 900 * SUPERSAMPLING
LEFT_MARGIN, RIGHT_MARGIN, BOTTOM_MARGIN = 340, 80, 104
LOSSES_HEIGHT = 432
"""Height of the lower panel."""
PANEL_GAP = 148
FAINT: RGB = mix(INK, GROUND, 0.38)
GRID_COLOUR: RGB = mix(INK, GROUND, 0.86)
LARGE, MEDIUM, SMALL = 76, 54, 44
"""Heights of letters."""
MAX_TICKS = 24
MAX_NAME_LENGTH = 24


class Panel(NamedTuple):
    """A part of the picture, and the values at its edges."""

    top: float
    bottom: float
    least: float
    most: float
    moves: int

    def x(self, move: float) -> float:
        """Return the x of a move; the start of the game is move 0."""
        return LEFT_MARGIN + (WIDTH - LEFT_MARGIN - RIGHT_MARGIN) * move / (self.moves + 0.5)

    def y(self, value: float) -> float:
        """Return the y of a value; a value off the scale stays at its edge."""
        share = (min(max(value, self.least), self.most) - self.least) / ((self.most - self.least) or 1)
        return self.bottom - (self.bottom - self.top) * share


def _write(
    pen: ImageDraw.ImageDraw, x: float, y: float, words: str, height: int, colour: RGB = INK, anchor: str = "lm"
) -> float:
    """Write words with an outline in the ground's colour, to be readable over lines; return their width."""
    font = ImageFont.load_default(height)
    pen.text((x, y), words, colour, font, anchor, stroke_width=3 * SUPERSAMPLING, stroke_fill=GROUND)
    return font.getlength(words)


def draw(found: Review) -> Image.Image:
    """Draw a review, 1600 by 900."""
    found = msgspec.structs.replace(found, players=tuple(map(_shorten, found.players)))
    picture = Image.new("RGB", (WIDTH, HEIGHT), GROUND)
    pen = ImageDraw.Draw(picture)
    below = _header(pen, found)
    split = HEIGHT - BOTTOM_MARGIN - LOSSES_HEIGHT
    least, most = _range(found)
    scores = Panel(below + 88, split - PANEL_GAP, least, most, len(found.moves))
    dearest = max((move.loss or 0 for move in found.moves), default=0)
    losses = Panel(split, HEIGHT - BOTTOM_MARGIN, 0, dearest * 1.16 or 1, len(found.moves))
    what = "of the best gain" if found.measure == "gain" else "against best play"
    _write(pen, LEFT_MARGIN, scores.top - 48, "score after each move", SMALL, FAINT)
    _write(pen, LEFT_MARGIN, losses.top - 48, f"what each move lost {what}; losing moves in full colour", SMALL, FAINT)
    _grid(pen, scores, 6)
    _grid(pen, losses, 4)
    _numbers(pen, losses)
    _lines(pen, scores, found)
    _bars(pen, losses, found)
    return picture.resize((WIDTH // SUPERSAMPLING, HEIGHT // SUPERSAMPLING), Image.Resampling.LANCZOS)


def _header(pen: ImageDraw.ImageDraw, found: Review) -> float:
    """Write who played, how it ended and what lost it; return the y where that ends."""
    x, y = 80.0, 100.0
    height = LARGE if len(found.players) <= 4 else MEDIUM
    for seat, (name, score) in enumerate(zip(found.players, found.scores, strict=True)):
        words = f"{name}  {score:,}{'  won' if seat in found.winners else ''}"
        wide = ImageFont.load_default(height).getlength(words) + height
        if x > 80 and x + wide > WIDTH - 80:
            x, y = 80.0, y + height * 1.6
        pen.circle((x + height * 0.35, y), height * 0.35, stone(seat))
        x += height + _write(pen, x + height, y, words, height) + height * 1.4
    for verdict in write_verdicts(found)[:3]:
        y += MEDIUM * 1.7
        _write(pen, 80, y, verdict, MEDIUM, FAINT)
    return y + MEDIUM


def _shorten(name: str) -> str:
    return name if len(name) <= MAX_NAME_LENGTH else f"{name[: MAX_NAME_LENGTH - 1]}…"


def _range(found: Review) -> tuple[float, float]:
    """Return the least and greatest score to show, with some air."""
    later = [score for move in found.moves[len(found.players) - 1 :] for score in move.scores]
    shown = later or [score for move in found.moves for score in move.scores] or [0, 1]
    air = (max(shown) - min(shown)) * 0.07 or 1
    return max(min(shown) - air, 0), max(shown) + air


def _grid(pen: ImageDraw.ImageDraw, panel: Panel, lines: int) -> None:
    step = _step((panel.most - panel.least) / lines)
    value = math.ceil(panel.least / step) * step
    while value <= panel.most:
        y = panel.y(value)
        pen.line([(LEFT_MARGIN, y), (WIDTH - RIGHT_MARGIN, y)], GRID_COLOUR, SUPERSAMPLING)
        _write(pen, LEFT_MARGIN - 32, y, f"{value:,}", SMALL, FAINT, "rm")
        value += step


def _step(least: float) -> int:
    """Return the smallest of 1, 2, 5, 10, 20 … that is at least ``least``."""
    power: int = 10 ** math.floor(math.log10(max(least, 1)))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= least)


def _numbers(pen: ImageDraw.ImageDraw, panel: Panel) -> None:
    """Write the numbers of the moves below a panel."""
    for move in range(1, panel.moves + 1):
        if move % _step(panel.moves / MAX_TICKS) == 0:
            _write(pen, panel.x(move), panel.bottom + 48, str(move), SMALL, FAINT, "mm")


def _lines(pen: ImageDraw.ImageDraw, panel: Panel, found: Review) -> None:
    histories = [[0, *(move.scores[seat] for move in found.moves)] for seat in range(len(found.players))]
    for seat, history in enumerate(histories):
        pen.line([(panel.x(move), panel.y(score)) for move, score in enumerate(history)], stone(seat), 8, "curve")
    for move in _labelled_moves(found):
        x, y = panel.x(move.number), panel.y(move.scores[move.seat])
        for radius, colour in ((26, GROUND), (22, INK), (14, stone(move.seat))):
            pen.circle((x, y), radius, colour)
        _write(pen, x, y - 60, str(move.number), SMALL, INK, "mm")


def _bars(pen: ImageDraw.ImageDraw, panel: Panel, found: Review) -> None:
    width = min((WIDTH - LEFT_MARGIN - RIGHT_MARGIN) / (panel.moves + 0.5) * 0.3, 44)
    for move in found.moves:
        x = panel.x(move.number)
        if move.loss is None:
            _write(pen, x, panel.bottom - 28, "?", SMALL, FAINT, "mm")
        elif move.loss:
            colour = stone(move.seat) if move.losing else region(move.seat)
            pen.rectangle((x - width, panel.y(move.loss), x + width, panel.bottom), colour)
    for move in _labelled_moves(found):
        words = f"{move.number}: -{move.loss:,}"
        half = ImageFont.load_default(SMALL).getlength(words) / 2
        _write(pen, min(panel.x(move.number), WIDTH - 16 - half), panel.y(move.loss or 0) - 30, words, SMALL, INK, "mm")
    pen.line([(LEFT_MARGIN, panel.bottom), (WIDTH - RIGHT_MARGIN, panel.bottom)], FAINT, 3)


def _labelled_moves(found: Review) -> Iterator[MoveReview]:
    """Yield the losing moves that get a label: those with the greatest swings."""
    for number in found.losing[:3]:
        yield found.moves[number - 1]
