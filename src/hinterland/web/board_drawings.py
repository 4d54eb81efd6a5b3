"""Drawing data: what a page needs, besides the rules, to draw a board. The data are computed on the first request."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import msgspec

from hinterland.contract import Game, Rules

Draw = Callable[[Callable[[Game, Rules], bytes], Game, Rules], Awaitable[bytes]]
"""A function that calls its first argument with a game and rules, on a thread or in a process.

The call may take seconds.
"""


class BoardDrawing:
    """The drawing data of one board, as JSON. Call the methods only in one event loop."""

    def __init__(self, kind: Game, rules: Rules, url: str) -> None:
        self.url = url
        """Address of the data."""
        self._what = (kind, rules)
        self._drawing: asyncio.Future[bytes] | None = None

    async def encoded(self, draw: Draw) -> bytes:
        """Return the data as JSON. The first call computes the data; all later calls wait for the first."""
        if self._drawing is None or (self._drawing.done() and self._drawing.exception() is not None):
            self._drawing = asyncio.ensure_future(draw(encode_drawing_data, *self._what))
        return await asyncio.shield(self._drawing)


def encode_drawing_data(kind: Game, rules: Rules) -> bytes:
    """Return the drawing data of a board as JSON; ``null`` if its game has none."""
    return msgspec.json.encode(None if kind.page.drawing_data is None else kind.page.drawing_data(rules))


def make_board_drawing(kind: Game, rules: Rules, address: str) -> BoardDrawing | None:
    """Return the drawing data of the game or match at an address; None if its game has none."""
    return None if kind.page.drawing_data is None else BoardDrawing(kind, rules, f"{address}/drawing-data")
