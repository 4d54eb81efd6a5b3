"""Layout of a knockout's bracket: boxes and the lines between them, in pixels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from hinterland.contest.report.plan_words import format_points, shorten

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hinterland.contest.report.contest_view import ContestView, TableView

BOX_WIDTH, BOX_HEIGHT = 208, 52
"""Width and height of a box, in pixels."""
COLUMN_GAP, ROW_GAP = 40, 16
"""Pixels between boxes."""
HEADER_HEIGHT = 24
"""Pixels above the boxes, for the names of the rounds."""
MAX_ROUNDS = 6
"""Greatest number of rounds shown. Of a longer knockout the last six are shown, the first of which has 32 tables."""
MAX_NAME_LETTERS = 18


class Line(msgspec.Struct, frozen=True):
    """A player in a box."""

    player: int
    """The player's number in the plan."""
    name: str
    """Name, shortened."""
    points: str
    """Points in words; empty before the first match, "bye" for a bye."""
    state: str
    """won, lost or open."""


class Box(msgspec.Struct, frozen=True):
    """A table of the bracket."""

    x: int
    """x of the left side, in pixels."""
    y: int
    """y of the top side, in pixels."""
    lines: tuple[Line, ...]
    """The table's players; empty as long as they are unknown."""
    path: str
    """SVG path to the next box; empty for the last."""


class BracketChart(msgspec.Struct, frozen=True):
    """A whole bracket."""

    width: int
    height: int
    boxes: tuple[Box, ...]
    """Boxes, round by round."""
    titles: tuple[tuple[int, str], ...]
    """For each round, the x of its boxes and its name."""
    left_out: int
    """Number of first rounds that are not shown."""


def make_bracket_chart(view: ContestView) -> BracketChart:
    """Lay out the bracket of a knockout."""
    total = view.all_rounds or len(view.rounds)
    left_out = max(total - MAX_ROUNDS, 0)
    shown = range(left_out, total)
    tables = 2 ** (len(shown) - 1)
    boxes = [box for number in shown for box in _round_boxes(view, number - left_out, number, tables)]
    return BracketChart(
        width=len(shown) * (BOX_WIDTH + COLUMN_GAP) - COLUMN_GAP + 2,
        height=max(HEADER_HEIGHT + tables * (BOX_HEIGHT + ROW_GAP), max(box.y for box in boxes) + BOX_HEIGHT + 2),
        boxes=tuple(boxes),
        titles=tuple(
            (column * (BOX_WIDTH + COLUMN_GAP), _title(total - number)) for column, number in enumerate(shown)
        ),
        left_out=left_out,
    )


def _title(back: int) -> str:
    """Name a round by its distance from the end, 1 for the final."""
    return {1: "Final", 2: "Semi-finals", 3: "Quarter-finals"}.get(back, f"Last {2**back}")


def _round_boxes(view: ContestView, column: int, number: int, tables: int) -> Iterator[Box]:
    """Yield the boxes of round ``number``; a second box beside the final is for third place.

    ``tables``: number of boxes in the first column.
    """
    known = view.rounds[number].tables if number < len(view.rounds) else ()
    count = tables >> column
    for place in range(max(count, len(known))):
        x, y = column * (BOX_WIDTH + COLUMN_GAP), _middle(column, place) - BOX_HEIGHT // 2
        path = ""
        if place >= count:
            y = _middle(column, 0) + BOX_HEIGHT // 2 + 2 * ROW_GAP
        elif count > 1:
            bend, to = x + BOX_WIDTH + COLUMN_GAP // 2, _middle(column + 1, place // 2)
            path = f"M{x + BOX_WIDTH} {y + BOX_HEIGHT // 2}H{bend}V{to}H{x + BOX_WIDTH + COLUMN_GAP}"
        lines = tuple(_lines(view, known[place])) if place < len(known) else ()
        yield Box(x, y, lines, path)


def _middle(column: int, place: int) -> int:
    """Return the y of the middle of a box."""
    each = (BOX_HEIGHT + ROW_GAP) << column
    return HEADER_HEIGHT + place * each + each // 2


def _lines(view: ContestView, table: TableView) -> Iterator[Line]:
    for player, made in zip(table.players, table.points, strict=True):
        is_bye = len(table.players) == 1
        state = "open" if table.winner is None else "won" if table.winner == player else "lost"
        words = "bye" if is_bye else format_points(made) if table.matches else ""
        yield Line(player, shorten(view.names[player], MAX_NAME_LETTERS), words, state)
