"""Pages and files for what a browser stores: the language, the arena as an application, the offline page."""

from __future__ import annotations

from functools import partial
from typing import Any
from urllib.parse import urlsplit

from litestar import Request, Response, get, post
from litestar.response import Redirect, Template

from hinterland.errors import UnknownName
from hinterland.web.app_context import context_of, cookie_for
from hinterland.web.languages.catalogue import languages
from hinterland.web.languages.reader import COOKIE, language
from hinterland.web.languages.reader import gettext as _
from hinterland.web.pages.static_files import static_files

COOKIE_S = 365 * 86_400
ICON_SIZES = (192, 512)


@get("/manifest.webmanifest", media_type="application/manifest+json")
async def manifest(request: Request[Any, Any, Any]) -> dict[str, Any]:
    """Describe the arena as an application (W3C, Web Application Manifest)."""
    base = context_of(request).settings.openness.base
    url = partial(static_files().url, base=base)
    icons = [{"src": url(f"icons/{size}.png"), "sizes": f"{size}x{size}", "type": "image/png"} for size in ICON_SIZES]
    return {
        "name": "Hinterland",
        "short_name": "Hinterland",
        "description": _("Games of territory, played by people and by programs."),
        "lang": language().tag,
        "start_url": f"{base}/",
        "display": "standalone",
        "background_color": "#ffffff",
        "theme_color": "#ffffff",
        "icons": [*icons, {**icons[-1], "src": url("icons/maskable.png"), "purpose": "maskable"}],
    }


@get("/service-worker.js")
async def service_worker() -> Response[bytes]:
    """Return the service worker. Its address is at the root of the site, so it can serve all pages."""
    file = static_files().find("service-worker.js")
    assert file is not None
    return Response(file.content, media_type=file.media_type, headers={"Cache-Control": "no-cache"})


@get("/offline")
async def offline() -> Template:
    """Show the offline page, which browsers cache."""
    return Template("offline.html")


@post("/language/{code:str}")
async def choose_language(request: Request[Any, Any, Any]) -> Redirect:
    """Store the reader's language, and return to the page on which it was chosen."""
    code = request.path_params["code"]
    if code not in languages():
        raise UnknownName("language", code, languages())
    cookie = cookie_for(request, COOKIE, code, COOKIE_S)
    return Redirect(_page_before(request), status_code=303, cookies=[cookie])


def _page_before(request: Request[Any, Any, Any]) -> str:
    """Return the path of the page from which a request came; if that is unknown, the path of the front page."""
    before, openness = urlsplit(request.headers.get("referer", "")), context_of(request).settings.openness
    if not openness.is_own_page(f"{before.scheme}://{before.netloc}", request.headers.get("host", "")):
        return "/"
    path = before.path.removeprefix(openness.base)
    return f"/{path.lstrip('/')}" + (f"?{before.query}" if before.query else "")
