"""The journal of one game: a file that is only ever appended to, and on the disk before anybody is told of a move.

The first line is the set-up, each further one what the judge decided. A game is restored by reading it again. A last
line that was cut short by a crash was never reported to anybody and is dropped.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import msgspec

from hinterland.errors import ArenaError, HinterlandError, RecordError
from hinterland.referee import judge
from hinterland.referee.clock import NS_PER_MS, Clocks
from hinterland.web.seating import Setup

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from hinterland.contract import Position

__all__ = [
    "Clocked", "Journal", "Line", "Over", "Recorded", "Restored", "left_ms", "lines_of",
    "read", "read_setup", "restore",
]  # fmt: skip

LeftMs = tuple[int | None, ...]


class Moved(msgspec.Struct, frozen=True, tag_field="type", tag="move", forbid_unknown_fields=True, omit_defaults=True):
    """A move was made; ``plies`` counts it."""

    plies: int
    seat: int
    move: tuple[int, ...]
    ms: int
    scores: tuple[int, ...]
    left_ms: LeftMs
    note: str = ""
    """What its player says of it, if anything."""


class Back(msgspec.Struct, frozen=True, tag_field="type", tag="back", forbid_unknown_fields=True):
    """Moves were taken back; ``plies`` are left."""

    plies: int
    scores: tuple[int, ...]
    left_ms: LeftMs


class Left(msgspec.Struct, frozen=True, tag_field="type", tag="departed", forbid_unknown_fields=True):
    """A seat left the game."""

    plies: int
    seat: int
    reason: judge.Verdict
    detail: str
    scores: tuple[int, ...]
    left_ms: LeftMs


class Clocked(msgspec.Struct, frozen=True, tag_field="type", tag="clock", forbid_unknown_fields=True):
    """What was left when the game was put away in the middle of a turn."""

    left_ms: LeftMs


class Over(msgspec.Struct, frozen=True, tag_field="type", tag="ended", forbid_unknown_fields=True):
    """The game is over."""

    plies: int
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str
    detail: str


class Recorded(msgspec.Struct, frozen=True, tag_field="type", tag="recorded", forbid_unknown_fields=True):
    """Its record is in the file of records."""


Line = Moved | Back | Left | Clocked | Over | Recorded


class Restored(msgspec.Struct, frozen=True):
    """A game as its journal tells it."""

    game: judge.Judged
    scores_after: tuple[tuple[int, ...], ...]
    """One tuple a move."""
    is_recorded: bool


class Journal:
    """An open journal. Writing is for one thread at a time."""

    def __init__(self, path: Path, size: int) -> None:
        """Open a journal whose first ``size`` bytes are sound; what follows is cut off. Raises ArenaError."""
        self.path = path
        self.lines = 0
        self._size = size
        try:
            self._file = os.open(path, os.O_WRONLY | getattr(os, "O_BINARY", 0))
            os.ftruncate(self._file, size)
            os.lseek(self._file, size, os.SEEK_SET)
        except OSError as error:
            raise ArenaError(f"{path.parent} cannot be written: {error.strerror}") from None

    def write(self, lines: Iterable[Setup | Line]) -> None:
        """Append lines, all or none, and see them on the disk. Raises ArenaError where the disk does not take them."""
        encoded = [msgspec.json.encode(line) + b"\n" for line in lines]
        data = b"".join(encoded)
        try:
            written = 0
            while written < len(data):
                written += os.write(self._file, data[written:])
            os.fsync(self._file)
        except OSError as error:
            self._forget()
            raise ArenaError(f"{self.path.parent} cannot be written, nothing was changed: {error.strerror}") from None
        self._size += len(data)
        self.lines += len(encoded)

    def _forget(self) -> None:
        """Cut a half-written line off; should that fail too, the next reader does it."""
        try:
            os.ftruncate(self._file, self._size)
            os.lseek(self._file, self._size, os.SEEK_SET)
        except OSError:
            return

    def close(self) -> None:
        """Let the file go."""
        os.close(self._file)


def lines_of(effects: Sequence[judge.Effect], game: judge.Judged) -> list[Line]:
    """Return what a journal is to keep of a step of the judge; ``game`` is the game after it."""
    left = left_ms(game.clocks.left_ns)
    lines: list[Line] = []
    for effect in effects:
        match effect:
            case judge.Played():
                plies, move = len(game.position.moves), effect.move.numbers
                lines.append(Moved(plies, effect.seat, move, effect.ms, effect.scores, left, effect.note))
            case judge.TakenBack():
                lines.append(Back(effect.plies, game.position.scores, left))
            case judge.Departed():
                scores = game.position.scores
                lines.append(Left(effect.plies, effect.seat, effect.verdict, effect.detail, scores, left))
            case judge.Ended(ending):
                plies = len(game.position.moves)
                lines.append(Over(plies, ending.scores, ending.winners, ending.reason, ending.detail))
    return lines


def left_ms(left_ns: Iterable[int | None]) -> LeftMs:
    """Return what clocks show, in milliseconds."""
    return tuple(None if left is None else left // NS_PER_MS for left in left_ns)


def read(path: Path) -> tuple[list[bytes], int]:
    """Return the lines of a journal and how many of its bytes are sound. Raises RecordError where it cannot be read."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise RecordError(f"{path.name} cannot be read: {error.strerror}") from None
    size = data.rfind(b"\n") + 1
    return data[:size].splitlines(), size


