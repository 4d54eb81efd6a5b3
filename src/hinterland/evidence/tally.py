"""The results of a contest as counts: what ratings, intervals and diagnoses are made from.

A match, the games of one opening with the seats rotated, is what is independent of other matches, so what is counted is
whole matches: the *pattern* of a match says who sat where in its games and how they ranked. For two players and two
games there are nine patterns a pair, and however many matches are played, no more. Sums of shares are whole numbers, so
a tally is the same in whatever order matches came, and however they were dealt out to tallies that were added up.
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

WHOLE = 10**9
"""The shares of a game add up to about this much."""
SAMPLED = 4096
"""So many different games are remembered, to find those that were played twice."""


class GameResult(NamedTuple):
    """What one game came to."""

    seats: tuple[int, ...]
    """Players, numbers into the names of the tally, in the order of the seats; seat 0 moves first."""
    ranks: tuple[int, ...]
    """One a seat: 0 won, and seats that tie share the smallest; who left ranks last."""
    shares: tuple[int, ...]
    """One a seat: its part of the scores, in parts of 10**9."""
    left: tuple[str, ...] = ()
    """One a seat: why it left, "" where it stayed; empty where nobody left."""
    fingerprint: int = 0
    """A hash of the moves, 0 where it is not known."""


class MatchResult(NamedTuple):
    """The games of one opening, one for each rotation of the seats: what is independent of other matches."""

    games: tuple[GameResult, ...]
    """One or more, by the same players."""
    half_points: tuple[int, ...] = ()
    """One a player, in the order of the seats of the first game: 2 won alone, 1 first together, else 0; empty: the sum
    of shares decides."""


Pattern = tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
"""(seats, ranks) of each game of a match, sorted."""


class PlayerTally:
    """What the matches of one player come to."""

    def __init__(self) -> None:
        self.games = 0
        self.games_won = 0
        """Alone."""
        self.matches = 0
        self.won = 0
        """Matches won alone, by the sum of shares."""
        self.half_points = 0
        """Two for a match won alone, one for a shared win."""
        self.shares: Counter[int] = Counter()
        """By the number of games: the sum over matches of the shares in them, in parts of 10**9."""
        self.squares: Counter[int] = Counter()
        """The same of the squares of these sums."""
        self.left: Counter[str] = Counter()
        """How many games it left, by the reason."""

    def share(self) -> float:
        """Return the mean over matches of its part of the scores, from 0 to 1."""
        return sum(total / games for games, total in self.shares.items()) / WHOLE / max(self.matches, 1)

    def share_spread(self) -> float:
        """Return the standard deviation of that part over matches, NaN for fewer than two matches."""
        if self.matches < 2:
            return float("nan")
        total = sum(Fraction(total, games) for games, total in self.shares.items())
        squares = sum(Fraction(total, games**2) for games, total in self.squares.items())
        return math.sqrt((squares - total**2 / self.matches) / (self.matches - 1)) / WHOLE

    def share_interval(self) -> Interval | None:
        """Return the 95 % interval of the share, None for fewer than two matches."""
        return of_mean(self.share(), self.share_spread(), self.matches)

    def merge(self, other: PlayerTally) -> None:
        """Add another tally of the same player."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


class Repeats:
    """How often games were played again: exact for a sample of games, those whose hashes are smallest.

    A game is in the sample of a merged tally if it is in that of a part; what is sampled does not depend on the order:
    Cohen and Kaplan, "Summarizing data using bottom-k sketches" (2007).
    """

    def __init__(self) -> None:
        self.counts: dict[int, int] = {}
        """By hash: how often the game was played."""
        self._largest: list[int] = []

    def add(self, key: int, times: int = 1) -> None:
        """Count a game by its hash, a number of 64 bits."""
        if key in self.counts:
            self.counts[key] += times
        elif len(self._largest) < SAMPLED:
            heappush(self._largest, -key)
            self.counts[key] = times
        elif key < -self._largest[0]:
            del self.counts[-heappushpop(self._largest, -key)]
            self.counts[key] = times

    def merge(self, other: Repeats) -> None:
        """Add the sample of other games."""
        for key, times in other.counts.items():
            self.add(key, times)

    @property
    def share(self) -> float:
        """How many games were played before, as part of all whose moves are known."""
        games = sum(self.counts.values())
        return 1 - len(self.counts) / games if games else 0.0


class Tally:
    """The results of a contest, counted. Its size depends on how many results differ, not on how many there are."""

    def __init__(self, names: Sequence[str] = ()) -> None:
        """Begin without a match. Raises BadText where two players have one name."""
        if twice := [name for name, times in Counter(names).items() if times > 1]:
            raise BadText(f"two players are called {quote(twice[0])}; each needs a name of its own")
        self._numbers = {name: number for number, name in enumerate(names)}
        self.matches = 0
        self.games = 0
        self.patterns: Counter[Pattern] = Counter()
        """How many matches had each pattern."""
        self.standings = [PlayerTally() for _ in names]
        """One a player."""
        self.repeats = Repeats()

    @property
    def names(self) -> tuple[str, ...]:
        """The players, in the order of their numbers."""
        return tuple(self._numbers)

    def number(self, name: str) -> int:
        """Return the number of a player; one that was not known is added to the tally."""
        if name not in self._numbers:
            self._numbers[name] = len(self._numbers)
            self.standings.append(PlayerTally())
        return self._numbers[name]

    def by_name(self) -> Tally:
        """Return the same with the players in the order of their names, in whatever order they came."""
        made = Tally(sorted(self._numbers))
        moved = [made.number(name) for name in self._numbers]
        made.matches, made.games, made.repeats = self.matches, self.games, self.repeats
        made.standings = [self.standings[self._numbers[name]] for name in made.names]
        for pattern, times in self.patterns.items():
            games = ((tuple(moved[player] for player in seats), ranks) for seats, ranks in pattern)
            made.patterns[tuple(sorted(games))] = times
        return made

    def add(self, match: MatchResult, times: int = 1) -> None:
        """Count a match, or so many that went alike. Raises BadText for one that cannot be."""
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
        """Raise BadText for a match that cannot be."""
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
            self.repeats.add(_mixed((game.fingerprint, *game.seats)), times)

    def _stand(self, player: int, total: int, half_points: int, games: int, times: int) -> None:
        standing = self.standings[player]
        standing.matches += times
        standing.shares[games] += times * total
        standing.squares[games] += times * total**2
        standing.won += times * (half_points == 2)
        standing.half_points += times * half_points


def _mixed(numbers: Iterable[int]) -> int:
    """Mix numbers into 64 bits, alike everywhere: Steele, Lea and Flood, "Fast splittable generators" (2014)."""
    state = 0
    for number in numbers:
        state = (state ^ number) + 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF
        state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & 0xFFFFFFFFFFFFFFFF
        state = (state ^ state >> 27) * 0x94D049BB133111EB & 0xFFFFFFFFFFFFFFFF
        state ^= state >> 31
    return state
