"""Boards from files and from networkx. A file is read as a whole, up to ``files.MAX_BYTES``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hinterland.contract import silent
from hinterland.contract.board_files import quote_name
from hinterland.errors import BadText
from hinterland.graph.formats.assemble import Options, assemble_board
from hinterland.graph.formats.files import read_text
from hinterland.graph.graphs.board_spec import BoardSpec, Note


def read(
    path: str | Path,
    form: str | None = None,
    *,
    values: str | Path | None = None,
    length: str | int | None = None,
    value: str | None = None,
    undirected: bool = False,
    heading: bool | None = None,
    seed: int = 0,
    players: int = 2,
    tokens: int = 10,
    note: Note = silent,
) -> BoardSpec:
    """Read a board from a file. ``form``: a name in ``forms.FORMS``; None to detect the form (file format).

    ``length``: the edge attribute that is the length, or 1 if all edges have length 1. The default is the attribute
    ``length``, or 1 if no edge has a number. ``value``: the vertex attribute that is the value, or "none" to draw
    values from 0 to 99. The default is the attribute ``value`` if it holds whole numbers, else values are drawn.
    ``values``: for a list of edges, a file that lists the vertices with their values. ``undirected``: take each
    directed edge both ways. ``heading``: whether the first line of a list of edges names its columns; None to
    detect it. If all vertices have the attributes ``x`` and ``y``, they are drawn there, y downwards. ``note`` receives
    remarks: the form the file was read as, missing lengths, loops that were left out. Raises BadText for a file that
    cannot be read, RulesError for an impossible graph.
    """
    from hinterland.graph.formats import forms, lists  # noqa: PLC0415

    text, name = read_text(path), quote_name(path)
    try:
        chosen = forms.detect_form(str(path), text, form)
    except BadText as error:
        raise BadText(f"{name} is not a graph: {error}") from None
    if values is None:
        found = forms.choose_reader(chosen, heading)(name, text)
    elif chosen == forms.EDGE_LIST:
        found = lists.read_edge_list(name, text, lists.read_values(quote_name(values), read_text(values)), heading)
    else:
        raise BadText(
            "board_values goes with a CSV file of edges or another list; this form holds its values itself, "
            "--value NAME names the attribute"
        )
    return assemble_board(
        found, Options(seed, players, tokens, length, value, undirected, note), forms.FORMS[chosen].title
    )


def from_networkx(
    graph: Any,
    seed: int = 0,
    players: int = 2,
    tokens: int = 10,
    length: str | int | None = None,
    note: Note = silent,
    *,
    value: str | None = None,
    undirected: bool = False,
) -> BoardSpec:
    """Convert a networkx graph; vertices are numbered in the order of its nodes, and keep their names.

    ``length``, ``value`` and ``undirected`` are as in ``read``. If all nodes have ``pos``, or ``x`` and ``y``, they are
    drawn there, y downwards. Loops are left out; of several edges between two nodes only the shortest is kept. In a
    directed graph each edge needs an opposite one with the same attributes. Raises BadText or RulesError for an
    impossible graph.
    """
    from hinterland.graph.formats.foreign import convert_networkx  # noqa: PLC0415

    options = Options(seed, players, tokens, length, value, undirected, note)
    return assemble_board(convert_networkx("the networkx graph", graph), options)