def read_setup(line: bytes) -> Setup:
    """Read the first line. Raises RecordError."""
    try:
        return msgspec.json.decode(line, type=Setup)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RecordError(f"its first line is not the set-up of a game: {error}") from None


def restore(setup: Setup, lines: Sequence[bytes]) -> Restored:
    """Play a journal through, its first line left out. Raises RecordError that names the line."""
    story = _Story(setup)
    for number, text in enumerate(lines, start=2):
        try:
            story.add(msgspec.json.decode(text, type=Line))
        except (msgspec.DecodeError, UnicodeDecodeError, HinterlandError) as error:
            raise RecordError(f"the file of game {setup.id} is damaged, line {number}: {error}") from None
    return story.told()


class _Story:
    """A game while its journal is read."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.position: Position[Any, Any] = setup.rules.start()
        self.clocks = Clocks.fresh(setup.control, len(setup.seats))
        self.scores: list[tuple[int, ...]] = []
        self.ms: list[int] = []
        self.notes: list[str] = []
        self.departures: tuple[judge.Departed, ...] = ()
        self.ending: judge.Ending | None = None
        self.is_recorded = False

    def add(self, line: Line) -> None:
        match line:
            case Moved():
                self._move(line)
            case Back():
                self.position = self.position.after(line.plies)
                del self.scores[line.plies :], self.ms[line.plies :], self.notes[line.plies :]
            case Left():
                self.position = self.position.withdraw(line.seat)
                self.departures += (judge.Departed(line.seat, line.reason, line.detail, line.plies),)
            case Over():
                self.ending = judge.Ending(line.scores, line.winners, line.reason, line.detail)
            case Recorded():
                self.is_recorded = True
        if isinstance(line, Moved | Back | Left | Clocked):
            self._set_clocks(line.left_ms)

    def _move(self, line: Moved) -> None:
        if self.position.to_move != line.seat:
            raise RecordError(f"seat {line.seat} moves, but seat {self.position.to_move} is to move")
        self.position = self.position.play(self.setup.game.move.from_numbers(list(line.move)))
        self.scores.append(line.scores)
        self.ms.append(line.ms)
        self.notes.append(line.note)

    def _set_clocks(self, left: LeftMs) -> None:
        ns = tuple(None if ms is None else ms * NS_PER_MS for ms in left)
        self.clocks = Clocks(self.setup.control, ns)

    def told(self) -> Restored:
        game = judge.Judged(
            position=self.position,
            clocks=self.clocks,
            illegal=(judge.Illegal.RETRY,) * self.position.rules.players,
            move_ms=tuple(self.ms),
            notes=tuple((ply, note) for ply, note in enumerate(self.notes) if note),
            departures=self.departures,
            ending=self.ending,
        )
        return Restored(game, tuple(self.scores), self.is_recorded)
