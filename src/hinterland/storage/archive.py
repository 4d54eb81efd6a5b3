"""The folder that outlives the server: a journal a game, and the file of records of finished games.

::

    DIR/games/ID.jsonl  journals
    DIR/matches/ID.jsonl  matches that go on
    DIR/over/ID.jsonl   matches that are over: which games they had
    DIR/records.jsonl   a record a finished game, each exactly once
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Lock

import msgspec

from hinterland.errors import ArenaError, HinterlandError
from hinterland.referee import record
from hinterland.referee.judge import Judged
from hinterland.referee.record import Record, to_line
from hinterland.referee.verdicts import Verdict
from hinterland.storage import game_journal as journal
from hinterland.storage import match_journal
from hinterland.storage.append_file import lock_folder, make_folder, sync_folder
from hinterland.storage.game_journal import Journal, Recorded
from hinterland.storage.game_setup import Setup
from hinterland.storage.match_journal import MatchSetup, MatchSoFar
from hinterland.storage.records import RecordFile

log = logging.getLogger("hinterland.storage")
ID = re.compile(r"[A-Za-z0-9_-]{16}")
TAKEN = "another arena is using the data directory {}; stop it or choose another with --data"
STAGE = "restoring"
"""The folder in which files of a backup are until all of them are known to be sound."""
HALF_RESTORED = "a backup was being restored into {} and was cut short; empty that folder and restore it again"
TAIL_BYTES = 8192


class _LastLine(msgspec.Struct):
    """What all lines of a journal but the first have in common."""

    type: str


def is_id(text: str) -> bool:
    """Say whether a text can be the id of a game; nothing else ever becomes part of a path."""
    return ID.fullmatch(text) is not None


class Records:
    """The file of records, for all threads that finish games.

    The folder's lock guards it, and it is opened anew for each record: one that was moved away is not written to.
    """

    def __init__(self, file: Path) -> None:
        """Make the file if need be, and cut off a last line that a crash cut short. Raises RecordError."""
        self.path = file
        self.written = 0
        """How many have been added since it was opened."""
        self._adding = Lock()
        RecordFile(file).close()

    def add(self, record: Record, *, may_be_there: bool = False) -> None:
        """Add a record and see it on the disk, unless it may be there and is. Raises RecordError."""
        with self._adding:
            if not (may_be_there and self._holds(to_line(record))):
                with RecordFile(self.path) as file:
                    file.add(record)
                self.written += 1

    def _holds(self, line: bytes) -> bool:
        try:
            with self.path.open("rb") as lines:
                return line in lines
        except FileNotFoundError:
            return False


class Archive:
    """Keeps games on the disk. Methods may block and may be called from any thread."""

    def __init__(self, directory: Path) -> None:
        """Take a folder, making it if need be. Raises ArenaError where it cannot be written or is taken."""
        self.directory = directory
        self.changed: Callable[[str], object] = lambda _: None
        """Is told the id of each game whose journal was written."""
        self._games = directory / "games"
        self._matches = directory / "matches"
        self._over = directory / "over"
        try:
            for folder in (self._games, self._matches, self._over):
                make_folder(folder)
            self._lock = lock_folder(directory, TAKEN.format(directory))
            try:
                if (directory / STAGE).exists() and any((directory / STAGE).iterdir()):
                    raise ArenaError(HALF_RESTORED.format(directory))
                self.records = Records(directory / "records.jsonl")
                """The records of all finished games."""
                self._add_missing_records()
            except BaseException:
                self.close()
                raise
        except OSError as error:
            raise ArenaError(
                f"the data directory {directory} cannot be written: {error.strerror}; choose another with --data"
            ) from None

    def close(self) -> None:
        """Let another server have the folder."""
        os.close(self._lock)

    def create(self, setup: Setup) -> Journal:
        """Begin the journal of a new game. Raises ArenaError."""
        return self._create(self._path(setup.id), setup, self._teller(setup.id))

    def _create(
        self, path: Path, setup: Setup | MatchSetup, changed: Callable[[], object] = lambda: None
    ) -> Journal:  # fmt: skip
        book = Journal(path, 0, changed)
        try:
            book.write([setup])
        except ArenaError:
            book.close()
            with contextlib.suppress(OSError):
                path.unlink()
            raise
        return book

    def load(self, game_id: str) -> tuple[Setup, journal.Restored, Journal] | None:
        """Read a game again, ready to go on, or return None. Raises RecordError where its journal is damaged."""
        if not is_id(game_id) or not self._path(game_id).is_file():
            return None
        lines, size = journal.read(self._path(game_id))
        if not lines:
            return None
        setup = journal.read_setup(lines[0])
        if setup.id != game_id:
            return None
        restored = journal.restore(setup, lines[1:])
        book = Journal(self._path(game_id), size, self._teller(game_id))
        book.lines = len(lines)
        if restored.game.ending is not None and not restored.is_recorded:
            try:
                self.finish(setup, restored.game, book, may_be_there=True)
            except HinterlandError:
                book.close()
                raise
        return setup, restored, book

    def finish(self, setup: Setup, game: Judged, book: Journal, *, may_be_there: bool = False) -> None:
        """Add the record of a finished game to the file of records, if it counts. Raises HinterlandError."""
        if game.ending is None or game.ending.reason != Verdict.VOID:
            self.records.add(record_of(setup, game), may_be_there=may_be_there)
        book.write([Recorded()])

    def create_match(self, setup: MatchSetup) -> Journal:
        """Begin the journal of a match. Raises ArenaError."""
        return self._create(self._matches / f"{setup.id}.jsonl", setup)

    def end_match(self, table: str) -> None:
        """Put the journal of a match away that is over: it tells which games it had. Without any it is let go."""
        path = self._matches / f"{table}.jsonl"
        try:
            lines, _ = journal.read(path)
            if match_journal.restore(lines).games:
                path.replace(self._over / path.name)
                sync_folder(self._over)
            else:
                path.unlink()
            sync_folder(self._matches)
        except OSError as error:
            if not isinstance(error, FileNotFoundError):  # the next server goes on with it, and ends it again
                log.warning("the match of %s was not put away: %s", table, error.strerror)

    def finished_match(self, table: str) -> MatchSoFar | None:
        """Return a match that is over, or None. Raises RecordError where its journal is damaged."""
        path = self._over / f"{table}.jsonl"
        return match_journal.restore(journal.read(path)[0]) if is_id(table) and path.is_file() else None

    def finished_game(self, game_id: str) -> record.Record | None:
        """Return the record of a game, or None if it has not ended. Raises RecordError where its journal is damaged."""
        loaded = self.load(game_id)
        if loaded is None:
            return None
        setup, restored, book = loaded
        book.close()
        return None if restored.game.ending is None else record_of(setup, restored.game)

    def unfinished_matches(self) -> Iterator[tuple[MatchSoFar, Journal]]:
        """Yield the matches that went on when the last server ended; one whose journal is damaged is left out."""
        for path in sorted(self._matches.glob("*.jsonl"), key=lambda path: path.stat().st_mtime_ns):
            try:
                lines, size = journal.read(path)
                found = match_journal.restore(lines)
                yield found, Journal(path, size)
            except HinterlandError as error:
                log.warning("the match of %s is left out: %s", path.name, error)

    def peek(self, game_id: str) -> tuple[Setup, journal.Restored] | None:
        """Read a game only to look at it, or return None. Raises RecordError where its journal is damaged."""
        path = self.journal_of(game_id)
        return None if path is None else journal.peek(path)

    def journal_of(self, game_id: str) -> Path | None:
        """Return where the journal of a game is, or None where there is none."""
        return self._path(game_id) if is_id(game_id) and self._path(game_id).is_file() else None

    def size_of(self, game_id: str) -> int | None:
        """Return how long the journal of a game is by now, or None where there is none."""
        try:
            return self._path(game_id).stat().st_size if is_id(game_id) else None
        except OSError:
            return None

    def _teller(self, game_id: str) -> Callable[[], object]:
        return lambda: self.changed(game_id)

    def _path(self, game_id: str) -> Path:
        return self._games / f"{game_id}.jsonl"

    def _latest(self) -> list[Path]:
        found = []
        for entry in self._games.iterdir():
            try:
                found.append((entry.stat().st_mtime_ns, entry))
            except OSError:
                continue
        return [entry for _, entry in sorted(found, reverse=True) if is_id(entry.stem)]

    def _add_missing_records(self) -> None:
        """Finish what a crash has interrupted: games that ended without their record, however long ago."""
        for path in self._latest():
            tail = list(_tail(path))
            if tail and tail[-1].type == "ended":
                try:
                    loaded = self.load(path.stem)
                except HinterlandError:
                    continue  # it is damaged: who opens it will be told
                if loaded is not None:
                    loaded[2].close()


def record_of(setup: Setup, game: Judged) -> record.Record:
    """Make the record of a finished game."""
    return record.of_game(
        setup.game, game, setup.names, seed=setup.seed, number=setup.number, started=setup.started
    )


def _tail(path: Path) -> Iterator[_LastLine]:
    """Yield the last sound lines of a journal, the set-up left out."""
    try:
        with path.open("rb") as file:
            start = max(path.stat().st_size - TAIL_BYTES, 0)
            file.seek(start)
            lines = file.read().split(b"\n")[1:-1]
    except OSError:
        return
    for line in lines:
        try:
            yield msgspec.json.decode(line, type=_LastLine)
        except (msgspec.DecodeError, UnicodeDecodeError):
            continue
