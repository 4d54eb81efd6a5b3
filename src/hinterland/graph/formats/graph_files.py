"""Boards from files and from networkx. Files are read whole, at most ``files.LARGEST`` bytes of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hinterland.contract import silent
from hinterland.contract.board_files import quote_name
from hinterland.errors import BadText
from hinterland.graph.formats.assemble import Options, board_of
from hinterland.graph.formats.files import text_of
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
    """Read a board from a file in any form of ``forms.FORMS``, which its first lines or the end of its name tell.

    ``length``: which attribute of the edges is their length, 1 for edges all of length 1; without it, the attribute
    ``length``, and 1 where no edge has a number. ``value``: which attribute of the vertices is their value, "none" to
    draw values from 0 to 99; without it, the attribute ``value`` where that holds whole numbers, and drawn values
    where there is none. ``values``: for a list of edges, a file that lists its vertices with their values.
    ``undirected``: take directed edges both ways. ``heading``: whether the first line of a list of edges names its
    columns, where it does not show. Where all vertices have ``x`` and ``y``, that is where they are drawn, y
    downwards. ``note`` gets what people should know: as what the file was read, that there were no lengths, that loops
    were left out. Raises BadText for a file that cannot be read, RulesError for a graph that cannot be.
    """
    from hinterland.graph.formats import forms, lists  # noqa: PLC0415

    text, name = text_of(path), quote_name(path)
    try:
        chosen = forms.form_of(str(path), text, form)
    except BadText as error:
        raise BadText(f"{name} is not a graph: {error}") from None
    if values is None:
        found = forms.reader_of(chosen, heading)(name, text)
    elif chosen == forms.LIST:
        found = lists.edge_list(name, text, lists.values_in(quote_name(values), text_of(values)), heading)
    else:
        raise BadText(
            "board_values goes with a CSV file of edges or another list; this form holds its values itself, "
            "--value NAME names the attribute"
        )
    return board_of(found, Options(seed, players, tokens, length, value, undirected, note), forms.FORMS[chosen].title)


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
    """Take over a networkx graph; vertices are numbered in its order of nodes, and keep their names.

    ``length``, ``value`` and ``undirected`` are as in ``read``. Where all nodes have
    ``pos``, or ``x`` and ``y``, that is where they are drawn, y downwards. Loops are left out, and of several edges
    between two nodes all but the shortest; a directed graph must lead both ways alike.
    Raises BadText or RulesError for a graph that cannot be.
    """
    from hinterland.graph.formats.foreign import found_in  # noqa: PLC0415

    options = Options(seed, players, tokens, length, value, undirected, note)
    return board_of(found_in("the networkx graph", graph), options)
