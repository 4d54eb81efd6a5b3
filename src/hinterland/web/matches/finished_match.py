"""A finished match, read from its files, so that its page stays after the match and after a restart of the server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import msgspec

from hinterland import catalog
from hinterland.host.match_host import SESSIONS
from hinterland.referee import match
from hinterland.referee.match import Result
from hinterland.referee.record import Record
from hinterland.referee.verdicts import Verdict
from hinterland.storage.archive import Archive

T = TypeVar("T")


class FinishedGame(msgspec.Struct, frozen=True):
    """One game of the match. ``scores`` are by player number, not by seat."""

    number: int
    url: str
    scores: tuple[int, ...]


class FinishedMatch(msgspec.Struct, frozen=True):
    """A match with its finished games; ``games`` is empty if no game was finished."""

    title: str
    games: tuple[FinishedGame, ...]
    result: Result | None
    planned: int = 0
    """Number of planned games; 0 if the players decided after each game."""

    @property
    def words(self) -> str:
        """The result as a sentence."""
        if self.result is None:
            return "This match is closed; no game was finished"
        winners, played = self.result.winners, len(self.games)
        is_early = played < self.planned
        if len(winners) > 1:
            if is_early:
                sharers = ", ".join(winners[:-1])
                return f"{sharers} and {winners[-1]} share the win after {played} of {self.planned} games"
            return f"{', '.join(winners[:-1])} and {winners[-1]} share the win"
        if is_early:
            return f"{winners[0]} wins the match after {played} of {self.planned} games"
        return f"{winners[0]} wins the match"


def read_finished_match(archive: Archive, table: str) -> FinishedMatch | None:
    """Return a finished match by its id, or None. Raises RecordError."""
    over = archive.finished_match(table)
    if over is None:
        return None
    title = catalog.game(over.setup.game).title
    played = [(game_id, archive.finished_game(game_id)) for game_id in over.games]
    counted = [(game_id, one) for game_id, one in played if one is not None and one.reason != Verdict.VOID]
    if not counted:
        return FinishedMatch(title, (), None)
    games = tuple(
        FinishedGame(one.number, f"/games/{game_id}", _order_by_player(one, one.scores)) for game_id, one in counted
    )
    names = _order_by_player(counted[0][1], counted[0][1].players)
    result = match.result(over.setup.game, names, [one for _, one in counted], None)
    planned = 0 if over.setup.is_challenge else SESSIONS[over.setup.protocol].games or len(names)
    return FinishedMatch(title, games, result, planned)


def _order_by_player(record: Record, values: Sequence[T]) -> tuple[T, ...]:
    """Return ``values``, one for each seat of a recorded game, in the order of the players' numbers."""
    seats = match.seating(record.number - 1, len(values))
    return tuple(values[seats.index(player)] for player in range(len(values)))
