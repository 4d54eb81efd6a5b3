"""A board before there are rules: generators and readers make a ``BoardSpec``, and rules are made from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from hinterland.contract import silent
from hinterland.errors import RulesError
from hinterland.graph.graphs.edges import Edge
from hinterland.graph.graphs.vertex_labels import Place

Note = Callable[[str], None]
"""A function that receives one remark for people at a time, on how a graph was read."""
R = TypeVar("R")


class BoardSpec(NamedTuple):
    """The fields of rules, and the file they come from."""

    edges: tuple[Edge, ...]
    values: tuple[Any, ...]
    players: int
    tokens: int
    places: tuple[Place, ...] = ()
    names: tuple[str, ...] = ()
    source: str = ""
    """The quoted name of the file; empty if there is none."""
    remarks: tuple[str, ...] = ()
    """What people should know about how the file was read."""
    note: Note = silent
    """Receives the remarks."""

    def make_rules(self, make: Callable[..., R]) -> R:
        """Make the rules. Raises RulesError, naming the file."""
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
