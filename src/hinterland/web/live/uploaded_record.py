"""Records that people bring to be studied: judged again as ``hinterland verify`` does, kept in memory for a while."""

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
"""A position holds about so many times the bytes of its record."""


class Upload(msgspec.Struct, frozen=True):
    """A record that was judged again and is sound."""

    id: str
    """The same for the same record, whatever its study."""
    record: Record
    """Without its study."""
    study: GameStudy | None
    """What it came with."""
    position: Position[Any, Any]
    """Its last."""
    scores: tuple[tuple[int, ...], ...]
    """After each move."""
    bytes: int
    """How much of memory it is reckoned to take."""

    @property
    def game(self) -> Game:
        """What is played."""
        return catalog.game(self.record.game)

    def to_page(self) -> dict[str, Any]:
        """Return what the page of a study is told, in the form of a snapshot as far as it looks at one."""
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
    """Those looked at last, as many as there is memory for."""

    def __init__(self, most_bytes: int) -> None:
        self._kept: LRUCache[str, Upload] = LRUCache(most_bytes, attrgetter("bytes"))

    def keep(self, upload: Upload) -> None:
        """Keep one in the place of those not looked at for the longest."""
        if upload.bytes <= self._kept.maxsize:
            self._kept[upload.id] = upload

    def find(self, upload_id: str) -> Upload | None:
        """Return one, or None where it is not kept any more."""
        return self._kept.get(upload_id)
