"""Turns a record into a game that pages can show: replayed, finished, with the scores after each move."""

from __future__ import annotations

import hashlib
from base64 import urlsafe_b64encode
from collections.abc import Mapping

from hinterland.contract import Position
from hinterland.referee import judge
from hinterland.referee.clock import NS_PER_MS, Clocks
from hinterland.referee.record import Record, to_line
from hinterland.referee.verification import unfold
from hinterland.storage.game_setup import Seat, Setup, hash_key, new_key
from hinterland.storage.identities import Identity, contest_proof
from hinterland.storage.journal import Restored


def replay_game(game_id: str, record: Record, known: Mapping[str, Identity]) -> tuple[Setup, Restored]:
    """Return the setup and the whole course of a finished game. Raises HinterlandError if it cannot be replayed.

    ``known``: the identities of its players by name.
    """
    proofs = {name: contest_proof(player) for name, player in known.items()}
    setup = Setup(
        id=game_id, game_name=record.game, rules_json=record.rules,
        seats=tuple(Seat("bot", name, proofs.get(name, "")) for name in record.players), control=record.clock,
        seed=record.seed, key_sha256=hash_key(new_key()), started=record.times.started, number=record.number,
    )  # fmt: skip
    scores: list[tuple[int, ...]] = []
    for position in unfold(record):
        last = position
        if len(position.moves) > len(scores):
            scores.append(position.scores)
    return setup, Restored(_judged(record, last), tuple(scores), is_recorded=True)


def record_id(record: Record) -> str:
    """Return the id of a record's game: the same for the same record."""
    return urlsafe_b64encode(hashlib.blake2b(to_line(record), digest_size=12).digest()).decode()


def _judged(record: Record, position: Position) -> judge.Judged:  # type: ignore[type-arg]
    return judge.Judged(
        position=position,
        clocks=_clocks(record),
        illegal=(judge.Illegal.FORFEIT,) * len(record.players),
        move_ms=record.times.ms,
        notes=tuple((note.ply, note.text) for note in record.times.notes),
        departures=record.departures,
        ending=judge.Ending(record.scores, record.winners, record.reason, record.detail),
        lag_ns=record.times.lag_ms * NS_PER_MS,
    )


def _clocks(record: Record) -> Clocks:
    """Return the clocks at the end of the game."""
    fresh = Clocks.fresh(record.clock, len(record.players))
    left = list(fresh.left_ns)
    for seat, ms in zip(record.movers, record.times.ms, strict=True):
        budget = left[seat]
        if budget is not None:
            left[seat] = max(budget - (ms - record.clock.increment_ms) * NS_PER_MS, 0)
    return Clocks(record.clock, tuple(left))
