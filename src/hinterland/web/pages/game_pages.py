"""The pages of the arena: the front page, set-up pages and game pages."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import Request, Response, get
from litestar.exceptions import HTTPException
from litestar.response import Redirect, Template

from hinterland import catalog
from hinterland.contract import Game
from hinterland.errors import UnknownName
from hinterland.web.api.atlas_request import find_board_options
from hinterland.web.api.exports import export
from hinterland.web.api.game_api import catalogue, find_live_game
from hinterland.web.app_context import cookie_for
from hinterland.web.arena import arena_of
from hinterland.web.guards import ADMIN_COOKIE, is_admin
from hinterland.web.http_errors import not_here
from hinterland.web.languages.reader import gettext as _
from hinterland.web.languages.reader import number
from hinterland.web.languages.seat_names import display_names
from hinterland.web.live.arena_game import ArenaGame


@get("/")
async def front() -> Template:
    """Show the live match of the front page, and all games."""
    data = {"games": catalogue(), "showcase": True}
    return Template("front.html", context={**data, "page_data": data})


@get("/play/{name:str}")
async def play(request: Request[Any, Any, Any]) -> Template:
    """Show the set-up page of a game; ``?n=8&board=17`` chooses a board of the game's atlas."""
    game = find_game(request.path_params["name"])
    board = await asyncio.to_thread(find_board_options, game, request.query_params)
    here = [entry for entry in catalogue() if entry["name"] == game.name]
    data = {"games": here, "game": game.name, "board": board}
    return game_page("play.html", game, data, atlas=game.atlas, levels=len(game.levels))


@get(["/host", "/host/{name:str}"])
async def host_page(request: Request[Any, Any, Any]) -> Template:
    """Show the set-up page of a hosted match."""
    game, games = find_game(request.path_params.get("name", next(iter(catalog.GAMES)))), catalogue()
    arena = arena_of(request)
    data = {"games": games, "game": game.name, "programs": list(arena.settings.programs)}
    may_host = is_admin(request)
    return game_page("host.html", game, data, games=games, matches=arena.hosting.cards(), may_host=may_host)


@get("/admin")
async def admin(request: Request[Any, Any, Any]) -> Response[Any]:
    """Store the admin token, which hosting needs, in a cookie of this browser."""
    token = request.query_params.get("token", "")
    if not arena_of(request).settings.openness.is_admin(token):
        raise HTTPException("this is not the admin token of this arena", status_code=403)
    return Redirect("/host", status_code=303, cookies=[cookie_for(request, ADMIN_COOKIE, token)])


@get("/rules/{name:str}")
async def rules(request: Request[Any, Any, Any]) -> Template:
    """Show the rules of a game."""
    game = find_game(request.path_params["name"])
    return game_page("rules.html", game, {"game": game.name}, atlas=game.atlas)


@get("/games/{game_id:str}")
async def game_or_file(request: Request[Any, Any, Any]) -> Response[Any]:
    """Show a game (``/games/ID``), or return a file of the game (such as ``/games/ID.png``)."""
    game_id, dot, kind = request.path_params["game_id"].partition(".")
    match_of_game = arena_of(request).match_of_game
    if game_id in match_of_game and not dot:
        return Redirect(f"/tables/{match_of_game[game_id]}", status_code=303)
    live_game = await find_live_game(request, game_id)
    if dot:
        return await export(request, live_game, kind)
    return game_page("game.html", live_game.setup.game, {}, id=game_id, preview=preview_of(request, live_game))


@get("/embed/{game_id:str}")
async def embed(request: Request[Any, Any, Any]) -> Template:
    """Show a game on a page that other sites can embed: board and replay, without controls that change the game."""
    live_game = await find_live_game(request, request.path_params["game_id"])
    return game_page("embed.html", live_game.setup.game, {}, id=live_game.id, in_arena=False)


def preview_of(request: Request[Any, Any, Any], live_game: ArenaGame) -> dict[str, str]:
    """Return the preview of a game's link on other sites (the Open Graph protocol, ogp.me)."""
    here = (arena_of(request).settings.openness.public_url or str(request.base_url)).rstrip("/")
    names, scores = display_names(live_game.setup.game_name, live_game.seats), live_game.game.position.scores
    versus = _(" v ")  # outside the f-string: before Python 3.12 Babel finds no texts in f-strings
    return {
        "title": f"{versus.join(names)} · {_(live_game.setup.game.title)}",
        "description": " · ".join(f"{name} {number(score)}" for name, score in zip(names, scores, strict=True)),
        "url": f"{here}/games/{live_game.id}",
        "image": f"{here}/games/{live_game.id}.card.png",
    }


def find_game(name: str) -> Game:
    """Return a game, or answer 404."""
    try:
        return catalog.game(name)
    except UnknownName as error:
        raise not_here(str(error)) from None


def game_page(template: str, game: Game, page_data: dict[str, Any], **more: object) -> Template:
    """Return a page about a game. ``page_data``: the data for the page's script."""
    return Template(template, context={"game": game.name, "title": _(game.title), "page_data": page_data, **more})
