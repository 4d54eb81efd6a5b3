"""The contests that an arena shows and lists.

Other processes play the contests, so their folders are read again and again.
"""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from threading import Lock
from urllib.parse import quote

from hinterland import catalog
from hinterland.contest import plan_file
from hinterland.contest.folder import find_records
from hinterland.contest.plan import Plan
from hinterland.contest.report.contest_sums import FollowedContest
from hinterland.contest.report.contest_view import ContestView
from hinterland.contest.versions import RECORDS_FILE, present_versions, read_lines
from hinterland.errors import HinterlandError, RecordError
from hinterland.host.log_keeper import fault_of
from hinterland.referee.record import Record
from hinterland.storage import log_folder
from hinterland.storage.identities import Identity, identify_entrant
from hinterland.storage.index.game_rows import RecordLine
from hinterland.storage.log_folder import read_log

VIEW_FRESH_S = 1.0
"""Seconds for which a view is shown again without a look at the files."""
REST_FACTOR = 2.0
"""Shortest rest between two reads, as a multiple of the time that the last read took."""


def contest_game_url(name: str, place: str) -> str:
    """Return the address of a game of a contest. ``place``: round, match and number of the game, such as 1.12.2."""
    return f"/contests/{quote(name, safe='')}/games/{place}"


class ShownContest:
    """One contest. The methods read files, and may be called from any thread."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._reading = Lock()
        self._followed: FollowedContest | None = None
        self._view: ContestView | None = None
        self._fresh_until = 0.0

    @property
    def name(self) -> str:
        """The name of its folder."""
        return self.folder.name

    def view(self) -> tuple[str, ContestView]:
        """Return the entity tag and the view of the current state. Raises HinterlandError."""
        with self._reading:
            if self._view is None or time.monotonic() > self._fresh_until:
                began = time.monotonic()
                self._read()
                now = time.monotonic()
                self._fresh_until = now + max(VIEW_FRESH_S, REST_FACTOR * (now - began))
            assert self._view is not None
            assert self._followed is not None
            contest = self._followed.contest
            return f'"{contest.plan.hash}-{contest.bytes_read}"', self._view

    def identities(self) -> dict[str, Identity]:
        """Return the identities of the players by name, in the order of the plan. Raises HinterlandError."""
        return identities(self.name, plan_file.read(self.folder)[0])

    def _read(self) -> None:
        try:
            if self._followed is None or self._followed.is_another:
                self._followed, self._view = FollowedContest(self.folder), None
            elif not self._followed.read_on():
                return
            self._view = self._followed.view()
        except HinterlandError:
            self._followed = self._view = None
            raise
        except OSError as error:
            self._followed = self._view = None
            raise RecordError(f"{self.folder} cannot be read: {error.strerror}") from None

    def game(self, round_: int, task: int, number: int) -> Record | None:
        """Find the record of a game. Raises HinterlandError.

        ``round_`` and ``task`` count from 0, ``number`` counts from 1.
        """
        place = (round_, task, number)
        versions = present_versions(read_lines(self.folder))
        return find_records(self.folder, plan_file.read(self.folder)[0].lineage, {place}, versions).get(place)

    def log(self, address: str, record: Record) -> str | None:
        """Return the log of a game, or None if there is none. ``address``: its round, match and number, as 4.2.1."""
        return read_log(self.folder / log_folder.FOLDER, address, fault_of(record))


def identities(contest: str, plan: Plan) -> dict[str, Identity]:
    """Return the identities of a contest's players by name.

    A built-in player that the plan lists once is the same player in every contest; all other players belong to
    this contest alone.
    """
    specs = Counter(one.spec for one in plan.players)
    house = catalog.game(plan.game).players
    return {
        one.name: identify_entrant(contest, one.name, one.spec, house if specs[one.spec] == 1 else ())
        for one in plan.players
    }


class ContestLibrary:
    """The contests in a folder, or the folder alone if it is itself a contest."""

    def __init__(self, folder: Path | None) -> None:
        """``folder``: None if no contests are shown."""
        self._folder = None if folder is None else folder.absolute()
        self._shown: dict[Path, ShownContest] = {}

    @property
    def is_open(self) -> bool:
        """Say whether there is a folder of contests."""
        return self._folder is not None

    def all(self) -> list[ShownContest]:
        """Return the current contests, sorted by name."""
        folders = sorted(self.folders())
        self._shown = {folder: self._shown.get(folder) or ShownContest(folder) for folder in folders}
        return list(self._shown.values())

    def find(self, name: str) -> ShownContest | None:
        """Return the contest called ``name``, or None. A name from outside cannot lead out of the folder."""
        return next((shown for shown in self.all() if shown.name == name), None)

    def records_of(self, name: str) -> Path | None:
        """Return the path of a contest's records, which may not exist yet; None for an unknown contest."""
        found = next((folder for folder in self.folders() if folder.name == name), None)
        return None if found is None else found / RECORDS_FILE

    def folders(self) -> list[Path]:
        """Return the folders of the current contests whose names can be in an address."""
        return [folder for folder in self._all_folders() if _is_text(folder.name)]

    def nameless(self) -> list[str]:
        """Return, escaped, the names of the contest folders that cannot be in an address."""
        names = sorted(folder.name for folder in self._all_folders() if not _is_text(folder.name))
        return [name.encode("utf-8", "backslashreplace").decode() for name in names]

    def _all_folders(self) -> list[Path]:
        if self._folder is None or not self._folder.is_dir():
            return []
        if _has_plan(self._folder):
            return [self._folder]
        try:
            return [inside for inside in self._folder.iterdir() if _has_plan(inside)]
        except OSError:
            return []


