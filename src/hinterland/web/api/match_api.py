"""Tables at which referees play, in JSON, and their connections.

The arena makes and closes them; what is seen of them is the same there and at a referee's own page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from litestar import MediaType, Request, WebSocket, get, websocket

from hinterland.web.app_context import context_of
from hinterland.web.board_drawings import find_drawing_data
from hinterland.web.connections import keep
from hinterland.web.guards import client_of
from hinterland.web.http_errors import not_here
from hinterland.web.live.game_connection import GameConnection
from hinterland.web.live.snapshot import snapshot, spoken
from hinterland.web.matches.join import join, send_away

if TYPE_CHECKING:
    from hinterland.host.lobby import Lobby
    from hinterland.web.matches.match_show import MatchShow

NO_MATCH = "this invitation has expired; finished games are under Watch"


@get("/api/tables/{table_id:str}", media_type=MediaType.JSON)
async def get_match(request: Request[Any, Any, Any]) -> bytes:
    """Show a match as it is now, to programs."""
    return msgspec.json.encode(spoken(snapshot(find_match(request))))


@get("/tables/{table_id:str}/drawing-data", media_type=MediaType.JSON)
async def get_match_drawing_data(request: Request[Any, Any, Any]) -> bytes:
    """Tell a page what it needs to draw the board."""
    return await find_drawing_data(request, find_match(request).drawing)


@websocket(["/tables/{table_id:str}/live", "/watch/tables/{table_id:str}/live"])
async def watch_match(socket: WebSocket[Any, Any, Any]) -> None:
    """Watch a match, game after game."""
    context = context_of(socket)

    async def find() -> MatchShow | None:
        return context.find_match_show(socket.path_params["table_id"])

    await GameConnection(socket, context, context.settings.limits).serve(find)


@websocket("/tables/{table_id:str}/join")
async def join_match(socket: WebSocket[Any, Any, Any]) -> None:
    """Let a program play, in protocol json."""
    table_id = socket.path_params["table_id"]
    table = context_of(socket).find_match_show(table_id)
    door = _door(table)
    if isinstance(door, str):
        context_of(socket).audit.note("program refused", client_of(socket), table=table_id, detail=door)
        await send_away(socket, door)
    else:
        keep(socket.scope)  # the lobby bounds those who say no name
        await join(socket, door)


def _door(table: MatchShow | None) -> Lobby | str:
    """Return where a program joins a table over a WebSocket, or why none can."""
    if table is None:
        return "there is no such match here"
    if table.is_over or table.lobby is None:
        return "this match is over"
    if table.plan.protocol != "json":
        return f"this match uses protocol {table.plan.protocol}, which has no WebSocket"
    return table.lobby


def match_link(request: Request[Any, Any, Any]) -> str:
    """Return the address of a table as people reach it."""
    public = context_of(request).settings.openness.public_url
    return f"{public or str(request.base_url).rstrip('/')}/tables/{request.path_params['table_id']}"


def find_match(request: Request[Any, Any, Any]) -> MatchShow:
    """Return a table at which a referee plays, or answer 404."""
    table = context_of(request).find_match_show(request.path_params["table_id"])
    if table is None:
        raise not_here(NO_MATCH)
    return table
