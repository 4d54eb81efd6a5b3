"""Pictures of games: drawn in the background, each only once, so many at a time, the latest kept in memory."""

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

from hinterland import film
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
"""After so many frames it is clear how long a film takes."""


class Gallery:
    """Draws and remembers. What is drawn is told apart by its function and its key."""

    def __init__(self, limits: Limits, name: str, background: Background) -> None:
        """Make ready to draw in the background."""
        self._most = limits.drawings
        self.background = background
        self.workers = Workers(background.count, name, limits.drawings_per_address)
        """Threads that wait for it."""
        self._drawn: LRUCache[tuple[object, ...], tuple[Any, int]] = LRUCache(limits.cached_bytes, itemgetter(1))
        """Pictures, each with its bytes."""
        self._drawing: dict[tuple[object, ...], asyncio.Future[Any]] = {}
        self._awaited: Counter[tuple[object, ...]] = Counter()
        """How many wait for each of them."""

    async def show(self, asker: str, key: tuple[object, ...], draw: Callable[..., Any], *what: object) -> Any:
        """Return ``draw(*what)``, perhaps from memory; ``asker``: for whom, ``key``: what it is.

        What nobody waits for any more is not begun. Raises ArenaError when too much waits, in all or of who
        asks; where it is in all, who has most waiting makes room for others.
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
                drawing.cancel()  # where it is done this does nothing

    async def run_in_background(self, asker: str, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return what a function returns in the background, and remember nothing; raises what ``show`` does."""
        return await self.workers.share_for(asker).run(partial(self.background.run, work, *args, **kwargs))

    def _keep(self, key: tuple[object, ...], drawing: asyncio.Future[Any]) -> None:
        if self._drawing.get(key) is drawing:
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


def draw_film_in_time(wanted: Film, limit_s: float) -> bytes:
    """Draw a film, or raise BadText as soon as it is clear that it would take longer than so many seconds."""
    began = time.monotonic()

    def in_time(plies: Sequence[int]) -> Iterator[int]:
        for made, ply in enumerate(plies, start=1):
            yield ply
            whole_s = (time.monotonic() - began) * (len(plies) + 1) / (made + 1)
            if made >= FRAMES_BEFORE_ESTIMATE and whole_s > limit_s:
                raise BadText(f"this video would take {whole_s:.0f} s, {limit_s:g} s at most: take a smaller size")

    return draw_film(wanted, in_time)


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


def save_artwork(folder: Path, name: str, game: Game, position: Position[Any, Any]) -> Path:
    """Save the picture of a finished board as NAME.png, whole or not at all. Raises OSError."""
    path = folder / f"{name}.png"
    half = path.with_suffix(".part")
    half.write_bytes(draw_png(game, position))
    half.replace(path)
    return path
