"""What players say about their moves: text and marks on the board, for people. No verdict depends on it.

A mark names places in the game's own numbers (``Rules.place_ranges``): the row and column of a cell, a vertex, a dot.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from hinterland.errors import BadText, quote

MAX_CHARACTERS = 1000
"""Most characters of a note's text."""
MAX_MARKS = 200
"""Most marks of a note."""
MAX_BYTES = 8192
"""Most bytes of a note's text and marks, as JSON."""

Place = tuple[int, ...]
"""The numbers of a place on the board."""


class NoteMark(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, rename={"start": "from"}
):
    """A mark on the board: a circle, an arrow or a line, perhaps with a value. Unused fields are left out."""

    at: Place | None = None
    """The place of a circle."""
    start: Place | None = None
    """The place where an arrow begins; in JSON ``from``."""
    to: Place | None = None
    """The place to which the arrow points."""
    line: tuple[Place, ...] | None = None
    """The places that a line joins, at least two, in order."""
    value: float | None = None
    """A number that stands beside the mark, such as what the player thinks of a move."""

    def __post_init__(self) -> None:
        is_arrow = self.start is not None and self.to is not None
        shapes = (self.at is not None) + is_arrow + (self.line is not None and len(self.line) > 1)
        if shapes != 1 or (self.start is None) != (self.to is None):
            raise ValueError('a mark has either "at", or "from" and "to", or a "line" of two places or more')

    @property
    def places(self) -> tuple[Place, ...]:
        """The one place of a circle, the two of an arrow, or those of a line."""
        if self.at is not None:
            return (self.at,)
        return self.line or (self.start or (), self.to or ())

    @property
    def shape(self) -> str:
        """One of the words circle, arrow and line."""
        return "circle" if self.at is not None else "line" if self.line is not None else "arrow"


class Note(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A player's note on one of its moves, for instance that the move is not proven best."""

    ply: int
    """Number of the move, from 0."""
    text: str
    """The note."""
    marks: tuple[NoteMark, ...] = ()
    """What the player marked on the board before it made the move; left out if there is nothing."""


def check_places(mark: NoteMark, ranges: Mapping[str, int]) -> None:
    """Raise BadText if a mark lies beside the board. ``ranges``: ``Rules.place_ranges`` of the game."""
    if not ranges:
        raise BadText("this game has no places for marks")
    for place in mark.places:
        inside = len(place) == len(ranges) and all(
            0 <= number < count for number, count in zip(place, ranges.values(), strict=True)
        )
        if not inside:
            expected = ", ".join(f"{name} 0 to {count - 1}" for name, count in ranges.items())
            raise BadText(f"{quote(list(place))} is no place on the board: [{expected}]")
