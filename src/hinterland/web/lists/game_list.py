"""Reads requests for lists of games, and queries the index. Reports every fault in one clear line."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from datetime import UTC, date, datetime, time, timedelta
from enum import Enum
from typing import Any, TypeVar

import msgspec
from litestar import Request

from hinterland import catalog
from hinterland.errors import BadText, UnknownName, quote
from hinterland.host.thread_pools import Share
from hinterland.storage.index import listing
from hinterland.storage.index.listing import Cursor, GameCard, GameFilter
from hinterland.storage.index.record_source import read_line_at
from hinterland.storage.index.tables import Kind, State
from hinterland.web.arena import Arena, arena_of
from hinterland.web.guards import asker_of
from hinterland.web.languages.seat_names import level_called
from hinterland.web.lists.guests import known_guest

Word = TypeVar("Word", bound=Enum)
STATES = {"live": State.LIVE, "finished": State.FINISHED, "abandoned": State.ABANDONED}
WHERE = {kind.value: kind for kind in Kind}
UNKNOWN_GUEST = "nobody"
"""Stands for the digest of the cookie if a browser without one asks for its games: it matches no game."""
MAX_TEXT_CHARACTERS = 200
GAMES_PER_PAGE = 24
MAX_GAMES_PER_PAGE = 200
RECORDS_AT_ONCE = 400


class GameQuery(msgspec.Struct, frozen=True):
    """A requested list of games."""

    wanted: GameFilter
    after: Cursor | None
    count: int


def read_query(request: Request[Any, Any, Any]) -> GameQuery:
    """Read from a URL's query which games to list. Raises BadText or UnknownName."""
    query = request.query_params
    after, count = _text(query, "after"), _text(query, "count") or str(GAMES_PER_PAGE)
    if not (count.isascii() and count.isdecimal() and 1 <= int(count[:9]) <= MAX_GAMES_PER_PAGE):
        raise BadText(f"count must be a whole number from 1 to {MAX_GAMES_PER_PAGE}, not {quote(count)}")
    return GameQuery(_filter(query, known_guest(request)), None if after is None else Cursor.read(after), int(count))


def _filter(query: Mapping[str, str], guest: str | None) -> GameFilter:
    game, where = _text(query, "game"), _text(query, "where")
    if game is not None:
        catalog.game(game)
    is_mine = _word(_text(query, "whose") or "all", "choice of whose games", {"all": False, "mine": True})
    return GameFilter(
        state=_word(_text(query, "state") or "finished", "state of games", STATES),
        game=game,
        player=None if (player := _text(query, "player")) is None else level_called(player),
        rules=_text(query, "rules"),
        since=_midnight(query, "from"),
        until=_midnight(query, "to", days=1),
        kind=None if where is None else _word(where, "place where games are played", WHERE),
        guest=(guest or UNKNOWN_GUEST) if is_mine else None,
        slug=_text(query, "who"),
    )


def _text(query: Mapping[str, str], name: str) -> str | None:
    """Return the text of the parameter ``name``; None if the parameter is missing or empty."""
    text = query.get(name, "").strip()
    if len(text) > MAX_TEXT_CHARACTERS or not text.isprintable():
        raise BadText(f"{name} has at most {MAX_TEXT_CHARACTERS} printable characters, not {quote(text)}")
    return text or None


def _word(text: str, what: str, known: Mapping[str, Any]) -> Any:
    if text not in known:
        raise UnknownName(what, text, known)
    return known[text]


def _midnight(query: Mapping[str, str], name: str, days: int = 0) -> int | None:
    """Return the midnight (UTC) that begins the date in the parameter ``name``, in seconds since 1970.

    ``days``: days to add. None if the parameter is missing or empty.
    """
    text = _text(query, name)
    if text is None:
        return None
    try:
        day = date.fromisoformat(text)
        return int(datetime.combine(day, time(), UTC).timestamp()) + days * timedelta(days=1) // timedelta(seconds=1)
    except ValueError:
        raise BadText(f"{name} must be a date such as 2026-11-21, not {quote(text)}") from None


class GameList(msgspec.Struct, frozen=True):
    """One page of a list of games."""

    games: list[GameCard]
    next: str | None
    """Value of ``after`` for the next page; None on the last page."""
    count: int
    """Number of matching games; ``listing.MAX_COUNTED + 1`` stands for any number above ``MAX_COUNTED``."""
    left: int | None
    """Number of games that the index has not read yet after a start; None if the index has read all games."""


def games_of(arena: Arena, query: GameQuery) -> GameList:
    """Return a page of a list. Call this on a reader thread, as it waits for the index. Raises ArenaError."""

    def ask(connection: Any) -> tuple[list[GameCard], int]:
        found = listing.list_games(connection, query.wanted, query.after, query.count + 1)
        return found, listing.count_games(connection, query.wanted)

    found, count = arena.index.query(ask)
    games = found[: query.count]
    more = str(Cursor(games[-1].started, games[-1].id)) if len(found) > len(games) else None
    return GameList(games, more, count, arena.index.left)


def player_url(slug: str) -> str:
    """Return the address of a player's page."""
    return f"/players/{slug}"


def readers_of(request: Request[Any, Any, Any]) -> Share:
    """Return the share of the reader threads that belongs to the client of a request."""
    return arena_of(request).readers.share_for(asker_of(request))


async def records_of(request: Request[Any, Any, Any], wanted: GameFilter) -> AsyncIterator[bytes]:
    """Yield the records of all matching games, the latest first."""
    arena, readers = arena_of(request), readers_of(request)
    after: Cursor | None = None
    while True:
        lines, after = await readers.run(_some_records, arena, wanted, after)
        if lines:
            yield lines
        if after is None:
            return


def _some_records(arena: Arena, wanted: GameFilter, after: Cursor | None) -> tuple[bytes, Cursor | None]:
    """Return the records of the next games, and the game after which to continue, or None at the end."""
    found = arena.index.query(listing.list_record_places, wanted, after, RECORDS_AT_ONCE)
    places = [place for _, place in found if place is not None]
    files = {source: arena.records_of(source) for source in {place.source for place in places}}
    lines = (read_line_at(files[place.source], place) for place in places)
    return b"".join(filter(None, lines)), found[-1][0] if len(found) == RECORDS_AT_ONCE else None
