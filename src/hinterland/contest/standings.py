"""Who stands where: points of matches, the share of the score beside them, and why games were lost."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from hinterland.contest.scoring import DRAW_HALF_POINTS, LOSS_HALF_POINTS, SHARE_PARTS, WIN_HALF_POINTS
from hinterland.contest.wording import replace_seats_by_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from hinterland.contest.pairings.rounds import Round
    from hinterland.contest.plan import Plan
    from hinterland.contest.played import FinishedMatch


class StandingsRow(msgspec.Struct, kw_only=True):
    """One player, as far as the contest has come."""

    name: str
    """Its name."""
    player: int
    """Its number in the plan."""
    matches: int = 0
    """How many it has finished."""
    byes: int = 0
    """How many matches it was given, because nobody was left to meet it; each counts as won."""
    won: int = 0
    """Alone."""
    drawn: int = 0
    """Together with somebody else."""
    lost: int = 0
    """All others."""
    shares: int = 0
    """The sum over its matches of its share of the score, in parts of 10**9."""
    games: int = 0
    """How many it has played."""
    left: Counter[str] = msgspec.field(default_factory=Counter)
    """How many games it left for which reason."""
    credited: int = 0
    """How many of its matches have a game in which the board was credited to who stayed."""
    first_left: str = ""
    """Why it left the first of these, in words."""

    @property
    def points(self) -> float:
        """1 for a match won, a half for one drawn, 1 for a bye."""
        return self.won + self.byes + self.drawn / 2

    @property
    def of(self) -> int:
        """The most points it could have."""
        return self.matches + self.byes

    @property
    def rate(self) -> float:
        """Its points as part of these; 0 before its first match."""
        return self.points / self.of if self.of else 0.0

    @property
    def share(self) -> float | None:
        """Its mean share of the score; None before its first match."""
        return self.shares / self.matches / SHARE_PARTS if self.matches else None


class Standings:
    """All players of a contest, over all its matches or those of one variation of the rules."""

    def __init__(self, plan: Plan, *, is_split: bool = False) -> None:
        """Begin with no match. ``is_split``: whether only one of the plan's variations is counted here."""
        self.players = [StandingsRow(name=name, player=player) for player, name in enumerate(plan.names)]
        self._number = {name: player for player, name in enumerate(plan.names)}
        self._each = plan.pairings * (1 if is_split else len(plan.variations))
        self._is_knockout = plan.format == "knockout"

    def add(self, match: FinishedMatch) -> None:
        """Count a match."""
        for place, name in enumerate(match.task.names):
            one, half_points = self.players[self._number[name]], match.score.half_points[place]
            one.matches += 1
            one.won += half_points == WIN_HALF_POINTS
            one.drawn += half_points == DRAW_HALF_POINTS
            one.lost += half_points == LOSS_HALF_POINTS
            one.shares += match.score.shares[place]
            one.games += len(match.records)
            one.credited += match.score.credited > 0
        for record in match.records:
            for gone in record.departures:
                one = self.players[self._number[record.players[gone.seat]]]
                one.left[str(gone.reason)] += 1
                one.first_left = one.first_left or replace_seats_by_names(gone.detail, record.players)

    def rank_players(self, rounds: Iterable[Round]) -> list[StandingsRow]:
        """Return all, the best first: by points as part of those there were, then by share, then as in the plan.

        In a knockout by points alone: who came further has more. ``rounds``: those that are complete, whose byes count.
        """
        byes = Counter(result.table[0] for played in rounds for result in played if len(result.table) == 1)
        for player, one in enumerate(self.players):
            one.byes = byes[player] * self._each
        return sorted(self.players, key=self._rank)

    def _rank(self, one: StandingsRow) -> tuple[float, float, int]:
        return (-one.points if self._is_knockout else -one.rate), -(one.share or 0), one.player


class StandingsByBoard:
    """Standings for each variation of a contest's rules: how everybody did on each kind of board."""

    def __init__(self, plan: Plan) -> None:
        self.parts = [(describe_variation(options), Standings(plan, is_split=True)) for options in plan.variations]
        """What varies, in words, and the standings of it."""

    def add(self, match: FinishedMatch) -> None:
        """Count a match."""
        self.parts[match.task.variation][1].add(match)


def describe_variation(options: Mapping[str, Any]) -> str:
    """Return the options of one variation in words; where nothing varies, ``all boards``."""
    return ", ".join(f"{name} {value}" for name, value in options.items()) or "all boards"
