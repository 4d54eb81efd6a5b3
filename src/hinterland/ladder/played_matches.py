"""Reads the rated games of a ladder, and groups them into matches, as ``contest.rated_records`` does with records."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, select

from hinterland.contest.rated_records import make_game_result, rank_seats
from hinterland.evidence.tally import GameResult, MatchResult
from hinterland.storage.index.game_rows import RatedGame
from hinterland.storage.index.tables import GAMES

MAX_RATED_PLAYERS = 500
"""Most players on one ladder; those in the most matches stay. The time to compute ratings grows with the cube of this
number."""
ROWS_PER_READ = 2000


class PlayedGame(msgspec.Struct, frozen=True):
    """A rated game."""

    started: int
    players: tuple[str, ...]
    """The slug of each seat."""
    scores: tuple[int, ...]
    facts: RatedGame

    def result(self, number: Callable[[str], int]) -> GameResult:
        """Return the result of the game for a ``Tally``; ``number`` maps a player's slug to a number in the tally."""
        seats, fingerprint = tuple(map(number, self.players)), int(self.facts.course[:16], 16) or 1
        return make_game_result(seats, self.scores, self.facts.left, fingerprint)

    @property
    def ranks(self) -> tuple[int, ...]:
        """The rank of each seat; rank 0 won."""
        return rank_seats(self.scores, self.facts.left)


class PlayedMatch(msgspec.Struct):
    """Games that are rated together: those of one match between the same players."""

    games: list[PlayedGame]

    @property
    def ended(self) -> int:
        """The start of the match's last game, in seconds since 1970."""
        return max(game.started for game in self.games)

    @property
    def players(self) -> tuple[str, ...]:
        return self.games[0].players

    def result(self, number: Callable[[str], int]) -> MatchResult:
        """Return the result of the match for a tally."""
        return MatchResult(tuple(game.result(number) for game in self.games))


def read_games(connection: Connection, game: str, rules: str) -> Iterator[PlayedGame]:
    """Yield the rated games of a ladder, the oldest first."""
    columns = (GAMES.c.started, GAMES.c.pages, GAMES.c.scores, GAMES.c.rated)
    wanted = (GAMES.c.game == game, GAMES.c.rules == rules, GAMES.c.rated.is_not(None))
    question = select(*columns).where(*wanted).order_by(GAMES.c.started, GAMES.c.id)
    yield from map(_game, connection.execution_options(yield_per=ROWS_PER_READ).execute(question))


def _game(row: Row[Any, Any, Any, Any]) -> PlayedGame:
    facts = msgspec.json.decode(row.rated, type=RatedGame)
    return PlayedGame(row.started, tuple(json.loads(row.pages)), tuple(json.loads(row.scores)), facts)


def group_into_matches(games: Iterable[PlayedGame]) -> list[PlayedMatch]:
    """Group games into matches, in the order in which the matches ended.

    A game with the same players and moves as an earlier one does not count, unless it belongs to a contest.
    """
    seen: set[tuple[str, tuple[str, ...]]] = set()
    matches: dict[tuple[str, frozenset[str]], PlayedMatch] = {}
    for game in games:
        alike = (game.facts.course, game.players)
        if not game.facts.is_official and alike in seen:
            continue
        seen.add(alike)
        matches.setdefault((game.facts.match, frozenset(game.players)), PlayedMatch([])).games.append(game)
    return sorted(matches.values(), key=lambda match: match.ended)


def keep_busiest_players(matches: list[PlayedMatch], most: int = MAX_RATED_PLAYERS) -> tuple[list[PlayedMatch], int]:
    """Keep the matches between the ``most`` players that are in the most matches.

    Return these matches, and how many players are left out.
    """
    played = Counter(player for match in matches for player in match.players)
    if len(played) <= most:
        return matches, 0
    kept = {player for player, _ in sorted(played.items(), key=lambda one: (-one[1], one[0]))[:most]}
    return [match for match in matches if kept.issuperset(match.players)], len(played) - most
