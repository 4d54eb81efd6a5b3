"""What a game can be taken home as: pictures, a film, its record; and what the rules of thumb say about a position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from litestar import Request, Response, get

from hinterland.errors import BadText, IllegalMove, shown
from hinterland.referee.record import to_line
from hinterland.web import gallery
from hinterland.web.api import find_table
from hinterland.web.archive import record_of
from hinterland.web.arena import arena_of
from hinterland.web.board_drawings import drawing_response
from hinterland.web.refusals import conflict, not_here

if TYPE_CHECKING:
    from collections.abc import Callable

    from hinterland.contract import Position
    from hinterland.web.table import Table

__all__ = ["HANDLERS", "export"]

DRAWN: dict[str, tuple[Callable[..., bytes], str]] = {
    "png": (gallery.draw_png, "image/png"),
    "svg": (gallery.draw_svg, "image/svg+xml"),
    "gif": (gallery.draw_gif, "image/gif"),
}


async def export(request: Request[Any, Any, Any], table: Table, kind: str) -> Response[bytes]:
    """Return a game as a file of some kind, or answer 404 or 409."""
    setup = table.setup
    if kind == "jsonl":
        if table.game.ending is None:
            raise conflict("the game is not over; its record is written when it ends")
        content, media_type = to_line(record_of(setup, table.game)), "application/x-ndjson"
        name = f"{setup.game_name}-{setup.id}.jsonl"
    elif kind in DRAWN:
        draw, media_type = DRAWN[kind]
        position = position_at(table, _number(request, "ply"))
        key = (table.id, position.history)
        content = await arena_of(request).gallery.show(key, draw, setup.game, position)
        name = f"{setup.game_name}-{setup.id}-{len(position.moves)}.{kind}"
    else:
        raise not_here(f"a game can be had as {', '.join(DRAWN)} or jsonl, not as {shown(kind)}")
    kept = "attachment" if request.query_params.get("download") == "1" else "inline"
    headers = {"Content-Disposition": f'{kept}; filename="{name}"'}
    return Response(content, media_type=media_type, headers=headers)


@get("/games/{game_id:str}/heat.png")
async def heat(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Draw what each move would gain the seat to move."""
    content = await _advice(request, gallery.draw_heat)
    return Response(content, media_type="image/png")


@get("/games/{game_id:str}/hint")
async def hint(request: Request[Any, Any, Any]) -> Response[dict[str, Any]]:
    """Name the move that gains the seat to move most."""
    return Response(await _advice(request, gallery.find_hint))


@get("/games/{game_id:str}/analysis")
async def analysis(request: Request[Any, Any, Any]) -> Response[dict[str, Any]]:
    """Say what best play from a position is worth."""
    table = await find_table(request, request.path_params["game_id"])
    if table.setup.game.analysis is None:
        raise not_here(f"there is no exact analysis of {table.setup.game.title}")
    position = position_at(table, _number(request, "ply"))
    return Response(await _told(request, table, position, gallery.analyse))


async def _advice(request: Request[Any, Any, Any], find: Callable[..., Any]) -> Any:
    table = await find_table(request, request.path_params["game_id"])
    position = position_at(table, _number(request, "ply"))
    options = {name: _whole(name, text) for name, text in request.query_params.items() if name != "ply"}
    return await _told(request, table, position, find, options)


async def _told(
    request: Request[Any, Any, Any],
    table: Table,
    position: Position[Any, Any],
    find: Callable[..., Any],
    *options: dict[str, int],
) -> Any:
    """Find something out about a position, or answer 409 where the game is over."""
    key = (table.id, position.history, *(pair for chosen in options for pair in sorted(chosen.items())))
    try:
        return await arena_of(request).gallery.show(key, find, table.setup.game, position, *options)
    except IllegalMove as error:
        if error.code == "game_over":
            raise conflict(str(error)) from None
        raise


def position_at(table: Table, ply: int | None) -> Position[Any, Any]:
    """Return the position after so many moves, with those gone who had left by then."""
    position = table.game.position
    made = len(position.moves)
    if ply is None:
        return position
    if not 0 <= ply <= made:
        raise BadText(f"ply counts the moves made: it can be 0 to {made}, not {ply}")
    return position.before(ply)


def _number(request: Request[Any, Any, Any], name: str) -> int | None:
    text = request.query_params.get(name)
    return None if text is None else _whole(name, text)


def _whole(name: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise BadText(f"{name} is a whole number, not {shown(text)}")
    return int(text)


@get("/games/{game_id:str}/drawing-data")
async def drawing_data(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Tell a page what it needs to draw the board."""
    table = await find_table(request, request.path_params["game_id"])
    return await drawing_response(table.drawing)


HANDLERS = [heat, hint, analysis, drawing_data]
