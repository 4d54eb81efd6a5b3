"""Records of the first format, ``hinterland-record/1``. Such records can still be read, verified and replayed.

These records keep lost turns in one list and departures in another. If a lost turn and a departure follow the same
move, the game is replayed to order them: the lost turn came first if its seat was to move after that move, else the
departure came first.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, TypeVar

import msgspec

from hinterland import catalog
from hinterland.contract import Position
from hinterland.errors import HinterlandError
from hinterland.referee.clock import TimeControl
from hinterland.referee.verdicts import Departure

FORMAT = "hinterland-record/1"
R = TypeVar("R")
LostTurn = tuple[int, int]
"""(number of moves made before the lost turn, seat)."""


class FirstTimes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that differs between two runs of the same game; fields that are not set are left out."""

    started: str
    ms: tuple[int, ...]
    lag_ms: int | msgspec.UnsetType = msgspec.UNSET
    notes: tuple[tuple[int, str], ...] | msgspec.UnsetType = msgspec.UNSET
    crc: str = ""


class FirstRecord(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One finished game, as the first format wrote it."""

    format: str = FORMAT
    game: str
    rules: dict[str, Any]
    players: tuple[str, ...]
    seed: int | None
    number: int
    clock: TimeControl
    moves: tuple[tuple[int, tuple[int, ...]], ...]
    skipped: tuple[LostTurn, ...] | msgspec.UnsetType = msgspec.UNSET
    departures: tuple[Departure, ...] = ()
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str
    detail: str
    crc: str = ""
    times: FirstTimes


def seal(record: R) -> R:
    """Return a record, of the first format or the second, with correct checksums."""
    whole: Any = record
    times = msgspec.structs.replace(whole.times, crc="")
    bare = msgspec.structs.replace(whole, crc="", times=type(times)("", ()))
    times = msgspec.structs.replace(times, crc=checksum(times))
    return msgspec.structs.replace(whole, crc=checksum(bare), times=times)  # type: ignore[no-any-return]


def checksum(value: object) -> str:
    """Return the CRC-32 of a value's JSON, as eight hexadecimal digits."""
    return f"{zlib.crc32(msgspec.json.encode(value)):08x}"


def order_events(record: FirstRecord) -> list[LostTurn | Departure]:
    """Return lost turns and departures in the order in which they happened.

    If the record contradicts itself, the result is an order that cannot be played.
    """
    lost, gone = tuple(record.skipped or ()), record.departures
    at = [plies for plies, _ in lost]
    if not (_is_ascending(at) and _is_ascending([departure.plies for departure in gone])):
        return [*lost, *gone]
    if not set(at) & {departure.plies for departure in gone}:
        return sorted([*lost, *gone], key=lambda what: what.plies if isinstance(what, Departure) else what[0])
    try:
        return _order_by_playing(record, list(lost), list(gone))
    except HinterlandError:
        return [*lost, *gone]


def _is_ascending(values: Sequence[int]) -> bool:
    return all(first <= second for first, second in pairwise(values))


def _order_by_playing(record: FirstRecord, lost: list[LostTurn], gone: list[Departure]) -> list[LostTurn | Departure]:
    """Play the game to put the events between its moves in order. Raises HinterlandError."""
    game = catalog.game(record.game)
    position: Position[Any, Any] = game.rules.from_json(record.rules).start()
    found: list[LostTurn | Departure] = []
    for plies in range(len(record.moves) + 1):
        while (lost and lost[0][0] == plies) or (gone and gone[0].plies == plies):
            may_skip = lost and lost[0] == (plies, position.to_move)
            if may_skip or not (gone and gone[0].plies == plies):
                found.append(lost.pop(0))
                position = position.skip()
            else:
                found.append(gone.pop(0))
                position = position.withdraw(found[-1].seat)  # type: ignore[union-attr]
        if plies < len(record.moves):
            seat, numbers = record.moves[plies]
            position = position.happen(seat, game.move.from_numbers(list(numbers)))
    return [*found, *lost, *gone]
