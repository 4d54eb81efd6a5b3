"""Records: one finished game as one line of JSON, from which everything can be replayed and judged again.

All that depends on when a game was played stands in one field, ``times``; two runs with the same seed are equal but for
it. Checksums, one of the game, one of its times and one of a study, find what a replay cannot see: a digit changed in a
name or a time. Columns hold one kind of value each, so that tools which read lines of JSON need no help. Records of the
first format are read as well (``first_format``); nothing here opens a file (``hinterland.storage`` does).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import msgspec

from hinterland.contract import LEFT, LOST, Game, read_json
from hinterland.errors import BadText, RecordError, RulesError, quote
from hinterland.referee import first_format
from hinterland.referee.clock import NS_PER_MS, TimeControl
from hinterland.referee.game_study import GameStudy
from hinterland.referee.judge import Judged
from hinterland.referee.verdicts import Departure, Verdict

FORMAT = "hinterland-record/2"


class Between(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What happened between two moves: a seat lost its turn, or left the game."""

    plies: int
    """After how many moves; several after the same move are in the order in which they happened."""
    seat: int
    """Whose turn was lost, or who left."""
    event: Literal["lost", "left"]
    """Which of the two."""
    reason: str = ""
    """The verdict on a seat that left; empty for a lost turn."""
    detail: str = ""
    """The same in words."""

    def __post_init__(self) -> None:
        if self.event == LEFT:
            Verdict(self.reason)
        elif self.reason:
            raise ValueError("a lost turn has no verdict")


