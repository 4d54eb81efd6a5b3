"""Rows of tables: one for each game, move or seat. A row of a game holds the whole record."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal

import msgspec

from hinterland.contract import read_json
from hinterland.errors import BadText, RecordError, RulesError, UnknownName
from hinterland.referee.record import ContestPlace, Record
from hinterland.storage.tables.table_files import Row

RowKind = Literal["game", "move", "seat"]


class FileLine(msgspec.Struct, frozen=True):
    """Where a record stood when it became rows of a table.

    Rows of games, moves and seats can be joined by this place.
    """

    file: str
    """Path of the file, as the user wrote it."""
    line: int
    """Number of the line or row, from 1."""


class RecordRow(Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A record and its place. The rules are JSON text, since each kind of game has other fields."""

    file: str
    line: int
    rules: str  # type: ignore[assignment]


class MoveOfGame(FileLine, frozen=True):
    """One move of a game."""

    game: str
    """Name of the game in the catalogue."""
    ply: int
    """Number of the move, from 0."""
    seat: int
    player: str
    """Name of the player."""
    move: tuple[int, ...]
    """Numbers of the move."""
    ms: int | None
    """Time for the move, in milliseconds."""


class SeatOfGame(FileLine, frozen=True):
    """One seat of a game."""

    game: str
    """Name of the game in the catalogue."""
    number: int
    """Number of the game in its match, from 1."""
    seed: int | None
    """Seed of the match."""
    seat: int
    """Number of the seat in turn order, from 0."""
    player: str
    """Name of the player."""
    score: int
    """Score; 0 for a seat that left."""
    won: bool
    """Whether the seat won, alone or with others."""
    moves: int
    """Number of the seat's moves."""
    ms: int
    """Time for all moves of the seat, in milliseconds."""
    lost_turns: int
    """Number of turns that the seat lost."""
    left: str | None
    """Verdict on a seat that left; None if it stayed."""
    contest: ContestPlace | None
    """Place of the game in a contest."""


ROW_TYPES: dict[str, type] = {"game": RecordRow, "move": MoveOfGame, "seat": SeatOfGame}
"""Types of rows, by kind."""


def row_maker(by: str) -> Callable[[FileLine, Record], Iterator[Row]]:
    """Return the function that makes a record's rows, one for each ``by``: game, move or seat. Raises UnknownName."""
    makers = {"game": _game_rows, "move": _move_rows, "seat": _seat_rows}
    if by not in makers:
        raise UnknownName("kind of row", by, makers)
    return makers[by]


def check_lengths(record: Record) -> None:
    """Raise RecordError if the lengths of a record's fields do not match, so that no row can be made of it."""
    seats = range(len(record.players))
    if len(record.movers) != len(record.moves):
        raise RecordError(f"it has {len(record.movers)} movers for {len(record.moves)} moves")
    if len(record.scores) != len(record.players):
        raise RecordError(f"it has {len(record.scores)} scores for {len(record.players)} players")
    if not set(record.movers) <= set(seats):
        raise RecordError(f"a seat is from 0 to {len(seats) - 1}, not {max(record.movers, key=abs)}")


def record_from_row(row: Row) -> Record:
    """Convert the row of a game back to its record. Raises RecordError."""
    whole = {name: value for name, value in row.items() if name not in FileLine.__struct_fields__}
    for name in ("contest", "study"):
        if whole.get(name) is None:
            whole.pop(name, None)
    for part, name in (("times", "notes"), ("study", "marks")):
        if isinstance(fields := whole.get(part), dict):
            fields[name] = _drop_nulls(fields.get(name))
    if isinstance(times := whole.get("times"), dict) and times.get("versions") is None:
        times.pop("versions", None)
    try:
        whole["rules"] = read_json(whole.get("rules") or "")
        return msgspec.convert(whole, Record)
    except (BadText, RulesError, msgspec.ValidationError, TypeError) as error:
        raise RecordError(f"not a record: {error}") from None


def _drop_nulls(value: Any) -> Any:
    """Leave out what a record leaves out and a table has as null."""
    match value:
        case dict():
            return {name: _drop_nulls(part) for name, part in value.items() if part is not None}
        case list():
            return [_drop_nulls(part) for part in value]
    return value


def _game_rows(place: FileLine, record: Record) -> Iterator[Row]:
    row: Row = {"file": place.file, "line": place.line} | msgspec.to_builtins(record)
    row["rules"] = msgspec.json.encode(record.rules).decode()
    yield row


def _move_rows(place: FileLine, record: Record) -> Iterator[Row]:
    spent: tuple[int | None, ...] = record.times.ms
    for ply, (seat, move) in enumerate(record.played):
        ms = spent[ply] if ply < len(spent) else None
        made = MoveOfGame(place.file, place.line, record.game, ply, seat, record.players[seat], move, ms)
        yield msgspec.structs.asdict(made)


def _seat_rows(place: FileLine, record: Record) -> Iterator[Row]:
    left = {gone.seat: str(gone.reason) for gone in record.departures}
    lost = [what.seat for what in record.between if what.event == "lost"]
    contest = record.contest or None
    for seat, (player, score) in enumerate(zip(record.players, record.scores, strict=True)):
        ms = sum(spent for mover, spent in zip(record.movers, record.times.ms, strict=False) if mover == seat)
        row = SeatOfGame(
            place.file, place.line, record.game, record.number, record.seed, seat, player, score,
            seat in record.winners, record.movers.count(seat), ms, lost.count(seat), left.get(seat), contest,
        )  # fmt: skip
        yield msgspec.to_builtins(row)
