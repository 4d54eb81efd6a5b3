"""Records: one finished game as one line of JSON, from which everything can be replayed and judged again.

A file of records is only ever appended to, and flushed to the disk before a result is reported. All that
depends on when a game was played stands in one field, ``times``; two runs with the same seed are equal but for
it. Two checksums, one of the game and one of its times, find what a replay cannot see: a digit changed in a
name or a time.
"""

from __future__ import annotations

import os
import sys
import zlib
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from hinterland import catalog
from hinterland.contract import Game, Position, read_json
from hinterland.errors import BadText, HinterlandError, RecordError, shown
from hinterland.referee.clock import NS_PER_MS, TimeControl
from hinterland.referee.judge import Judged, Verdict, departed_scores

if sys.platform != "win32":
    import fcntl

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = [
    "FORMAT",
    "Book",
    "Departure",
    "Ledger",
    "Record",
    "Times",
    "append",
    "check_writable",
    "of_game",
    "positions",
    "read",
    "read_line",
    "to_line",
    "verify",
]

FORMAT = "hinterland-record/1"
LONGEST_LINE = 16 * 1024 * 1024
HEAD = f'{{"format":"{FORMAT}"'.encode()
"""How every line begins."""


class Departure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat that left the game, after so many moves, and why."""

    seat: int
    """Who left."""
    reason: Verdict
    """Why."""
    detail: str
    """Why, in words."""
    plies: int
    """After how many moves."""


class Times(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that differs between two runs of the same game."""

    started: str
    """When the game began, ISO 8601 in UTC."""
    ms: tuple[int, ...]
    """How long each move took."""
    lag_ms: int | msgspec.UnsetType = msgspec.UNSET
    """How late the referee itself was, all in all, charged to nobody; left out where it was not."""
    notes: tuple[tuple[int, str], ...] | msgspec.UnsetType = msgspec.UNSET
    """(number of the move, from 0, what its player says of it, as that it is not proven); left out where none does."""
    crc: str = ""
    """Checksum of the fields above."""


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
    moves: tuple[tuple[int, tuple[int, ...]], ...]
    """(seat, the numbers of the move), in order of play."""
    skipped: tuple[tuple[int, int], ...] | msgspec.UnsetType = msgspec.UNSET
    """(moves made before, seat) of each turn lost by an illegal move; left out where there was none."""
    departures: tuple[Departure, ...] = ()
    """Who left before the end."""
    scores: tuple[int, ...]
    """One a seat; nothing for those that left."""
    winners: tuple[int, ...]
    """The seats that won."""
    reason: str
    """Why the game ended: the rules' reason or the referee's verdict."""
    detail: str
    """The same in words."""
    crc: str = ""
    """Checksum of all but the times."""
    times: Times
    """All that another run of the same game may change."""


def of_game(
    game: Game, judged: Judged, names: tuple[str, ...], *, seed: int | None, number: int, started: str
) -> Record:
    """Make the record of a game that has ended."""
    ending = judged.ending
    if ending is None:
        raise RecordError("only a game that has ended has a record")
    position = judged.position
    return _sealed(
        Record(
            game=game.name,
            rules=msgspec.to_builtins(position.rules),
            players=names,
            seed=seed,
            number=number,
            clock=judged.clocks.control,
            moves=tuple((seat, move.numbers) for seat, move in position.moves),
            skipped=position.skipped or msgspec.UNSET,
            departures=tuple(Departure(d.seat, d.verdict, d.detail, d.plies) for d in judged.departures),
            scores=ending.scores,
            winners=ending.winners,
            reason=ending.reason,
            detail=ending.detail,
            times=Times(
                started=started,
                ms=judged.move_ms,
                lag_ms=judged.lag_ns // NS_PER_MS or msgspec.UNSET,
                notes=judged.notes or msgspec.UNSET,
            ),
        )
    )


def to_line(record: Record) -> bytes:
    """Write a record as one line, newline included."""
    return msgspec.json.encode(record) + b"\n"


def read_line(line: bytes | str) -> Record:
    """Read one line, without judging it. Raises RecordError."""
    try:
        loose = read_json(line)
    except BadText as error:
        raise RecordError(f"not a whole line of JSON: {error}") from None
    if not isinstance(loose, dict) or loose.get("format") != FORMAT:
        found = loose.get("format") if isinstance(loose, dict) else loose
        raise RecordError(f"not a record of this program: its format should be {FORMAT!r}, not {shown(found)}")
    try:
        return msgspec.convert(loose, Record)
    except msgspec.ValidationError as error:
        raise RecordError(f"not a record: {error}") from None


