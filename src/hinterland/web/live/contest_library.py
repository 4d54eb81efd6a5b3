"""The contests that an arena shows, read on from their folders while others play them."""

from __future__ import annotations

import time
from pathlib import Path
from threading import Lock

from hinterland.contest import plan_file
from hinterland.contest.folder import LONGEST_LINE
from hinterland.contest.report.contest_view import ContestView
from hinterland.contest.report.followed_contest import FollowedContest
from hinterland.errors import HinterlandError, RecordError
from hinterland.referee.record import Record, read_line
from hinterland.referee.verdicts import Verdict

FRESH_S = 1.0
"""What was read less than so long ago is not read on."""
REST = 2.0
"""So many times as long as it took to read and to sum up, too."""


class ShownContest:
    """One contest. Its methods block, and may be called from any thread."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._reading = Lock()
        self._followed: FollowedContest | None = None
        self._view: ContestView | None = None
        self._fresh_until = 0.0

    @property
    def name(self) -> str:
        """By which it is known: that of its folder."""
        return self.folder.name

    def view(self) -> tuple[str, ContestView]:
        """Return what is to be shown now, and what tells it from earlier states. Raises HinterlandError."""
        with self._reading:
            if self._view is None or time.monotonic() > self._fresh_until:
                began = time.monotonic()
                self._read()
                now = time.monotonic()
                self._fresh_until = now + max(FRESH_S, REST * (now - began))
            assert self._view is not None
            assert self._followed is not None
            contest = self._followed.contest
            return f'"{contest.plan.hash}-{contest.bytes_read}"', self._view

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
        """Find the record of a game, all counted from 0 but its number. Raises HinterlandError."""
        needle = f'"round":{round_},"task":{task}}}'.encode()
        lineage = plan_file.read(self.folder)[0].lineage
        try:
            with (self.folder / "records.jsonl").open("rb") as lines:
                while line := lines.readline(LONGEST_LINE):
                    if needle in line and (found := _sound(line)) is not None and found.number == number:
                        place = found.contest
                        if place and (place.round, place.task) == (round_, task) and place.plan in lineage:
                            return found
        except OSError:
            return None
        return None


class ContestLibrary:
    """All contests of a folder; a folder that is one itself is the only one."""

    def __init__(self, folder: Path | None) -> None:
        """``folder``: None where no contests are shown."""
        self._folder = None if folder is None else folder.absolute()
        self._shown: dict[Path, ShownContest] = {}

    @property
    def is_open(self) -> bool:
        """Say whether there is a folder of contests at all."""
        return self._folder is not None

    def all(self) -> list[ShownContest]:
        """Return those there are now, by name."""
        folders = sorted(self._folders())
        self._shown = {folder: self._shown.get(folder) or ShownContest(folder) for folder in folders}
        return list(self._shown.values())

    def find(self, name: str) -> ShownContest | None:
        """Return a contest by its name, or None; no name leads out of the folder."""
        return next((shown for shown in self.all() if shown.name == name), None)

    def _folders(self) -> list[Path]:
        if self._folder is None or not self._folder.is_dir():
            return []
        if (self._folder / plan_file.NAME).exists():
            return [self._folder]
        return [inside for inside in self._folder.iterdir() if (inside / plan_file.NAME).is_file()]


def _sound(line: bytes) -> Record | None:
    """Return a record that counts."""
    try:
        record = read_line(line)
    except RecordError:
        return None
    return None if record.reason == Verdict.VOID else record
