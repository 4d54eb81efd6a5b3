"""Who is let in: no page of a foreign site, no foreign name for this machine, nobody too often; and headers for all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from litestar.exceptions import HTTPException

from hinterland.errors import shown
from hinterland.web.refusals import too_often
from hinterland.web.venue import venue_of

if TYPE_CHECKING:
    from litestar.connection import ASGIConnection
    from litestar.handlers import BaseRouteHandler
    from litestar.types import Message, Scope

__all__ = ["GUARDS", "add_headers"]

POLICY = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
ENCODED = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
LOCAL_NAMES = ("localhost", "127.0.0.1", "[::1]")
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


async def add_headers(message: Message, _: Scope) -> None:
    """Put the house's headers on every answer; nothing may be kept without asking again."""
    if message["type"] == "http.response.start":
        own = list(message["headers"])
        if all(name != b"cache-control" for name, _ in own):
            own.append((b"cache-control", b"no-cache"))
        message["headers"] = [*own, *ENCODED]


def client_of(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """Name the machine that a connection comes from."""
    return connection.client.host if connection.client else "?"


def check_host(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Refuse a name that is not this machine's own: a foreign site may have pointed its name here (DNS rebinding)."""
    settings = venue_of(connection).settings
    name = _without_port(connection.headers.get("host", ""))
    if settings.is_loopback and name not in (*LOCAL_NAMES, settings.host):
        raise HTTPException(f"this arena is reached as localhost only, not as {shown(name)}", status_code=421)


def check_origin(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Refuse pages of other sites; programs, which name no origin, are welcome."""
    origin = connection.headers.get("origin")
    method = str(connection.scope.get("method", "WEBSOCKET"))
    if origin is None or method in SAFE_METHODS:
        return
    if _authority(origin) != connection.headers.get("host", "").lower():
        raise HTTPException(f"pages from {shown(origin)} may not use this arena", status_code=403)


def check_rate(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Refuse who asks too often. Static files cost little and come by the dozen: they are not counted."""
    if connection.scope["path"].startswith("/static/"):
        return
    if wait_s := venue_of(connection).requests.take(client_of(connection)):
        raise too_often("too many requests; slow down", wait_s)


GUARDS = [check_host, check_origin, check_rate]


def _without_port(host: str) -> str:
    name, colon, port = host.lower().rpartition(":")
    return name if colon and port.isdigit() else host.lower()


def _authority(origin: str) -> str:
    """Return host and port of an origin, as a Host header has them."""
    try:
        parts = urlsplit(origin.lower())
        if parts.scheme not in ("http", "https"):
            return ""
        default = {"http": ":80", "https": ":443"}[parts.scheme]
        return parts.netloc.removesuffix(default)
    except ValueError:
        return ""
