"""What people choose instead of listing edges: a board by name with options of its own, or a file."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hinterland.contract import options as choosing
from hinterland.errors import BadText, UnknownName
from hinterland.graph import boards, readers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hinterland.graph.rules import Rules

__all__ = ["USUAL", "boards_and_files", "foreseen", "read", "usual", "usual_of"]

USUAL = "random"
"""The board for who does not care."""
GIVEN = ("edges", "values", "places")
"""A board can be given by these fields of the rules instead."""
OF_FILES = ("board_seed", "board_values", "players", "tokens")
SUFFIXES = (".csv", ".graphml")
MOST = 1e6
"""Greater options are refused elsewhere."""


def usual() -> dict[str, Any]:
    """List the options of the usual board, with their defaults."""
    return usual_of(USUAL)


def usual_of(board: str) -> dict[str, Any]:
    """List the options of a board, with their defaults."""
    return choosing.usual(boards.BOARDS, board)


def read(options: Mapping[str, object], *, may_read: bool) -> Rules:
    """Make the rules. Raises UnknownName, RulesError, or BadText for a file."""
    board, chosen = choosing.board_asked(options, GIVEN, USUAL)
    if board in boards.BOARDS:
        return choosing.draw(boards.BOARDS, board, chosen)
    if board.endswith(SUFFIXES) or "/" in board:
        return _from_file(board, chosen, may_read=may_read)
    raise UnknownName("board", board, boards_and_files(may_read=may_read))


def foreseen(options: Mapping[str, object]) -> dict[str, int]:
    """Estimate the vertices and edges of a board by name, before it is drawn; nothing where options make no sense."""
    board = options.get("board") or USUAL
    if not isinstance(board, str) or board not in boards.SIZES or any(name in options for name in GIVEN):
        return {}
    own = inspect.signature(boards.SIZES[board]).parameters
    asked = {**usual_of(board), **{name: value for name, value in options.items() if value is not None}}
    numbers = {name: asked[name] for name in own}
    if not all(type(number) in (int, float) and 0 <= number <= MOST for number in numbers.values()):
        return {}
    vertices, edges = boards.SIZES[board](**numbers)
    return {"vertices": int(vertices), "edges": int(edges)}


def boards_and_files(*, may_read: bool) -> tuple[str, ...]:
    """List what ``board`` can be."""
    return (*boards.BOARDS, *(f"FILE{suffix}" for suffix in SUFFIXES if may_read))


def _from_file(path: str, chosen: dict[str, Any], *, may_read: bool) -> Rules:
    if not may_read:
        raise BadText("boards are read from files on the command line only; name one of " + ", ".join(boards.BOARDS))
    choosing.check_names("option of a board from a file", chosen, OF_FILES)
    values = chosen.pop("board_values", None)
    if "board_seed" in chosen:
        chosen["seed"] = chosen.pop("board_seed")
    if not path.endswith(".csv"):
        if values is not None:
            raise BadText("board_values goes with a CSV file of edges; a GraphML file holds its values itself")
        return readers.read_graphml(Path(path), **chosen)
    return readers.read_edges(Path(path), None if values is None else Path(str(values)), **chosen)
