"""Recognises browsers by a cookie, so that readers find their own games. The cookie does not allow moves."""

from __future__ import annotations

import re
import secrets
from typing import Any

import msgspec
from litestar import Request
from litestar.datastructures import Cookie

from hinterland.storage.game_setup import hash_key
from hinterland.web.app_context import cookie_for

GUEST_COOKIE = "hinterland-guest"
TOKEN = re.compile(r"[A-Za-z0-9_-]{32}")
YEAR_S = 365 * 24 * 3600


class Guest(msgspec.Struct, frozen=True):
    """A browser."""

    digest: str
    """Digest of the browser's cookie; the server does not keep the cookie itself."""
    cookie: Cookie
    """Cookie to send to the browser, valid for a year."""


def guest_of(request: Request[Any, Any, Any]) -> Guest:
    """Return the browser that sent a request. If the request has no cookie, make one."""
    token = _token(request) or secrets.token_urlsafe(24)
    return Guest(hash_key(token), cookie_for(request, GUEST_COOKIE, token, YEAR_S))


def known_guest(request: Request[Any, Any, Any]) -> str | None:
    """Return the digest of the cookie of a browser that has played here, or None."""
    token = _token(request)
    return None if token is None else hash_key(token)


def _token(request: Request[Any, Any, Any]) -> str | None:
    token = request.cookies.get(GUEST_COOKIE, "")
    return token if TOKEN.fullmatch(token) else None
