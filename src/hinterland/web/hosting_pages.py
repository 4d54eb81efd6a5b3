"""How a table for programs is made and closed in the arena: the page, and what it asks for."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Request, Response, get, post
from litestar.exceptions import HTTPException
from litestar.response import Template

from hinterland import catalog
from hinterland.errors import BadText
from hinterland.web.api import read_body
from hinterland.web.arena import arena_of
from hinterland.web.cards import catalogue
from hinterland.web.guards import client_of
from hinterland.web.hosting_wish import read_table_wish
from hinterland.web.pages import find_game
from hinterland.web.refusals import not_here, too_often
from hinterland.web.seating import new_key

__all__ = ["HANDLERS"]


class Closing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of POST /api/tables/ID/close."""

    key: str


@get(["/host", "/host/{name:str}"])
async def host_page(request: Request[Any, Any, Any]) -> Template:
    """Set a table up for programs."""
    game = find_game(request.path_params.get("name", next(iter(catalog.GAMES))))
    data = {"games": catalogue()["games"], "game": game.name}
    context = {"game": game.name, "title": game.title, "page_data": data, "games": data["games"]}
    return Template("host.html", context={**context, "tables": arena_of(request).hosting.cards()})


@post("/api/tables")
async def create_table(request: Request[Any, Any, Any]) -> Response[dict[str, Any]]:
    """Open a table; the answer says where programs connect, and holds the key that closes it."""
    arena = arena_of(request)
    body = await read_body(request, arena.settings.limits.body_s)
    if wait_s := arena.games.take(client_of(request)):
        raise too_often("too many new games; try again in a moment", wait_s)
    plan, port = await arena.draughtsmen.run(read_table_wish, body)
    key = new_key()
    hosted = arena.hosting.open(plan, port, key)
    url = f"/tables/{hosted.table.id}"
    made = {"id": hosted.table.id, "key": key, "url": url, "address": hosted.address, "protocol": plan.protocol}
    return Response(made, status_code=201)


@post("/api/tables/{table_id:str}/close")
async def close_table(request: Request[Any, Any, Any]) -> Response[dict[str, bool]]:
    """Close a table, by the key of who made it."""
    arena = arena_of(request)
    hosted = arena.hosting.find(request.path_params["table_id"])
    if hosted is None:
        raise not_here("there is no such table here")
    try:
        closing = msgspec.json.decode(await read_body(request, arena.settings.limits.body_s), type=Closing)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadText(f'a table is closed with {{"key": …}}: {error}') from None
    if not hosted.opens(closing.key):
        raise HTTPException("only the browser that made this table may close it", status_code=403)
    await hosted.stop("it was closed by who made it")
    return Response({"closed": True}, status_code=200)


HANDLERS = [host_page, create_table, close_table]
