"""Cancels work whose client has disconnected."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, TypeVar

from litestar.exceptions import HTTPException

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from litestar import Request

T = TypeVar("T")
CLIENT_GONE = 499
"""Status of the answer to a client that has disconnected; nobody sees it."""


async def cancel_on_disconnect(request: Request[Any, Any, Any], work: Coroutine[Any, Any, T]) -> T:
    """Return the result of ``work``, or cancel it if the client disconnects.

    Read the request's body before you call this: here all that the client still sends is dropped.
    """
    leaving = asyncio.ensure_future(_wait_for_disconnect(request))
    working: asyncio.Task[T] | None = None
    try:
        await asyncio.sleep(0)
        if not leaving.done():
            working = asyncio.ensure_future(work)
            await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if working is None or not working.done():
            raise HTTPException("who asked has gone", status_code=CLIENT_GONE)
        return working.result()
    finally:
        work.close() if working is None else working.cancel()
        leaving.cancel()


async def _wait_for_disconnect(request: Request[Any, Any, Any]) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
