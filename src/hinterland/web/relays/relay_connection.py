"""The live connection of a browser to a relay: it watches, and cannot play."""

from __future__ import annotations

from hinterland.errors import IllegalMove
from hinterland.web.live.audience import Viewer
from hinterland.web.live.viewer_connection import POLICY, ConnectionEnd, ViewerConnection
from hinterland.web.live.viewer_messages import ViewerHello, ViewerMessage, ViewerPong
from hinterland.web.relays.relayed_game import RelayedGame

WATCH_ONLY = "this server only shows games; players connect to the arena itself"


class RelayConnection(ViewerConnection[RelayedGame]):
    """Shows a game, and refuses clients with a key."""

    async def _receive_hello(self) -> str | None:
        if await super()._receive_hello() is not None:
            raise ConnectionEnd(POLICY, WATCH_ONLY)
        return None

    def _encode_view(self, viewer: Viewer[RelayedGame]) -> bytes:
        return viewer.view.shown()

    async def _handle_message(self, viewer: Viewer[RelayedGame], message: ViewerMessage) -> None:  # noqa: ARG002
        match message:
            case ViewerHello(None) | ViewerPong():
                return
            case ViewerHello():
                raise ConnectionEnd(POLICY, WATCH_ONLY)
        raise IllegalMove("not_yours", "you are watching: only players can do that")
