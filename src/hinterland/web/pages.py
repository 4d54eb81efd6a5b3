"""The pages."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import Request, Response, get
from litestar.response import Template

from hinterland import catalog
from hinterland.contract import Game
from hinterland.errors import UnknownName
from hinterland.web import exports
from hinterland.web.api import find_table
from hinterland.web.arena import arena_of
from hinterland.web.atlas_wish import chosen_board
from hinterland.web.cards import catalogue
from hinterland.web.refusals import not_here

__all__ = ["HANDLERS", "find_game"]

RECENT = 50


@get("/")
async def front() -> Template:
    """Show a match going on and the games there are."""
    games = catalogue()["games"]
    data = {"games": games, "showcase": True}
    return Template("front.html", context={**data, "page_data": data})


@get("/play/{name:str}")
async def play(request: Request[Any, Any, Any]) -> Template:
    """Set a game up; ``?n=8&board=17``: on that board of its atlas."""
    game = find_game(request.path_params["name"])
    board = await asyncio.to_thread(chosen_board, game, request.query_params)
    data = {"games": catalogue()["games"], "game": game.name, "board": board}
    context = {"game": game.name, "title": game.title, "atlas": game.atlas, "page_data": data}
    return Template("play.html", context=context)


@get("/rules/{name:str}")
async def rules(request: Request[Any, Any, Any]) -> Template:
    """Explain a game."""
    game = find_game(request.path_params["name"])
    context = {"game": game.name, "title": game.title, "atlas": game.atlas, "page_data": {"game": game.name}}
    return Template("rules.html", context=context)


@get("/games")
async def recent_games(request: Request[Any, Any, Any]) -> Template:
    """List the latest games."""
    arena = arena_of(request)
    games = await arena.hub.bench.judges.run(arena.archive.recent, RECENT)
    return Template("games.html", context={"games": games})


@get("/games/{game_id:str}")
async def game_or_file(request: Request[Any, Any, Any]) -> Response[Any]:
    """Show a game, or a file made from it: ``/games/ID`` and ``/games/ID.png``."""
    game_id, dot, kind = request.path_params["game_id"].partition(".")
    table = await find_table(request, game_id)
    if dot:
        return await exports.export(request, table, kind)
    context = {"game": table.setup.game_name, "id": game_id, "title": table.setup.game.title}
    return Template("game.html", context=context)


def find_game(name: str) -> Game:
    """Return a game, or answer 404."""
    try:
        return catalog.game(name)
    except UnknownName as error:
        raise not_here(str(error)) from None


HANDLERS = [front, play, rules, recent_games, game_or_file]
