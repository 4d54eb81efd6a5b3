"""Standings of a contest: points, shares of the score, and why players left games."""

from __future__ import annotations

from bisect import insort
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from hinterland.contest.scoring import DRAW_HALF_POINTS, LOSS_HALF_POINTS, SHARE_PARTS, WIN_HALF_POINTS
from hinterland.referee.verdicts import replace_seats_by_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from hinterland.contest.pairings.rounds import Round
    from hinterland.contest.plan import Plan
    from hinterland.contest.played import FinishedMatch
    from hinterland.referee.record import Record
    from hinterland.referee.verdicts import Departure


MAX_KEPT_DEPARTURES = 20
"""Most games listed of those that a player left: the first in the contest's order."""


class GameLeft(NamedTuple):
    """A game that a player left, and why; games are ordered by their place in the contest."""

    place: tuple[int, int, int]
    """Round and match, both from 0, and number of the game in the match, from 1."""
    reason: str
    """The verdict, as a word."""
    words: str
    """The same as a sentence."""

    @property
    def address(self) -> str:
        """Round, match and game as people write them: ``4.2.1``."""
        round_, task, number = self.place
        return f"{round_ + 1}.{task + 1}.{number}"


class StandingsRow(msgspec.Struct, kw_only=True):
    """One player's results so far."""

    name: str
    player: int
    """Number in the plan."""
    matches: int = 0
    """Finished matches."""
    byes: int = 0
    """Matches won without an opponent."""
    won: int = 0
    """Matches won alone."""
    drawn: int = 0
    """Matches with a shared first place."""
    lost: int = 0
    """Matches neither won nor drawn."""
    share_parts: int = 0
    """The player's share of the scores in each match, in units of 1 / ``SHARE_PARTS``, added over the matches."""
    games: int = 0
    """Finished games."""
    left: Counter[str] = msgspec.field(default_factory=Counter)
    """Number of games that the player left, by reason."""
    credited: int = 0
    """Number of the player's matches with a game whose board was credited to those that stayed (``scoring``)."""
    departures: list[GameLeft] = msgspec.field(default_factory=list)
    """The first games that the player left, in the contest's order."""

    @property
    def points(self) -> float:
        """The player's points: 1 for each win or bye, a half for each draw."""
        return self.won + self.byes + self.drawn / 2

    @property
    def of(self) -> int:
        """Number of points that the player would have after winning every match so far: one for each match and bye."""
        return self.matches + self.byes

    @property
    def rate(self) -> float:
        """Points divided by ``of``; 0 before the first match or bye."""
        return self.points / self.of if self.of else 0.0

    @property
    def share(self) -> float | None:
        """Mean share of the score; None before the first match."""
        return self.share_parts / self.matches / SHARE_PARTS if self.matches else None

    @property
    def first_left(self) -> str:
        """Why the player first left a game, in words; empty if the player never left."""
        return self.departures[0].words if self.departures else ""

    def count(self, match: FinishedMatch) -> None:
        """Count a match of this player. Matches may come in any order."""
        place, score = match.task.names.index(self.name), match.score
        self.matches += 1
        self.won += score.half_points[place] == WIN_HALF_POINTS
        self.drawn += score.half_points[place] == DRAW_HALF_POINTS
        self.lost += score.half_points[place] == LOSS_HALF_POINTS
        self.share_parts += score.shares[place]
        self.games += len(match.records)
        self.credited += score.credited > 0
        for record in match.records:
            for gone in record.departures:
                self.count_departure(record, gone)

    def count_departure(self, record: Record, gone: Departure) -> None:
        """Count ``gone``, a seat's departure, if this player sat there."""
        if record.players[gone.seat] == self.name:
            self.left[str(gone.reason)] += 1
            self.note_departure(record, gone, replace_seats_by_names(gone.detail, record.players))

    def note_departure(self, record: Record, gone: Departure, words: str) -> None:
        """Remember a departure if it is among the earliest so far, in the contest's order. ``words``: why, in words."""
        place = record.contest
        assert not isinstance(place, msgspec.UnsetType)
        insort(self.departures, GameLeft((place.round, place.task, record.number), str(gone.reason), words))
        del self.departures[MAX_KEPT_DEPARTURES:]


class Standings:
    """Results of all players of a contest, in all matches or in those of one variation of the rules."""

    def __init__(self, plan: Plan, *, is_split: bool = False) -> None:
        """``is_split``: whether these standings count only one of the plan's variations."""
        self.players = [StandingsRow(name=name, player=player) for player, name in enumerate(plan.names)]
        self._number = {name: player for player, name in enumerate(plan.names)}
        self._each = plan.pairings * (1 if is_split else len(plan.variations))
        self._is_knockout = plan.format == "knockout"

    def add(self, match: FinishedMatch) -> None:
        """Count a match."""
        for name in match.task.names:
            self.players[self._number[name]].count(match)

    def rank_players(self, rounds: Iterable[Round]) -> list[StandingsRow]:
        """Return all rows, the best first: by rate, then by share, then in the plan's order.

        In a knockout, points decide instead of the rate: a player that reached a later round has more points.
        ``rounds``: the finished rounds; their byes count as won.
        """
        byes = Counter(result.table[0] for played in rounds for result in played if len(result.table) == 1)
        for player, one in enumerate(self.players):
            one.byes = byes[player] * self._each
        return sorted(self.players, key=self._rank)

    def _rank(self, one: StandingsRow) -> tuple[float, float, int]:
        return (-one.points if self._is_knockout else -one.rate), -(one.share or 0), one.player


class StandingsByBoard:
    """Standings for each variation of a contest's rules, that is, for each kind of board."""

    def __init__(self, plan: Plan) -> None:
        self.parts = [(describe_variation(options), Standings(plan, is_split=True)) for options in plan.variations]
        """Description and standings of each variation."""

    def add(self, match: FinishedMatch) -> None:
        """Count a match."""
        self.parts[match.task.variation][1].add(match)


def describe_variation(options: Mapping[str, Any]) -> str:
    """Describe the options of one variation; ``all boards`` if nothing varies."""
    return ", ".join(f"{name} {value}" for name, value in options.items()) or "all boards"
