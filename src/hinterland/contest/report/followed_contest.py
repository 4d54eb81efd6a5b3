"""Follows a contest that other processes play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hinterland.contest import plan_file
from hinterland.contest.folder import ContestFolder
from hinterland.contest.report.contest_sums import ContestSums

if TYPE_CHECKING:
    from pathlib import Path

    from hinterland.contest.report.contest_view import ContestView


class FollowedContest:
    """The games of a contest so far; each read adds the new ones."""

    def __init__(self, folder: Path) -> None:
        """Read the contest. Raises HinterlandError if the folder holds no contest, or a broken one."""
        self.sums = ContestSums(plan_file.read(folder)[0])
        self.contest = ContestFolder(folder, self.sums.add)
        self._stamp = self._stamp_now()

    def read_on(self) -> bool:
        """Count new games; say whether there were any. Raises RecordError as ``ContestFolder.read_on`` does."""
        return self.contest.read_on()

    @property
    def is_another(self) -> bool:
        """Whether it must be read from the beginning: the plan was edited, or records were removed."""
        records = self.contest.records
        size = records.stat().st_size if records.exists() else 0
        return self._stamp != self._stamp_now() or size < self.contest.bytes_read

    def view(self) -> ContestView:
        """Make the view of the contest."""
        return self.sums.view(self.contest)

    def _stamp_now(self) -> tuple[int, int]:
        found = (self.contest.folder / plan_file.PLAN_FILE).stat()
        return found.st_mtime_ns, found.st_size
