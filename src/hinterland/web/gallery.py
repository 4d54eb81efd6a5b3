"""Pictures of games: drawn on threads, each only once, so many at a time, the latest kept in memory."""

from __future__ import annotations

import asyncio
import contextlib
import os
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from cachetools import LRUCache

from hinterland import film
from hinterland.errors import ArenaError
from hinterland.host.thread_pools import Workers

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from hinterland.contract import Game, Position
    from hinterland.web.live.arena_game import ArenaGame
    from hinterland.web.settings import Limits

PNG_PIXELS = 1000
GIF_PIXELS = 480
MOST_FRAMES = 120
"""Of a film; of a longer game it shows that many positions, evenly chosen."""


class Gallery:
    """Draws and remembers."""

    def __init__(self, limits: Limits, name: str = "gallery", threads: int = 2) -> None:
        self._most = limits.drawings
        self.workers = Workers(threads, name, limits.drawings_per_address)
        self._drawn: LRUCache[tuple[object, ...], tuple[Any, int]] = LRUCache(limits.cached_bytes, itemgetter(1))
        """Pictures, each with its bytes."""
        self._drawing: dict[tuple[object, ...], asyncio.Future[Any]] = {}

    async def show(self, asker: str, key: tuple[object, ...], draw: Callable[..., Any], *what: object) -> Any:
        """Return ``draw(*what)``, perhaps from memory; ``asker``: for whom, ``key``: what it is.

        Raises ArenaError when too much waits, in all or of who asks.
        """
        key = (draw.__name__, *key)
        if key in self._drawn:
            return self._drawn[key][0]
        if key not in self._drawing:
            if len(self._drawing) >= self._most:
                raise ArenaError("too many pictures are being drawn; try again in a moment")
            drawing = asyncio.ensure_future(self.workers.shared_by(asker).run(draw, *what))
            self._drawing[key] = drawing
            drawing.add_done_callback(lambda done: self._keep(key, done))
        return await asyncio.shield(self._drawing[key])

    def _keep(self, key: tuple[object, ...], drawing: asyncio.Future[Any]) -> None:
        del self._drawing[key]
        if not drawing.cancelled() and drawing.exception() is None:
            drawn = drawing.result()
            size = (len(drawn) if isinstance(drawn, bytes) else 200) + sum(len(str(part)) for part in key)
            with contextlib.suppress(ValueError):  # it takes more than there is for all
                self._drawn[key] = (drawn, size)


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


def analyse(game: Game, position: Position[Any, Any]) -> dict[str, Any]:
    """Find out what best play is worth, in a game that can be analysed."""
    assert game.analysis is not None
    return {"ply": len(position.moves), **game.analysis(position)}


def check_folder(folder: Path) -> None:
    """Create the folder for artworks. Raises ArenaError where it cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise ArenaError(f"the folder for artworks {folder} cannot be written: {error.strerror}") from None


def save_artwork(folder: Path, table: ArenaGame) -> Path:
    """Save the picture of a finished board, whole or not at all."""
    setup = table.setup
    path = folder / f"{setup.started[:10]}-{setup.game_name}-{setup.id}.png"
    half = path.with_suffix(".part")
    half.write_bytes(draw_png(setup.game, table.game.position))
    half.replace(path)
    return path
