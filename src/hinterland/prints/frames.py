"""A position as one picture for a screen: a frame of a film, or a link preview (1200 x 630, as Open Graph asks).

Wide frames have the players beside the board; tall frames have them above and below it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from hinterland.drawing import film
from hinterland.drawing.palette import GROUND, INK, NEUTRAL, mix, region, stone
from hinterland.drawing.shapes import Box, Disc, Shape, Words
from hinterland.prints.lettering import measure_width, shorten_to_fit
from hinterland.prints.sheet import Board, Scene, Sheet, paint

CARD = (1200, 630)
FAINT = mix(INK, GROUND, 0.4)
MAX_ROWS = 5
"""Most rows of players beside a board. If there are more players, the last row says how many are missing."""
MAX_LARGE_ROWS = 3
"""Most players that get a large row each; if there are more, all rows are small."""
ROW_HEIGHT = 84
"""Height of a row of players in tall frames, in 720ths of the frame's width."""
FIRST_ROW_GAP = 44
"""Distance from the board to the base line of the first row in tall frames, in 720ths of the frame's width."""
Marks = Iterator[Shape]


def draw_card(scene: Scene) -> bytes:
    """Draw a position as a link preview, a PNG."""
    return film.encode_png(paint(lay_out_frame(scene, *CARD), CARD[0], is_poster=True))


def lay_out_frame(scene: Scene, width: int, height: int) -> Sheet:
    """Lay a position out in a frame of ``width`` x ``height`` pixels.

    Width and height must differ by at least a fifth of the smaller.
    """
    if width > height:
        unit = height / 630
        board = Board(40 * unit, 40 * unit, height - 80 * unit)
        marks = _beside(scene, unit, board.x + board.side + 48 * unit, width - 40 * unit)
    else:
        unit = width / 720
        columns = 2 if len(scene.names) <= 4 else 3
        rows = math.ceil(len(scene.names) / columns)
        side = min(width - 72 * unit, height - (144 + FIRST_ROW_GAP + ROW_HEIGHT * rows) * unit)
        top = (height - side - (130 + FIRST_ROW_GAP + ROW_HEIGHT * rows) * unit) / 2
        board = Board((width - side) / 2, top + 126 * unit, side)
        marks = _above_and_below(scene, unit, board, columns)
    return Sheet(scene, width, height, board, tuple(marks))


def _beside(scene: Scene, unit: float, left: float, right: float) -> Marks:
    yield from _heading(scene, unit, left, right, 74 * unit)
    most = len(scene.names) if len(scene.names) <= MAX_ROWS else MAX_ROWS - 1
    step = 150 if most <= MAX_LARGE_ROWS else 84
    for seat in range(most):
        row = _large_row if most <= MAX_LARGE_ROWS else _row
        yield from row(scene, unit, left, right, (184 + step * seat) * unit, seat)
    if more := len(scene.names) - most:
        yield Words(left, (184 + step * most) * unit, f"and {more} more", 26 * unit, FAINT)
    yield Words(right, 588 * unit, "Hinterland", 22 * unit, FAINT, "end")


def _above_and_below(scene: Scene, unit: float, board: Board, columns: int) -> Marks:
    left, right = 36 * unit, 684 * unit
    yield from _heading(scene, unit, left, right, board.y - 70 * unit)
    gap = 28 * unit
    wide = (right - left + gap) / columns
    for seat in range(len(scene.names)):
        x = left + wide * (seat % columns)
        y = board.y + board.side + (FIRST_ROW_GAP + ROW_HEIGHT * (seat // columns)) * unit
        yield from _large_row(scene, unit * (0.72 if columns == 2 else 0.56), x, x + wide - gap, y, seat)


def _heading(scene: Scene, unit: float, left: float, right: float, base: float) -> Marks:
    yield Words(left, base, shorten_to_fit(scene.heading, 42 * unit, right - left), 42 * unit)
    yield Words(left, base + 40 * unit, scene.moment, 26 * unit, FAINT)


def _large_row(scene: Scene, unit: float, left: float, right: float, base: float, seat: int) -> Marks:
    """Write a player in a large row: colour and name, the score, and a bar for the player's share."""
    yield Disc(left + 13 * unit, base - 11 * unit, 13 * unit, stone(seat))
    name = shorten_to_fit(scene.names[seat], 34 * unit, right - left - 40 * unit)
    yield Words(left + 40 * unit, base, name, 34 * unit)
    yield Words(left + 40 * unit, base + 58 * unit, f"{scene.position.scores[seat]:,}", 58 * unit)
    yield from _bar(scene, unit, left, right, base + 78 * unit, seat)


def _row(scene: Scene, unit: float, left: float, right: float, base: float, seat: int) -> Marks:
    """Write a player in a row: colour, name and score, and below them a bar for the player's share."""
    score, size = f"{scene.position.scores[seat]:,}", 34 * unit
    room = right - left - measure_width(score, size) - 56 * unit
    yield Disc(left + 13 * unit, base - 11 * unit, 13 * unit, stone(seat))
    yield Words(right, base, score, size, anchor="end")
    yield Words(left + 40 * unit, base, shorten_to_fit(scene.names[seat], size, room), size)
    yield from _bar(scene, unit, left, right, base + 14 * unit, seat)


def _bar(scene: Scene, unit: float, left: float, right: float, top: float, seat: int) -> Marks:
    scores = scene.position.scores
    yield Box(left, top, right - left, 10 * unit, NEUTRAL)
    yield Box(left, top, (right - left) * scores[seat] / max(sum(scores), 1), 10 * unit, region(seat))
