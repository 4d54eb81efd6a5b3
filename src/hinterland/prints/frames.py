"""A position as one picture for a screen: the frame of a film, or the card of a link (1200 x 630, as Open Graph asks).

Wide frames have the board on the left and the players beside it, tall ones above and below.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from hinterland import film
from hinterland.palette import GROUND, INK, NEUTRAL, mixed, region, stone
from hinterland.prints.lettering import fitted, length
from hinterland.prints.painting import paint
from hinterland.prints.sheet import Board, Box, Disc, Scene, Sheet, Words

CARD = (1200, 630)
FAINT = mixed(INK, GROUND, 0.4)
MOST_ROWS = 5
"""Of more players beside a board the rest are counted."""
FEW = 3
"""So many players have room for a large score each."""
ROW, GAP = 84, 44
"""In tall frames: the height of a row of players, and the room between the board and the first base line."""
Marks = Iterator[Words | Box | Disc]


def draw_card(scene: Scene) -> bytes:
    """Draw a position as the card of a link, a PNG."""
    return film.png(paint(lay_out_frame(scene, *CARD), CARD[0], is_poster=True))


def lay_out_frame(scene: Scene, width: int, height: int) -> Sheet:
    """Put a position into a frame of so many pixels; either side should be at least a fifth longer than the other."""
    if width > height:
        unit = height / 630
        board = Board(40 * unit, 40 * unit, height - 80 * unit)
        marks = _beside(scene, unit, board.x + board.side + 48 * unit, width - 40 * unit)
    else:
        unit = width / 720
        columns = 2 if len(scene.names) <= 4 else 3
        rows = math.ceil(len(scene.names) / columns)
        side = min(width - 72 * unit, height - (144 + GAP + ROW * rows) * unit)
        top = (height - side - (130 + GAP + ROW * rows) * unit) / 2
        board = Board((width - side) / 2, top + 126 * unit, side)
        marks = _above_and_below(scene, unit, board, columns)
    return Sheet(scene, width, height, board, tuple(marks))


def _beside(scene: Scene, unit: float, left: float, right: float) -> Marks:
    yield from _heading(scene, unit, left, right, 74 * unit)
    most = len(scene.names) if len(scene.names) <= MOST_ROWS else MOST_ROWS - 1
    step = 150 if most <= FEW else 84
    for seat in range(most):
        row = _large_row if most <= FEW else _row
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
        x, y = left + wide * (seat % columns), board.y + board.side + (GAP + ROW * (seat // columns)) * unit
        yield from _large_row(scene, unit * (0.72 if columns == 2 else 0.56), x, x + wide - gap, y, seat)


def _heading(scene: Scene, unit: float, left: float, right: float, base: float) -> Marks:
    yield Words(left, base, fitted(scene.heading, 42 * unit, right - left), 42 * unit)
    yield Words(left, base + 40 * unit, scene.moment, 26 * unit, FAINT)


def _large_row(scene: Scene, unit: float, left: float, right: float, base: float, seat: int) -> Marks:
    """Write one player of few: colour and name, below them the score, and below that a bar of the share."""
    yield Disc(left + 13 * unit, base - 11 * unit, 13 * unit, stone(seat))
    yield Words(left + 40 * unit, base, fitted(scene.names[seat], 34 * unit, right - left - 40 * unit), 34 * unit)
    yield Words(left + 40 * unit, base + 58 * unit, f"{scene.position.scores[seat]:,}", 58 * unit)
    yield from _bar(scene, unit, left, right, base + 78 * unit, seat)


def _row(scene: Scene, unit: float, left: float, right: float, base: float, seat: int) -> Marks:
    """Write one player: colour, name, score, and below a bar of the share."""
    score, size = f"{scene.position.scores[seat]:,}", 34 * unit
    room = right - left - length(score, size) - 56 * unit
    yield Disc(left + 13 * unit, base - 11 * unit, 13 * unit, stone(seat))
    yield Words(right, base, score, size, anchor="end")
    yield Words(left + 40 * unit, base, fitted(scene.names[seat], size, room), size)
    yield from _bar(scene, unit, left, right, base + 14 * unit, seat)


def _bar(scene: Scene, unit: float, left: float, right: float, top: float, seat: int) -> Marks:
    scores = scene.position.scores
    yield Box(left, top, right - left, 10 * unit, NEUTRAL)
    yield Box(left, top, (right - left) * scores[seat] / max(sum(scores), 1), 10 * unit, region(seat))
