"""A board before there are rules: a generator or a reader fills it in, the rules are made of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from hinterland.contract import silent
from hinterland.errors import RulesError
from hinterland.graph.graphs.edges import Edge
from hinterland.graph.graphs.vertex_labels import Place

Note = Callable[[str], None]
"""Tells people what was made of a graph, a line each."""
R = TypeVar("R")


class BoardSpec(NamedTuple):
    """The fields of rules, and where they are from."""

    edges: tuple[Edge, ...]
    values: tuple[Any, ...]
    players: int
    tokens: int
    places: tuple[Place, ...] = ()
    names: tuple[str, ...] = ()
    source: str = ""
    """The quoted name of the file; empty where there is none."""
    remarks: tuple[str, ...] = ()
    """What people should know of how it was read."""
    note: Note = silent
    """Gets the remarks."""

    def made(self, make: Callable[..., R]) -> R:
        """Make the rules. Raises RulesError, which names the file."""
        *fields, source, remarks, note = self
        try:
            rules = make(**dict(zip(self._fields, fields, strict=False)))
        except RulesError as error:
            if not source:
                raise
            raise RulesError(f"{source}: {error}") from None
        for remark in remarks:
            note(f"{source}: {remark}")
        return rules