def _has_plan(folder: Path) -> bool:
    """Say whether a folder has a plan, and so is a contest; an unreadable folder is none."""
    try:
        return (folder / plan_file.PLAN_FILE).is_file()
    except OSError:
        return False


def _is_text(name: str) -> bool:
    """Say whether a name is UTF-8."""
    return not any("\ud800" <= letter <= "\udfff" for letter in name)


class ContestSource:
    """One contest as a source of the index of games. Call the methods only in the index's thread."""

    def __init__(self, folder: Path) -> None:
        self.name = folder.name
        self.path = folder / RECORDS_FILE
        self._plan = folder / plan_file.PLAN_FILE
        self._stamp = ""
        self._lineage: frozenset[str] = frozenset()
        self._known: dict[str, Identity] = {}

    def stamp(self) -> str:
        """Return a stamp that changes with the plan and the file of records. Raises OSError."""
        found = self._plan.stat()
        records = self.path.stat().st_ino if self.path.exists() else 0
        stamp = f"{found.st_ino}.{found.st_mtime_ns}.{records}"
        if stamp != self._stamp:
            try:
                plan = plan_file.read(self._plan.parent)[0]
                self._lineage, self._known = plan.lineage, identities(self.name, plan)
            except HinterlandError:
                self._lineage, self._known = frozenset(), {}  # the contest's page says what is wrong
            self._stamp = stamp
        return stamp

    def identity(self, name: str) -> Identity | None:
        """Return the identity of the player called ``name``; None if the contest has none."""
        return self._known.get(name)

    def url_of(self, found: RecordLine) -> str | None:
        """Return the address of a recorded game, or None if the game does not belong to the contest."""
        place = found.contest
        if place is None or place.plan not in self._lineage:
            return None
        return contest_game_url(self.name, f"{place.round + 1}.{place.task + 1}.{found.number}")


class ContestSources:
    """All contests of a library."""

    def __init__(self, library: ContestLibrary) -> None:
        self._library = library
        self._known: dict[Path, ContestSource] = {}

    def __call__(self) -> list[ContestSource]:
        """Return the current sources."""
        folders = self._library.folders()
        self._known = {folder: self._known.get(folder) or ContestSource(folder) for folder in folders}
        return list(self._known.values())
