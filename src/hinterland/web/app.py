"""The arena in a browser, and a referee's show, as ASGI applications."""

from __future__ import annotations

import mimetypes
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litestar import Litestar, Response, get
from litestar.datastructures import State
from litestar.plugins.jinja import JinjaTemplateEngine
from litestar.static_files import create_static_files_router
from litestar.template import TemplateConfig

from hinterland.web import api, atlas_pages, exports, hosting_pages, pages, refusals, reviewing, tables
from hinterland.web.arena import Arena
from hinterland.web.guards import GUARDS, add_headers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hinterland.web.settings import Settings
    from hinterland.web.venue import Venue

__all__ = ["application", "create_app"]

HERE = Path(__file__).parent


@get("/favicon.ico")
async def favicon() -> Response[bytes]:
    """Give the icon to those who do not look at the page for it."""
    return Response((HERE / "static" / "favicon.svg").read_bytes(), media_type="image/svg+xml")


def create_app(settings: Settings) -> Litestar:
    """Make the arena. Raises ArenaError where its folders cannot be used."""
    arena = Arena(settings)
    parts = (pages, atlas_pages, api, exports, reviewing, tables, hosting_pages)
    handlers = [handler for part in parts for handler in part.HANDLERS]
    return application(arena, handlers, lifespan=[arena.running], arena=arena)


def application(venue: Venue, handlers: Sequence[Any], lifespan: Sequence[Any] = (), **state: object) -> Litestar:
    """Make an application: the handlers, and what all of the house's servers have in common."""
    mimetypes.add_type("text/javascript", ".js")  # some systems say otherwise, and modules need it
    return Litestar(
        [*handlers, favicon, create_static_files_router("/static", [HERE / "static"])],
        state=State({"venue": venue, **state}),
        lifespan=list(lifespan),
        guards=GUARDS,
        before_send=[add_headers],
        exception_handlers=refusals.HANDLERS,
        template_config=TemplateConfig(directory=HERE / "templates", engine=JinjaTemplateEngine),
        request_max_body_size=venue.settings.limits.body_bytes,
        openapi_config=None,
        logging_config=None,
    )
