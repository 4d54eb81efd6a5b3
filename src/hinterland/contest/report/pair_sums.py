"""Sums of two players' games against each other, in constant memory."""

from __future__ import annotations

from bisect import insort

from hinterland.contest.report.contest_view import GamePlayed, PairView

MAX_LISTED_GAMES = 60
"""Games listed of a pair: the first of the contest, in whatever order they are added."""


class PairSums:
    """The sums of one pair."""

    __slots__ = ("games", "half_points", "kept", "matches")

    def __init__(self) -> None:
        self.half_points = [0, 0]
        self.matches = self.games = 0
        self.kept: list[GamePlayed] = []

    def add(self, ahead: int, games: list[GamePlayed]) -> None:
        """Count a match; ``ahead``: above 0 if the first player did better, 0 if both did equally well."""
        self.matches += 1
        self.games += len(games)
        self.half_points[0] += 1 + (ahead > 0) - (ahead < 0)
        self.half_points[1] += 1 - (ahead > 0) + (ahead < 0)
        for game in games:
            insort(self.kept, game)
        del self.kept[MAX_LISTED_GAMES:]

    def view(self, players: tuple[int, int]) -> PairView:
        """Make the view of the pair."""
        first, second = (half / 2 for half in self.half_points)
        return PairView(
            players=players, points=(first, second), matches=self.matches, games=self.games, kept=tuple(self.kept)
        )
