"""Films of games: which positions, in which size, as which kind of file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec
from PIL import Image

from hinterland import film
from hinterland.errors import BadText, UnknownName
from hinterland.prints.frames import lay_out_frame
from hinterland.prints.painting import paint
from hinterland.prints.sheet import Scene

SIZES = {
    "small": (480, 600), "medium": (720, 900), "large": (1080, 1350), "story": (1080, 1920), "hd": (1280, 720),
    "full-hd": (1920, 1080),
}  # fmt: skip
"""Pixels, by name."""
KINDS = {"gif": film.gif, "mp4": film.mp4}
MOST_FRAMES = 120
"""Of a longer game a film shows that many positions, evenly chosen."""
GIF_PIXELS = 100_000_000
"""The most of all frames of a GIF together, which are held in memory."""


class Film(msgspec.Struct, frozen=True):
    """A film that somebody wants."""

    scene: Scene
    """How it ends."""
    kind: str = "gif"
    """One of ``KINDS``."""
    size: str = "medium"
    """One of ``SIZES``."""

    def __post_init__(self) -> None:
        """Raise UnknownName or BadText for what cannot be made."""
        if self.size not in SIZES:
            raise UnknownName("size", self.size, SIZES)
        width, height = SIZES[self.size]
        count = len(self.plies)
        if self.kind == "gif" and width * height * count > GIF_PIXELS:
            raise BadText(f"{count} frames of {width} x {height} are too many for a GIF: take a smaller size, or MP4")

    @property
    def plies(self) -> list[int]:
        """After how many moves the positions stand that are shown."""
        return chosen(len(self.scene.position.moves))


def chosen(plies: int) -> list[int]:
    """Choose the positions of a film: all, or MOST_FRAMES of them with the first and the last."""
    if plies < MOST_FRAMES:
        return list(range(plies + 1))
    return [round(number * plies / (MOST_FRAMES - 1)) for number in range(MOST_FRAMES)]


def draw_film(wanted: Film, track: Callable[[Sequence[int]], Iterable[int]] = iter) -> bytes:
    """Draw a film. ``track`` passes on the moves after which it is drawn; it may show progress, or raise."""
    scene, (*earlier, last) = wanted.scene, wanted.plies
    whole = last if scene.plies is None else scene.plies

    def drawn(ply: int) -> Image.Image:
        position = scene.position if ply == last else scene.position.after(ply)
        sheet = lay_out_frame(msgspec.structs.replace(scene, position=position, plies=whole), *SIZES[wanted.size])
        return paint(sheet, SIZES[wanted.size][0])

    return KINDS[wanted.kind](map(drawn, track(earlier)), drawn(last))
