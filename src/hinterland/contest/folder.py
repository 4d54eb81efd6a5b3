"""The folder of a contest: ``plan.toml`` and ``records.jsonl``. No other state is kept.

A process that plays a contest holds a lock on ``records.jsonl``; a process that only reads needs no lock. If a crash
left an incomplete last line, the next process that plays the contest cuts this line off. Any other broken line is
reported, and its game is played again.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import msgspec

from hinterland import catalog
from hinterland.contest import plan_file
from hinterland.contest.plan import CONNECT, Entrant, check_entrant, has_paths, hash_secret, make_format
from hinterland.contest.played import Played, find_changed
from hinterland.contest.standings import Standings
from hinterland.contest.versions import IN_USE, RECORDS_FILE, present_versions, read_lines
from hinterland.drawing.figures import make_table
from hinterland.errors import BadText, RecordError, quote
from hinterland.referee.record import check_seats, read_line, sealed
from hinterland.referee.verdicts import Verdict
from hinterland.storage import log_folder
from hinterland.storage.append_file import make_folder, sync_folder
from hinterland.storage.records import MAX_LINE_BYTES, RecordFile

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
    from typing import Self, TextIO

    from hinterland.contest.plan import Plan
    from hinterland.contest.played import FinishedMatch
    from hinterland.referee.record import Record

SECRET_BYTES = 24
MATCH = re.compile(rb'"round":(\d+),"task":(\d+)\}')
"""The place of a game's match, as a record holds it."""


def create(folder: Path, plan: Plan, tokens: dict[str, str]) -> None:
    """Make a contest's folder and write its plan. Relative paths in the plan begin at the current folder.

    ``tokens``: the token of each player that connects, by name. Raises BadText if the folder has
    a plan already, or if the plan cannot be written.
    """
    path, here = folder / plan_file.PLAN_FILE, os.path.relpath(Path.cwd(), folder)
    try:
        make_folder(folder)
        with _create_file(path, is_secret=bool(tokens)) as file:
            try:
                _write_synced(file, plan_file.format_plan(plan, tokens, here if has_paths(plan) else ""))
                sync_folder(folder)
            except OSError:
                path.unlink()
                raise
    except FileExistsError:
        raise BadText(f"{path} is there already; choose another folder, or edit that plan") from None
    except OSError as error:
        raise BadText(f"{path} cannot be written: {error.strerror}") from None


def _create_file(path: Path, *, is_secret: bool) -> TextIO:
    """Create a file. ``is_secret``: only this process's user may read the file. Raises OSError if it exists."""
    mode = 0o600 if is_secret else 0o666
    return open(path, "x", encoding="utf-8", opener=lambda name, flags: os.open(name, flags, mode))


def _restrict_access(path: Path) -> None:
    """Deny access to a plan's file to all but its user and group, since people may have written tokens into it."""
    with contextlib.suppress(OSError):
        path.chmod(path.stat().st_mode & 0o770)


def _write_synced(file: TextIO, text: str) -> None:
    """Write ``text`` to a file and sync the file. Raises OSError."""
    file.write(text)
    file.flush()
    os.fsync(file.fileno())


class UnsavedContest:
    """A contest without a folder, which cannot be resumed. Its games go to a file of records, or are not kept."""

    def __init__(self, plan: Plan, file: RecordFile | None, hear: Callable[[FinishedMatch], None]) -> None:
        self.plan, self._file, self.paths = plan, file, Path()
        self.logs: Path | None = None
        self.waits_for: frozenset[str] = frozenset()
        self.versions: dict[str, str] = {}
        self.played = Played(plan, make_format(plan), hear)

    def keep(self, records: Sequence[Record]) -> None:
        """Write games to the file of records, if there is one, and count the games."""
        if self._file is not None:
            self._file.add_all(records)
        for record in records:
            self.played.count(record)

    def flush(self) -> None:
        """Do nothing: ``keep`` has written all games already."""