class Note(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a player says of one of its moves, as that it is not proven best."""

    ply: int
    """Which move, from 0."""
    text: str
    """What it says."""


class Times(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that differs between two runs of the same game."""

    started: str
    """When the game began, ISO 8601 in UTC."""
    ms: tuple[int, ...]
    """How long each move took."""
    lag_ms: int = 0
    """How late the referee itself was, all in all, charged to nobody."""
    notes: tuple[Note, ...] = ()
    """What players say of moves."""
    crc: str = ""
    """Checksum of the fields above."""


class ContestPlace(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where in a contest a game belongs; with the number of the game in its match, that is its identity."""

    plan: str
    """The plan's hash."""
    round: int
    """Which round, from 0."""
    task: int
    """Which match of the round, from 0."""


class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One finished game."""

    format: str = FORMAT
    """What a line must say to be a record."""
    game: str
    """The game's name in the catalogue."""
    rules: dict[str, Any]
    """The rules, all fields."""
    players: tuple[str, ...]
    """Names, in the order of the seats."""
    seed: int | None
    """Of the match; None where chance had no part."""
    number: int
    """Which game of its match this was, from 1."""
    clock: TimeControl
    """How much time there was."""
    movers: tuple[int, ...]
    """The seat that made each move."""
    moves: tuple[tuple[int, ...], ...]
    """The numbers of each move, in order of play."""
    between: tuple[Between, ...] = ()
    """Lost turns and departures, in the order in which they happened."""
    scores: tuple[int, ...]
    """One a seat; nothing for those that left."""
    winners: tuple[int, ...]
    """The seats that won."""
    reason: str
    """Why the game ended: the rules' reason or the referee's verdict."""
    detail: str
    """The same in words."""
    contest: ContestPlace | msgspec.UnsetType = msgspec.UNSET
    """Where in a contest it belongs, if it does."""
    study: GameStudy | msgspec.UnsetType = msgspec.UNSET
    """What somebody made of the game beside it, if anything; it has a checksum of its own."""
    crc: str = ""
    """Checksum of all but the study and the times."""
    times: Times
    """All that another run of the same game may change."""

    def _repr_html_(self) -> str:
        from hinterland.referee.record_html import make_stepper  # noqa: PLC0415

        return make_stepper(self)

    @property
    def played(self) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """(seat, the numbers of its move), in order of play."""
        return tuple(zip(self.movers, self.moves, strict=True))

    @property
    def departures(self) -> tuple[Departure, ...]:
        """Who left before the end."""
        left = (what for what in self.between if what.event == LEFT)
        return tuple(Departure(gone.seat, Verdict(gone.reason), gone.detail, gone.plies) for gone in left)


def check_seats(record: Record) -> None:
    """See that a record speaks of the seats of its game alone; replaying it shows more. Raises RecordError."""
    count = len(record.players)
    if count < 2:
        raise RecordError(f"a game has at least 2 players, not {count}")
    if len(record.scores) != count:
        raise RecordError(f"it has {len(record.scores)} scores for {count} players")
    for seat in (*record.movers, *record.winners, *(one.seat for one in record.between)):
        if not 0 <= seat < count:
            raise RecordError(f"it speaks of seat {seat}; seats go from 0 to {count - 1}")


def of_game(
    game: Game, judged: Judged, names: tuple[str, ...], *, seed: int | None, number: int, started: str
) -> Record:
    """Make the record of a game that has ended. Raises RecordError for one that goes on."""
    ending = judged.ending
    if ending is None:
        raise RecordError("only a game that has ended has a record")
    position = judged.position
    return sealed(
        Record(
            game=game.name,
            rules=msgspec.to_builtins(position.rules),
            players=names,
            seed=seed,
            number=number,
            clock=judged.clocks.control,
            movers=tuple(seat for seat, _ in position.moves),
            moves=tuple(move.numbers for _, move in position.moves),
            between=tuple(_between(judged)),
            scores=ending.scores,
            winners=ending.winners,
            reason=ending.reason,
            detail=ending.detail,
            times=Times(
                started=started,
                ms=judged.move_ms,
                lag_ms=judged.lag_ns // NS_PER_MS,
                notes=tuple(Note(ply, text) for ply, text in judged.notes),
            ),
        )
    )


def _between(judged: Judged) -> Iterator[Between]:
    gone = {departure.seat: departure for departure in judged.departures}
    for plies, seat, what in judged.position.between:
        if what == LOST:
            yield Between(plies, seat, "lost")
        else:
            yield Between(plies, seat, "left", str(gone[seat].reason), gone[seat].detail)


def placed(record: Record, place: ContestPlace) -> Record:
    """Return a record as that of a game of a contest."""
    return sealed(msgspec.structs.replace(record, contest=place))


def to_line(record: Record) -> bytes:
    """Write a record as one line, newline included, in the format it says."""
    return msgspec.json.encode(_as_first(record) if record.format == first_format.FORMAT else record) + b"\n"


def read_line(line: bytes | str) -> Record:
    """Read one line, of either format, without judging it. Raises RecordError."""
    try:
        loose = read_json(line)
    except BadText as error:
        raise RecordError(f"not a whole line of JSON: {error}") from None
    found = loose.get("format") if isinstance(loose, dict) else loose
    if found not in (FORMAT, first_format.FORMAT):
        raise RecordError(f"not a record of this program: its format should be {FORMAT!r}, not {quote(found)}")
    try:
        if found == FORMAT:
            return msgspec.convert(loose, Record)
        return _of_first(msgspec.convert(loose, first_format.FirstRecord))
    except (RulesError, msgspec.ValidationError) as error:
        raise RecordError(f"not a record: {error}") from None


def sealed(record: Record) -> Record:
    """Return the record with its checksums as they should be."""
    if record.format == first_format.FORMAT:
        whole = first_format.seal(_as_first(record))
        times = msgspec.structs.replace(record.times, crc=whole.times.crc)
        return msgspec.structs.replace(record, crc=whole.crc, times=times)
    bare = first_format.seal(msgspec.structs.replace(record, study=msgspec.UNSET))
    if not record.study:
        return bare
    study = msgspec.structs.replace(record.study, crc="")
    return msgspec.structs.replace(bare, study=msgspec.structs.replace(study, crc=first_format.checksum(study)))


def studied(record: Record, study: GameStudy | None) -> Record:
    """Return a record, in the format that can hold it, with a study or with none."""
    return sealed(msgspec.structs.replace(record, format=FORMAT, study=study or msgspec.UNSET))


SHARED = (
    "format", "game", "rules", "players", "seed", "number", "clock", "scores", "winners", "reason", "detail", "crc",
)  # fmt: skip
"""The fields that both formats have."""


def _of_first(first: first_format.FirstRecord) -> Record:
    between = tuple(
        Between(what.plies, what.seat, "left", str(what.reason), what.detail)
        if isinstance(what, Departure)
        else Between(*what, "lost")
        for what in first_format.order_events(first)
    )
    return Record(
        **{name: getattr(first, name) for name in SHARED},
        movers=tuple(seat for seat, _ in first.moves),
        moves=tuple(numbers for _, numbers in first.moves),
        between=between,
        times=Times(
            first.times.started,
            first.times.ms,
            first.times.lag_ms or 0,
            tuple(Note(*note) for note in first.times.notes or ()),
            first.times.crc,
        ),
    )


def _as_first(record: Record) -> first_format.FirstRecord:
    times = record.times
    return first_format.FirstRecord(
        **{name: getattr(record, name) for name in SHARED},
        moves=record.played,
        skipped=tuple((what.plies, what.seat) for what in record.between if what.event == LOST) or msgspec.UNSET,
        departures=record.departures,
        times=first_format.FirstTimes(
            times.started,
            times.ms,
            times.lag_ms or msgspec.UNSET,
            tuple((note.ply, note.text) for note in times.notes) or msgspec.UNSET,
            times.crc,
        ),
    )
