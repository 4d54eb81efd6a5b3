"""What a game can be taken home as: pictures, a film, its record; and what the rules of thumb say about a position."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from litestar import Request, Response, get

from hinterland.contract import Position
from hinterland.errors import BadText, IllegalMove, shown
from hinterland.referee.record import to_line
from hinterland.storage.archive import record_of
from hinterland.web import gallery
from hinterland.web.api.game_api import table_of
from hinterland.web.api.query import read_number
from hinterland.web.arena import arena_of
from hinterland.web.guards import client_of
from hinterland.web.http_errors import conflict, not_here
from hinterland.web.live.arena_game import ArenaGame

DRAWN: dict[str, tuple[Callable[..., bytes], str]] = {
    "png": (gallery.draw_png, "image/png"),
    "svg": (gallery.draw_svg, "image/svg+xml"),
    "gif": (gallery.draw_gif, "image/gif"),
}


async def export(request: Request[Any, Any, Any], table: ArenaGame, kind: str) -> Response[bytes]:
    """Return a game as a file of some kind, or answer 404 or 409."""
    setup, name = table.setup, f"{table.setup.game_name}-{table.id}"
    if kind == "jsonl":
        if table.game.ending is None:
            raise conflict("the game is not over; its record is written when it ends")
        content, media_type = to_line(record_of(setup, table.game)), "application/x-ndjson"
    elif kind in DRAWN:
        draw, media_type = DRAWN[kind]
        position = position_at(request, table)
        name = f"{name}-{len(position.moves)}"
        gallery_key = (table.id, position.history)
        content = await arena_of(request).gallery.show(client_of(request), gallery_key, draw, setup.game, position)
    else:
        raise not_here(f"a game can be had as {', '.join(DRAWN)} or jsonl, not as {shown(kind)}")
    kept = "attachment" if request.query_params.get("download") == "1" else "inline"
    headers = {"Content-Disposition": f'{kept}; filename="{name}.{kind}"'}
    return Response(content, media_type=media_type, headers=headers)


@get("/games/{game_id:str}/heat.png", media_type="image/png")
async def heat(request: Request[Any, Any, Any]) -> bytes:
    """Draw what each move would gain the seat to move."""
    image: bytes = await _advice(request, await table_of(request), gallery.draw_heat, _options(request))
    return image


@get("/games/{game_id:str}/hint")
async def hint(request: Request[Any, Any, Any]) -> Any:
    """Name the move that gains the seat to move most."""
    return await _advice(request, await table_of(request), gallery.find_hint, _options(request))


@get("/games/{game_id:str}/analysis")
async def analysis(request: Request[Any, Any, Any]) -> Any:
    """Say what best play from a position is worth."""
    table = await table_of(request)
    if table.setup.game.analysis is None:
        raise not_here(f"there is no exact analysis of {table.setup.game.title}")
    return await _advice(request, table, gallery.analyse)


async def _advice(
    request: Request[Any, Any, Any], table: ArenaGame, find: Callable[..., Any], *options: dict[str, int]
) -> Any:
    """Find something out about a position, or answer 409 where the game is over."""
    position = position_at(request, table)
    key = (table.id, position.history, *(pair for chosen in options for pair in sorted(chosen.items())))
    try:
        return await arena_of(request).gallery.show(client_of(request), key, find, table.setup.game, position, *options)
    except IllegalMove as error:
        if error.code == "game_over":
            raise conflict(str(error)) from None
        raise


def _options(request: Request[Any, Any, Any]) -> dict[str, int]:
    """Return what the move has besides its place, such as the weight of a stone."""
    given = {name: read_number(request.query_params, name) for name in request.query_params if name != "ply"}
    return {name: number for name, number in given.items() if number is not None}


def position_at(request: Request[Any, Any, Any], table: ArenaGame) -> Position[Any, Any]:
    """Return the position after ``ply`` moves, with those gone who had left by then; without it, the latest."""
    position, ply = table.game.position, read_number(request.query_params, "ply")
    if ply is None:
        return position
    if not 0 <= ply <= len(position.moves):
        raise BadText(f"ply counts the moves made: it can be 0 to {len(position.moves)}, not {ply}")
    return position.before(ply)
