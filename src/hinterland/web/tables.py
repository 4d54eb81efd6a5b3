"""Pages and connections of the tables at which referees play: the same for the arena and for a referee's own show."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Request, Response, WebSocket, get, websocket
from litestar.response import Template

from hinterland.web.board_drawings import drawing_response
from hinterland.web.join import join, send_away
from hinterland.web.live import Live
from hinterland.web.refereed import RefereedTable
from hinterland.web.refusals import not_here
from hinterland.web.snapshot import snapshot
from hinterland.web.venue import Venue, venue_of

__all__ = ["HANDLERS", "match_page"]


@get("/tables/{table_id:str}")
async def show_table(request: Request[Any, Any, Any]) -> Template:
    """Show a match live."""
    return match_page(venue_of(request), _table(request))


@get("/api/tables/{table_id:str}")
async def get_table(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Show a match as it is now, to programs."""
    return Response(msgspec.json.encode(snapshot(_table(request), plays=False)), media_type="application/json")


@get("/tables/{table_id:str}/drawing-data")
async def get_drawing_data(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Tell a page what it needs to draw the board."""
    return await drawing_response(_table(request).drawing)


@websocket("/tables/{table_id:str}/live")
async def watch_table(socket: WebSocket[Any, Any, Any]) -> None:
    """Watch a match, game after game."""
    venue = venue_of(socket)

    async def find() -> RefereedTable | None:
        return venue.refereed(socket.path_params["table_id"])

    await Live(socket, venue.crowd, venue.settings.limits).serve(find)


@websocket("/tables/{table_id:str}/join")
async def join_table(socket: WebSocket[Any, Any, Any]) -> None:
    """Let a program play, in protocol json."""
    table = venue_of(socket).refereed(socket.path_params["table_id"])
    if table is None:
        await send_away(socket, "there is no such table here")
    elif table.is_over or table.lobby is None:
        await send_away(socket, "the match at this table is over")
    elif table.plan.protocol != "json":
        await send_away(socket, f"this table plays protocol {table.plan.protocol}, which has no WebSocket")
    else:
        await join(socket, table.lobby)


def match_page(venue: Venue, table: RefereedTable) -> Template:
    """Return the page of a match."""
    kind = table.plan.terms.kind
    data = {"game": kind.name, "id": table.id, "title": kind.title}
    return Template("match.html", context={**data, "page_data": data, "in_arena": venue.makes_tables})


def _table(request: Request[Any, Any, Any]) -> RefereedTable:
    """Return the table of an address, or answer 404."""
    table = venue_of(request).refereed(request.path_params["table_id"])
    if table is None:
        raise not_here("there is no such table here")
    return table


HANDLERS = [show_table, get_table, get_drawing_data, watch_table, join_table]
