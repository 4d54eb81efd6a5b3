"""Checks every request (origin, host name, rate), adds headers to every answer, and logs each refusal."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

from litestar.connection import ASGIConnection
from litestar.exceptions import HTTPException, NotFoundException

from hinterland.errors import quote
from hinterland.web.app_context import context_of
from hinterland.web.openness import LOCAL_NAMES, is_address, name_of, own_names
from hinterland.web.rates import share_of, widest_share_of

if TYPE_CHECKING:
    from litestar.handlers import BaseRouteHandler
    from litestar.types import Message, Scope

    from hinterland.web.rates import Rates

POLICY = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
]
FORWARDED = frozenset({"x-forwarded-for", "forwarded"})
ADMIN_COOKIE = "hinterland-admin"
REFUSALS = (403, 421, 429, 503)
HEALTH_PATHS = ("/healthz", "/readyz")
"""Paths of health checks: a 503 there is not logged as a refusal."""
CLOSE_CODE_STATUS = {1013: 503, 4500: 403}
"""HTTP statuses that correspond to close codes of WebSockets: 1013 is too much traffic, 4500 a refusal by a guard."""
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
MAX_NAME_BYTES = 255
"""Longest file name of common file systems."""


EMBED_HEADERS = [
    (name, value.replace(b"frame-ancestors 'none'", b"frame-ancestors *").replace(b"same-origin", b"cross-origin"))
    if name in (b"content-security-policy", b"cross-origin-resource-policy")
    else (name, value)
    for name, value in HEADERS
]
"""Headers of the page that other sites may embed."""
FILE_HEADERS = [(name, value) for name, value in HEADERS if name != b"cross-origin-opener-policy"]
"""Headers of files: as for pages, but without the policy on opened windows, since files open none."""
PART_HEADERS = [
    (name, value) for name, value in FILE_HEADERS if name not in (b"content-security-policy", b"referrer-policy")
]
"""Headers of modules and style sheets: as for files, but without the policies that their page sets."""
PART = re.compile(r"/static/.*(?:\.css|(?<!worker)\.js)")
NEEDS_NO_KERNELS = re.compile(
    r"/|/(?:static|play|rules|language|watch/games|watch/showcase)/.*|/(?:offline|admin|favicon\.ico|service-worker\.js)"
    r"|/manifest\.webmanifest|/(?:healthz|readyz|metrics)|/api/(?:catalogue|games)|(?:/api)?/games/[^./]+|/(?:games/[^/]+|showcase)/live"
)
"""Paths that are answered while kernels are being compiled.

Pages and connections of a game are among them: their handlers check whether the kernels of this game are ready.
"""
TRANSLATED_TYPES = (b"text/html", b"application/json", b"application/manifest+json")
"""Content types of answers that are in the reader's language."""


async def add_headers(message: Message, scope: Scope) -> None:
    """Add the arena's headers to an answer; unless the answer says otherwise, caches must revalidate it."""
    if message["type"] == "http.response.start":
        own = list(message["headers"])
        if all(name != b"cache-control" for name, _ in own):
            own.append((b"cache-control", b"no-cache"))
        if any(name == b"content-type" and value.startswith(TRANSLATED_TYPES) for name, value in own):
            own.append((b"vary", b"Accept-Language, Cookie"))
        message["headers"] = [*own, *_headers_of(scope["path"])]


def _headers_of(path: str) -> list[tuple[bytes, bytes]]:
    if PART.fullmatch(path):
        return PART_HEADERS
    room, slash, _ = path.removeprefix("/").partition("/")
    return {"embed/": EMBED_HEADERS, "static/": FILE_HEADERS}.get(room + slash, HEADERS)


