"""The page of games: live games, waiting matches and finished games, which can be filtered.

The lists are also served as JSON, finished games also as a file of records.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

import msgspec
from litestar import MediaType, Request, Response, get
from litestar.response import Stream, Template
from sqlalchemy import Connection

from hinterland import catalog
from hinterland.contract import Game
from hinterland.errors import ArenaError
from hinterland.storage.index import listing
from hinterland.storage.index.listing import CommonChoices, GameCard, GameFilter
from hinterland.storage.index.tables import Kind, State
from hinterland.web.arena import Arena, arena_of
from hinterland.web.http_errors import conflict
from hinterland.web.languages import reader
from hinterland.web.languages.reader import gettext as _
from hinterland.web.languages.seat_names import display_name, name_of_spec
from hinterland.web.lists.game_list import (
    STATES,
    GameList,
    GameQuery,
    games_of,
    player_url,
    read_query,
    readers_of,
    records_of,
)

STATE_NAMES = {state: name for name, state in STATES.items()}
MAX_LIVE_GAMES = 12
"""Live games on the page, at most."""
FILTERS = ("whose", "game", "rules", "player", "where", "from", "to", "who")
WHERE = {Kind.PAGE: "Played here", Kind.MATCH: "Hosted matches", Kind.CONTEST: "Contests"}


class Shown(msgspec.Struct, frozen=True):
    """What the page of games gets from the index."""

    live: list[GameCard]
    found: GameList
    choices: CommonChoices
    like: list[str]
    """Similar names of players, if no game of the requested player is found."""


@get("/games")
async def games(request: Request[Any, Any, Any]) -> Template:
    """Show the games that match the query."""
    arena, query = arena_of(request), read_query(request)
    asked = {name: request.query_params.get(name, "").strip() for name in FILTERS}
    given = _filters_of(request.query_params)
    context: dict[str, Any] = {
        **CARD_FUNCTIONS, "games": games_by_name(), "asked": asked, "wanted": query.wanted,
        "is_filtered": any(asked.values()),
        "is_first": query.after is None, "matches": [card for card in arena.hosting.cards() if card.waits],
        "where": WHERE, "states": State, "most": listing.MAX_COUNTED, "fault": None,
        "address": lambda path, **more: _address(path, {**given, **more}),
    }  # fmt: skip
    try:
        shown = await readers_of(request).run(_shown, arena, query)
    except ArenaError as error:
        context["fault"] = str(error)
        return Template("games.html", context=context, status_code=503)
    names = dict.fromkeys(map(name_of_spec, shown.choices.names))
    context |= {"shown": shown, "live": shown.live, "found": shown.found, "names": names}
    return Template("games.html", context=context)


@get("/games/now")
async def games_now(request: Request[Any, Any, Any]) -> Response[Any]:
    """Return the page's list of live games as HTML, or answer 304 if it has not changed."""
    arena, query = arena_of(request), read_query(request)
    headers = {"ETag": reader.tag_for_reader(arena.index.version)}
    if arena.index.is_up_to_date and request.headers.get("if-none-match") == headers["ETag"]:
        return Response(None, status_code=304, headers=headers)
    live = await readers_of(request).run(
        arena.index.query, listing.list_games, _going_on(query.wanted), None, MAX_LIVE_GAMES
    )
    return Template(
        "games_live.html", context={**CARD_FUNCTIONS, "games": games_by_name(), "live": live}, headers=headers
    )


def _shown(arena: Arena, query: GameQuery) -> Shown:
    """Query the index for the page. Raises ArenaError."""

    def ask(connection: Connection) -> tuple[list[GameCard], CommonChoices, list[str]]:
        shows_live = query.after is None and query.wanted.state == State.FINISHED
        live = listing.list_games(connection, _going_on(query.wanted), None, MAX_LIVE_GAMES) if shows_live else []
        player = query.wanted.player
        like = listing.find_similar_names(connection, player) if player is not None and not found.games else []
        return live, listing.find_common_choices(connection), like

    found = games_of(arena, query)
    live, choices, like = arena.index.query(ask)
    return Shown(live, found, choices, like)


def _going_on(wanted: GameFilter) -> GameFilter:
    return msgspec.structs.replace(wanted, state=State.LIVE)


def games_by_name() -> dict[str, Game]:
    """Return the games by name."""
    return {name: catalog.game(name) for name in catalog.GAMES}


def _filters_of(query: Mapping[str, str]) -> dict[str, str]:
    """Return the filters of a query, without the parameter for the position in the list."""
    return {name: query[name] for name in (*FILTERS, "state") if query.get(name)}


def _address(path: str, query: Mapping[str, str]) -> str:
    filled = {name: text for name, text in query.items() if text}
    return f"{path}?{urlencode(filled)}" if filled else path


def words(card: GameCard) -> str:
    """Describe the players of a game in words, for screen readers."""
    *others, last = (name_of(card, seat) for seat in range(len(card.players)))
    names = ", ".join(others)
    meeting = _("{names} against {last}").format(names=names, last=last) if names else last
    return f"{_(catalog.game(card.game).title)}: {meeting}, {day(card.started)}"


def name_of(card: GameCard, seat: int) -> str:
    """Return the displayed name of a player."""
    return display_name(card.game, card.players[seat], card.pages[seat])


def day(started: int) -> str:
    """Return the date (UTC) of a time in seconds since 1970, such as 5 Jan 2026."""
    return reader.day(datetime.fromtimestamp(started, UTC))


def moment(started: int) -> str:
    """Return a time in seconds since 1970 in ISO 8601, for machines."""
    return datetime.fromtimestamp(started, UTC).isoformat()


def clock(started: int) -> str:
    """Return hours and minutes (UTC) of a time in seconds since 1970."""
    return f"{datetime.fromtimestamp(started, UTC):%H:%M}"


CARD_FUNCTIONS = {
    "words": words,
    "day": day,
    "clock": clock,
    "moment": moment,
    "player_url": player_url,
    "name_of": name_of,
}
"""Functions that the template of a game's card calls."""


@get("/api/games", media_type=MediaType.JSON)
async def list_games(request: Request[Any, Any, Any]) -> bytes:
    """List games, a page at a time."""
    query = read_query(request)
    found = await readers_of(request).run(games_of, arena_of(request), query)
    games = [_game_fields(card) for card in found.games]
    return msgspec.json.encode({"games": games, "next": found.next, "count": found.count, "left": found.left})


def _game_fields(card: GameCard) -> dict[str, Any]:
    """Return the fields of a game in JSON."""
    fields: dict[str, Any] = msgspec.to_builtins(card)
    started = datetime.fromtimestamp(fields.pop("started"), UTC).isoformat()
    del fields["touched"], fields["version"]
    fields["pages"] = [player_url(slug) if slug else None for slug in card.pages]
    return {**fields, "state": STATE_NAMES[card.state], "started": started}


@get("/games.jsonl")
async def get_records(request: Request[Any, Any, Any]) -> Stream:
    """Send the records of all games of a list as one file."""
    wanted = read_query(request).wanted
    if wanted.state != State.FINISHED:
        raise conflict("only games that are finished have records")
    records = records_of(request, wanted)
    headers = {"Content-Disposition": 'attachment; filename="games.jsonl"'}
    first = await anext(records, b"")  # an error must be raised before the file begins

    async def whole() -> Any:
        yield first
        async for lines in records:
            yield lines

    return Stream(whole(), media_type="application/x-ndjson", headers=headers)
