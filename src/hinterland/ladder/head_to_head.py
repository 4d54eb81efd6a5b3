"""Counts of games: what each player has won, drawn and lost, in all and against each other player."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from hinterland.ladder.played_matches import PlayedGame, PlayedMatch
from hinterland.ladder.standing import Meeting

WON, DRAWN, LOST = range(3)


class HeadToHead:
    """The results of the games of some matches."""

    def __init__(self, matches: Iterable[PlayedMatch]) -> None:
        self.games: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
        """By player: won alone, shared the first place, anything else."""
        self.matches: Counter[str] = Counter()
        self.last: dict[str, int] = {}
        """The start of each player's last match."""
        self._met: defaultdict[str, defaultdict[str, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0, 0]))
        for match in matches:
            for player in match.players:
                self.matches[player] += 1
                self.last[player] = match.ended
            for game in match.games:
                self._count(game)

    def _count(self, game: PlayedGame) -> None:
        ranks = game.ranks
        for player, rank in zip(game.players, ranks, strict=True):
            self.games[player][LOST if rank else WON if ranks.count(0) == 1 else DRAWN] += 1
            for other, its in zip(game.players, ranks, strict=True):
                if other != player:
                    self._met[player][other][WON if rank < its else LOST if rank > its else DRAWN] += 1

    def meetings(self, player: str) -> tuple[Meeting, ...]:
        """Return a player's opponents, the most frequent first."""
        met = (Meeting(rival, *counts) for rival, counts in self._met[player].items())
        return tuple(sorted(met, key=lambda one: (-one.games, one.rival)))
