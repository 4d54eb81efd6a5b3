"""The endpoints of relays: live connections of viewers, and monitors."""

from __future__ import annotations

from typing import Any

from litestar import Request, Response, WebSocket, get, websocket

from hinterland.web.live.viewer_connection import ViewerConnection
from hinterland.web.relays.messages import GAMES, SHOWCASE, TABLES
from hinterland.web.relays.relay import relay_of


@websocket("/watch/games/{game_id:str}/live")
async def watch_relayed_game(socket: WebSocket[Any, Any, Any]) -> None:
    """Watch a game."""
    await _watch(socket, f"{GAMES}/{socket.path_params['game_id']}")


@websocket("/watch/tables/{match_id:str}/live")
async def watch_relayed_match(socket: WebSocket[Any, Any, Any]) -> None:
    """Watch a match, game after game."""
    await _watch(socket, f"{TABLES}/{socket.path_params['match_id']}")


@websocket("/watch/showcase/live")
async def watch_relayed_showcase(socket: WebSocket[Any, Any, Any]) -> None:
    """Watch the match of the front page."""
    await _watch(socket, SHOWCASE)


async def _watch(socket: WebSocket[Any, Any, Any], address: str) -> None:
    relay = relay_of(socket)
    connection = ViewerConnection(socket, relay, relay.settings.limits, watch_only=True)
    await connection.serve(lambda: relay.find(address))


@get("/healthz")
async def relay_health(request: Request[Any, Any, Any]) -> Response[dict[str, Any]]:
    """Return whether the relay is healthy; 503 with the reason if not."""
    relay = relay_of(request)
    status = {"ok": not relay.fault, "lag_ms": round(relay.lag.worst_s * 1000), "viewers": relay.viewers}
    return Response({**status, "reason": relay.fault}, status_code=503) if relay.fault else Response(status)
