"""The live connection of a browser to a game of this process: it watches, and plays with its key."""

from __future__ import annotations

import msgspec

from hinterland.web.live.audience import Viewer
from hinterland.web.live.game_view import GameView
from hinterland.web.live.snapshot import snapshot, translate_snapshot
from hinterland.web.live.viewer_connection import ViewerConnection
from hinterland.web.live.viewer_messages import (
    ViewerHello,
    ViewerMessage,
    ViewerMove,
    ViewerResign,
    ViewerRest,
    ViewerUndo,
    ViewerWish,
)


class GameConnection(ViewerConnection[GameView]):
    """Shows a game, and passes on the moves and wishes of its players."""

    def _encode_view(self, viewer: Viewer[GameView]) -> bytes:
        return msgspec.json.encode(translate_snapshot(snapshot(viewer.view, viewer.key)))

    async def _handle_message(self, viewer: Viewer[GameView], message: ViewerMessage) -> None:
        view, key = viewer.view, viewer.key
        match message:
            case ViewerHello(new_key) if new_key != key:  # it has taken a seat, or given one up
                viewer.key = new_key
                self._protect(viewer)
                await view.arrive(new_key)
                view.leave(key)
                viewer.wake()
            case ViewerMove(ply, move):
                await view.move(key, ply, move)
            case ViewerUndo():
                await view.undo(key)
            case ViewerResign():
                await view.resign(key)
            case ViewerWish(matter, yes):
                await view.wish(key, matter, yes=yes)
            case ViewerRest(on):
                view.rest(key, on=on)
