"""The part of the arena that answers in JSON, and the live connections."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
from litestar import Request, Response, WebSocket, get, post, websocket
from litestar.exceptions import HTTPException

from hinterland.web import gallery
from hinterland.web.arena import arena_of
from hinterland.web.cards import catalogue
from hinterland.web.guards import client_of
from hinterland.web.live import Live
from hinterland.web.refusals import not_here, too_often
from hinterland.web.seating import new_key
from hinterland.web.snapshot import snapshot
from hinterland.web.table import Table
from hinterland.web.wishes import grant, read_wish

__all__ = ["HANDLERS", "find_table", "read_body"]


@get("/api/catalogue")
async def get_catalogue() -> dict[str, Any]:
    """List the games, their players and presets."""
    return catalogue()


@post("/api/games")
async def create_game(request: Request[Any, Any, Any]) -> Response[dict[str, str]]:
    """Begin a game; the answer holds the key that moves for its persons."""
    arena = arena_of(request)
    body = await read_body(request, arena.settings.limits.body_s)
    key = new_key()
    wish = read_wish(body)
    if wait_s := arena.games.take(client_of(request)):
        raise too_often("too many new games; try again in a moment", wait_s)
    liked = None if wish.like is None else (await find_table(request, wish.like)).setup.rules
    setup = await arena.draughtsmen.run(grant, wish, key, liked)
    await arena.hub.create(setup)
    return Response({"id": setup.id, "key": key, "url": f"/games/{setup.id}"}, status_code=201)


@post("/api/boards", status_code=200)
async def show_board(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Show a board before a game begins on it."""
    arena = arena_of(request)
    if wait_s := arena.boards.take(client_of(request)):
        raise too_often("too many boards; try again in a moment", wait_s)
    body = await read_body(request, arena.settings.limits.body_s)
    return Response(await arena.gallery.show((body,), gallery.draw_board, body), media_type="application/json")


@get("/api/games/{game_id:str}")
async def get_game(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Show a game as somebody sees it who only watches."""
    table = await find_table(request, request.path_params["game_id"])
    return Response(msgspec.json.encode(snapshot(table, plays=False)), media_type="application/json")


@websocket("/games/{game_id:str}/live")
async def watch_game(socket: WebSocket[Any, Any, Any]) -> None:
    """Watch a game, or play it with its key."""
    arena = arena_of(socket)
    await Live(socket, arena.hub, arena.settings.limits).serve(lambda: arena.hub.find(socket.path_params["game_id"]))


@websocket("/showcase/live")
async def watch_showcase(socket: WebSocket[Any, Any, Any]) -> None:
    """Watch the show."""
    arena = arena_of(socket)
    await Live(socket, arena.hub, arena.settings.limits).serve(arena.showcase.table, follows=True)


async def find_table(request: Request[Any, Any, Any], game_id: str) -> Table:
    """Return a game, or answer 404."""
    table = await arena_of(request).hub.find(game_id)
    if table is None:
        raise not_here("there is no such game here")
    return table


async def read_body(request: Request[Any, Any, Any], limit_s: float) -> bytes:
    """Return the whole body, or answer 408."""
    try:
        async with asyncio.timeout(limit_s):
            return await request.body()
    except TimeoutError:
        raise HTTPException(f"the body of the request took longer than {limit_s:g} s", status_code=408) from None


HANDLERS = [get_catalogue, create_game, show_board, get_game, watch_game, watch_showcase]
