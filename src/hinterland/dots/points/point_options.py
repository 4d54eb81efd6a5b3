"""Boards that people choose instead of listing dots: by name with options, or from a file.

A file is CSV with a line x,y for each dot, or JSON [[x, y], …]; it is read as a whole, or refused with a message that
names it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from hinterland.contract import options as choosing
from hinterland.contract import read_json
from hinterland.contract.board_files import decode_utf8, quote_name, read_bytes, read_number
from hinterland.dots.points.point_sets import POINT_SETS
from hinterland.errors import BadText, RulesError, UnknownName, quote

B = TypeVar("B")
SEATS = 2
DEFAULT_BOARD = "random"
"""The board if none is chosen."""
BOARD_FIELDS = ("points", "orientations")
"""Fields of the rules that describe a board directly, without a name."""
MAX_FILE_BYTES = 2**20
"""Largest size of a file in bytes."""
HEADER = ["x", "y"]


def default_options() -> dict[str, Any]:
    """List the options of the default board, with their defaults."""
    return choosing.default_options(POINT_SETS, DEFAULT_BOARD)


def read(options: Mapping[str, object], make: Callable[[Any], B], *, may_read: bool) -> B:
    """Make a board from the points that the options choose. Raises UnknownName, RulesError, or BadText for a file."""
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


def read_file(path: str | Path, make: Callable[[Any], B], suffix: str | None = None) -> B:
    """Read a file in the format of its suffix, or of ``suffix`` if given. Raises BadText or RulesError."""
    suffix = suffix or Path(path).suffix.lower()
    if suffix not in READERS:
        raise BadText(f"{quote_name(path)}: a file of dots ends in .csv or .json")
    points = READERS[suffix](decode_utf8(read_bytes(path, MAX_FILE_BYTES), quote_name(path)), quote_name(path))
    try:
        return make(points)
    except RulesError as error:
        raise RulesError(f"{quote_name(path)}: {error}") from None


def _from_csv(text: str, name: str) -> list[tuple[float, ...]]:
    """Read lines ``x,y``, after an optional header line ``x,y``."""
    points: list[tuple[float, ...]] = []
    for at, line in enumerate(text.splitlines(), start=1):
        fields = [field.strip() for field in line.split(",")]
        if fields == [""] or (not points and [field.lower() for field in fields] == HEADER):
            continue
        if len(fields) != 2:
            raise BadText(f"{name}, line {at}: expected x,y, not {quote(line)}")
        points.append(tuple(read_number("a number", field, f"{name}, line {at}") for field in fields))
    return points


def _from_json(text: str, name: str) -> Any:
    try:
        return read_json(text)
    except BadText as error:
        raise BadText(f"{name} is not valid JSON: {error}") from None


READERS: dict[str, Callable[[str, str], Any]] = {".csv": _from_csv, ".json": _from_json}
"""By suffix, the function that reads the text of such a file; its second argument names the file in messages."""
