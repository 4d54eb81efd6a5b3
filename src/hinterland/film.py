"""Images as files: one as a PNG, many as an animated GIF."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO

from PIL import Image


def png(image: Image.Image) -> bytes:
    """Encode an image as PNG."""
    file = BytesIO()
    image.save(file, "PNG", optimize=False)
    return file.getvalue()


def gif(frames: Iterable[Image.Image], frame_ms: int = 900, last_ms: int = 4000) -> bytes:
    """Encode frames as a GIF that repeats for ever and rests on the last frame.

    All frames share the colours of the last one, which has every colour of the game in it.
    """
    pictures = [frame.convert("RGB") for frame in frames]
    palette = pictures[-1].quantize(colors=128, dither=Image.Dither.NONE)
    indexed = [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures]
    durations = [frame_ms] * (len(indexed) - 1) + [last_ms]
    file = BytesIO()
    indexed[0].save(file, "GIF", save_all=True, append_images=indexed[1:], duration=durations, loop=0, optimize=False)
    return file.getvalue()
