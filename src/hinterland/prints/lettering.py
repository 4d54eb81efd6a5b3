"""Letters of images: which font has them, how wide they are, and what is written where none does."""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import Any

from PIL import ImageFont

from hinterland.errors import BadText, quote

LONGEST_TITLE = 80
LONGEST = 200
"""No more letters of a text are looked at."""
HOUSE = ""
"""The font that comes with Pillow: handsome, but it has the letters of English alone."""
SYSTEM = (
    "DejaVuSans.ttf", "NotoSans-Regular.ttf", "LiberationSans-Regular.ttf", "NotoSansCJK-Regular.ttc", "Arial.ttf",
    "arial.ttf", "msyh.ttc", "PingFang.ttc",
)  # fmt: skip
"""Fonts of systems, of which one may be there: they are asked where a name has letters of other languages."""
MEASURED = 100
"""Pixels of the letters that are measured."""
NOWHERE = "\U0010fffe"
"""A letter that no font has."""


def read_title(text: str) -> str:
    """Return a title that somebody chose. Raises BadText."""
    title = text.strip()
    if len(title) > LONGEST_TITLE or not title.isprintable():
        raise BadText(f"a title has at most {LONGEST_TITLE} printable characters, not {quote(title)}")
    return title


def fitted(text: str, size: float, width: float) -> str:
    """Return as much of a text as there is room for; what cannot be seen is left out."""
    text = "".join(filter(str.isprintable, text[:LONGEST]))
    if length(text, size) <= width:
        return text
    while text and length(f"{text}…", size) > width:
        text = text[:-1]
    return f"{text}…"


def length(text: str, size: float) -> float:
    """Return how wide a text is."""
    letters, face = spelt(text)
    return float(font(face, MEASURED).getlength(letters)) * size / MEASURED


@cache
def font(face: str, pixels: int) -> Any:
    """Return a font, None where there is none of this name."""
    if face == HOUSE:
        return ImageFont.load_default(pixels)
    try:
        return ImageFont.truetype(face, pixels)
    except OSError:
        return None


def spelt(text: str) -> tuple[str, str]:
    """Return what is written of a text, and in which font: the first that has all its letters.

    Where none has, letters lose their accents, and question marks stand for those that are missing still.
    """
    for face in (HOUSE, *SYSTEM):
        if font(face, MEASURED) is not None and all(_has(face, letter) for letter in text):
            return text, face
    bare = (letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
    return "".join(letter if _has(HOUSE, letter) else "?" for letter in bare), HOUSE


@cache
def _has(face: str, letter: str) -> bool:
    return letter.isspace() or _drawn(face, letter) != _drawn(face, NOWHERE)


@cache
def _drawn(face: str, letter: str) -> tuple[bytes, tuple[int, int]]:
    mask = font(face, 24).getmask(letter)
    return bytes(mask), mask.size
