"""What people choose instead of listing dots: a board by name with options of its own, or a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from hinterland.contract import options as choosing
from hinterland.dots import boards
from hinterland.errors import BadText, RulesError, UnknownName, shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hinterland.dots.rules import Rules

__all__ = ["USUAL", "boards_and_files", "read", "usual"]

SEATS = 2
USUAL = "random"
"""The board for who does not care."""
GIVEN = ("points", "orientations")
"""A board can be given by these fields of the rules instead."""
READERS = {".csv": boards.from_csv, ".json": boards.from_json}


def usual() -> dict[str, Any]:
    """List the options of the usual board, with their defaults."""
    return choosing.usual(boards.BOARDS, USUAL)


def read(options: Mapping[str, object], *, may_read: bool) -> Rules:
    """Make the rules. Raises UnknownName, RulesError, or BadText for a file."""
    board, chosen = choosing.board_asked(options, GIVEN, USUAL)
    players = chosen.pop("players", SEATS)
    if players != SEATS:
        raise RulesError(f"players must be {SEATS} in this game, not {shown(players)}")
    if board in boards.BOARDS:
        return choosing.draw(boards.BOARDS, board, chosen)
    if board.endswith(tuple(READERS)) or "/" in board:
        return _from_file(board, chosen, may_read=may_read)
    raise UnknownName("board", board, boards_and_files(may_read=may_read))


def boards_and_files(*, may_read: bool) -> tuple[str, ...]:
    """List what ``board`` can be."""
    return (*boards.BOARDS, *(f"FILE{suffix}" for suffix in READERS if may_read))


def _from_file(path: str, chosen: dict[str, Any], *, may_read: bool) -> Rules:
    if not may_read:
        raise BadText("boards are read from files on the command line only; name one of " + ", ".join(boards.BOARDS))
    choosing.check_names("option of a board from a file", chosen, ())
    return READERS.get(Path(path).suffix, boards.from_csv)(Path(path))
