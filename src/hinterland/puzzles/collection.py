"""The puzzles that the package ships, one compressed file for each game, the easiest first; and the puzzle of a day."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import resources
from typing import Literal

import msgspec

from hinterland import catalog
from hinterland.errors import BadText, UnknownName
from hinterland.puzzles.puzzle import Puzzle

Difficulty = Literal["easy", "medium", "hard"]
DIFFICULTIES: tuple[Difficulty, ...] = ("easy", "medium", "hard")
"""The difficulties of the easiest third of a collection, the middle third and the hardest third."""
DAILY_STRIDE = 211
"""Step from the number of a game's puzzle of the day to the number of the game's next such puzzle. The step is a prime,
so that all puzzles come before one comes again."""


def names() -> list[str]:
    """Return the games that have puzzles, in the order of the catalogue."""
    return [name for name in catalog.GAMES if catalog.game(name).puzzles is not None]


@cache
def collection(name: str) -> Sequence[Puzzle]:
    """Return the shipped puzzles of a game; the first is number 1. Raises UnknownName for a game without puzzles."""
    if name not in names():
        raise UnknownName("game with puzzles", name, names())
    content = (resources.files("hinterland.puzzles") / "collections" / f"{name}.jsonl.gz").read_bytes()
    return unpack(content, f"{name}.jsonl.gz")


def puzzle(name: str, number: int) -> Puzzle:
    """Return a puzzle by its number. Raises UnknownName for a game without puzzles, BadText for an unknown number."""
    puzzles = collection(name)
    if not 1 <= number <= len(puzzles):
        raise BadText(f"puzzles of {name} are numbered from 1 to {len(puzzles)}, there is no puzzle {number}")
    return puzzles[number - 1]


def difficulty(number: int, count: int) -> Difficulty:
    """Return the difficulty of a puzzle by its number among ``count``, which are numbered from the easiest on."""
    return DIFFICULTIES[(number - 1) * len(DIFFICULTIES) // count]


def of_the_day(day: int) -> tuple[str, int]:
    """Return the game and the number of a day's puzzle, the same for everybody. Games take turns.

    ``day``: days since 1 January 1970.
    """
    games = names()
    turn, game = divmod(day, len(games))
    return games[game], turn * DAILY_STRIDE % len(collection(games[game])) + 1


def pack(puzzles: Iterable[Puzzle]) -> bytes:
    """Encode puzzles as a compressed file; the same puzzles give the same bytes."""
    return gzip.compress(msgspec.json.Encoder().encode_lines(puzzles), mtime=0)


def unpack(content: bytes, where: str) -> list[Puzzle]:
    """Decode a file that ``pack`` made. Raises BadText for any other content; its message begins with ``where``."""
    try:
        return msgspec.json.Decoder(Puzzle).decode_lines(gzip.decompress(content))
    except (msgspec.DecodeError, OSError, EOFError, ValueError) as error:
        raise BadText(f"{where} holds no puzzles: {error}") from None
