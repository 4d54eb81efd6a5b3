"""The files of a game (pictures, videos, the record), and advice about a position."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from litestar import Request, Response, get

from hinterland.contract import Game, Position
from hinterland.errors import BadText, IllegalMove, quote
from hinterland.prints.films import KINDS, Film
from hinterland.prints.frames import draw_card
from hinterland.prints.lettering import read_title
from hinterland.prints.poster import Poster, describe_day, draw_poster
from hinterland.prints.sheet import Scene
from hinterland.referee.record import to_line
from hinterland.storage.archive import make_record
from hinterland.web import gallery
from hinterland.web.api.forms import read_number
from hinterland.web.api.game_api import find_requested_game
from hinterland.web.arena import arena_of
from hinterland.web.disconnects import cancel_on_disconnect
from hinterland.web.guards import asker_of, limit_rate
from hinterland.web.http_errors import conflict, not_here
from hinterland.web.languages.seat_names import display_names
from hinterland.web.lists.guests import known_guest
from hinterland.web.live.arena_game import ArenaGame
from hinterland.web.live.game_view import GameView

FILE_KINDS: dict[str, tuple[Callable[..., bytes], str]] = {
    "png": (gallery.draw_png, "image/png"),
    "svg": (gallery.draw_svg, "image/svg+xml"),
    "card.png": (draw_card, "image/png"),
    "poster.svg": (draw_poster, "image/svg+xml"),
    "poster.png": (draw_poster, "image/png"),
    "gif": (gallery.draw_film_in_time, "image/gif"),
    "mp4": (gallery.draw_film_in_time, "video/mp4"),
}
"""By file ending: the function that draws the file, and its media type.

Only the record has no entry: nothing draws it.
"""
PICTURE_OPTIONS = ("title", "size", "paper")
"""Options of videos and posters."""


async def export(request: Request[Any, Any, Any], live_game: ArenaGame, kind: str) -> Response[bytes]:
    """Return a game as a file with the ending ``kind``.

    Answers 404 for an unknown ending, 409 for the record of a live game.
    """
    setup, name = live_game.setup, f"{live_game.setup.game_name}-{live_game.id}"
    if kind == "jsonl":
        if live_game.game.ending is None:
            raise conflict("the game is not over; its record is written when it ends")
        content, media_type = to_line(make_record(setup, live_game.game)), "application/x-ndjson"
    elif kind in FILE_KINDS:
        position, media_type = position_at(request, live_game), FILE_KINDS[kind][1]
        name = f"{name}-{len(position.moves)}"
        content = await _draw_file(request, live_game, position, kind)
    else:
        raise not_here(f"a game can be downloaded as {', '.join(FILE_KINDS)} or jsonl, not as {quote(kind)}")
    kept = "attachment" if request.query_params.get("download") == "1" else "inline"
    headers = {"Content-Disposition": f'{kept}; filename="{name}.{kind}"'}
    return Response(content, media_type=media_type, headers=headers)


async def _draw_file(
    request: Request[Any, Any, Any], live_game: ArenaGame, position: Position[Any, Any], kind: str
) -> bytes:
    """Return a picture or video. If it was drawn before, it comes from the cache.

    Raises BadText or UnknownName if it cannot be drawn.
    """
    arena, asked = arena_of(request), request.query_params
    title = read_title(asked.get("title", ""))
    names = display_names(live_game.setup.game_name, live_game.seats)
    scene = Scene(live_game.setup.game, position, names, title, len(live_game.game.position.moves))
    shower, what, arguments = (
        arena.gallery,
        _picture_arguments(kind, scene, live_game.setup.started, asked),
        [*map(asked.get, PICTURE_OPTIONS)],
    )
    if kind in KINDS:
        limit_rate(request, arena.filming, "too many videos; try again in a moment")
        shower, what = arena.reviews, (*what, arena.settings.limits.film_s)
    key = (live_game.id, position.history, kind, *arguments)
    drawn: bytes = await cancel_on_disconnect(request, shower.show(asker_of(request), key, FILE_KINDS[kind][0], *what))
    return drawn


def _picture_arguments(kind: str, scene: Scene, started: str, asked: Mapping[str, str]) -> tuple[Any, ...]:
    """Return the arguments for the function in ``FILE_KINDS`` that draws this kind of picture."""
    if kind in KINDS:
        return (Film(scene, kind, asked.get("size", "medium")),)
    if kind in ("poster.svg", "poster.png"):
        return (Poster(scene, kind.removeprefix("poster."), asked.get("paper", "a4"), describe_day(started)),)
    return (scene,) if kind == "card.png" else (scene.game, scene.position)


@get("/games/{game_id:str}/heat.png", media_type="image/png")
async def heat(request: Request[Any, Any, Any]) -> bytes:
    """Draw the reply map: for each move, what the seat to move would gain by it."""
    live_game = await _find_advised_game(request)
    image: bytes = await find_advice(request, live_game, live_game.setup.game, gallery.draw_heat, options_of(request))
    return image


@get("/games/{game_id:str}/hint")
async def hint(request: Request[Any, Any, Any]) -> Any:
    """Name the move that gains most for the seat to move."""
    live_game = await _find_advised_game(request)
    return await find_advice(request, live_game, live_game.setup.game, gallery.find_hint, options_of(request))


@get("/games/{game_id:str}/analysis")
async def analysis(request: Request[Any, Any, Any]) -> Any:
    """Say what a position is worth if everybody plays best from there on."""
    live_game = await _find_advised_game(request)
    if live_game.setup.game.analysis is None:
        raise not_here(f"there is no exact analysis of {live_game.setup.game.title}")
    return await find_advice(request, live_game, live_game.setup.game, gallery.analyse)


async def _find_advised_game(request: Request[Any, Any, Any]) -> ArenaGame:
    """Return the requested game. Answers 409 while people in other browsers play the game: advice would spoil it."""
    live_game = await find_requested_game(request)
    players = live_game.setup.guests if live_game.setup.persons and live_game.game.ending is None else ()
    if players and known_guest(request) not in players:
        raise conflict("while people play, only they can ask for help; you can when the game is over")
    return live_game


async def find_advice(
    request: Request[Any, Any, Any], live_game: GameView, kind: Game, find: Callable[..., Any], *options: dict[str, int]
) -> Any:
    """Return what ``find`` computes for the requested position of a game; answer 409 if no seat is to move there."""
    live_game.help()
    position = position_at(request, live_game)
    key = (live_game.id, position.history, *(pair for chosen in options for pair in sorted(chosen.items())))
    try:
        finding = arena_of(request).gallery.show(asker_of(request), key, find, kind, position, *options)
        return await cancel_on_disconnect(request, finding)
    except IllegalMove as error:
        if error.code == "game_over":
            raise conflict(str(error)) from None
        raise


def options_of(request: Request[Any, Any, Any]) -> dict[str, int]:
    """Return the options of a move, such as the weight of a stone: all numbers in the query but ``ply``."""
    given = {name: read_number(request.query_params, name) for name in request.query_params if name != "ply"}
    return {name: number for name, number in given.items() if number is not None}


def position_at(request: Request[Any, Any, Any], live_game: GameView) -> Position[Any, Any]:
    """Return the position just before move ``ply``, a parameter that counts from 0. Default: the last position."""
    position, ply = live_game.game.position, read_number(request.query_params, "ply")
    if ply is None:
        return position
    if not 0 <= ply <= len(position.moves):
        raise BadText(f"ply counts the moves made: it can be 0 to {len(position.moves)}, not {ply}")
    return position.before(ply)