async def check_path(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Answer 404 to a path with a NUL or too long a name: the operating system fails to open such a file."""
    path = connection.scope["path"]
    if "\0" in path or any(len(name.encode("utf-8", "replace")) > MAX_NAME_BYTES for name in path.split("/")):
        raise NotFoundException


async def check_host(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Refuse a request for a host name that is not this server's: a site may point its name here (DNS rebinding)."""
    settings = context_of(connection).settings
    openness, host = settings.openness, connection.headers.get("host", "")
    name = name_of(host)
    if openness.admin_token is None and not openness.trust_proxy and FORWARDED & set(connection.headers):
        raise HTTPException("this came through a proxy that is not trusted: see --trust-proxy", status_code=403)
    if name and name in (*LOCAL_NAMES, name_of(settings.host), *openness.names):
        return
    name = name or host
    if settings.is_loopback:
        raise HTTPException(f"this arena is reached as localhost only, not as {quote(name)}", status_code=421)
    if not (is_address(name) or name in own_names()):
        raise HTTPException(
            f"this arena is not reached as {quote(name)}; who runs it allows a name with --allow-host", status_code=421
        )


async def check_origin(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Refuse requests from pages of other sites. Programs send no origin and are let through."""
    origin = connection.headers.get("origin")
    if origin is None or connection.scope.get("method", "WEBSOCKET") in SAFE_METHODS:
        return
    host = connection.headers.get("host", "")
    if not context_of(connection).settings.openness.is_own_page(origin, host):
        raise HTTPException(
            f"pages from {quote(origin)} may not use this arena, which was asked as {quote(host)} (Host); a proxy"
            " passes Host on as the browser sent it, or the arena is started with --public-url",
            status_code=403,
        )


def check_admin(connection: ASGIConnection[Any, Any, Any, Any]) -> None:
    """Refuse a request without the admin token if the server has such a token."""
    if not is_admin(connection):
        raise HTTPException(
            "hosting needs the admin token: ask whoever runs this arena for the address that contains it",
            status_code=403,
        )


def is_admin(connection: ASGIConnection[Any, Any, Any, Any]) -> bool:
    """Say whether a request holds the admin token: as a bearer token, or in the cookie that ``/admin`` sets."""
    kind, _, bearer = connection.headers.get("authorization", "").partition(" ")
    token = bearer if kind.lower() == "bearer" else connection.cookies.get(ADMIN_COOKIE)
    return context_of(connection).settings.openness.is_admin(token)


async def check_rate(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Refuse a client that sends too many requests. Static files have a rate of their own: a page loads dozens."""
    context = context_of(connection)
    rates = context.files if _is_file(connection.scope["path"]) else context.requests
    limit_rate(connection, rates, "too many requests; slow down")


def _is_file(path: str) -> bool:
    return path.startswith("/static/") or path.endswith("/thumbnail.webp")


def client_of(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """Return what counts as one client: the address of a connection, or for IPv6 its /64."""
    return share_of(connection.client.host) if connection.client else "?"


def asker_of(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """Return what counts as one client in fair queues: the address, or for IPv6 the /48 of one customer."""
    return widest_share_of(connection.client.host) if connection.client else "?"


def limit_rate(connection: ASGIConnection[Any, Any, Any, Any], rates: Rates, message: str, tokens: float = 1) -> None:
    """Answer 429 to a client above its rate, with the time to wait, and close the connection.

    ``tokens``: the request's cost. To go on, the client needs a new connection, and new connections are limited per
    second.
    """
    if wait_s := rates.take(client_of(connection), tokens):
        headers = {"Retry-After": str(math.ceil(wait_s)), "Connection": "close"}
        raise HTTPException(message, status_code=429, headers=headers)


async def check_preparation(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Answer 503, with the progress, while kernels that a request may need are being compiled."""
    if not NEEDS_NO_KERNELS.fullmatch(connection.scope["path"]):
        context_of(connection).preparation.require()


async def note_refusal(message: Message, scope: Scope) -> None:
    """Count and log an answer if it is a refusal."""
    status = _status(message)
    if status in REFUSALS and scope["path"] not in HEALTH_PATHS:
        connection: ASGIConnection[Any, Any, Any, Any] = ASGIConnection(scope)
        context = context_of(connection)
        context.refusals[status] += 1
        asked = {"method": scope.get("method", "WEBSOCKET"), "path": scope["path"]}
        context.audit.note(f"refused with {status}", client_of(connection), **asked)


def _status(message: Any) -> int:
    if message["type"] == "http.response.start":
        return int(message["status"])
    if message["type"] == "websocket.close":
        return CLOSE_CODE_STATUS.get(message["code"], 0)
    return 0


GUARDS = [check_path, check_host, check_origin, check_rate, check_preparation]
