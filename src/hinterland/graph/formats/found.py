"""A graph as it was found in a file or in another library, before anybody has decided what is played on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from hinterland.errors import BadText, shown

__all__ = ["BOTH_WAYS", "Found", "is_whole", "plain", "whole"]

BOTH_WAYS = "edges go both ways in this game, these are directed; save the graph as an undirected one"


class Found(msgspec.Struct):
    """Vertices in order, edges between their numbers, and what else is said of either."""

    source: str
    """What messages begin with: the quoted name of the file."""
    names: list[str]
    """One a vertex."""
    ends: list[tuple[int, int]]
    """One an edge."""
    columns: dict[str, list[Any]] = msgspec.field(default_factory=dict)
    """What edges have, by the name of the attribute; None where an edge does not have it."""
    values: list[Any] | None = None
    """What each vertex is worth, None where nothing says so."""
    places: list[Any] | None = None
    """Where each vertex is drawn, None where nothing says so."""
    is_nameless: bool = False
    """Whether the only column has no name; it is called length here."""
    remarks: list[str] = msgspec.field(default_factory=list)
    """What people should know of how it was read."""

    def add_columns(self, edges: Iterable[Mapping[Any, Any]]) -> None:
        """Take over the attributes of the edges, one mapping an edge."""
        for edge, data in enumerate(edges):
            for name, value in data.items():
                column = self.columns.setdefault(str(name), [])
                column.extend([None] * (edge - len(column)))
                column.append(plain(value))
        for column in self.columns.values():
            column.extend([None] * (len(self.ends) - len(column)))

    def check_both_ways(self) -> None:
        """Keep each pair of opposite edges that are alike as one. Raises BadText where an edge has no way back."""
        columns = list(self.columns.values())
        ways: dict[tuple[int, int], tuple[Any, ...]] = {}
        for edge, ends in enumerate(self.ends):
            ways[ends] = tuple(column[edge] for column in columns)
        if any(ways.get((second, first)) != data for (first, second), data in ways.items()):
            raise BadText(f"{self.source}: {BOTH_WAYS}")
        kept = {ends: data for ends, data in ways.items() if ends[0] <= ends[1]}
        self.ends = list(kept)
        self.columns = {name: [data[k] for data in kept.values()] for k, name in enumerate(self.columns)}


def plain(value: Any) -> Any:
    """Return a number of numpy as one of Python."""
    return value.item() if hasattr(value, "item") else value


def whole(text: str, where: str) -> int:
    """Read a whole number. Raises BadText."""
    if not is_whole(text):
        raise BadText(f"{where}: a whole number was expected, not {shown(text)}")
    return int(text)


def is_whole(text: str) -> bool:
    """Say whether a text is a whole number of a usual size."""
    return text.isascii() and text.removeprefix("-").isdigit() and len(text) < 20
