"""The puzzles that the package ships, a packed file of lines a game, the easiest first; and the puzzle of a day."""

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
"""A third of a collection each."""
STRIDE = 211
"""From one day's puzzle of a game to the next: a prime number, so that all are met before one comes again."""


def names() -> list[str]:
    """Return the games that have puzzles, in the order of the catalogue."""
    return [name for name in catalog.GAMES if catalog.game(name).puzzles is not None]


@cache
def collection(name: str) -> Sequence[Puzzle]:
    """Return the puzzles of a game that are shipped; the first is number 1. Raises UnknownName for another game."""
    if name not in names():
        raise UnknownName("game with puzzles", name, names())
    packed = (resources.files("hinterland.puzzles") / "collections" / f"{name}.jsonl.gz").read_bytes()
    return unpacked(packed, f"{name}.jsonl.gz")


def puzzle(name: str, number: int) -> Puzzle:
    """Return one of them. Raises UnknownName for another game, BadText for a number that none has."""
    puzzles = collection(name)
    if not 1 <= number <= len(puzzles):
        raise BadText(f"puzzles of {name} are numbered from 1 to {len(puzzles)}, there is no puzzle {number}")
    return puzzles[number - 1]


def difficulty(number: int, count: int) -> Difficulty:
    """Return how hard a puzzle is among so many, which are in order of their ratings."""
    return DIFFICULTIES[(number - 1) * len(DIFFICULTIES) // count]


def of_the_day(day: int) -> tuple[str, int]:
    """Return the game and the number of the puzzle of a day, which is counted from 1 January 1970: one for everybody.

    The games take turns.
    """
    games = names()
    turn, game = divmod(day, len(games))
    return games[game], turn * STRIDE % len(collection(games[game])) + 1


def packed(puzzles: Iterable[Puzzle]) -> bytes:
    """Write puzzles as a packed file, the same bytes for the same puzzles."""
    return gzip.compress(msgspec.json.Encoder().encode_lines(puzzles), mtime=0)


def unpacked(content: bytes, where: str) -> list[Puzzle]:
    """Read back what ``packed`` wrote. Raises BadText, with ``where``, for anything else."""
    try:
        return msgspec.json.Decoder(Puzzle).decode_lines(gzip.decompress(content))
    except (msgspec.DecodeError, OSError, EOFError, ValueError) as error:
        raise BadText(f"{where} holds no puzzles: {error}") from None
