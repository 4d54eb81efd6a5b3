"""What people choose instead of listing edges: a board by name with options of its own, or a file."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from hinterland.contract import options as choosing
from hinterland.contract import silent
from hinterland.errors import BadText, UnknownName, quote
from hinterland.graph.formats import graph_files
from hinterland.graph.graphs.board_spec import BoardSpec, Note
from hinterland.graph.graphs.generators import GENERATORS, SIZES

USUAL = "random"
"""The board for who does not care."""
GIVEN = ("edges", "values", "places", "names")
"""A board can be given by these fields of the rules instead."""
OF_FILES = {"board_seed": "seed", "board_values": "values", "board_format": "form"}
"""What only boards from files have, and what their reader calls it."""
AS_THEY_ARE = ("length", "value", "players", "tokens")
SWITCHES = ("undirected", "heading")
ENDINGS = (
    "csv", "txt", "gml", "gexf", "graphml", "json", "net", "tgf", "gdf", "graph", "mtx", "adjlist", "g6", "dimacs",
)  # fmt: skip
"""How names of files end, for lists of what there is; see ``formats.forms`` for all."""
MOST = 1e6
"""Greater options are refused elsewhere."""


def default_options(board: str = USUAL) -> dict[str, Any]:
    """List the options of a board, with their defaults."""
    return choosing.default_options(GENERATORS, board)


def read(options: Mapping[str, object], *, may_read: bool, note: Note = silent) -> BoardSpec:
    """Make a board; ``note`` gets what people should know of a file. Raises UnknownName, RulesError, or BadText."""
    board, chosen = choosing.split_board_name(options, GIVEN, USUAL)
    if board in GENERATORS:
        return choosing.make_chosen(GENERATORS, board, chosen)
    if "." in board or "/" in board:
        return _from_file(board, chosen, may_read=may_read, note=note)
    raise UnknownName("board", board, boards_and_files(may_read=may_read))


def estimate(options: Mapping[str, object]) -> dict[str, int]:
    """Estimate the vertices and edges of a board by name, before it is drawn; nothing where options make no sense."""
    board = options.get("board") or USUAL
    if not isinstance(board, str) or board not in SIZES or any(name in options for name in GIVEN):
        return {}
    own = inspect.signature(SIZES[board]).parameters
    asked = {**default_options(board), **{name: value for name, value in options.items() if value is not None}}
    numbers = {name: asked[name] for name in own}
    if not all(type(number) in (int, float) and 0 <= number <= MOST for number in numbers.values()):
        return {}
    vertices, edges = SIZES[board](**numbers)
    return {"vertices": int(vertices), "edges": int(edges)}


def boards_and_files(*, may_read: bool) -> tuple[str, ...]:
    """List what ``board`` can be."""
    return (*GENERATORS, *(f"FILE.{ending}" for ending in ENDINGS if may_read))


def _from_file(path: str, chosen: dict[str, Any], *, may_read: bool, note: Note) -> BoardSpec:
    if not may_read:
        raise BadText("boards are read from files on the command line only; name one of " + ", ".join(GENERATORS))
    choosing.check_names("option of a board from a file", chosen, (*OF_FILES, *AS_THEY_ARE, *SWITCHES))
    named = {OF_FILES.get(name, name): value for name, value in chosen.items()}
    for name in ("values", "form"):
        if name in named:
            named[name] = str(named[name])
    for name in SWITCHES:
        if name in named:
            named[name] = _switch(name, named[name])
    return graph_files.read(path, note=note, **named)


def _switch(name: str, value: object) -> bool:
    told = {"yes": True, "no": False, True: True, False: False}.get(value) if isinstance(value, str | bool) else None
    if told is None:
        raise BadText(f"{name} is yes or no, not {quote(value)}")
    return told
