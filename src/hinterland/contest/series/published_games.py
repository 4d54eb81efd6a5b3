"""Plans of the published experiment on graphs: a match is one graph, played from both seats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hinterland.contest.plan import Entrant, Plan
from hinterland.graph.published_experiment import BOARD, RowResult
from hinterland.referee.clock import TimeControl

if TYPE_CHECKING:
    from hinterland.contest.played import FinishedMatch
    from hinterland.graph.published_experiment import PublishedRow


def make_plan(row: PublishedRow, games: int, seed: int) -> Plan:
    """Make the plan of a row. ``games``: number of games, rounded up to whole matches; 0 for the paper's number."""
    opponent = row.opponent if row.opponent != row.player else f"{row.opponent}#2"
    return Plan(
        game="graph",
        players=(Entrant(row.player, row.player), Entrant(opponent, row.opponent)),
        pairings=((games or row.games) + 1) // 2,
        rules=dict(BOARD),
        boards=True,
        clock=TimeControl(budget_ms=None, move_ms=row.move_ms),
        seed=seed,
    )


class RowSums:
    """Results of a row so far, counted by games, as in the paper."""

    def __init__(self, row: PublishedRow) -> None:
        self._row = row
        self._wins = self._ties = self._games = self._left = 0

    def add(self, match: FinishedMatch) -> str:
        """Count the games of a match; return the row's current result in a few words."""
        for record in match.records:
            seat = record.players.index(match.task.names[0])
            self._games += 1
            self._wins += record.winners == (seat,)
            self._ties += len(record.winners) == 2
            self._left += len(record.departures)
        return f"{self._row.name}: won {self._wins} of {self._games}"

    @property
    def result(self) -> RowResult:
        """The figures, next to those of the paper."""
        return RowResult(self._row, self._wins, self._ties, self._games, self._left)
