"""Thumbnails of games in lists, drawn from journals and records, so that no game has to be in memory."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from litestar import Request, Response, get

from hinterland import catalog
from hinterland.drawing import film
from hinterland.errors import RecordError
from hinterland.referee import record, verification
from hinterland.storage.index import listing, record_source
from hinterland.storage.journal import peek_game
from hinterland.web.arena import arena_of
from hinterland.web.disconnects import cancel_on_disconnect
from hinterland.web.guards import asker_of
from hinterland.web.http_errors import not_here
from hinterland.web.live.contest_library import contest_game_url

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from hinterland.web.arena import Arena

PIXELS = 400
CACHE_S = 7 * 24 * 3600
"""Seconds for which browsers cache a picture. The address of a picture changes with the state of the game."""


@get("/games/{game_id:str}/thumbnail.webp")
async def game_thumbnail(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Draw the current position of a game of the arena."""
    archive, game_id = arena_of(request).archive, request.path_params["game_id"]
    state, path = await asyncio.to_thread(lambda: (archive.size_of(game_id), archive.journal_of(game_id)))
    if state is None or path is None:
        raise not_here("there is no such game here")
    return await _picture(request, (game_id, state), draw_game, path)


@get("/contests/{name:str}/games/{place:str}/thumbnail.webp")
async def contest_thumbnail(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Draw the last position of a game of a contest."""
    url = contest_game_url(request.path_params["name"], request.path_params["place"])
    arena = arena_of(request)
    line = await arena.readers.share_for(asker_of(request)).run(_find_record, arena, url)
    return await _picture(request, (url,), draw_recorded, line)


async def _picture(
    request: Request[Any, Any, Any], key: tuple[object, ...], draw: Callable[..., bytes], *what: object
) -> Response[bytes]:
    drawing = arena_of(request).gallery.show(asker_of(request), key, draw, *what)
    picture: bytes = await cancel_on_disconnect(request, drawing)
    kept = f"private, max-age={CACHE_S}" if "v" in request.query_params else "no-cache"
    return Response(picture, media_type="image/webp", headers={"Cache-Control": kept})


def draw_game(path: Path) -> bytes:
    """Draw the latest position of a game, read from its journal. Raises RecordError."""
    found = peek_game(path)
    if found is None:
        raise RecordError("the file of this game holds nothing yet")
    setup, restored = found
    return film.encode_webp(setup.game.pictures.image(restored.game.position, PIXELS))


def _find_record(arena: Arena, url: str) -> bytes:
    """Return the line with the record of the game whose address is ``url``. Raises HinterlandError, or answers 404."""
    found = arena.index.query(listing.find_game, url)
    place = None if found is None else found[1]
    if place is None:
        raise not_here("there is no such game here")
    line = record_source.read_line_at(arena.records_of(place.source), place)
    if line is None:
        raise RecordError("the file of this game's record has changed")
    return line


def draw_recorded(line: bytes) -> bytes:
    """Draw the last position of the game in a record's line. Raises RecordError."""
    recorded = record.read_line(line)
    return film.encode_webp(catalog.game(recorded.game).pictures.image(verification.final(recorded), PIXELS))
