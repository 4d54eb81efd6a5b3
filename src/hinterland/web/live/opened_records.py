"""Makes, from records, games that pages can show: finished games, and games opened for study."""

from __future__ import annotations

import hashlib
import time
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from math import inf
from operator import attrgetter
from typing import Any

import msgspec
from cachetools import LRUCache

from hinterland import catalog
from hinterland.contract import Game, Position
from hinterland.errors import RecordError
from hinterland.referee import judge
from hinterland.referee.clock import NS_PER_MS, Clocks
from hinterland.referee.game_study import GameStudy
from hinterland.referee.record import Record, to_line
from hinterland.referee.verification import unfold
from hinterland.storage.game_setup import Seat, Setup, hash_key, new_key
from hinterland.storage.identities import Identity, contest_proof
from hinterland.storage.journal import Restored

POSITION_SIZE_FACTOR = 20
"""Approximate memory of a position, as a multiple of the size of its record."""


def replay_game(game_id: str, record: Record, known: Mapping[str, Identity]) -> tuple[Setup, Restored]:
    """Return the setup and the course of a finished game. Raises HinterlandError if the record cannot be replayed.

    ``known``: the identities of the players by name.
    """
    proofs = {name: contest_proof(player) for name, player in known.items()}
    setup = Setup(
        id=game_id, game_name=record.game, rules_json=record.rules,
        seats=tuple(Seat("bot", name, proofs.get(name, "")) for name in record.players), control=record.clock,
        seed=record.seed, key_sha256=hash_key(new_key()), started=record.times.started, number=record.number,
    )  # fmt: skip
    last, scores = replay(record)
    return setup, Restored(_judged(record, last), scores, is_recorded=True)


def replay(record: Record, until_s: float = inf) -> tuple[Position[Any, Any], tuple[tuple[int, ...], ...]]:
    """Return the last position, and the scores after each move.

    Raises RecordError once the monotonic clock passes ``until_s``.
    """
    scores: list[tuple[int, ...]] = []
    for position in unfold(record):
        last = position
        if len(position.moves) > len(scores):
            scores.append(position.scores)
        if time.monotonic() > until_s:
            raise RecordError("to judge so long a game on such a board takes too long here; see hinterland verify")
    return last, tuple(scores)


def record_id(record: Record) -> str:
    """Return the id of a record's game. Equal records have the same id."""
    return urlsafe_b64encode(hashlib.blake2b(to_line(record), digest_size=12).digest()).decode()


def _judged(record: Record, position: Position[Any, Any]) -> judge.Judged:
    return judge.Judged(
        position=position,
        clocks=_clocks(record),
        illegal=(judge.Illegal.FORFEIT,) * len(record.players),
        move_ms=record.times.ms,
        notes=record.times.notes,
        departures=record.departures,
        ending=judge.Ending(record.scores, record.winners, record.reason, record.detail),
        lag_ns=record.times.lag_ms * NS_PER_MS,
    )


def _clocks(record: Record) -> Clocks:
    """Return the clocks at the end of the game, computed from the times of its moves."""
    fresh = Clocks.fresh(record.clock, len(record.players))
    left = list(fresh.left_ns)
    for seat, ms in zip(record.movers, record.times.ms, strict=True):
        budget = left[seat]
        if budget is not None:
            left[seat] = max(budget - (ms - record.clock.increment_ms) * NS_PER_MS, 0)
    return Clocks(record.clock, tuple(left))


class Upload(msgspec.Struct, frozen=True):
    """An opened game file, whose moves were judged again and are legal."""

    id: str
    """Id made from the record without its study, so that equal games have the same id."""
    record: Record
    """The record without its study."""
    study: GameStudy | None
    """The study in the file."""
    position: Position[Any, Any]
    """The last position."""
    scores: tuple[tuple[int, ...], ...]
    """Scores after each move."""
    bytes: int
    """Estimate of the memory that the upload takes."""

    @property
    def game(self) -> Game:
        """The kind of game."""
        return catalog.game(self.record.game)

    def to_page(self) -> dict[str, Any]:
        """Return the data of a study page, named as in ``Snapshot``."""
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
            "notes": len(record.times.notes),
            "study": self.study,
        }


class Uploads:
    """The opened game files that were used last, within a memory limit."""

    def __init__(self, most_bytes: int) -> None:
        self._kept: LRUCache[str, Upload] = LRUCache(most_bytes, attrgetter("bytes"))

    def keep(self, upload: Upload) -> None:
        """Keep an upload. If the memory limit is exceeded, drop the uploads unused for longest."""
        if upload.bytes <= self._kept.maxsize:
            self._kept[upload.id] = upload

    def find(self, upload_id: str) -> Upload | None:
        """Return an upload, or None if it is no longer kept."""
        return self._kept.get(upload_id)
