"""Game files opened for study: judged again as ``hinterland verify`` does, kept in memory for a while."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

import msgspec
from cachetools import LRUCache

from hinterland import catalog
from hinterland.contract import Game, Position
from hinterland.referee.game_study import GameStudy
from hinterland.referee.record import Record

POSITION_SIZE_FACTOR = 20
"""Approximate size of a position, as a multiple of its record's."""


class Upload(msgspec.Struct, frozen=True):
    """A record that was judged again and is sound."""

    id: str
    """The same for the same record, whatever its study."""
    record: Record
    """The record without its study."""
    study: GameStudy | None
    """The study in the file."""
    position: Position[Any, Any]
    """The last position."""
    scores: tuple[tuple[int, ...], ...]
    """Scores after each move."""
    bytes: int
    """Estimated memory."""

    @property
    def game(self) -> Game:
        """The kind of game."""
        return catalog.game(self.record.game)

    def to_page(self) -> dict[str, Any]:
        """Return the data of a study page, in the form of a snapshot."""
        record, page = self.record, self.game.page
        moves = zip(record.movers, record.moves, self.scores, strict=True)
        return {
            "id": self.id,
            "game": record.game,
            "title": self.game.title,
            "rules": page.rules(self.position.rules),
            "drawing_data": None if page.drawing_data is None else f"/api/studies/{self.id}/drawing-data",
            "seats": [{"name": name} for name in record.players],
            "moves": [{"seat": seat, "move": move, "scores": scores} for seat, move, scores in moves],
            "study": self.study,
        }


class Uploads:
    """The uploads looked at last, within a memory limit."""

    def __init__(self, most_bytes: int) -> None:
        self._kept: LRUCache[str, Upload] = LRUCache(most_bytes, attrgetter("bytes"))

    def keep(self, upload: Upload) -> None:
        """Keep an upload in place of those unused for longest."""
        if upload.bytes <= self._kept.maxsize:
            self._kept[upload.id] = upload

    def find(self, upload_id: str) -> Upload | None:
        """Return an upload, or None if it is no longer kept."""
        return self._kept.get(upload_id)
