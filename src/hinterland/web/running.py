"""The matches of one referee that go on, each as far as it has come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hinterland.web.match_view import Notice
from hinterland.web.standing import Standing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hinterland.referee.match import Result
    from hinterland.referee.shell.game import GameInPlay
    from hinterland.web.standing import Scene

__all__ = ["Running"]

MOST = 256
"""Followed at once; of more, the latest are not shown."""


class Running:
    """Finds the match to which a report of the referee belongs."""

    def __init__(self) -> None:
        self._all: list[Standing] = []
        self.begun = 0
        """How many matches have begun so far."""

    def __bool__(self) -> bool:
        return bool(self._all)

    @property
    def latest(self) -> Standing | None:
        """The match that began last."""
        return self._all[-1] if self._all else None

    @property
    def scenes(self) -> Iterator[Scene]:
        """The games that go on, or were the last of a match that does."""
        return (standing.scene for standing in self._all if standing.scene is not None)

    def begin(self, names: Sequence[str]) -> None:
        """Begin to follow a match."""
        self.begun += 1
        if len(self._all) < MOST:
            self._all.append(Standing(names, self.begun))

    def finish(self, result: Result) -> None:
        """Note who won a match, and let go of it."""
        names = sorted(player.name for player in result.players)
        alike = [one for one in self._all if sorted(one.names) == names]
        standing = next((one for one in alike if one.fits(result)), alike[0] if alike else None)
        if standing is not None:
            standing.result = result
            self._all.remove(standing)

    def standing_of(self, game: GameInPlay) -> Standing | None:
        """Return the match of a new game."""
        chairs, names = frozenset(game.chairs), sorted(game.names)
        for standing in self._all:
            if standing.chairs == chairs or (standing.chairs is None and sorted(standing.names) == names):
                return standing
        return None

    def scene_of(self, game: GameInPlay) -> Scene | None:
        """Return a game that goes on."""
        return next((scene for scene in self.scenes if scene.game is game), None)

    def note_gone(self, number: int, name: str, detail: str) -> None:
        """Say in the games of a player that it is gone."""
        for scene in self.scenes:
            if scene.ended_s is None and scene.standing.names[number] == name and scene.notice is None:
                scene.notice = Notice("gone", number, "has lost its connection", detail)

    def note_back(self, number: int, name: str) -> None:
        """Take back that a player is gone."""
        for scene in self.scenes:
            notice = scene.notice
            is_gone = notice is not None and notice.kind == "gone" and notice.player == number
            if is_gone and scene.standing.names[number] == name:
                scene.notice = None
