"""Counts and logs refusals: by the status of an answer, or the code that closes a WebSocket."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from litestar.connection import ASGIConnection

from hinterland.web.app_context import AppContext
from hinterland.web.guards import client_of

if TYPE_CHECKING:
    from litestar.types import Message, Scope

REFUSALS = (403, 421, 429, 503)
HEALTH_PATHS = ("/healthz", "/readyz")
"""Health checks: their 503 is no refusal."""
CLOSE_CODE_STATUS = {1013: 503, 4500: 403}
"""Statuses of WebSocket close codes: 1013 for too much traffic, 4500 for a guard's 403."""


async def note_refusal(message: Message, scope: Scope) -> None:
    """Note an answer if it is a refusal."""
    status = _status(message)
    if status in REFUSALS and scope["path"] not in HEALTH_PATHS:
        context: AppContext = scope["litestar_app"].state.context
        context.refusals[status] += 1
        connection: ASGIConnection[Any, Any, Any, Any] = ASGIConnection(scope)
        asked = {"method": scope.get("method", "WEBSOCKET"), "path": scope["path"]}
        context.audit.note(f"refused with {status}", client_of(connection), **asked)


def _status(message: Any) -> int:
    if message["type"] == "http.response.start":
        return int(message["status"])
    if message["type"] == "websocket.close":
        return CLOSE_CODE_STATUS.get(message["code"], 0)
    return 0
