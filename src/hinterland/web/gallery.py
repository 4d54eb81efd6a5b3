"""Pictures of games: each is drawn once, in a background process, and the latest are kept in memory."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections import Counter
from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from cachetools import LRUCache

from hinterland.drawing import film
from hinterland.errors import ArenaError, BadText
from hinterland.host.thread_pools import Workers
from hinterland.prints.films import draw_film

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from hinterland.contract import Game, Position
    from hinterland.host.processes.background import Background
    from hinterland.prints.films import Film
    from hinterland.web.settings import Limits

P = ParamSpec("P")
T = TypeVar("T")
PNG_PIXELS = 1000
FRAMES_BEFORE_ESTIMATE = 3
"""Frames drawn before the time of a whole video is estimated."""


class Gallery:
    """Draws pictures and caches them. The drawing function and a key identify a picture."""

    def __init__(self, limits: Limits, name: str, background: Background) -> None:
        """``background``: the processes that draw; ``name``: the name of the threads that wait for them."""
        self._most = limits.drawings
        self.background = background
        self.workers = Workers(background.count, name, limits.drawings_per_address)
        """Threads that wait for the background processes."""
        self._drawn: LRUCache[tuple[object, ...], tuple[Any, int]] = LRUCache(limits.cached_bytes, itemgetter(1))
        """Cached pictures, each with its size in bytes."""
        self._drawing: dict[tuple[object, ...], asyncio.Future[Any]] = {}
        self._awaited: Counter[tuple[object, ...]] = Counter()
        """Number of clients that wait for each picture."""

    async def show(self, asker: str, key: tuple[object, ...], draw: Callable[..., Any], *what: object) -> Any:
        """Return ``draw(*what)``, or the cached picture with this ``key``. ``asker``: the client.

        A picture that no client waits for any more is not drawn. Raises ArenaError if too many pictures of this client
        are waiting. If too many pictures of all clients are waiting, the client with most of them loses one.
        """
        key = (draw.__name__, *key)
        if key in self._drawn:
            return self._drawn[key][0]
        if key not in self._drawing:
            if len(self._drawing) >= self._most and not self.workers.make_room(asker):
                raise ArenaError("too many pictures are being drawn; try again in a moment")
            drawing = asyncio.ensure_future(self.run_in_background(asker, draw, *what))
            self._drawing[key] = drawing
            drawing.add_done_callback(lambda done: self._keep(key, done))
        return await self._await(key, self._drawing[key])

    async def _await(self, key: tuple[object, ...], drawing: asyncio.Future[Any]) -> Any:
        self._awaited[key] += 1
        try:
            return await asyncio.shield(drawing)
        finally:
            self._awaited[key] -= 1
            if not self._awaited[key]:
                del self._awaited[key]
                if self._drawing.get(key) is drawing:  # the next client must not wait for a picture that is given up
                    del self._drawing[key]
                drawing.cancel()  # no effect on a finished picture

    async def run_in_background(self, asker: str, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return ``work(*args, **kwargs)``, computed in a background process and not cached.

        Raises the errors of ``show``.
        """
        return await self.workers.share_for(asker).run(partial(self.background.run, work, *args, **kwargs))

    def _keep(self, key: tuple[object, ...], drawing: asyncio.Future[Any]) -> None:
        if self._drawing.get(key) is drawing:
            del self._drawing[key]
        if not drawing.cancelled() and drawing.exception() is None:
            drawn = drawing.result()
            size = (len(drawn) if isinstance(drawn, bytes) else 200) + sum(len(str(part)) for part in key)
            with contextlib.suppress(ValueError):  # larger than the whole cache
                self._drawn[key] = (drawn, size)


def draw_png(game: Game, position: Position[Any, Any]) -> bytes:
    """Draw a position."""
    return film.encode_png(game.pictures.image(position, PNG_PIXELS))


def draw_svg(game: Game, position: Position[Any, Any]) -> bytes:
    """Draw a position as an SVG document."""
    return game.pictures.svg(position).encode()


def draw_film_in_time(wanted: Film, limit_s: float) -> bytes:
    """Draw a video.

    Raises BadText as soon as the first frames show that drawing the video would take over ``limit_s`` seconds.
    """
    began = time.monotonic()

    def in_time(plies: Sequence[int]) -> Iterator[int]:
        for made, ply in enumerate(plies, start=1):
            yield ply
            whole_s = (time.monotonic() - began) * (len(plies) + 1) / (made + 1)
            if made >= FRAMES_BEFORE_ESTIMATE and whole_s > limit_s:
                raise BadText(f"this video would take {whole_s:.0f} s, {limit_s:g} s at most: take a smaller size")

    return draw_film(wanted, in_time)


def draw_heat(game: Game, position: Position[Any, Any], options: Mapping[str, int]) -> bytes:
    """Draw the reply map: for each move, what the seat to move would gain by it."""
    return film.encode_png(game.pictures.heat(position, options))


def find_hint(game: Game, position: Position[Any, Any], options: Mapping[str, int]) -> dict[str, Any]:
    """Find the move by which the seat to move gains most."""
    move, gain = game.pictures.best(position, options)
    return {"ply": len(position.moves), "seat": position.to_move, "best": move.numbers, "gain": gain}


def analyse(game: Game, position: Position[Any, Any]) -> dict[str, Any]:
    """Compute the value of a position under best play, in a game that can be analysed."""
    assert game.analysis is not None
    return {"ply": len(position.moves), **game.analysis(position)}


def make_folder(folder: Path) -> None:
    """Create a folder for artworks unless it exists. Raises ArenaError if no file can be written in it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise ArenaError(f"the folder for artworks {folder} cannot be written: {error.strerror}") from None


def save_artwork(folder: Path, name: str, game: Game, position: Position[Any, Any]) -> Path:
    """Save the picture of a finished board as ``name``.png. If saving fails, no half-written file has this name.

    Raises OSError.
    """
    path = folder / f"{name}.png"
    half = path.with_suffix(".part")
    half.write_bytes(draw_png(game, position))
    half.replace(path)
    return path
