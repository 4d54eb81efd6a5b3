"""Pictures of games: drawn on threads, each only once, so many at a time, the latest kept in memory."""

from __future__ import annotations

import asyncio
import os
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

import msgspec

from hinterland import film
from hinterland.errors import ArenaError
from hinterland.web.board_drawings import encoded_drawing_data
from hinterland.web.wishes import read_board_wish
from hinterland.web.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from hinterland.contract import Game, Position
    from hinterland.web.settings import Limits
    from hinterland.web.table import Table

__all__ = [
    "Gallery", "analyse", "check_folder", "draw_board", "draw_gif", "draw_heat", "draw_png", "draw_svg", "find_hint",
    "save_artwork",
]  # fmt: skip

PNG_PIXELS = 1000
GIF_PIXELS = 480
MOST_FRAMES = 120
"""Of a film; of a longer game it shows that many positions, evenly chosen."""


class Gallery:
    """Draws and remembers."""

    def __init__(self, limits: Limits, threads: int = 2) -> None:
        self._limits = limits
        self._workers = Workers(threads, "gallery")
        self._drawn: OrderedDict[tuple[object, ...], Any] = OrderedDict()
        self._bytes = 0
        self._drawing: dict[tuple[object, ...], asyncio.Future[Any]] = {}

    async def show(self, key: tuple[object, ...], draw: Callable[..., Any], *what: object) -> Any:
        """Return ``draw(*what)``, perhaps from memory; ``key``: what it is. Raises ArenaError when too much waits."""
        key = (draw.__name__, *key)
        if key in self._drawn:
            self._drawn.move_to_end(key)
            return self._drawn[key]
        if key not in self._drawing:
            if len(self._drawing) >= self._limits.drawings:
                raise ArenaError("too many pictures are being drawn; try again in a moment")
            drawing = asyncio.ensure_future(self._workers.run(draw, *what))
            self._drawing[key] = drawing
            drawing.add_done_callback(lambda done: self._keep(key, done))
        return await asyncio.shield(self._drawing[key])

    def _keep(self, key: tuple[object, ...], drawing: asyncio.Future[Any]) -> None:
        del self._drawing[key]
        if drawing.cancelled() or drawing.exception() is not None:
            return
        self._drawn[key] = drawing.result()
        self._bytes += _size(key, drawing.result())
        while self._bytes > self._limits.cached_bytes:
            old_key, old = self._drawn.popitem(last=False)
            self._bytes -= _size(old_key, old)


def _size(key: tuple[object, ...], drawn: object) -> int:
    return (len(drawn) if isinstance(drawn, bytes) else 200) + sum(len(str(part)) for part in key)


def draw_png(game: Game, position: Position[Any, Any]) -> bytes:
    """Draw a position."""
    return film.png(game.pictures.image(position, PNG_PIXELS))


def draw_svg(game: Game, position: Position[Any, Any]) -> bytes:
    """Draw a position as an SVG document."""
    return game.pictures.svg(position).encode()


def draw_gif(game: Game, position: Position[Any, Any]) -> bytes:
    """Draw a game as a film that ends with a position."""
    return film.gif(game.pictures.image(position.after(ply), GIF_PIXELS) for ply in frames(len(position.moves)))


def frames(plies: int) -> list[int]:
    """Choose the positions of a film: all, or MOST_FRAMES of them with the first and the last."""
    if plies < MOST_FRAMES:
        return list(range(plies + 1))
    return [round(number * plies / (MOST_FRAMES - 1)) for number in range(MOST_FRAMES)]


def draw_heat(game: Game, position: Position[Any, Any], options: Mapping[str, int]) -> bytes:
    """Draw what each move would gain."""
    return film.png(game.pictures.heat(position, options))


def find_hint(game: Game, position: Position[Any, Any], options: Mapping[str, int]) -> dict[str, Any]:
    """Find the move that gains most."""
    move, gain = game.pictures.best(position, options)
    return {"ply": len(position.moves), "seat": position.to_move, "best": move.numbers, "gain": gain}


def analyse(game: Game, position: Position[Any, Any]) -> dict[str, Any] | None:
    """Find out what best play is worth; None in games that cannot be analysed."""
    return None if game.analysis is None else {"ply": len(position.moves), **game.analysis(position)}


def draw_board(body: bytes) -> bytes:
    """Answer who wants to see a board before a game begins on it. Raises a HinterlandError."""
    game, rules = read_board_wish(body)
    return msgspec.json.encode({"rules": rules.brief(), "drawing_data": msgspec.Raw(encoded_drawing_data(game, rules))})


def check_folder(folder: Path) -> None:
    """Create the folder for artworks. Raises ArenaError where it cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise ArenaError(f"the folder for artworks {folder} cannot be written: {error.strerror}") from None


def save_artwork(folder: Path, table: Table) -> Path:
    """Save the picture of a finished board, whole or not at all."""
    setup = table.setup
    path = folder / f"{setup.started[:10]}-{setup.game_name}-{setup.id}.png"
    half = path.with_suffix(".part")
    half.write_bytes(draw_png(setup.game, table.game.position))
    half.replace(path)
    return path
