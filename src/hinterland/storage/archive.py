"""The data folder of a server: a journal for each game and match, and the records of finished games.

::

    DIR/games/ID.jsonl    a game
    DIR/matches/ID.jsonl  a match that goes on
    DIR/over/ID.jsonl     a finished match: the ids of its games
    DIR/records.jsonl     one record for each finished game
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
from hinterland.storage.append_file import lock_folder, make_folder, sync_folder
from hinterland.storage.game_setup import Setup
from hinterland.storage.journal import (
    Journal,
    MatchSetup,
    MatchSoFar,
    Recorded,
    Restored,
    read_lines,
    read_setup,
    restore_game,
    restore_match,
)
from hinterland.storage.records import RecordFile

log = logging.getLogger("hinterland.storage")
ID_PATTERN = re.compile(r"[A-Za-z0-9_-]{16}")
IN_USE = "another arena is using the data directory {}; stop it or choose another with --data"
STAGING_FOLDER = "restoring"
"""Name of the folder that holds a backup's files until all of them have been checked."""
HALF_RESTORED = "a backup was being restored into {} and was cut short; empty that folder and restore it again"
TAIL_BYTES = 8192


class _LastLine(msgspec.Struct):
    """A line of a journal after the first, of which only the type is read."""

    type: str


LAST_LINES = msgspec.json.Decoder(_LastLine)


def is_id(text: str) -> bool:
    """Say whether a text can be the id of a game or match. Only such texts become part of a path."""
    return ID_PATTERN.fullmatch(text) is not None


class Records:
    """The file of records; all threads that finish games share it.

    The lock of the data folder keeps other servers out. Each ``add`` opens the file anew, so that no record goes to a
    file that was moved away.
    """

    def __init__(self, file: Path) -> None:
        """Create the file if it is missing, and cut off an incomplete last line. Raises RecordError."""
        self.path = file
        self.written = 0
        """Number of records added since this object was made."""
        self._adding = Lock()
        RecordFile(file).close()

    def add(self, record: Record, *, may_be_there: bool = False) -> None:
        """Add and sync a record. ``may_be_there``: look for the record first, and add it only if it is missing.

        Raises RecordError.
        """
        with self._adding:
            if not (may_be_there and self._has_line(to_line(record))):
                with RecordFile(self.path) as file:
                    file.add(record)
                self.written += 1

    def _has_line(self, line: bytes) -> bool:
        try:
            with self.path.open("rb") as lines:
                return line in lines
        except FileNotFoundError:
            return False


