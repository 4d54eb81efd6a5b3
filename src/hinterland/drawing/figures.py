"""Makes HTML for notebooks: pictures, a game to step through, tables. The HTML uses no script and no network.

Text from people is escaped. Text has the notebook's own colour, so that it is readable in light and dark themes;
pictures have their own background.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Callable, Iterable, Sequence
from html import escape
from io import BytesIO
from typing import TYPE_CHECKING, Any
from zlib import crc32

if TYPE_CHECKING:
    from PIL import Image

POSITION_BYTES = 60_000
"""Limit for the HTML of a position."""
GAME_BYTES = 300_000
"""Limit for the HTML of a game."""
PICTURE_BYTES = POSITION_BYTES - 4_000
"""Limit for the picture within the HTML of a position; the caption may take the other 4,000 bytes."""
MAX_PICTURES = 60
"""Most pictures of a game. Of a longer game evenly spaced positions are shown, always including the last."""
SIZES_AND_QUALITIES = ((480, None), (480, 80), (360, 70), (280, 60), (200, 50), (140, 30))
"""Side in pixels and quality (None: lossless) of a game's pictures; tried in turn until all fit into GAME_BYTES."""
MAX_NAME_CHARACTERS = 40
CAPTION = "font: 14px/1.5 system-ui, sans-serif; margin: 6px 0 0; max-width: 480px"
TABLE = "border-collapse: collapse; font: 14px/1.5 system-ui, sans-serif"
CELL = "padding: 2px 10px; font-variant-numeric: tabular-nums"
WIDE = "width: 480px; max-width: 100%; height: auto; display: block"


def make_figure(content: str, caption: str) -> str:
    """Return a picture with a caption below it."""
    return f'<figure style="margin: 0">{content}<figcaption style="{CAPTION}">{escape(caption)}</figcaption></figure>'


def make_drawing(svg: str, words: str) -> str:
    """Return an SVG document as an ``img`` element, so that nothing in it affects the page around it."""
    return _img("image/svg+xml", svg.encode(), words)


def make_picture(image: Image.Image, words: str) -> str:
    """Return an image as an ``img`` element, without loss."""
    return _img("image/webp", encode_webp(image), words)


def make_board_picture(svg: str, draw: Callable[[int], Image.Image], words: str) -> str:
    """Return a position as an ``img`` element: ``svg``, or if that exceeds PICTURE_BYTES, an image made by ``draw``."""
    if len(svg.encode()) * 4 / 3 < PICTURE_BYTES:
        return make_drawing(svg, words)
    for pixels, quality in ((480, None), (480, 80), (360, 70), (240, 60)):
        content = encode_webp(draw(pixels), quality)
        if len(content) * 4 / 3 < PICTURE_BYTES:
            break
    return _img("image/webp", content, words)


def encode_webp(image: Image.Image, quality: int | None = None) -> bytes:
    """Encode an image as WebP with a ``quality`` from 0 to 100; None is lossless."""
    kept = BytesIO()
    image.save(kept, "webp", lossless=quality is None, quality=quality or 80, method=4)
    return kept.getvalue()


def step_through_frames(frames: Sequence[tuple[bytes, str]]) -> str:
    """Return HTML to step through pictures (WebP) with captions: one radio button for each picture.

    A click on a button shows its picture, and the arrow keys step. If a viewer removes the styles, all pictures stand
    below one another. The buttons stand in a form, because radio buttons are grouped within their form: so the same
    game can be on a page twice, and each copy keeps its own state. The form has the method ``dialog``; outside a dialog
    such a form is never sent, not even by the enter key.
    """
    name = f"g{crc32(b''.join(image for image, _ in frames)):08x}"
    rules = [f".{name} > figure {{ display: none }}", f".{name} > input {{ margin: 2px; width: 14px; height: 14px }}"]
    marks, shown = [], []
    for number, (image, words) in enumerate(frames, start=1):
        this = f"nth-of-type({number})"
        rules.append(f".{name} > input:{this}:checked ~ figure:{this} {{ display: block }}")
        checked = " checked" if number == len(frames) else ""
        said = f'aria-label="{escape(words)}" title="{escape(words)}"'
        marks.append(f'<input type="radio" name="{name}" {said}{checked}>')
        shown.append(make_figure(_img("image/webp", image, words), words))
    style = f"<style>{' '.join(rules)}</style>"
    content = "".join((style, *marks, *shown))
    return f'<form method="dialog" class="{name}" style="max-width: 480px">{content}</form>'


def make_stepper(
    draw: Callable[[Any, int], Image.Image], positions: Iterable[Any], players: Sequence[str], movers: Sequence[int]
) -> str:
    """Return HTML of at most GAME_BYTES to step through a game: a picture after each move.

    ``draw`` receives a position and the side of its picture in pixels. ``positions``: the one at the start, then that
    after each move. ``movers``: the seat that made each move.
    """
    stood = list(positions)
    step = -(-len(stood) // MAX_PICTURES)
    chosen = sorted({*range(len(stood) - 1, -1, -step)})
    words = [_describe_position(players, movers, ply, stood[ply].scores) for ply in chosen]
    room = GAME_BYTES - 4000 - sum(len(text) * 4 + 600 for text in words)
    for pixels, quality in SIZES_AND_QUALITIES:
        made = (encode_webp(draw(stood[ply], pixels), quality) for ply in reversed(chosen))
        if images := _collect_fitting(made, math.inf if pixels == SIZES_AND_QUALITIES[-1][0] else room):
            break
    return step_through_frames(list(zip(reversed(images), words, strict=True)))


def _collect_fitting(images: Iterable[bytes], room: float) -> list[bytes]:
    """Return the images if all together fit into ``room`` bytes, else none; stop as soon as they exceed it."""
    fitting: list[bytes] = []
    for image in images:
        fitting.append(image)
        room -= len(image) * 4 / 3
        if room <= 0:
            return []
    return fitting


def _describe_position(players: Sequence[str], movers: Sequence[int], ply: int, scores: tuple[int, ...]) -> str:
    names = [name[:MAX_NAME_CHARACTERS] for name in players]
    standing = " · ".join(f"{name} {score:,}" for name, score in zip(names, scores, strict=True))
    if ply == 0:
        return f"Start · {standing}"
    return f"Move {ply} of {len(movers)}, by {names[movers[ply - 1]]} · {standing}"


def make_table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table. Numbers are aligned to the right, and have one decimal place unless they are whole."""
    names = "".join(f'<th scope="col" style="{CELL}">{escape(name)}</th>' for name in head)
    lines = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    return f'<table style="{TABLE}"><thead><tr>{names}</tr></thead><tbody>{lines}</tbody></table>'


def _cell(value: object) -> str:
    if isinstance(value, str) or value is None:
        return f'<td style="{CELL}; text-align: left">{escape(value or "")}</td>'
    shown = f"{value:,}" if type(value) is int else f"{value:.1f}"
    return f'<td style="{CELL}; text-align: right">{shown}</td>'


def _img(media_type: str, content: bytes, words: str) -> str:
    encoded = base64.b64encode(content).decode()
    return f'<img style="{WIDE}" alt="{escape(words)}" src="data:{media_type};base64,{encoded}">'
