"""Computes a ladder from all its rated games at once, so that ratings do not depend on the games' order.

With many games this takes seconds, so ladders are computed in the background. A *pool* is a set of players whom chains
of games connect; ratings of different pools cannot be compared.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, make_url, select

from hinterland import catalog
from hinterland.evidence.plackett_luce import rate_tally
from hinterland.evidence.ratings import Ratings
from hinterland.evidence.tally import Tally
from hinterland.ladder.played_matches import (
    PlayedGame,
    PlayedMatch,
    group_into_matches,
    keep_busiest_players,
    read_games,
)
from hinterland.ladder.standing import SURE_ELO, Ladder, LadderPlayer, Meeting, RatingPoint
from hinterland.storage.identities import Identity, PlayerKind
from hinterland.storage.index import database
from hinterland.storage.index.tables import PLAYERS

SMALL_LADDER_PLAYERS = 100
"""Most players of a small ladder. A larger ladder is computed less precisely, to stay within seconds."""
HISTORY_POINTS = 24
"""Most points of a rating's history on a small ladder."""
HISTORY_POINTS_OF_LARGE = 8
"""Most points of a rating's history on a larger ladder."""
RESAMPLES = 1000
"""Number of bootstrap fits for the intervals of a small ladder. A larger ladder takes its intervals from the fit's
covariance."""
SLUGS_PER_QUERY = 500
WON, DRAWN, LOST = range(3)


class HeadToHead:
    """Who met whom in some matches, and with what results."""

    def __init__(self, matches: Iterable[PlayedMatch]) -> None:
        self.games: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
        """For each player the numbers of games won alone, with a shared first place, and with any other result."""
        self.matches: Counter[str] = Counter()
        self.last: dict[str, int] = {}
        """For each player the start of the last game of the player's last match, in seconds since 1970."""
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
        """Return a player's results against each opponent, the most frequent opponent first."""
        met = (Meeting(rival, *counts) for rival, counts in self._met[player].items())
        return tuple(sorted(met, key=lambda one: (-one.games, one.rival)))


class Moment(NamedTuple):
    """The ratings of a ladder after some of its matches, as a step of its history."""

    at: int
    """The start of the last game of the last match, in seconds since 1970."""
    ratings: Ratings
    main: int
    """The pool with the most matches."""
    shift: float
    """Elo added to all ratings."""


def compute_ladder(url: str, game: str, rules: str) -> Ladder:
    """Compute a ladder from the index of games in the database at ``url``. Raises SQLAlchemyError."""
    engine = database.make_engine(make_url(url))
    try:
        with engine.connect() as connection:
            return build_ladder(connection, game, rules)
    finally:
        engine.dispose()


def build_ladder(connection: Connection, game: str, rules: str) -> Ladder:
    """Compute the ladder of a game with given rules from the rated games of an index."""
    matches, left_out = keep_busiest_players(group_into_matches(read_games(connection, game, rules)))
    if not matches:
        return Ladder(0, 0, {}, 0.0, left_out)
    levels = {Identity(PlayerKind.HOUSE, level.spec).slug: level.elo for level in catalog.game(game).levels}
    history: dict[str, list[RatingPoint]] = defaultdict(list)
    for now in _moments(levels, matches):
        for slug, point in _points(now):
            if point.high - point.low <= 2 * SURE_ELO or now.at == matches[-1].ended:
                history[slug].append(point)
    players = _players(now, history, HeadToHead(matches), _find_identities(connection, now.ratings.names))
    return Ladder(sum(len(match.games) for match in matches), len(matches), players, now.shift, left_out)


def _moments(levels: dict[str, int], matches: Sequence[PlayedMatch]) -> Iterator[Moment]:
    """Yield the ladder's ratings at several moments of its history, the last of which is the present."""
    are_few = len({player for match in matches for player in match.players}) <= SMALL_LADDER_PLAYERS
    every = math.ceil(len(matches) / (HISTORY_POINTS if are_few else HISTORY_POINTS_OF_LARGE))
    tally = Tally()
    for count, match in enumerate(matches, start=1):
        tally.add(match.result(tally.number))
        if count == len(matches):
            yield _moment(levels, tally, match.ended, RESAMPLES if are_few else 0)
        elif (len(matches) - count) % every == 0 and match.ended < matches[count].ended:
            yield _moment(levels, tally, match.ended, 0)


def _moment(levels: dict[str, int], tally: Tally, at: int, times: int) -> Moment:
    tally = tally.by_name()
    ratings = rate_tally(tally, times=times)
    played = [standing.matches for standing in tally.standings]
    in_pools: Counter[int] = Counter()
    for pool, matches in zip(ratings.pools, played, strict=True):
        in_pools[pool] += matches
    main = max(in_pools, key=lambda pool: (in_pools[pool], -pool))
    known = [
        (matches, levels[name] - elo)
        for name, elo, pool, matches in zip(tally.names, ratings.elo, ratings.pools, played, strict=True)
        if name in levels and pool == main
    ]
    weight = sum(matches for matches, _ in known)
    return Moment(at, ratings, main, sum(matches * away for matches, away in known) / weight if weight else 0.0)


def _points(now: Moment) -> Iterator[tuple[str, RatingPoint]]:
    """Yield the slug and the rating of each player that is rated at a moment."""
    rates = now.ratings
    for name, pool, *values in zip(rates.names, rates.pools, rates.elo, rates.low, rates.high, strict=True):
        shift = now.shift if pool == now.main else 0.0
        if not math.isnan(values[0]):
            yield name, RatingPoint(now.at, *(float(value) + shift for value in values))


def _players(
    now: Moment, history: dict[str, list[RatingPoint]], met: HeadToHead, known: dict[str, Identity]
) -> dict[str, LadderPlayer]:
    """Return the players: those of the main pool before all others, and in each group the strongest first."""
    pools = dict(zip(now.ratings.names, now.ratings.pools, strict=True))
    order = sorted(history, key=lambda slug: (pools[slug] != now.main, -history[slug][-1].elo, slug))
    players = {}
    for slug in order:
        last = history[slug][-1]
        won, drawn, lost = met.games[slug]
        players[slug] = LadderPlayer(
            slug=slug, who=known[slug], elo=last.elo, low=last.low, high=last.high, matches=met.matches[slug],
            won=won, drawn=drawn, lost=lost, last=met.last[slug], is_apart=pools[slug] != now.main,
            history=tuple(history[slug]), meetings=met.meetings(slug),
        )  # fmt: skip
    return players


def _find_identities(connection: Connection, slugs: Sequence[str]) -> dict[str, Identity]:
    found = {}
    for start in range(0, len(slugs), SLUGS_PER_QUERY):
        some = select(PLAYERS).where(PLAYERS.c.slug.in_(slugs[start : start + SLUGS_PER_QUERY]))
        for row in connection.execute(some):
            found[row.slug] = Identity(PlayerKind(row.kind), row.name, row.contest)
    return found
