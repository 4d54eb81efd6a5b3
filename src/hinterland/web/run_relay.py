"""Runs a relay: endpoints for viewers and monitors, and a server that stops within two seconds."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from litestar import Litestar, Request, Response, WebSocket, get, websocket

from hinterland import catalog
from hinterland.web.api.match_api import connect
from hinterland.web.app import plain_application
from hinterland.web.languages.seat_names import levels_of
from hinterland.web.operations import event_log
from hinterland.web.relays import exchange
from hinterland.web.relays.messages import GAMES, SHOWCASE, TABLES
from hinterland.web.relays.relay import Relay, relay_of
from hinterland.web.server import Server, address_of, listen
from hinterland.web.settings import RelaySettings


@websocket("/watch/games/{game_id:str}/live")
async def watch_relayed_game(socket: WebSocket[Any, Any, Any]) -> None:
    """Let a viewer watch a game."""
    await _watch(socket, f"{GAMES}/{socket.path_params['game_id']}")


@websocket("/watch/tables/{match_id:str}/live")
async def watch_relayed_match(socket: WebSocket[Any, Any, Any]) -> None:
    """Let a viewer watch a match, game after game."""
    await _watch(socket, f"{TABLES}/{socket.path_params['match_id']}")


@websocket("/watch/showcase/live")
async def watch_relayed_showcase(socket: WebSocket[Any, Any, Any]) -> None:
    """Let a viewer watch the match of the front page."""
    await _watch(socket, SHOWCASE)


async def _watch(socket: WebSocket[Any, Any, Any], address: str) -> None:
    relay = relay_of(socket)
    await connect(socket, watch_only=True).serve(lambda: relay.find(address))


@get("/healthz")
async def relay_health(request: Request[Any, Any, Any]) -> Response[dict[str, Any]]:
    """Return whether the relay is healthy; 503 with the reason if not."""
    relay = relay_of(request)
    status = {"ok": not relay.fault, "lag_ms": round(relay.lag.worst_s * 1000), "viewers": relay.viewers}
    return Response({**status, "reason": relay.fault}, status_code=503) if relay.fault else Response(status)


def create_relay(settings: RelaySettings) -> Litestar:
    """Make a relay. Raises BadText for an invalid Redis URL, ArenaError if the library is missing."""
    relay = Relay(settings)
    handlers = [watch_relayed_game, watch_relayed_match, watch_relayed_showcase, relay_health]
    return plain_application(relay, handlers, [relay.running])


def run_relay(settings: RelaySettings, announce: Callable[[str], object]) -> None:
    """Run a relay until it is interrupted. Raises ArenaError if the port or Redis cannot be used.

    ``announce`` gets a line for people with the address, once the relay is ready.
    """
    with contextlib.closing(listen(settings.host, settings.port)) as listener:
        exchange.check(settings.redis)
        for game in catalog.GAMES:
            levels_of(game)  # load the game before the first viewer needs it
        app = create_relay(settings)
        address = address_of(settings.host, listener.port)
        relay: Relay = app.state.context
        server = Server(app, settings, relay.stop, lambda: announce(f"The relay is ready at {address}"))
        if settings.log is not None:
            event_log.begin(settings.log)
        server.run(sockets=listener.sockets)