def read(file: Path) -> Iterator[tuple[int, Record]]:
    """Yield (line number, record) of a file. Raises RecordError that names the line."""
    number = 0
    try:
        with file.open("rb") as lines:
            while line := lines.readline(LONGEST_LINE):
                number += 1
                try:
                    if not line.endswith(b"\n"):
                        raise RecordError("cut short: a record ends with a newline")
                    yield number, read_line(line)
                except RecordError as error:
                    raise RecordError(f"{file}, line {number}: {error}") from None
    except OSError as error:
        raise RecordError(f"{file} cannot be read: {error.strerror}") from None
    if number == 0:
        raise RecordError(f"{file} holds no record")


def check_writable(file: Path) -> None:
    """Raise RecordError unless records can be added to a file; better known before a game than after it."""
    try:
        file.open("ab").close()
    except OSError as error:
        raise RecordError(f"{file} cannot be written: {error.strerror}") from None


def append(file: Path, record: Record) -> None:
    """Add a record to a file and see it safely on the disk. Raises RecordError where it cannot be written."""
    try:
        with file.open("ab") as lines:
            lines.write(to_line(record))
            lines.flush()
            os.fsync(lines.fileno())
    except OSError as error:
        raise RecordError(f"{file} cannot be written: {error.strerror}") from None


class Book(Protocol):
    """Where a referee puts records."""

    file: Path
    """Where they can be read."""

    def add(self, record: Record) -> None:
        """Add a record and see it safely on the disk. Raises RecordError where it cannot be written."""


