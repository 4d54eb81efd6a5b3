"""What stands in a row of a table: a game, a move or a seat. Rows of games hold all of a record and give it back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

import msgspec

from hinterland.contract import read_json
from hinterland.errors import BadText, RecordError, RulesError, UnknownName
from hinterland.referee.record import ContestPlace, Record
from hinterland.storage.tables.columns import Row

By = Literal["game", "move", "seat"]


class FileLine(msgspec.Struct, frozen=True):
    """Where a record stood when its table was made: what joins rows of games, moves and seats."""

    file: str
    """The file, as it was named."""
    line: int
    """Which line or row of it, from 1."""


class RecordRow(Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A record and where it stood; the rules are a text of JSON, since every game has its own."""

    file: str
    line: int
    rules: str  # type: ignore[assignment]


class MoveOfGame(FileLine, frozen=True):
    """One move of a game."""

    game: str
    """The game's name in the catalogue."""
    ply: int
    """Which move, from 0."""
    seat: int
    """Who moved."""
    player: str
    """Its name."""
    move: tuple[int, ...]
    """The numbers of the move."""
    ms: int | None
    """How long it took."""


class SeatOfGame(FileLine, frozen=True):
    """One seat of a game."""

    game: str
    """The game's name in the catalogue."""
    number: int
    """Which game of its match this was, from 1."""
    seed: int | None
    """Of the match."""
    seat: int
    """In turn order, from 0."""
    player: str
    """Its name."""
    score: int
    """Nothing for a seat that left."""
    won: bool
    """Whether it won, alone or with others."""
    moves: int
    """How many it made."""
    ms: int
    """How long they took in all."""
    lost_turns: int
    """How many turns it lost."""
    left: str | None
    """The verdict on a seat that left."""
    contest: ContestPlace | None
    """Where in a contest the game belongs."""


KINDS: dict[str, type] = {"game": RecordRow, "move": MoveOfGame, "seat": SeatOfGame}
"""What a row is, by the name of its kind."""


def rows_of(by: str) -> Callable[[FileLine, Record], Iterator[Row]]:
    """Return the function that makes the rows of a record. Raises UnknownName."""
    makers = {"game": _games, "move": _moves, "seat": _seats}
    if by not in makers:
        raise UnknownName("kind of row", by, makers)
    return makers[by]


def check_lengths(record: Record) -> None:
    """Raise RecordError for a record whose columns do not fit together, so that no row can be made of it."""
    seats = range(len(record.players))
    if len(record.movers) != len(record.moves):
        raise RecordError(f"it has {len(record.movers)} movers for {len(record.moves)} moves")
    if len(record.scores) != len(record.players):
        raise RecordError(f"it has {len(record.scores)} scores for {len(record.players)} players")
    if not set(record.movers) <= set(seats):
        raise RecordError(f"a seat is from 0 to {len(seats) - 1}, not {max(record.movers, key=abs)}")


def record_of(row: Row) -> Record:
    """Return the record of a row of games. Raises RecordError."""
    whole = {name: value for name, value in row.items() if name not in FileLine.__struct_fields__}
    for name in ("contest", "study"):
        if whole.get(name) is None:
            whole.pop(name, None)
    try:
        whole["rules"] = read_json(whole.get("rules") or "")
        return msgspec.convert(whole, Record)
    except (BadText, RulesError, msgspec.ValidationError, TypeError) as error:
        raise RecordError(f"not a record: {error}") from None


def _games(place: FileLine, record: Record) -> Iterator[Row]:
    row: Row = {"file": place.file, "line": place.line} | msgspec.to_builtins(record)
    row["rules"] = msgspec.json.encode(record.rules).decode()
    yield row


def _moves(place: FileLine, record: Record) -> Iterator[Row]:
    spent: tuple[int | None, ...] = record.times.ms
    for ply, (seat, move) in enumerate(record.played):
        ms = spent[ply] if ply < len(spent) else None
        made = MoveOfGame(place.file, place.line, record.game, ply, seat, record.players[seat], move, ms)
        yield msgspec.structs.asdict(made)


def _seats(place: FileLine, record: Record) -> Iterator[Row]:
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
