"""The arena in a browser as an ASGI application."""

from __future__ import annotations

import mimetypes
from pathlib import Path
from typing import TYPE_CHECKING

from litestar import Litestar
from litestar.datastructures import State
from litestar.plugins.jinja import JinjaTemplateEngine
from litestar.static_files import create_static_files_router
from litestar.template import TemplateConfig

from hinterland.web import api, exports, pages, refusals
from hinterland.web.arena import Arena
from hinterland.web.guards import GUARDS, add_headers

if TYPE_CHECKING:
    from hinterland.web.settings import Settings

__all__ = ["create_app"]

HERE = Path(__file__).parent


def create_app(settings: Settings) -> Litestar:
    """Make the application. Raises ArenaError where its folders cannot be used."""
    mimetypes.add_type("text/javascript", ".js")  # some systems say otherwise, and modules need it
    arena = Arena(settings)
    return Litestar(
        [
            *pages.HANDLERS,
            *api.HANDLERS,
            *exports.HANDLERS,
            create_static_files_router("/static", [HERE / "static"]),
        ],
        state=State({"arena": arena}),
        lifespan=[arena.running],
        guards=GUARDS,
        before_send=[add_headers],
        exception_handlers=refusals.HANDLERS,
        template_config=TemplateConfig(directory=HERE / "templates", engine=JinjaTemplateEngine),
        request_max_body_size=settings.limits.body_bytes,
        openapi_config=None,
        logging_config=None,
    )
