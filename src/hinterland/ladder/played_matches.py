"""The rated games of a ladder, put together to matches as ``contest.rated`` puts records together."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, select

from hinterland.contest.rated.match_results import game_result, ranks_of
from hinterland.evidence.tally import GameResult, MatchResult
from hinterland.storage.index.rated_games import RatedGame
from hinterland.storage.index.tables import GAMES

MOST_RATED = 500
"""Players on one ladder, those who have played most: the time of a fit grows with the cube of their number."""
READ_AT_ONCE = 2000


class PlayedGame(msgspec.Struct, frozen=True):
    """A game that counts."""

    started: int
    players: tuple[str, ...]
    """The slug of each seat."""
    scores: tuple[int, ...]
    facts: RatedGame

    def result(self, number: Callable[[str], int]) -> GameResult:
        """Return what it came to; ``number`` gives that of a player in a tally."""
        seats, fingerprint = tuple(map(number, self.players)), int(self.facts.course[:16], 16) or 1
        return game_result(seats, self.scores, self.facts.left, fingerprint)

    @property
    def ranks(self) -> tuple[int, ...]:
        """Of each seat; 0 won."""
        return ranks_of(self.scores, self.facts.left)


class PlayedMatch(msgspec.Struct):
    """Games that are rated together, since they have players and opening in common."""

    games: list[PlayedGame]

    @property
    def ended(self) -> int:
        """When its last game began."""
        return max(game.started for game in self.games)

    @property
    def players(self) -> tuple[str, ...]:
        """Who played."""
        return self.games[0].players

    def result(self, number: Callable[[str], int]) -> MatchResult:
        """Return what it came to, for a tally."""
        return MatchResult(tuple(game.result(number) for game in self.games))


def read_games(connection: Connection, game: str, rules: str) -> Iterator[PlayedGame]:
    """Yield the rated games of a ladder, the oldest first."""
    columns = (GAMES.c.started, GAMES.c.pages, GAMES.c.scores, GAMES.c.rated)
    wanted = (GAMES.c.game == game, GAMES.c.rules == rules, GAMES.c.rated.is_not(None))
    question = select(*columns).where(*wanted).order_by(GAMES.c.started, GAMES.c.id)
    yield from map(_game, connection.execution_options(yield_per=READ_AT_ONCE).execute(question))


def _game(row: Row[Any, Any, Any, Any]) -> PlayedGame:
    facts = msgspec.json.decode(row.rated, type=RatedGame)
    return PlayedGame(row.started, tuple(json.loads(row.pages)), tuple(json.loads(row.scores)), facts)


def matches_of(games: Iterable[PlayedGame]) -> list[PlayedMatch]:
    """Put games together, in the order in which matches ended; one that repeats another move by move counts once."""
    seen: set[tuple[str, tuple[str, ...]]] = set()
    matches: dict[tuple[str, frozenset[str]], PlayedMatch] = {}
    for game in games:
        alike = (game.facts.course, game.players)
        if not game.facts.is_official and alike in seen:
            continue
        seen.add(alike)
        matches.setdefault((game.facts.match, frozenset(game.players)), PlayedMatch([])).games.append(game)
    return sorted(matches.values(), key=lambda match: match.ended)


def among_the_busiest(matches: list[PlayedMatch], most: int = MOST_RATED) -> tuple[list[PlayedMatch], int]:
    """Return the matches of those who have played most among themselves, and how many players are left out."""
    played = Counter(player for match in matches for player in match.players)
    if len(played) <= most:
        return matches, 0
    kept = {player for player, _ in sorted(played.items(), key=lambda one: (-one[1], one[0]))[:most]}
    return [match for match in matches if kept.issuperset(match.players)], len(played) - most
