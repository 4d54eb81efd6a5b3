"""Runs a relay: takes the port, serves, and stops within two seconds."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from litestar import Litestar

from hinterland import catalog
from hinterland.web.app import handlers_of, plain_application
from hinterland.web.languages.seat_names import levels_of
from hinterland.web.operations import event_log
from hinterland.web.relays import exchange, relay_api
from hinterland.web.relays.relay import Relay
from hinterland.web.server import Server, address_of, listen
from hinterland.web.settings import RelaySettings


def create_relay(settings: RelaySettings) -> Litestar:
    """Make a relay. Raises BadText for an invalid Redis URL, ArenaError if the library is missing."""
    relay = Relay(settings)
    return plain_application(relay, handlers_of(relay_api), [relay.running])


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
