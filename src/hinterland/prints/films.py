"""Makes films of games: chooses the positions that are shown, and draws the frames."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec
from PIL import Image

from hinterland.drawing import film
from hinterland.errors import BadText, UnknownName
from hinterland.prints.frames import lay_out_frame
from hinterland.prints.sheet import Scene, paint

SIZES = {
    "small": (480, 600), "medium": (720, 900), "large": (1080, 1350), "story": (1080, 1920), "hd": (1280, 720),
    "full-hd": (1920, 1080),
}  # fmt: skip
"""Width and height in pixels, by name."""
KINDS = {"gif": film.encode_gif, "mp4": film.encode_mp4}
MAX_FRAMES = 120
"""Most positions of a film; those of a longer game are chosen evenly."""
MAX_GIF_PIXELS = 100_000_000
"""Limit for the pixels of all frames of a GIF together, since all are held in memory."""


class Film(msgspec.Struct, frozen=True):
    """A film to be drawn."""

    scene: Scene
    """The end of the film."""
    kind: str = "gif"
    """One of ``KINDS``."""
    size: str = "medium"
    """One of ``SIZES``."""

    def __post_init__(self) -> None:
        """Raise UnknownName or BadText for a film that cannot be made."""
        if self.size not in SIZES:
            raise UnknownName("size", self.size, SIZES)
        width, height = SIZES[self.size]
        count = len(self.plies)
        if self.kind == "gif" and width * height * count > MAX_GIF_PIXELS:
            raise BadText(f"{count} frames of {width} x {height} are too many for a GIF: take a smaller size, or MP4")

    @property
    def plies(self) -> list[int]:
        """For each position that is shown, the number of moves made so far."""
        return choose_plies(len(self.scene.position.moves))


def choose_plies(plies: int) -> list[int]:
    """Return the plies of a film's positions: all, or MAX_FRAMES evenly spaced ones from the first to the last."""
    if plies < MAX_FRAMES:
        return list(range(plies + 1))
    return [round(number * plies / (MAX_FRAMES - 1)) for number in range(MAX_FRAMES)]


def draw_film(wanted: Film, track: Callable[[Sequence[int]], Iterable[int]] = iter) -> bytes:
    """Draw a film.

    ``track`` iterates over the positions to draw, given by the number of moves made; it may show progress, or raise an
    exception to stop.
    """
    scene, (*earlier, last) = wanted.scene, wanted.plies
    whole = last if scene.plies is None else scene.plies

    def draw_frame(ply: int) -> Image.Image:
        position = scene.position if ply == last else scene.position.after(ply)
        sheet = lay_out_frame(msgspec.structs.replace(scene, position=position, plies=whole), *SIZES[wanted.size])
        return paint(sheet, SIZES[wanted.size][0])

    return KINDS[wanted.kind](map(draw_frame, track(earlier)), draw_frame(last))
