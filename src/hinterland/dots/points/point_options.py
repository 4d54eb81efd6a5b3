"""Boards that people choose instead of listing dots: by name with options, or from a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from hinterland.contract import options as choosing
from hinterland.dots.points.point_files import READERS
from hinterland.dots.points.point_files import read as read_file
from hinterland.dots.points.point_sets import POINT_SETS
from hinterland.errors import BadText, RulesError, UnknownName, quote

B = TypeVar("B")
SEATS = 2
DEFAULT_BOARD = "random"
"""The board if none is chosen."""
BOARD_FIELDS = ("points", "orientations")
"""Fields of the rules that give a board directly."""


def default_options() -> dict[str, Any]:
    """List the options of the default board, with their defaults."""
    return choosing.default_options(POINT_SETS, DEFAULT_BOARD)


def read(options: Mapping[str, object], make: Callable[[Any], B], *, may_read: bool) -> B:
    """Make a board from the points chosen. Raises UnknownName, RulesError, or BadText for a file."""
    board, chosen = choosing.split_board_name(options, BOARD_FIELDS, DEFAULT_BOARD)
    players = chosen.pop("players", SEATS)
    if players != SEATS:
        raise RulesError(f"players must be {SEATS} in this game, not {quote(players)}")
    if board in POINT_SETS:
        return make(choosing.make_chosen(POINT_SETS, board, chosen))
    if board.endswith(tuple(READERS)) or "/" in board:
        return _from_file(board, chosen, make, may_read=may_read)
    raise UnknownName("board", board, boards_and_files(may_read=may_read))


def boards_and_files(*, may_read: bool) -> tuple[str, ...]:
    """List the values that ``board`` can have."""
    return (*POINT_SETS, *(f"FILE{suffix}" for suffix in READERS if may_read))


def _from_file(path: str, chosen: dict[str, Any], make: Callable[[Any], B], *, may_read: bool) -> B:
    if not may_read:
        raise BadText("boards are read from files on the command line only; name one of " + ", ".join(POINT_SETS))
    choosing.check_names("option of a board from a file", chosen, ())
    return read_file(path, make, None if path.endswith(tuple(READERS)) else ".csv")
