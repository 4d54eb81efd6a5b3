"""Letters in images: chooses a font, measures widths, and replaces letters that no font has."""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import Any

from PIL import ImageFont

from hinterland.errors import BadText, quote

MAX_TITLE_LENGTH = 80
MAX_LETTERS = 200
"""Most letters of a text that are written; the rest is cut off."""
PILLOW_FONT = ""
"""Stands for Pillow's own font, which has only the letters of English."""
SYSTEM_FONTS = (
    "DejaVuSans.ttf", "NotoSans-Regular.ttf", "LiberationSans-Regular.ttf", "NotoSansCJK-Regular.ttc", "Arial.ttf",
    "arial.ttf", "msyh.ttc", "PingFang.ttc",
)  # fmt: skip
"""Fonts that the system may have; tried in turn for texts with letters of other languages."""
MEASURE_PIXELS = 100
"""Font size at which texts are measured."""
MISSING_LETTER = "\U0010fffe"
"""A letter that no font has; its picture shows how a font draws letters that it lacks."""


def read_title(text: str) -> str:
    """Check a title that a person chose. Raises BadText."""
    title = text.strip()
    if len(title) > MAX_TITLE_LENGTH or not title.isprintable():
        raise BadText(f"a title has at most {MAX_TITLE_LENGTH} printable characters, not {quote(title)}")
    return title


def shorten_to_fit(text: str, size: float, width: float) -> str:
    """Shorten a text so that it is at most ``width`` wide at font size ``size``; leave out unprintable characters."""
    text = "".join(filter(str.isprintable, text[:MAX_LETTERS]))
    if measure_width(text, size) <= width:
        return text
    while text and measure_width(f"{text}…", size) > width:
        text = text[:-1]
    return f"{text}…"


def measure_width(text: str, size: float) -> float:
    """Return the width of a text at font size ``size``, in the same unit."""
    letters, face = choose_font(text)
    return float(font(face, MEASURE_PIXELS).getlength(letters)) * size / MEASURE_PIXELS


@cache
def font(face: str, pixels: int) -> Any:
    """Return a font at a size; None if the system does not have it."""
    if face == PILLOW_FONT:
        return ImageFont.load_default(pixels)
    try:
        return ImageFont.truetype(face, pixels)
    except OSError:
        return None


def choose_font(text: str) -> tuple[str, str]:
    """Return the text to write and the first font that has all its letters.

    If no font has all, return the text without accents, with question marks for the letters that are still missing, and
    Pillow's font.
    """
    for face in (PILLOW_FONT, *SYSTEM_FONTS):
        if font(face, MEASURE_PIXELS) is not None and all(_has_letter(face, letter) for letter in text):
            return text, face
    bare = (letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
    return "".join(letter if _has_letter(PILLOW_FONT, letter) else "?" for letter in bare), PILLOW_FONT


@cache
def _has_letter(face: str, letter: str) -> bool:
    return letter.isspace() or _draw_letter(face, letter) != _draw_letter(face, MISSING_LETTER)


@cache
def _draw_letter(face: str, letter: str) -> tuple[bytes, tuple[int, int]]:
    mask = font(face, 24).getmask(letter)
    return bytes(mask), mask.size
