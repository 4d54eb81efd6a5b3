"""What a page needs to draw a board beyond its rules: made once a board, on a thread, when the first page asks."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec
from litestar import Response

from hinterland.web.refusals import not_here

if TYPE_CHECKING:
    from hinterland.contract import Game, Rules

__all__ = ["BoardDrawing", "drawing_of", "drawing_response", "encoded_drawing_data"]


class BoardDrawing:
    """The drawing data of one board, as JSON. It belongs to one event loop."""

    def __init__(self, kind: Game, rules: Rules, url: str) -> None:
        self.url = url
        """Where pages get it."""
        self._kind = kind
        self._rules = rules
        self._drawing: asyncio.Future[bytes] | None = None

    async def encoded(self) -> bytes:
        """Return it; all who ask wait for the same thread."""
        if self._drawing is None or (self._drawing.done() and self._drawing.exception() is not None):
            self._drawing = asyncio.ensure_future(asyncio.to_thread(encoded_drawing_data, self._kind, self._rules))
        return await asyncio.shield(self._drawing)


def encoded_drawing_data(kind: Game, rules: Rules) -> bytes:
    """Return the drawing data of a board, null where its game has none."""
    return msgspec.json.encode(None if kind.drawing_data is None else kind.drawing_data(rules))


def drawing_of(kind: Game, rules: Rules, address: str) -> BoardDrawing | None:
    """Return the drawing data of a game or table at an address, None where there is nothing beyond the rules."""
    return None if kind.drawing_data is None else BoardDrawing(kind, rules, f"{address}/drawing-data")


async def drawing_response(drawing: BoardDrawing | None) -> Response[bytes]:
    """Answer with the drawing data of a board, or 404."""
    if drawing is None:
        raise not_here("the rules of this game are all there is to draw its board")
    return Response(await drawing.encoded(), media_type="application/json")
