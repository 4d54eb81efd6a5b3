"""Boards that people choose instead of listing edges: by name with options, or from a file."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from hinterland.contract import options as choosing
from hinterland.contract import silent
from hinterland.errors import BadText, UnknownName, quote
from hinterland.graph.formats import graph_files
from hinterland.graph.graphs.board_spec import BoardSpec, Note
from hinterland.graph.graphs.generators import GENERATORS, SIZE_ESTIMATES

DEFAULT_BOARD = "random"
"""The board if none is chosen."""
BOARD_FIELDS = ("edges", "values", "places", "names")
"""Fields of the rules that describe a board directly, without a name."""
FILE_OPTIONS = {"board_seed": "seed", "board_values": "values", "board_format": "form"}
"""Options only for boards from files, and the parameters of ``graph_files.read`` that they become."""
PASSED_OPTIONS = ("length", "value", "players", "tokens")
"""Options that are passed to the reader unchanged."""
YES_NO_OPTIONS = ("undirected", "heading")
FILE_ENDINGS = (
    "csv", "txt", "gml", "gexf", "graphml", "json", "net", "tgf", "gdf", "graph", "mtx", "adjlist", "g6", "dimacs",
)  # fmt: skip
"""The usual endings of file names, for lists of choices; ``formats.forms`` has all endings."""
MAX_ESTIMATED_OPTION = 1e6
"""Greatest value of an option for which a board's size is estimated; making the board refuses greater ones."""


def default_options(board: str = DEFAULT_BOARD) -> dict[str, Any]:
    """List the options of a board with their defaults."""
    return choosing.default_options(GENERATORS, board)


def read(options: Mapping[str, object], *, may_read: bool, note: Note = silent) -> BoardSpec:
    """Make a board; ``note`` receives remarks about a file. Raises UnknownName, RulesError, or BadText."""
    board, chosen = choosing.split_board_name(options, BOARD_FIELDS, DEFAULT_BOARD)
    if board in GENERATORS:
        return choosing.make_chosen(GENERATORS, board, chosen)
    if "." in board or "/" in board:
        return _from_file(board, chosen, may_read=may_read, note=note)
    raise UnknownName("board", board, boards_and_files(may_read=may_read))


def estimate(options: Mapping[str, object]) -> dict[str, int]:
    """Estimate how many vertices and edges a board by name will have; empty if the options make no sense."""
    board = options.get("board") or DEFAULT_BOARD
    if not isinstance(board, str) or board not in SIZE_ESTIMATES or any(name in options for name in BOARD_FIELDS):
        return {}
    own = inspect.signature(SIZE_ESTIMATES[board]).parameters
    asked = {**default_options(board), **{name: value for name, value in options.items() if value is not None}}
    numbers = {name: asked[name] for name in own}
    if not all(type(number) in (int, float) and 0 <= number <= MAX_ESTIMATED_OPTION for number in numbers.values()):
        return {}
    vertices, edges = SIZE_ESTIMATES[board](**numbers)
    return {"vertices": int(vertices), "edges": int(edges)}


def boards_and_files(*, may_read: bool) -> tuple[str, ...]:
    """List what the option ``board`` can be: names, and, if ``may_read``, patterns of file names."""
    return (*GENERATORS, *(f"FILE.{ending}" for ending in FILE_ENDINGS if may_read))


def _from_file(path: str, chosen: dict[str, Any], *, may_read: bool, note: Note) -> BoardSpec:
    if not may_read:
        raise BadText("boards are read from files on the command line only; name one of " + ", ".join(GENERATORS))
    choosing.check_names("option of a board from a file", chosen, (*FILE_OPTIONS, *PASSED_OPTIONS, *YES_NO_OPTIONS))
    named = {FILE_OPTIONS.get(name, name): value for name, value in chosen.items()}
    for name in ("values", "form"):
        if name in named:
            named[name] = str(named[name])
    for name in YES_NO_OPTIONS:
        if name in named:
            named[name] = _read_yes_no(name, named[name])
    return graph_files.read(path, note=note, **named)


def _read_yes_no(name: str, value: object) -> bool:
    choice = {"yes": True, "no": False, True: True, False: False}.get(value) if isinstance(value, str | bool) else None
    if choice is None:
        raise BadText(f"{name} is yes or no, not {quote(value)}")
    return choice