class Archive:
    """Keeps games on the disk. Methods may block; any thread may call them."""

    def __init__(self, directory: Path) -> None:
        """Lock the data folder, or create it. Raises ArenaError if the folder cannot be written or is in use."""
        self.directory = directory
        self.on_change: Callable[[str], object] = lambda _: None
        """Called with the id of a game whenever its journal was written."""
        self._games = directory / "games"
        self._matches = directory / "matches"
        self._over = directory / "over"
        try:
            for folder in (self._games, self._matches, self._over):
                make_folder(folder)
            self._lock = lock_folder(directory, IN_USE.format(directory))
            try:
                if (directory / STAGING_FOLDER).exists() and any((directory / STAGING_FOLDER).iterdir()):
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
        """Release the lock, so that another server can use the folder."""
        os.close(self._lock)

    def create(self, setup: Setup) -> Journal:
        """Create the journal of a new game. Raises ArenaError."""
        return self._create(self._path(setup.id), setup, self._notifier(setup.id))

    def _create(
        self, path: Path, setup: Setup | MatchSetup, on_change: Callable[[], object] = lambda: None
    ) -> Journal:  # fmt: skip
        journal = Journal(path, 0, on_change)
        try:
            journal.write([setup])
        except ArenaError:
            journal.close()
            with contextlib.suppress(OSError):
                path.unlink()
            raise
        return journal

    def load(self, game_id: str) -> tuple[Setup, Restored, Journal] | None:
        """Return a game's set-up, state and open journal; None if there is no such game.

        If the game has ended without a record, the record is added. Raises RecordError for a damaged journal.
        """
        if not is_id(game_id) or not self._path(game_id).is_file():
            return None
        lines, size = read_lines(self._path(game_id))
        if not lines:
            return None
        setup = read_setup(lines[0])
        if setup.id != game_id:
            return None
        restored = restore_game(setup, lines[1:])
        journal = Journal(self._path(game_id), size, self._notifier(game_id))
        journal.lines = len(lines)
        if restored.game.ending is not None and not restored.is_recorded:
            try:
                self.finish(setup, restored.game, journal, may_be_there=True)
            except HinterlandError:
                journal.close()
                raise
        return setup, restored, journal

    def finish(self, setup: Setup, game: Judged, journal: Journal, *, may_be_there: bool = False) -> None:
        """Add the record of a finished game, unless it is void; then write ``Recorded`` to its journal.

        Raises HinterlandError.
        """
        if game.ending is None or game.ending.reason != Verdict.VOID:
            self.records.add(make_record(setup, game), may_be_there=may_be_there)
        journal.write([Recorded()])

    def create_match(self, setup: MatchSetup) -> Journal:
        """Create the journal of a new match. Raises ArenaError."""
        return self._create(self._matches / f"{setup.id}.jsonl", setup)

    def end_match(self, match_id: str) -> None:
        """Move the journal of a finished match to ``over/``; delete it if the match had no game."""
        path = self._matches / f"{match_id}.jsonl"
        try:
            lines, _ = read_lines(path)
            if restore_match(lines).games:
                path.replace(self._over / path.name)
                sync_folder(self._over)
            else:
                path.unlink()
            sync_folder(self._matches)
        except OSError as error:
            if not isinstance(error, FileNotFoundError):  # the journal stays, and the next server tries again
                log.warning("the match %s could not be moved to the finished ones: %s", match_id, error.strerror)

    def finished_match(self, match_id: str) -> MatchSoFar | None:
        """Return a finished match, or None. Raises RecordError for a damaged journal."""
        path = self._over / f"{match_id}.jsonl"
        if not is_id(match_id) or not path.is_file():
            return None
        return restore_match(read_lines(path)[0])

    def finished_game(self, game_id: str) -> record.Record | None:
        """Return the record of a game, or None if it has not ended. Raises RecordError for a damaged journal."""
        loaded = self.load(game_id)
        if loaded is None:
            return None
        setup, restored, journal = loaded
        journal.close()
        return None if restored.game.ending is None else make_record(setup, restored.game)

    def unfinished_matches(self) -> Iterator[tuple[MatchSoFar, Journal]]:
        """Yield the matches that were not over when the last server ended; log and skip damaged journals."""
        for path in sorted(self._matches.glob("*.jsonl"), key=lambda path: path.stat().st_mtime_ns):
            try:
                lines, size = read_lines(path)
                found = restore_match(lines)
                yield found, Journal(path, size)
            except HinterlandError as error:
                log.warning("the match of %s is skipped: %s", path.name, error)

    def journal_of(self, game_id: str) -> Path | None:
        """Return the path of a game's journal, or None if there is no journal."""
        return self._path(game_id) if is_id(game_id) and self._path(game_id).is_file() else None

    def size_of(self, game_id: str) -> int | None:
        """Return the size of a game's journal in bytes, or None if there is no journal."""
        try:
            return self._path(game_id).stat().st_size if is_id(game_id) else None
        except OSError:
            return None

    def _notifier(self, game_id: str) -> Callable[[], object]:
        return lambda: self.on_change(game_id)

    def _path(self, game_id: str) -> Path:
        return self._games / f"{game_id}.jsonl"

    def _latest_journals(self) -> list[Path]:
        found = []
        for entry in self._games.iterdir():
            try:
                found.append((entry.stat().st_mtime_ns, entry))
            except OSError:
                continue
        return [entry for _, entry in sorted(found, reverse=True) if is_id(entry.stem)]

    def _add_missing_records(self) -> None:
        """Add the record of each game that ended just before a crash, and so has none."""
        for path in self._latest_journals():
            tail = list(_read_tail(path))
            if tail and tail[-1].type == "ended":
                try:
                    loaded = self.load(path.stem)
                except HinterlandError:
                    continue  # a damaged journal is reported when its game is opened
                if loaded is not None:
                    loaded[2].close()


def make_record(setup: Setup, game: Judged) -> record.Record:
    """Make the record of a finished game."""
    return record.of_game(setup.terms, game, setup.started)


def _read_tail(path: Path) -> Iterator[_LastLine]:
    """Yield the valid lines among the last ``TAIL_BYTES`` of a journal, but never its first line."""
    try:
        with path.open("rb") as file:
            start = max(path.stat().st_size - TAIL_BYTES, 0)
            file.seek(start)
            lines = file.read().split(b"\n")[1:-1]
    except OSError:
        return
    for line in lines:
        try:
            yield LAST_LINES.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError):
            continue
