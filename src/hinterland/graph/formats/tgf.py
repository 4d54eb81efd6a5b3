"""TGF, the Trivial Graph Format: lines ``id label``, a line ``#``, lines ``id id label``."""

from __future__ import annotations

import re

from hinterland.errors import BadText, quote
from hinterland.graph.formats.headings import is_number
from hinterland.graph.formats.raw_graph import Node, RawGraph, build_graph

DIVIDER = re.compile(r"^[ \t]*#[ \t]*\r?$", re.MULTILINE)


def is_tgf(text: str) -> bool:
    """Say whether a text is TGF: one lone # after lines that name both ends of each later edge."""
    if len(DIVIDER.findall(text)) != 1:
        return False
    above, below = DIVIDER.split(text)
    names = {line.split()[0] for line in above.splitlines() if line.strip()}
    ends = [line.split()[:2] for line in below.splitlines() if line.strip()]
    return bool(names) and all(len(pair) == 2 and names.issuperset(pair) for pair in ends)


def read_tgf(name: str, text: str) -> RawGraph:
    """Read a graph. Raises BadText."""
    if len(DIVIDER.findall(text)) != 1:
        raise BadText(f"{name} is not TGF, which has one line # between its vertices and its edges")
    above, below = DIVIDER.split(text)
    nodes = [line.split(maxsplit=1) for line in above.splitlines() if line.strip()]
    edges = [line.split(maxsplit=2) for line in below.splitlines() if line.strip()]
    for edge in edges:
        if len(edge) < 2:
            raise BadText(f"{name}: an edge joins two vertices, this one names only {quote(edge[0])}")
    labelled = [Node(node[0], None, node[1].strip() if len(node) > 1 else None) for node in nodes]
    return build_graph(name, labelled, ((first, second, _label(more)) for first, second, *more in edges))


def _label(more: list[str]) -> dict[str, float | str]:
    return {"label": float(more[0]) if is_number(more[0]) and "," not in more[0] else more[0]} if more else {}
