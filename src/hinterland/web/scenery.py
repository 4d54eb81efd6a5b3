"""What a page needs to draw a board beyond its rules: made once a board, on a thread, when the first page asks."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec
from litestar import Response

from hinterland.web.refusals import not_here

if TYPE_CHECKING:
    from hinterland.contract import Game, Rules

__all__ = ["Scenery", "draw_scenery", "scenery_of", "scenery_response"]


class Scenery:
    """The scenery of one board, as JSON. It belongs to one event loop."""

    def __init__(self, kind: Game, rules: Rules, url: str) -> None:
        self.url = url
        """Where pages get it."""
        self._kind = kind
        self._rules = rules
        self._drawing: asyncio.Future[bytes] | None = None

    async def encoded(self) -> bytes:
        """Return it; all who ask wait for the same thread."""
        if self._drawing is None or (self._drawing.done() and self._drawing.exception() is not None):
            self._drawing = asyncio.ensure_future(asyncio.to_thread(draw_scenery, self._kind, self._rules))
        return await asyncio.shield(self._drawing)


def draw_scenery(kind: Game, rules: Rules) -> bytes:
    """Return the scenery of a board, null where its game has none."""
    return msgspec.json.encode(None if kind.scenery is None else kind.scenery(rules))


def scenery_of(kind: Game, rules: Rules, address: str) -> Scenery | None:
    """Return the scenery of a game or table at an address, None where there is nothing beyond the rules."""
    return None if kind.scenery is None else Scenery(kind, rules, f"{address}/scenery")


async def scenery_response(scenery: Scenery | None) -> Response[bytes]:
    """Answer with a scenery, or 404."""
    if scenery is None:
        raise not_here("the rules of this game are all there is to draw its board")
    return Response(await scenery.encoded(), media_type="application/json")
