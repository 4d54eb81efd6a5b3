"""The files with which a browser installs the arena as an application, and its offline page."""

from __future__ import annotations

from functools import partial
from typing import Any

from litestar import Request, Response, get
from litestar.response import Template

from hinterland.web.app_context import context_of
from hinterland.web.languages.reader import gettext as _
from hinterland.web.languages.reader import language
from hinterland.web.pages.static_files import static_files

SIZES = (192, 512)


@get("/manifest.webmanifest", media_type="application/manifest+json")
async def manifest(request: Request[Any, Any, Any]) -> dict[str, Any]:
    """Describe the arena as an application (W3C, Web Application Manifest)."""
    base = context_of(request).settings.openness.base
    url = partial(static_files().url, base=base)
    icons = [{"src": url(f"icons/{size}.png"), "sizes": f"{size}x{size}", "type": "image/png"} for size in SIZES]
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
    """Return the service worker from the root, so that it covers all pages."""
    file = static_files().find("service-worker.js")
    assert file is not None
    return Response(file.content, media_type=file.media_type, headers={"Cache-Control": "no-cache"})


@get("/offline")
async def offline() -> Template:
    """Show the offline page, which browsers cache."""
    return Template("offline.html")
