"""Images as files: one image as PNG or small WebP, many as an animated GIF or MP4."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from itertools import chain, count, islice

import numpy as np
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from hinterland.errors import BadText

FRAME_MS = 900
"""Duration of each frame of a film, except the last."""
LAST_FRAME_MS = 4000
FRAMES_PER_S = 10
MISSING_AV = "MP4 needs PyAV: pip install 'hinterland[video]'; GIF needs nothing more"


def encode_png(image: Image.Image, dpi: int | None = None) -> bytes:
    """Encode an image as PNG, with the texts of its ``info``. ``dpi``: pixels per inch, for printers."""
    texts = PngInfo()
    for name, text in image.info.items():
        if isinstance(text, str):
            texts.add_text(str(name), text)
    file = BytesIO()
    image.save(file, "PNG", optimize=False, pnginfo=texts, **({} if dpi is None else {"dpi": (dpi, dpi)}))
    return file.getvalue()


def encode_webp(image: Image.Image) -> bytes:
    """Encode an image as a small WebP with little visible loss."""
    file = BytesIO()
    image.convert("RGB").save(file, "WEBP", quality=82)
    return file.getvalue()


def encode_gif(
    earlier: Iterable[Image.Image], last: Image.Image, frame_ms: int = FRAME_MS, last_ms: int = LAST_FRAME_MS
) -> bytes:
    """Encode frames as a GIF that repeats for ever and pauses on the last frame.

    All frames share the palette of the last one, which has every colour of the game in it.
    """
    palette = last.convert("RGB").quantize(colors=128, dither=Image.Dither.NONE)
    pictures = chain(earlier, [last])
    indexed = [one.convert("RGB").quantize(palette=palette, dither=Image.Dither.NONE) for one in pictures]
    durations = [frame_ms] * (len(indexed) - 1) + [last_ms]
    file = BytesIO()
    indexed[0].save(file, "GIF", save_all=True, append_images=indexed[1:], duration=durations, loop=0, optimize=False)
    return file.getvalue()


def encode_mp4(
    earlier: Iterable[Image.Image], last: Image.Image, frame_ms: int = FRAME_MS, last_ms: int = LAST_FRAME_MS
) -> bytes:
    """Encode frames as an MP4 that pauses on the last frame; every browser and phone plays it (H.264).

    Frames must have an even width and height. Raises BadText if PyAV is missing.
    """
    try:
        from av import VideoFrame  # noqa: PLC0415
        from av import open as contain  # noqa: PLC0415
    except ImportError:
        raise BadText(MISSING_AV) from None
    file = BytesIO()
    with contain(file, "w", format="mp4") as container:
        stream = container.add_stream("libx264", rate=FRAMES_PER_S, options={"crf": "18", "preset": "veryfast"})
        stream.width, stream.height = last.size
        stream.pix_fmt = "yuv420p"
        stream.codec_context.thread_count = 1
        clock = count()
        for picture, ms in chain(((one, frame_ms) for one in earlier), [(last, last_ms)]):
            frame = VideoFrame.from_ndarray(np.asarray(picture.convert("RGB")), "rgb24").reformat(format="yuv420p")
            for frame.pts in islice(clock, ms * FRAMES_PER_S // 1000):
                container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return file.getvalue()
