"""Tables at which referees play, in JSON, and their connections.

The arena makes and closes them; what is seen of them is the same there and at a referee's own page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from litestar import MediaType, Request, WebSocket, get, websocket

from hinterland.web.app_context import context_of
from hinterland.web.board_drawings import find_drawing_data
from hinterland.web.guards import client_of
from hinterland.web.http_errors import not_here
from hinterland.web.live.join import join, send_away
from hinterland.web.live.snapshot import snapshot
from hinterland.web.live.viewer_connection import ViewerConnection

if TYPE_CHECKING:
    from hinterland.web.live.match_show import MatchShow


@get("/api/tables/{table_id:str}", media_type=MediaType.JSON)
async def get_table(request: Request[Any, Any, Any]) -> bytes:
    """Show a match as it is now, to programs."""
    return msgspec.json.encode(snapshot(find_match(request)))


@get("/tables/{table_id:str}/drawing-data", media_type=MediaType.JSON)
async def get_match_drawing_data(request: Request[Any, Any, Any]) -> bytes:
    """Tell a page what it needs to draw the board."""
    return await find_drawing_data(find_match(request).drawing)


@websocket("/tables/{table_id:str}/live")
async def watch_table(socket: WebSocket[Any, Any, Any]) -> None:
    """Watch a match, game after game."""
    context = context_of(socket)

    async def find() -> MatchShow | None:
        return context.refereed(socket.path_params["table_id"])

    await ViewerConnection(socket, context, context.settings.limits).serve(find)


@websocket("/tables/{table_id:str}/join")
async def join_table(socket: WebSocket[Any, Any, Any]) -> None:
    """Let a program play, in protocol json."""
    table = context_of(socket).refereed(socket.path_params["table_id"])
    if table is None:
        await send_away(socket, "there is no such table here")
    elif table.is_over or table.lobby is None:
        await send_away(socket, "the match at this table is over")
    elif table.plan.protocol != "json":
        await send_away(socket, f"this table plays protocol {table.plan.protocol}, which has no WebSocket")
    else:
        context_of(socket).audit.note("program joins", client_of(socket), table=table.id)
        await join(socket, table.lobby)


def find_match(request: Request[Any, Any, Any]) -> MatchShow:
    """Return a table at which a referee plays, or answer 404."""
    table = context_of(request).refereed(request.path_params["table_id"])
    if table is None:
        raise not_here("there is no such table here")
    return table
