"""Draws the positions of a game as pictures for a page that must stay small: as SVG if all fit, else as images."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from hinterland.contract import Pictures
from hinterland.drawing.figures import encode_webp

PICTURE_BYTES = 1_800_000
"""Limit for all pictures of a game together, as the page holds them (base64)."""
SIZES_AND_QUALITIES = ((1080, 80), (960, 70), (800, 60), (720, 60), (600, 50), (480, 40), (360, 30), (240, 20))
"""Side in pixels and quality of WebP images, tried in turn until all fit into PICTURE_BYTES."""
VIEW_BOX = re.compile(r'viewBox="((-?[\d.]+) -?[\d.]+ ([\d.]+) [\d.]+)"')
Track = Callable[[Sequence[Any]], Iterable[Any]]
"""Iterates over positions while they are drawn; may show progress, or raise an exception to stop."""


class StepPictures(msgspec.Struct, frozen=True):
    """Pictures of all positions of a game."""

    addresses: tuple[str, ...]
    """A data URI for each position."""
    box: str
    """The view box of the pictures."""
    side: float
    """The side of the board in units of the view box; the board begins at (0, 0), and a margin may surround it."""


def draw_steps(
    pictures: Pictures, positions: Sequence[Any], track: Track = iter, most_bytes: int = PICTURE_BYTES
) -> StepPictures:
    """Draw each position so that all pictures together fit into ``most_bytes``.

    Of a game with a thousand moves even the smallest images may be larger; then these are taken.
    """
    last = pictures.svg(positions[-1])
    found = VIEW_BOX.search(last)
    box, side = ("0 0 1 1", 1.0) if found is None else (found[1], float(found[3]) + 2 * float(found[2]))
    largest = most_bytes * 3 / 4 / len(positions)
    if len(last.encode()) <= largest:
        addresses = [_to_uri("image/svg+xml", pictures.svg(one).encode()) for one in track(positions)]
        if sum(map(len, addresses)) <= most_bytes:
            return StepPictures(tuple(addresses), box, side)
    for pixels, quality in SIZES_AND_QUALITIES:  # the last position shows the most, so its image is the largest
        if len(encode_webp(pictures.image(positions[-1], pixels), quality)) <= largest:
            break
    images = (encode_webp(pictures.image(one, pixels), quality) for one in track(positions))
    return StepPictures(tuple(_to_uri("image/webp", image) for image in images), box, side)


def _to_uri(media_type: str, content: bytes) -> str:
    return f"data:{media_type};base64,{base64.b64encode(content).decode()}"
