"""A ladder, reckoned from all rated games of the index at once: the order of games does not matter to a rating.

It takes seconds where there are many games, for which it is done in the background.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, make_url, select

from hinterland import catalog
from hinterland.contest.rated.chosen_model import rated
from hinterland.evidence.ratings import Ratings
from hinterland.evidence.tally import Tally
from hinterland.ladder.played_matches import PlayedMatch, among_the_busiest, matches_of, read_games
from hinterland.ladder.standing import UNSURE, Ladder, LadderPlayer, RatingPoint
from hinterland.ladder.who_met_whom import WhoMetWhom
from hinterland.storage.identities import Identity, PlayerKind
from hinterland.storage.index import database
from hinterland.storage.index.tables import PLAYERS

FEW_PLAYERS = 100
"""Ladders of more cost less care, so that each takes seconds."""
POINTS, POINTS_OF_MANY = 24, 8
"""Of a history, at most."""
DRAWN = 1000
"""So many contests are drawn anew for the intervals of few players; those of many are told from the fit."""
MOST_NAMED = 500


class Moment(NamedTuple):
    """What a ladder was like after some of its matches."""

    at: int
    """When the last of them began."""
    ratings: Ratings
    main: int
    """The pool in which most was played; who is in another cannot be compared with it."""
    shift: float
    """What is added to all ratings."""


def reckon(url: str, game: str, rules: str) -> Ladder:
    """Reckon a ladder from the index at a URL. Raises SQLAlchemyError."""
    engine = database.engine_of(make_url(url))
    try:
        with engine.connect() as connection:
            return ladder_of(connection, game, rules)
    finally:
        engine.dispose()


def ladder_of(connection: Connection, game: str, rules: str) -> Ladder:
    """Reckon a ladder from the rated games of an index."""
    matches, left_out = among_the_busiest(matches_of(read_games(connection, game, rules)))
    if not matches:
        return Ladder(0, 0, {}, 0.0, left_out)
    levels = {Identity(PlayerKind.HOUSE, level.spec).slug: level.elo for level in catalog.game(game).levels}
    history: dict[str, list[RatingPoint]] = defaultdict(list)
    for now in _moments(levels, matches):
        for slug, point in _points(now):
            if point.high - point.low <= 2 * UNSURE or now.at == matches[-1].ended:
                history[slug].append(point)
    players = _players(now, history, WhoMetWhom(matches), _known(connection, now.ratings.names))
    return Ladder(sum(len(match.games) for match in matches), len(matches), players, now.shift, left_out)


def _moments(levels: dict[str, int], matches: Sequence[PlayedMatch]) -> Iterator[Moment]:
    """Yield the ladder as it went, the last time as it is."""
    are_few = len({player for match in matches for player in match.players}) <= FEW_PLAYERS
    every = math.ceil(len(matches) / (POINTS if are_few else POINTS_OF_MANY))
    tally = Tally()
    for count, match in enumerate(matches, start=1):
        tally.add(match.result(tally.number))
        if count == len(matches):
            yield _moment(levels, tally, match.ended, DRAWN if are_few else 0)
        elif (len(matches) - count) % every == 0 and match.ended < matches[count].ended:
            yield _moment(levels, tally, match.ended, 0)


def _moment(levels: dict[str, int], tally: Tally, at: int, times: int) -> Moment:
    tally = tally.by_name()
    ratings = rated(tally, times=times)
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
    """Yield the rating of each who has played by a moment."""
    rates = now.ratings
    for name, pool, *values in zip(rates.names, rates.pools, rates.elo, rates.low, rates.high, strict=True):
        shift = now.shift if pool == now.main else 0.0
        if not math.isnan(values[0]):
            yield name, RatingPoint(now.at, *(float(value) + shift for value in values))


def _players(
    now: Moment, history: dict[str, list[RatingPoint]], met: WhoMetWhom, known: dict[str, Identity]
) -> dict[str, LadderPlayer]:
    """Return the players, those who can be compared first, the strongest of them first."""
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


def _known(connection: Connection, slugs: Sequence[str]) -> dict[str, Identity]:
    found = {}
    for start in range(0, len(slugs), MOST_NAMED):
        some = select(PLAYERS).where(PLAYERS.c.slug.in_(slugs[start : start + MOST_NAMED]))
        for row in connection.execute(some):
            found[row.slug] = Identity(PlayerKind(row.kind), row.name, row.contest)
    return found
