"""The results of a contest as counts, from which ratings, intervals and diagnoses are made.

A match is the games of one opening, with the seats rotated. These games depend on one another, so whole matches are
counted. The *pattern* of a match is the seats and ranks of its games. If two players play matches of two games, there
are only nine patterns, however many matches they play.

The *share* of a player in a game is its score divided by the sum of all scores. Shares are stored as whole numbers, in
units of 10**-9, so that their sums are exact. So a tally depends neither on the order of matches, nor on how they were
split among tallies that were merged.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from fractions import Fraction
from heapq import heappush, heappushpop
from typing import TYPE_CHECKING, NamedTuple

from hinterland.errors import BadText, quote
from hinterland.evidence.intervals import Interval, of_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SHARE_PARTS = 10**9
"""Number of units in a share of 1: the shares of a game add up to about this number."""
SAMPLED_GAMES = 4096
"""Largest number of different games that are remembered to find repeated ones."""


class GameResult(NamedTuple):
    """Result of one game."""

    seats: tuple[int, ...]
    """Player of each seat, as a number (see ``Tally.names``); seat 0 moves first."""
    ranks: tuple[int, ...]
    """Rank of each seat, 0 for a winner; tied seats share the better rank, and seats that left rank last."""
    shares: tuple[int, ...]
    """Share of each seat in the sum of all scores, in units of 10**-9."""
    left: tuple[str, ...] = ()
    """For each seat the reason why it left, or "" if it stayed; an empty tuple if nobody left."""
    fingerprint: int = 0
    """Hash of the moves; 0 if unknown."""


class MatchResult(NamedTuple):
    """The games of one opening, one for each rotation of the seats; matches are independent of one another."""

    games: tuple[GameResult, ...]
    """One game or more, by the same players."""
    half_points: tuple[int, ...] = ()
    """Half points of each player for the match, in the seat order of the first game: 2 for a win, 1 for a shared first
    place, else 0. If empty, they follow from the sums of shares."""


Pattern = tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
"""(seats, ranks) of each game of a match, sorted."""


class PlayerTally:
    """Sums over the matches of one player."""

    def __init__(self) -> None:
        self.games = 0
        self.games_won = 0
        """Games won alone."""
        self.matches = 0
        self.won = 0
        """Matches won alone."""
        self.half_points = 0
        """2 for each match won alone, 1 for each shared win."""
        self.shares: Counter[int] = Counter()
        """For each number of games in a match: the sum of the player's shares in such matches, in units of 10**-9."""
        self.squares: Counter[int] = Counter()
        """For each number of games in a match: the sum, over such matches, of the square of the player's total share in
        the match."""
        self.left: Counter[str] = Counter()
        """Number of games that the player left, by reason."""

    def share(self) -> float:
        """Return the player's mean share of the scores, from 0 to 1; each match has the same weight."""
        return sum(total / games for games, total in self.shares.items()) / SHARE_PARTS / max(self.matches, 1)

    def share_spread(self) -> float:
        """Return the standard deviation of the share between matches; NaN for fewer than two matches."""
        if self.matches < 2:
            return float("nan")
        total = sum(Fraction(total, games) for games, total in self.shares.items())
        squares = sum(Fraction(total, games**2) for games, total in self.squares.items())
        return math.sqrt((squares - total**2 / self.matches) / (self.matches - 1)) / SHARE_PARTS

    def share_interval(self) -> Interval | None:
        """Return the 95 % interval of the share; None for fewer than two matches."""
        return of_mean(self.share(), self.share_spread(), self.matches)

    def merge(self, other: PlayerTally) -> None:
        """Add another tally of the same player."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


class Repeats:
    """Counts how often games were played, exactly, but only for a sample: the games with the smallest hashes.

    The sample does not depend on the order of games, nor on how they were split among samples that were merged: Cohen
    and Kaplan, "Summarizing data using bottom-k sketches" (2007).
    """

    def __init__(self) -> None:
        self.counts: dict[int, int] = {}
        """How often each game of the sample was played, by its hash."""
        self._largest: list[int] = []

    def add(self, key: int, times: int = 1) -> None:
        """Count a game ``times`` times; ``key`` is its 64-bit hash."""
        if key in self.counts:
            self.counts[key] += times
        elif len(self._largest) < SAMPLED_GAMES:
            heappush(self._largest, -key)
            self.counts[key] = times
        elif key < -self._largest[0]:
            del self.counts[-heappushpop(self._largest, -key)]
            self.counts[key] = times

    def merge(self, other: Repeats) -> None:
        """Add the counts of a sample of other games."""
        for key, times in other.counts.items():
            self.add(key, times)

    @property
    def share(self) -> float:
        """Among the games whose moves are known, the share that repeat an earlier game."""
        games = sum(self.counts.values())
        return 1 - len(self.counts) / games if games else 0.0


class Tally:
    """Counts of a contest's results.

    Memory grows with the number of different patterns, not with the number of matches.
    """

    def __init__(self, names: Sequence[str] = ()) -> None:
        """Make a tally without matches. Raises BadText if two players have the same name."""
        if twice := [name for name, times in Counter(names).items() if times > 1]:
            raise BadText(f"two players are called {quote(twice[0])}; each needs a name of its own")
        self._numbers = {name: number for number, name in enumerate(names)}
        self.matches = 0
        self.games = 0
        self.patterns: Counter[Pattern] = Counter()
        """Number of matches of each pattern."""
        self.standings = [PlayerTally() for _ in names]
        """Sums of each player."""
        self.repeats = Repeats()

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the players, in the order of their numbers."""
        return tuple(self._numbers)

    def number(self, name: str) -> int:
        """Return the number of a player; a player that is new is added to the tally."""
        if name not in self._numbers:
            self._numbers[name] = len(self._numbers)
            self.standings.append(PlayerTally())
        return self._numbers[name]

    def by_name(self) -> Tally:
        """Return the same tally with its players sorted by name."""
        made = Tally(sorted(self._numbers))
        moved = [made.number(name) for name in self._numbers]
        made.matches, made.games, made.repeats = self.matches, self.games, self.repeats
        made.standings = [self.standings[self._numbers[name]] for name in made.names]
        for pattern, times in self.patterns.items():
            games = ((tuple(moved[player] for player in seats), ranks) for seats, ranks in pattern)
            made.patterns[tuple(sorted(games))] = times
        return made

    def add(self, match: MatchResult, times: int = 1) -> None:
        """Count a match ``times`` times. Raises BadText for an impossible match."""
        self._check(match)
        totals: defaultdict[int, int] = defaultdict(int)
        for game in match.games:
            self._count(game, times)
            for player, share in zip(game.seats, game.shares, strict=True):
                totals[player] += share
        self.patterns[tuple(sorted((game.seats, game.ranks) for game in match.games))] += times
        self.matches += times
        best = max(totals.values())
        worth = 2 if sum(total == best for total in totals.values()) == 1 else 1
        by_shares = (worth * (totals[player] == best) for player in match.games[0].seats)
        half_points = dict(zip(match.games[0].seats, match.half_points or by_shares, strict=True))
        for player, total in totals.items():
            self._stand(player, total, half_points[player], len(match.games), times)

    def merge(self, other: Tally) -> None:
        """Add the matches of another tally of the same players. Raises BadText for other players."""
        if other.names != self.names:
            raise BadText("only tallies of the same players, in the same order, can be added up")
        self.matches += other.matches
        self.games += other.games
        self.patterns.update(other.patterns)
        self.repeats.merge(other.repeats)
        for own, its in zip(self.standings, other.standings, strict=True):
            own.merge(its)

    def _check(self, match: MatchResult) -> None:
        """Raise BadText for an impossible match."""
        if not match.games or len({frozenset(game.seats) for game in match.games}) > 1:
            raise BadText("a match has one game or more, all by the same players")
        for seats, ranks, shares, left, _ in match.games:
            players = len(seats)
            if not (players == len(set(seats)) == len(ranks) == len(shares) and players >= 2):
                raise BadText("a game has two or more different players, and a rank and a share for each")
            if left and len(left) != players:
                raise BadText("a game tells of each of its seats why it left, or of none")
            if min(seats) < 0 or max(seats) >= len(self.standings):
                last = len(self.standings) - 1
                raise BadText(f"players of this tally are numbers from 0 to {last}, not all of {seats}")

    def _count(self, game: GameResult, times: int) -> None:
        self.games += times
        first = game.ranks.count(0)
        for seat, player in enumerate(game.seats):
            standing = self.standings[player]
            standing.games += times
            standing.games_won += times * (first == 1 and game.ranks[seat] == 0)
            if game.left and game.left[seat]:
                standing.left[game.left[seat]] += times
        if game.fingerprint:
            self.repeats.add(_mix((game.fingerprint, *game.seats)), times)

    def _stand(self, player: int, total: int, half_points: int, games: int, times: int) -> None:
        standing = self.standings[player]
        standing.matches += times
        standing.shares[games] += times * total
        standing.squares[games] += times * total**2
        standing.won += times * (half_points == 2)
        standing.half_points += times * half_points


def _mix(numbers: Iterable[int]) -> int:
    """Mix numbers into the same 64 bits on all machines: Steele, Lea and Flood, "Fast splittable generators" (2014)."""
    state = 0
    for number in numbers:
        state = (state ^ number) + 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF
        state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & 0xFFFFFFFFFFFFFFFF
        state = (state ^ state >> 27) * 0x94D049BB133111EB & 0xFFFFFFFFFFFFFFFF
        state ^= state >> 31
    return state
