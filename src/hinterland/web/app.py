"""Makes the ASGI applications of the arena and of a referee's page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from jinja2 import ChoiceLoader, DictLoader
from litestar import Litestar, get
from litestar.config.compression import CompressionConfig
from litestar.datastructures import State
from litestar.handlers import BaseRouteHandler
from litestar.plugins.jinja import JinjaTemplateEngine
from litestar.template import TemplateConfig

from hinterland import catalog
from hinterland.contest.report import report_page
from hinterland.errors import BadText
from hinterland.host.preparation import Preparation
from hinterland.prints.films import SIZES
from hinterland.prints.poster import PAPERS
from hinterland.web import http_errors
from hinterland.web.api import (
    challenge_api,
    exports,
    game_api,
    health_api,
    hosting_api,
    match_api,
    notes_api,
    puzzle_api,
    reviewing,
    study_api,
)
from hinterland.web.api.find_games import find_shown
from hinterland.web.app_context import AppContext
from hinterland.web.arena import Arena
from hinterland.web.guards import GUARDS, add_headers, note_refusal
from hinterland.web.languages import reader
from hinterland.web.lists import game_list_pages, ladder_pages, thumbnails
from hinterland.web.pages import (
    atlas_pages,
    browser_settings,
    contest_pages,
    game_pages,
    match_pages,
    puzzle_pages,
)
from hinterland.web.pages.static_files import static_file, static_files
from hinterland.web.relays.game_feeds import GameFeeds
from hinterland.web.settings import Settings

HERE = Path(__file__).parent
COMPRESSED_PATHS = [r"^/static/", r"\.(?:png|gif|webp|mp4)$"]
"""Patterns of paths whose answers are not compressed again, since the files are compressed."""


@get("/favicon.ico", media_type="image/svg+xml")
async def favicon() -> bytes:
    """Return the icon at /favicon.ico, which browsers request unasked."""
    return (HERE / "static" / "favicon.svg").read_bytes()


def handlers_of(*modules: ModuleType) -> list[Any]:
    """Return all route handlers that are defined in some modules."""
    return [value for module in modules for value in vars(module).values() if isinstance(value, BaseRouteHandler)]


COMMON_HANDLERS = [*handlers_of(match_pages, match_api), favicon, static_file]
"""Handlers that every server with pages has: those for hosted matches, the icon and static files."""


def create_app(settings: Settings, preparation: Preparation | None = None) -> Litestar:
    """Make the arena's application. ``preparation``: kernels to compile after the start; None: none.

    Raises ArenaError if a folder of the arena cannot be used, BadText if the URL of Redis is invalid.
    """
    pages = (game_pages, game_list_pages, ladder_pages, atlas_pages, contest_pages, puzzle_pages)
    games = (game_api, thumbnails, exports, reviewing, study_api, notes_api, puzzle_api)
    around = (browser_settings, hosting_api, challenge_api, health_api)
    handlers = handlers_of(*pages, *games, *around)
    _check_base(settings.openness.base, [*handlers, *COMMON_HANDLERS])
    arena = Arena(settings, preparation)
    if settings.redis is not None:
        arena.feeds = GameFeeds(settings.redis, partial(find_shown, arena))
    return application(arena, handlers, lifespan=[arena.running], arena=arena)


def application(context: AppContext, handlers: list[Any], lifespan: Sequence[Any] = (), **state: object) -> Litestar:
    """Make an application with ``handlers`` and ``COMMON_HANDLERS``."""
    return plain_application(context, [*handlers, *COMMON_HANDLERS], lifespan, **state)


def _check_base(base: str, handlers: list[BaseRouteHandler]) -> None:
    """Raise BadText if the base path begins like an address of the arena: the two could not be told apart."""
    own = {path.strip("/").partition("/")[0] for handler in handlers for path in handler.paths}
    if base and base.split("/")[1] in own:
        raise BadText(f"--public-url cannot end in {base}: the arena has pages of its own there; choose another path")


def plain_application(
    context: AppContext, handlers: list[Any], lifespan: Sequence[Any] = (), **state: object
) -> Litestar:  # fmt: skip
    """Make an application with ``handlers``, and the guards, languages, error pages and templates of all servers."""
    folders: list[Any] = [HERE / "templates", report_page.TEMPLATES]
    base = context.settings.openness.base
    furnish = partial(_set_up_templates, base)
    return Litestar(
        handlers,
        state=State({"context": context, **state}),
        lifespan=list(lifespan),
        guards=GUARDS,
        middleware=[reader.with_language],
        before_send=[add_headers, note_refusal],
        exception_handlers=http_errors.HANDLERS,
        template_config=TemplateConfig(directory=folders, engine=JinjaTemplateEngine, engine_callback=furnish),
        compression_config=CompressionConfig(backend="gzip", gzip_compress_level=5, exclude=COMPRESSED_PATHS),
        request_max_body_size=context.settings.limits.body_bytes,
        openapi_config=None,
        logging_config=None,
    )


def _set_up_templates(base: str, engine: JinjaTemplateEngine) -> None:
    """Give templates what they use: translations, links to styles and scripts, templates of games, sizes of prints."""
    reader.add_translations(engine.engine)
    engine.engine.policies["json.dumps_kwargs"] = {"sort_keys": True, "ensure_ascii": False}  # fewer bytes than escapes
    files = static_files()
    engine.engine.globals.update(
        base=base, styles=partial(files.styles, base=base), scripts=partial(files.script, base=base),
        static_url=partial(files.url, base=base), game_sheets=files.game_sheets, game_modules=files.game_modules,
    )  # fmt: skip
    pages = {
        f"games/{game}_{path.name}": path.read_text("utf-8")
        for game in catalog.GAMES
        for path in catalog.page_folder(game).glob("*.html")
    }
    engine.engine.loader = ChoiceLoader([*filter(None, [engine.engine.loader]), DictLoader(pages)])
    engine.engine.globals.update(film_sizes=SIZES, papers=PAPERS)