class ContestFolder:
    """A contest's folder, and the games played so far."""

    def __init__(self, folder: Path, hear: Callable[[FinishedMatch], None] = lambda _: None) -> None:
        """Read plan and records; call ``hear`` with each finished match.

        Raises HinterlandError for a bad plan, or for records of another plan.
        """
        self.folder, self.records = folder, folder / RECORDS_FILE
        self.plan, self.tokens = plan_file.read(folder)
        self.paths = folder.absolute()
        """The folder at which relative paths of commands and boards begin."""
        self.logs: Path | None = folder.absolute() / log_folder.FOLDER
        """The folder to which the logs of games go; None if none are kept."""
        self.waits_for: frozenset[str] = frozenset()
        """Names of players whose matches wait, since these players do not start now."""
        self.broken: list[str] = []
        """A message for each broken line of ``records.jsonl``."""
        self._file: RecordFile | None = None
        self._hear = hear
        self._disk = ThreadPoolExecutor(1, "records")
        self._writing: Future[None] | None = None
        self._unwritten: list[Record] = []
        self._lock, self._is_writing = Lock(), False
        self._unreported: list[FinishedMatch] = []
        self.versions = present_versions(read_lines(folder))
        """The present version of each program, by the player's name."""
        self.played = Played(self.plan, make_format(self.plan), hear, self.versions)
        self.bytes_read = self._lines = 0
        self.read_on()

    def _repr_html_(self) -> str:
        """Return the current standings as HTML, for notebooks."""
        standings = Standings(self.plan)
        now = ContestFolder(self.folder, standings.add)
        rows = standings.rank_players(now.played.rounds)
        return make_table(
            ("player", "points", "of", "won", "drawn", "lost", "share, %"),
            [(one.name, one.points, one.of, one.won, one.drawn, one.lost, 100 * (one.share or 0)) for one in rows],
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @classmethod
    def locked(cls, folder: Path, hear: Callable[[FinishedMatch], None] = lambda _: None) -> Self:
        """Open a contest's folder to play. Raises RecordError if another process plays the contest."""
        plan_file.read(folder)
        file = RecordFile(folder / RECORDS_FILE, in_use_message=IN_USE)
        try:
            found = cls(folder, hear)
        except BaseException:
            file.close()
            raise
        found._file, found.played.hear = file, found._queue_report
        if found.tokens:
            _restrict_access(folder / plan_file.PLAN_FILE)
        return found

    def close(self) -> None:
        """Release the lock, so that another process can play the contest."""
        self._disk.shutdown()
        if self._file is not None:
            self._file.close()
            self._file = None

    def keep(self, records: Sequence[Record]) -> None:
        """Count games, except those counted before, and let a thread write them.

        Games that arrive while the thread writes wait, and are then written together. ``hear`` is called with a match
        when its games are on the disk. If the disk is full, this call, a later one or ``flush`` raises RecordError.
        """
        assert self._file is not None
        with self._lock:
            for record in records:
                if self.played.wants(record):
                    self.played.count(record)
                    self._unwritten.append(record)
            begins = bool(self._unwritten) and not self._is_writing
            self._is_writing |= begins
        if begins:
            self._writing = self._disk.submit(self._write, self._file)
        elif self._writing is not None and self._writing.done():
            self._writing.result()

    def flush(self) -> None:
        """Wait until all games are on the disk, and all matches reported. Raises RecordError if the disk is full."""
        if self._writing is not None:
            self._writing.result()

    def _write(self, file: RecordFile) -> None:
        """Write the waiting games and report their matches, until no game waits. Runs in a thread of its own."""
        while True:
            with self._lock:
                records, self._unwritten = self._unwritten, []
                matches, self._unreported = self._unreported, []
                self._is_writing = bool(records)
            if not records:
                return
            file.add_all(records)
            for match in matches:
                self._hear(match)

    def was_edited(self) -> bool:
        """Say whether ``plan.toml`` has changed since it was read."""
        try:
            return plan_file.read(self.folder)[0] != self.plan
        except BadText:
            return True

    def add(self, entrant: Entrant, token: str | None) -> None:
        """Add a player to ``plan.toml``. Raises BadText if the file cannot be written."""
        is_later = self.played.games > 0
        path = self.folder / plan_file.PLAN_FILE
        text = plan_file.add_player(path.read_text("utf-8"), entrant, is_later=is_later, token=token)
        self._replace_plan(text, is_secret=token is not None or bool(self.tokens))

    def hide_seed(self) -> str:
        """Replace the seed by a hidden one; return the commitment, the SHA-256 of the secret (``plan_file``).

        Boards, openings and lots follow from the secret alone, so nobody who sees the plan or the records can foretell
        them. Raises BadText if there is a hidden seed already, or if games have been played.
        """
        path = self.folder / plan_file.SECRET_FILE
        if self.plan.secret:
            raise BadText(f"{self.folder} has a hidden seed already: {hash_secret(self.plan.secret)}")
        if self._lines:
            raise BadText(f"{self.folder} has games, so its seed is known; hide the seed before the first game")
        secret = secrets.token_hex(SECRET_BYTES)
        try:
            path.unlink(missing_ok=True)
            with _create_file(path, is_secret=True) as file:
                _write_synced(file, secret)
            sync_folder(self.folder)
        except OSError as error:
            raise BadText(f"{path} cannot be written: {error.strerror}") from None
        text = (self.folder / plan_file.PLAN_FILE).read_text("utf-8")
        self._replace_plan(plan_file.commit_seed(text, hash_secret(secret)), is_secret=bool(self.tokens))
        return hash_secret(secret)

    def reveal_seed(self) -> str:
        """Write the secret of a hidden seed into the plan, and return the secret.

        Raises BadText if there is no hidden seed, or if games are missing.
        """
        if not self.plan.secret:
            raise BadText(f"{self.folder} has no hidden seed; `hinterland contest commit` hides one")
        if not self.played.is_over:
            raise BadText(f"{self.folder} is not over; its seed stays hidden until the last game")
        if self.is_seed_hidden:
            text = (self.folder / plan_file.PLAN_FILE).read_text("utf-8")
            self._replace_plan(plan_file.reveal_seed(text, self.plan.secret), is_secret=bool(self.tokens))
            (self.folder / plan_file.SECRET_FILE).unlink(missing_ok=True)
        return self.plan.secret

    @property
    def is_seed_hidden(self) -> bool:
        """Whether the seed is not to be shown."""
        return (self.folder / plan_file.SECRET_FILE).exists()

    def _replace_plan(self, text: str, *, is_secret: bool) -> None:
        """Replace the text of ``plan.toml``. ``is_secret``: see ``_create_file``. Raises BadText."""
        path = self.folder / plan_file.PLAN_FILE
        fresh = path.with_suffix(".new")
        try:
            fresh.unlink(missing_ok=True)
            with _create_file(fresh, is_secret=is_secret) as file:
                _write_synced(file, text)
            fresh.replace(path)
            sync_folder(self.folder)
        except OSError as error:
            raise BadText(f"{path} cannot be written: {error.strerror}") from None

    def _queue_report(self, match: FinishedMatch) -> None:
        self._unreported.append(match)

    def read_on(self) -> bool:
        """Count the records added to the file since the last call; say whether there were any.

        Only processes that read call this: a process that plays counts its games in ``keep``. Raises RecordError for
        records of another contest.
        """
        before = self._lines
        if self.records.exists():
            if not self.records.is_file():  # opening a pipe would wait for ever
                raise RecordError(f"{self.records} is no file")
            with self.records.open("rb") as lines:
                lines.seek(self.bytes_read)
                while (line := lines.readline(MAX_LINE_BYTES)).endswith(b"\n"):  # stop at an incomplete line
                    self.bytes_read += len(line)
                    self._lines += 1
                    self._count(line)
        return self._lines > before

    def list_records(self) -> Iterator[Record]:
        """Yield all records of the file that can be read, also those of earlier versions, but no void games."""
        with contextlib.suppress(OSError), self.records.open("rb") as lines:
            while line := lines.readline(MAX_LINE_BYTES):
                with contextlib.suppress(RecordError):
                    record = read_line(line)
                    if record.reason != Verdict.VOID:
                        yield record

    def _count(self, line: bytes) -> None:
        where = f"{self.records}, line {self._lines}"
        try:
            record = read_line(line)
            check_seats(record)
            if sealed(record) != record:
                raise RecordError("its checksum is not that of its content")
        except RecordError as error:
            self.broken.append(f"{where}: {error}; its game is played again")
            return
        try:
            self.played.count(record)
        except RecordError as error:
            raise RecordError(
                f"{where}: {error}; {plan_file.PLAN_FILE} was edited after the first game,"
                " or the file is of another contest: put the plan back, or begin in a fresh folder"
            ) from None


def find_records(
    folder: Path,
    lineage: Collection[str],
    places: Collection[tuple[int, int, int]],
    versions: Mapping[str, str],
) -> dict[tuple[int, int, int], Record]:
    """Find the records of games in a contest's folder, by round and match, both from 0, and number, from 1.

    ``lineage``: the hashes of the plan and of its earlier versions. ``versions``: the present version of each program.
    Void games, games of other versions and broken lines are skipped.
    """
    matches = {place[:2] for place in places}
    found: dict[tuple[int, int, int], Record] = {}
    with contextlib.suppress(OSError), (folder / RECORDS_FILE).open("rb") as lines:
        while len(found) < len(places) and (line := lines.readline(MAX_LINE_BYTES)):
            named = MATCH.search(line)
            if named is None or (int(named[1]), int(named[2])) not in matches:
                continue
            with contextlib.suppress(RecordError):
                record = read_line(line)
                where = record.contest
                counts = record.reason != Verdict.VOID and not find_changed(record, versions)
                if where and where.plan in lineage and counts:
                    place = (where.round, where.task, record.number)
                    if place in places:
                        found.setdefault(place, record)
    return found


def add_player(folder: Path, player: str) -> str | None:
    """Add a player, written ``name=spec``, to a contest's plan; return the token of a bot that connects, else None.

    Raises HinterlandError if the format takes no more players, the name is in use, or the contest is being played.
    """
    entrant = Entrant.parse(player)
    with ContestFolder.locked(folder) as contest:
        plan = contest.plan
        check_entrant(catalog.game(plan.game), entrant, sandbox=plan.sandbox)
        if entrant.name in plan.names:
            raise BadText(f"there is a player {quote(entrant.name)} already; name it, as in NAME={entrant.spec}")
        make_format(msgspec.structs.replace(plan, players=(*plan.players, entrant), added=plan.added + 1))
        token = secrets.token_urlsafe(9) if entrant.spec == CONNECT else None
        contest.add(entrant, token)
    return token
