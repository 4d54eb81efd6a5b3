"""An arena in one process, and an arena with a relay: whoever only watches must not notice which it is."""

import contextlib
import time

from litestar.testing import TestClient
from web_play import BASE, Viewer

from hinterland.web.run_relay import create_relay
from hinterland.web.settings import Limits, RelaySettings

PATIENCE_S = 30.0  # a late loop is remembered for ten


@contextlib.contextmanager
def relay_of(url, limits=None):
    """Open a relay in this process, and wait until it has heard of the arena."""
    with TestClient(create_relay(RelaySettings(redis=url, limits=limits or Limits())), base_url=BASE) as relay:
        until_well(relay)
        yield relay


def until_well(relay):
    end = time.monotonic() + PATIENCE_S
    while relay.get("/healthz").status_code != 200:
        assert time.monotonic() < end, relay.get("/healthz").text
        time.sleep(0.01)


class House:
    """An arena, and where its viewers connect who hold no key."""

    def __init__(self, arena, relay=None):
        self.arena = arena
        self.relay = relay

    def connect(self, path, key=None, **others):
        """Open a connection as pages do, and say nothing yet."""
        if key is None:
            return (self.relay or self.arena).websocket_connect(f"/watch{path}", **others)
        return self.arena.websocket_connect(path, **others)

    @contextlib.contextmanager
    def watching(self, name, key=None, room="games", **others):
        with self.connect(f"/{room}/{name}/live", key, **others) as socket:
            yield Viewer(socket, key)
