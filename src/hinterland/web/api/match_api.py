"""Hosted matches in JSON, and live connections to them.

The arena and a referee's own page both have these endpoints; ``hosting_api`` has those that only the arena has.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from litestar import MediaType, Request, WebSocket, get, websocket

from hinterland.web.app_context import context_of
from hinterland.web.connections import keep
from hinterland.web.guards import asker_of, client_of
from hinterland.web.http_errors import not_here
from hinterland.web.live.viewer_connection import ViewerConnection
from hinterland.web.matches.join import join, send_away

if TYPE_CHECKING:
    from hinterland.host.lobby import Lobby
    from hinterland.web.live.game_view import GameView
    from hinterland.web.matches.match_show import MatchShow

NO_MATCH = "this invitation has expired; finished games are under Watch"


@get("/api/tables/{match_id:str}", media_type=MediaType.JSON)
async def get_match(request: Request[Any, Any, Any]) -> bytes:
    """Return the current state of a match, for programs."""
    return find_match(request).encode_for(None)


@get("/tables/{match_id:str}/drawing-data", media_type=MediaType.JSON)
async def get_match_drawing_data(request: Request[Any, Any, Any]) -> bytes:
    """Return the data that a page needs to draw the board."""
    return await find_drawing_data(request, find_match(request))


@websocket(["/tables/{match_id:str}/live", "/watch/tables/{match_id:str}/live"])
async def watch_match(socket: WebSocket[Any, Any, Any]) -> None:
    """Let a viewer watch a match, game after game."""
    context = context_of(socket)

    async def find() -> MatchShow | None:
        return context.find_match_show(socket.path_params["match_id"])

    await connect(socket).serve(find)


@websocket("/tables/{match_id:str}/join")
async def join_match(socket: WebSocket[Any, Any, Any]) -> None:
    """Let a program join a match and play, in protocol json."""
    match_id = socket.path_params["match_id"]
    show = context_of(socket).find_match_show(match_id)
    admission = _find_admission(show)
    if isinstance(admission, str):
        context_of(socket).audit.note("program refused", client_of(socket), table=match_id, detail=admission)
        await send_away(socket, admission)
    else:
        keep(socket.scope)  # even before the program introduces itself: the lobby limits the number of such programs
        await join(socket, admission)


def _find_admission(show: MatchShow | None) -> Lobby | str:
    """Return the lobby through which a program joins over a WebSocket, or the reason why none can."""
    if show is None:
        return "there is no such match here"
    if show.is_over or show.lobby is None:
        return "this match is over"
    if show.plan.protocol != "json":
        return f"this match uses protocol {show.plan.protocol}, which has no WebSocket"
    return show.lobby


async def find_drawing_data(request: Request[Any, Any, Any], view: GameView) -> bytes:
    """Return the drawing data of the board in ``view``, or answer 404 if the board needs none."""
    if view.drawing is None:
        raise not_here("the board of this game needs no data but its rules")
    return await view.drawing.encoded(partial(context_of(request).draw, asker_of(request)))


def connect(socket: WebSocket[Any, Any, Any], *, watch_only: bool = False) -> ViewerConnection:
    """Return the live connection of a viewer. ``watch_only``: whether clients with a key are refused."""
    context = context_of(socket)
    limits = context.settings.limits
    return ViewerConnection(socket, asker_of(socket), context.places, limits, watch_only=watch_only)


def match_link(request: Request[Any, Any, Any]) -> str:
    """Return the whole public address of the page of the requested match."""
    public = context_of(request).settings.openness.public_url
    return f"{public or str(request.base_url).rstrip('/')}/tables/{request.path_params['match_id']}"


def find_match(request: Request[Any, Any, Any]) -> MatchShow:
    """Return the live view of the match that the URL names, or answer 404."""
    show = context_of(request).find_match_show(request.path_params["match_id"])
    if show is None:
        raise not_here(NO_MATCH)
    return show
