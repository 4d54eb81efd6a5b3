"""The arena in a browser, and a referee's show, as ASGI applications."""

from __future__ import annotations

import mimetypes
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from litestar import Litestar, get
from litestar.datastructures import State
from litestar.handlers import BaseRouteHandler
from litestar.plugins.jinja import JinjaTemplateEngine
from litestar.static_files import create_static_files_router
from litestar.template import TemplateConfig

from hinterland.contest.report import report_page
from hinterland.web import http_errors
from hinterland.web.api import exports, game_api, hosting_api, match_api, reviewing
from hinterland.web.app_context import AppContext
from hinterland.web.arena import Arena
from hinterland.web.guards import GUARDS, add_headers
from hinterland.web.operations import health_api
from hinterland.web.operations.refusals import note_refusal
from hinterland.web.pages import atlas_pages, contest_pages, game_pages, match_pages
from hinterland.web.settings import Settings

HERE = Path(__file__).parent


@get("/favicon.ico", media_type="image/svg+xml")
async def favicon() -> bytes:
    """Give the icon to those who do not look at the page for it."""
    return (HERE / "static" / "favicon.svg").read_bytes()


def create_app(settings: Settings) -> Litestar:
    """Make the arena. Raises ArenaError where its folders cannot be used."""
    arena = Arena(settings)
    pages = (game_pages, atlas_pages, contest_pages)
    handlers = handlers_of(*pages, game_api, exports, reviewing, hosting_api, health_api)
    return application(arena, handlers, lifespan=[arena.running], arena=arena)


def application(context: AppContext, handlers: list[Any], lifespan: Sequence[Any] = (), **state: object) -> Litestar:
    """Make an application: the handlers, the tables at which referees play, and what all servers have in common."""
    mimetypes.add_type("text/javascript", ".js")  # some systems say otherwise, and modules need it
    folders: list[Any] = [HERE / "templates", report_page.TEMPLATES]
    static = create_static_files_router("/static", [HERE / "static", report_page.STATIC])
    return Litestar(
        [*handlers, *handlers_of(match_pages, match_api), favicon, static],
        state=State({"context": context, **state}),
        lifespan=list(lifespan),
        guards=GUARDS,
        before_send=[add_headers, note_refusal],
        exception_handlers=http_errors.HANDLERS,
        template_config=TemplateConfig(directory=folders, engine=JinjaTemplateEngine),
        request_max_body_size=context.settings.limits.body_bytes,
        openapi_config=None,
        logging_config=None,
    )


def handlers_of(*modules: ModuleType) -> list[Any]:
    """Return all that answers an address in some modules."""
    return [value for module in modules for value in vars(module).values() if isinstance(value, BaseRouteHandler)]
