"""Files of openings: one list of first moves on each line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hinterland.contract import read_json
from hinterland.errors import BadText

if TYPE_CHECKING:
    from pathlib import Path

    from hinterland.contract import Game

MAX_FILE_BYTES = 16 * 1024 * 1024
OPENING_FORM = "an opening is a list of moves, such as [[5, 5], [9, 2]]"


def read_openings(path: Path, game: Game) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Read the openings of a file; skip empty lines. Raises BadText that names the line."""
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise BadText(f"{path} is larger than {MAX_FILE_BYTES // 2**20} MiB, too large for openings")
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadText(f"{path} cannot be read: {getattr(error, 'strerror', None) or 'it is no text'}") from None
    found = []
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                moves = read_json(line, list[list[int]], OPENING_FORM)
                found.append(tuple(game.move.from_numbers(move).numbers for move in moves))
            except BadText as error:
                raise BadText(f"{path}, line {number}: {error}") from None
    if not found or not all(found):
        raise BadText(f"{path} holds no opening, or an empty one; {OPENING_FORM}, one a line")
    return tuple(found)
