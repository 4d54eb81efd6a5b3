"""The notes of players on their moves, for the pages of finished games: nobody sees them while the game goes on."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec
from litestar import MediaType, Request, get

from hinterland.contract import Game, Rules
from hinterland.errors import BadText, RulesError
from hinterland.referee.diary import MAX_CHARACTERS, MAX_MARKS, Note, NoteMark, Place, check_places
from hinterland.referee.protocol.names import clean_text
from hinterland.web.api.study_api import find_studied_game
from hinterland.web.arena import arena_of
from hinterland.web.disconnects import cancel_on_disconnect
from hinterland.web.guards import asker_of


class MarkView(msgspec.Struct, frozen=True):
    """A mark as a page draws it."""

    shape: str
    """circle, arrow or line."""
    points: tuple[float, ...]
    """x and y of each place in turn, as shares of the board, y downwards."""
    value: float | None


class NoteView(msgspec.Struct, frozen=True):
    """A note as a page shows it."""

    ply: int
    """Number of the move, from 0."""
    text: str
    marks: tuple[MarkView, ...]


@get(["/api/games/{game_id:str}/notes", "/api/studies/{upload_id:str}/notes"], media_type=MediaType.JSON)
async def get_notes(request: Request[Any, Any, Any]) -> bytes:
    """Return the notes of a finished game, or of an opened game file. Answers 409 while the game is live."""
    found = await find_studied_game(request)
    what = (found.game, found.position.rules, found.notes)
    showing = arena_of(request).gallery.show(asker_of(request), (found.id,), place_notes, *what)
    shown: bytes = await cancel_on_disconnect(request, showing)
    return shown


def place_notes(game: Game, rules: Rules, notes: tuple[Note, ...]) -> bytes:
    """Return notes as JSON, with marks where they lie on the board.

    Anybody may have written an opened game file: text is cleaned, and marks beside the board are left out.
    """
    marked = [[mark for mark in note.marks[:MAX_MARKS] if _is_on_board(mark, rules)] for note in notes]
    points = _locate(game, rules, [place for marks in marked for mark in marks for place in mark.places])
    views = [
        NoteView(note.ply, clean_text(note.text[:MAX_CHARACTERS]), tuple(_place_marks(marks, points)))
        for note, marks in zip(notes, marked, strict=True)
    ]
    return msgspec.json.encode(views)


def _is_on_board(mark: NoteMark, rules: Rules) -> bool:
    try:
        check_places(mark, rules.place_ranges)
    except BadText:
        return False
    return True


def _locate(game: Game, rules: Rules, places: list[Place]) -> Iterator[tuple[float, float]]:
    """Return an iterator over the points of places; an empty one if the board cannot be drawn."""
    if game.page.locate is None:
        return iter(())
    try:
        return iter(game.page.locate(rules, places))
    except RulesError:
        return iter(())


def _place_marks(marks: list[NoteMark], points: Iterator[tuple[float, float]]) -> Iterator[MarkView]:
    """Yield marks with the next of ``points``, as long as there are any."""
    for mark in marks:
        if found := [*islice(points, len(mark.places))]:
            yield MarkView(mark.shape, tuple(round(share, 4) for point in found for share in point), mark.value)