class Ledger:
    """A file of records that one referee alone adds to for as long as it runs.

    A line is written in one piece and is on the disk before ``add`` returns. A last line that a crash cut short is
    taken off when the file is opened: nobody was told of it.
    """

    def __init__(self, file: Path) -> None:
        """Open a file. Raises RecordError where it cannot be written or another referee writes it."""
        self.file = file
        self.torn_bytes = 0
        """How much of a line that was cut short was taken off."""
        try:
            self._descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        except OSError as error:
            raise RecordError(f"{file} cannot be written: {error.strerror}") from None
        try:
            self._lock()
            self._mend()
        except BaseException:
            self.close()
            raise

    def add(self, record: Record) -> None:
        """Add a record and see it safely on the disk. Raises RecordError where it cannot be written."""
        line = to_line(record)
        try:
            written = os.write(self._descriptor, line)
            if written != len(line):
                os.ftruncate(self._descriptor, os.fstat(self._descriptor).st_size - written)
                raise RecordError(f"{self.file} cannot be written: the disk is full")
            os.fsync(self._descriptor)
        except OSError as error:
            raise RecordError(f"{self.file} cannot be written: {error.strerror}") from None

    def close(self) -> None:
        """Let another referee write the file; nothing can be added any more."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
        self._descriptor = -1

    def _lock(self) -> None:
        if sys.platform != "win32":
            try:
                fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise RecordError(f"another referee writes {self.file}; stop it or choose another file") from None

    def _mend(self) -> None:
        size = os.fstat(self._descriptor).st_size
        start = max(size - LONGEST_LINE, 0)
        tail = os.pread(self._descriptor, size - start, start)
        torn = tail[tail.rfind(b"\n") + 1 :]
        written = torn.rstrip(b"\0")
        if not (written.startswith(HEAD) or HEAD.startswith(written)):
            raise RecordError(f"{self.file} ends in something that is no record; choose another file")
        if torn:
            os.ftruncate(self._descriptor, size - len(torn))
            self.torn_bytes = len(torn)


def positions(record: Record) -> Iterator[Position[Any, Any]]:
    """Replay a record: yield the position at the start and after each move. Raises HinterlandError."""
    game = catalog.game(record.game)
    position = game.rules.from_json(record.rules).start()
    yield position
    for plies, (seat, numbers) in enumerate(record.moves):
        position = _between_moves(position, record, plies)
        position._check_turn(seat)
        position = position.play(game.move.from_numbers(list(numbers)))
        yield position


def verify(record: Record) -> None:
    """Judge a game again from its moves. Raises RecordError that names the first difference."""
    last: Position[Any, Any] | None = None
    plies = -1
    try:
        for plies, position in enumerate(positions(record)):  # noqa: B007
            last = position
    except HinterlandError as error:
        raise RecordError(f"move {plies + 1} of {len(record.moves)} cannot have been played: {error}") from None
    if last is None:
        raise RecordError("a record without a position")
    _verify_result(record, _last(last, record))
    sealed = _sealed(record)
    if record.crc != sealed.crc:
        raise RecordError(
            f"its checksum is {shown(record.crc)}, its contents give '{sealed.crc}': something was changed"
        )
    if record.times.crc != sealed.times.crc:
        raise RecordError(f"the checksum of its times is {shown(record.times.crc)}, they give '{sealed.times.crc}'")


def _verify_result(record: Record, position: Position[Any, Any]) -> None:
    """Compare seats, scores and winners with what the moves give."""
    if len(record.players) != position.rules.players:
        raise RecordError(f"it names {len(record.players)} players, its rules have {position.rules.players}")
    gone = frozenset(departure.seat for departure in record.departures)
    scores = departed_scores(position.scores, gone)
    if len(record.scores) != len(scores):
        raise RecordError(f"it has {len(record.scores)} scores for {len(scores)} seats")
    for seat, (said, found) in enumerate(zip(record.scores, scores, strict=True)):
        if said != found:
            raise RecordError(
                f"seat {seat} ({shown(record.players[seat])}): the record says {said}, the moves give {found}"
            )
    _verify_ending(record, position, scores)


def _verify_ending(record: Record, position: Position[Any, Any], scores: tuple[int, ...]) -> None:
    if record.reason == Verdict.VOID:
        expected: tuple[int, ...] = ()
    elif position.to_move is None and len(position.withdrawn) < position.rules.players - 1:
        staying = [seat for seat in range(len(scores)) if seat not in position.withdrawn]
        most = max(scores[seat] for seat in staying)
        expected = tuple(seat for seat in staying if scores[seat] == most)
        if record.reason != position.end_reason:
            raise RecordError(
                f"the record says it ended by {shown(record.reason)}, the moves say {position.end_reason}"
            )
    elif len(position.withdrawn) == position.rules.players - 1:
        expected = tuple(seat for seat in range(len(scores)) if seat not in position.withdrawn)
        last = record.departures[-1]
        if record.reason != last.reason:
            raise RecordError(
                f"the record says it ended by {shown(record.reason)}, seat {last.seat} left last by {last.reason}"
            )
    else:
        raise RecordError(f"after its last move the game is not over: seat {position.to_move} is to move")
    if record.winners != expected:
        raise RecordError(f"the record says the winners are {list(record.winners)}, the moves give {list(expected)}")


def _last(position: Position[Any, Any], record: Record) -> Position[Any, Any]:
    """Return the position at the end. Raises RecordError where a lost turn or a departure cannot have been."""
    plies = len(record.moves)
    try:
        end = _between_moves(position, record, plies)
    except HinterlandError as error:
        raise RecordError(f"after move {plies}: {error}") from None
    known = len(end.skipped) + len(end.withdrawn)
    told = len(record.skipped or ()) + len(record.departures)
    if known != told:
        raise RecordError(f"{told - known} of its lost turns and departures are at no moment of its {plies} moves")
    leavers = tuple(departure.seat for departure in record.departures)
    if end.skipped != tuple(record.skipped or ()) or end.withdrawn != leavers:
        raise RecordError("its lost turns or its departures are not in the order in which they came")
    return end


def _between_moves(position: Position[Any, Any], record: Record, plies: int) -> Position[Any, Any]:
    """Withdraw the seats that had left, and skip the turns that were lost, between two moves.

    A record keeps the order among departures and that among lost turns, not that between the two: a turn that was lost
    is skipped as soon as it is that seat's.
    """
    leaving = [departure.seat for departure in record.departures if departure.plies == plies]
    losing = [seat for before, seat in record.skipped or () if before == plies]
    while leaving or losing:
        if losing and position.to_move == losing[0]:
            position = position.skip()
            losing.pop(0)
        elif leaving:
            position = position.withdraw(leaving.pop(0))
        else:
            now = "the game is over" if position.to_move is None else f"seat {position.to_move} is to move"
            raise RecordError(f"seat {losing[0]} cannot have lost a turn, {now}")
    return position


def _sealed(record: Record) -> Record:
    """Return the record with its checksums as they should be."""
    times = msgspec.structs.replace(record.times, crc="")
    bare = msgspec.structs.replace(record, crc="", times=Times("", ()))
    return msgspec.structs.replace(record, crc=_crc(bare), times=msgspec.structs.replace(times, crc=_crc(times)))


def _crc(value: object) -> str:
    return f"{zlib.crc32(msgspec.json.encode(value)):08x}"
