"""The choice of language: a form without a script, and a cookie."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from litestar import Request, post
from litestar.response import Redirect

from hinterland.errors import UnknownName
from hinterland.web.app_context import context_of, cookie_for
from hinterland.web.languages.catalogue import languages
from hinterland.web.languages.reader import COOKIE

COOKIE_S = 365 * 86_400


@post("/language/{code:str}")
async def choose_language(request: Request[Any, Any, Any]) -> Redirect:
    """Store the choice, and return to the page it was made on."""
    code = request.path_params["code"]
    if code not in languages():
        raise UnknownName("language", code, languages())
    cookie = cookie_for(request, COOKIE, code, COOKIE_S)
    return Redirect(_page_before(request), status_code=303, cookies=[cookie])


def _page_before(request: Request[Any, Any, Any]) -> str:
    """Return our page that the request came from; the front page if unknown."""
    before, openness = urlsplit(request.headers.get("referer", "")), context_of(request).settings.openness
    if not openness.is_own_page(f"{before.scheme}://{before.netloc}", request.headers.get("host", "")):
        return "/"
    path = before.path.removeprefix(openness.base)
    return f"/{path.lstrip('/')}" + (f"?{before.query}" if before.query else "")
