"""Games in JSON, and live connections to games."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec
from litestar import MediaType, Request, Response, WebSocket, get, post, websocket

from hinterland import catalog
from hinterland.contract import Game
from hinterland.storage.game_setup import new_key
from hinterland.web.api.find_games import find_game
from hinterland.web.api.forms import read_body, read_form
from hinterland.web.api.game_request import GAME_FORM, GameRequest, create_setup, read_board_request
from hinterland.web.api.match_api import connect, find_drawing_data
from hinterland.web.arena import arena_of
from hinterland.web.board_drawings import encode_drawing_data
from hinterland.web.disconnects import cancel_on_disconnect
from hinterland.web.guards import asker_of, client_of, limit_rate
from hinterland.web.http_errors import conflict, not_here
from hinterland.web.languages.catalogue import Language
from hinterland.web.languages.reader import language
from hinterland.web.lists.guests import guest_of
from hinterland.web.live.arena_game import ArenaGame

BYTES_PER_NEW_GAME = 100_000
"""Bytes of rules that count as one more new game in a client's rate, since a large board takes time to store."""


@get("/api/catalogue")
async def get_catalogue() -> dict[str, Any]:
    """List the games, their players and presets."""
    return {"games": catalogue()}


@post("/api/games")
async def create_game(request: Request[Any, Any, Any]) -> Response[dict[str, str]]:
    """Begin a game.

    The answer holds the key with which persons move, and a cookie by which the browser finds its games later.
    """
    arena = arena_of(request)
    wanted = await read_form(request, GameRequest, GAME_FORM)
    arena.require_prepared(wanted.game)
    limit_rate(request, arena.games, "too many new games; try again in a moment")
    liked = None if wanted.like is None else (await find_live_game(request, wanted.like)).setup.rules
    key = new_key()
    guest = guest_of(request)
    making = arena.make_board(asker_of(request), wanted.game, create_setup, wanted, key, liked, guest.digest)
    setup = await cancel_on_disconnect(request, making)
    if more := len(msgspec.json.encode(setup.rules_json)) // BYTES_PER_NEW_GAME:
        limit_rate(request, arena.games, "too many new games on large boards; try again in a moment", more)
    await arena.registry.create(setup, asker_of(request))
    arena.audit.note("game made", client_of(request), game=setup.id, of=setup.game_name)
    made = {"id": setup.id, "key": key, "url": f"/games/{setup.id}"}
    return Response(made, status_code=201, cookies=[guest.cookie])


@post("/api/boards", status_code=200, media_type=MediaType.JSON)
async def show_board(request: Request[Any, Any, Any]) -> bytes:
    """Return the rules and drawing data of a board, for a preview before a game begins."""
    arena = arena_of(request)
    limit_rate(request, arena.boards, "too many boards; try again in a moment")
    body = await read_body(request)
    drawing = arena.board_gallery.show(asker_of(request), (body,), draw_board, body)
    board: bytes = await cancel_on_disconnect(request, drawing)
    return board


@get("/api/games/{game_id:str}", media_type=MediaType.JSON)
async def get_game(request: Request[Any, Any, Any]) -> bytes:
    """Return the state of a game as a viewer without a key sees it."""
    return (await find_requested_game(request)).encode_for(None)


@get("/games/{game_id:str}/drawing-data", media_type=MediaType.JSON)
async def get_drawing_data(request: Request[Any, Any, Any]) -> bytes:
    """Return the data that a page needs to draw the board."""
    return await find_drawing_data(request, await find_requested_game(request))


@websocket(["/games/{game_id:str}/live", "/watch/games/{game_id:str}/live"])
async def watch_game(socket: WebSocket[Any, Any, Any]) -> None:
    """Let a viewer watch a game, or play it with the game's key."""
    arena = arena_of(socket)
    await connect(socket).serve(lambda: find_game(arena, socket.path_params["game_id"], asker_of(socket)))


@websocket(["/showcase/live", "/watch/showcase/live"])
async def watch_showcase(socket: WebSocket[Any, Any, Any]) -> None:
    """Let a viewer watch the match of the front page."""
    await connect(socket).serve(arena_of(socket).showcase.current_game, follows=True)


def catalogue() -> list[dict[str, Any]]:
    """Return the games, players and presets as plain JSON values, in the reader's language."""
    return _catalogue(language())


@cache
def _catalogue(reader_language: Language) -> list[dict[str, Any]]:
    return [_entry(catalog.game(name), reader_language.gettext) for name in catalog.GAMES]


def _entry(game: Game, _: Callable[[str], str]) -> dict[str, Any]:
    of_players = {option for kind in game.players.values() for option in getattr(kind, "__struct_fields__", ())}
    return {
        "name": game.name,
        "title": _(game.title),
        "summary": _(game.summary),
        "players": [{"name": name, "summary": _(catalog.summary_of(kind))} for name, kind in game.players.items()],
        "levels": [
            {"title": _(level.title), "summary": _(level.summary), "spec": level.spec, "elo": level.elo}
            for level in game.levels
        ],
        "presets": [
            {"name": preset.name, "title": _(preset.title), "summary": _(preset.summary), "rules": preset.options}
            for preset in game.presets
        ],
        "max_players": game.max_players,
        "limits": {name: most for name, most in game.page.limits.items() if name not in of_players},
    }


def draw_board(body: bytes) -> bytes:
    """Return the rules and drawing data of a requested board, as JSON. Raises a HinterlandError."""
    game, rules = read_board_request(body)
    drawing_data = msgspec.Raw(encode_drawing_data(game, rules))
    return msgspec.json.encode({"rules": game.page.rules(rules), "drawing_data": drawing_data})


async def find_requested_game(request: Request[Any, Any, Any]) -> ArenaGame:
    """Return the game that the URL names; answer 404 or 409 as ``find_live_game`` does."""
    return await find_live_game(request, request.path_params["game_id"])


async def find_live_game(request: Request[Any, Any, Any], game_id: str) -> ArenaGame:
    """Return a game. Answers 404 for an unknown id, 409 while the game is played in a hosted match."""
    arena = arena_of(request)
    if game_id in arena.match_of_game:
        raise conflict(f"this game is live at /tables/{arena.match_of_game[game_id]}; it will be here when it is over")
    live_game = await find_game(arena, game_id, asker_of(request))
    if live_game is None:
        raise not_here("there is no such game here")
    return live_game
