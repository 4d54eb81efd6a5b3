"""Boards by name, each from a seed that gives the same board on every machine: the rules that a graph makes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hinterland.contract import options
from hinterland.contract.options import compose
from hinterland.graph.graphs import generators
from hinterland.graph.graphs.board_spec import BoardSpec
from hinterland.graph.rules import Rules


def rules_of(spec: BoardSpec) -> Rules:
    """Make the rules. Raises RulesError."""
    return spec.made(Rules)


geometric = compose(generators.geometric, rules_of)
grid = compose(generators.grid, rules_of)
random = compose(generators.random, rules_of)
road = compose(generators.road, rules_of)
small_world = compose(generators.small_world, rules_of)
sparse = compose(generators.sparse, rules_of)
tree = compose(generators.tree, rules_of)

BOARDS: dict[str, Callable[..., Rules]] = {
    name: compose(draw, rules_of) for name, draw in generators.GENERATORS.items()
}
"""Every board by name. Their options are their parameters."""


def make(name: str, **chosen: Any) -> Rules:
    """Make a board by name. Raises UnknownName for an unknown name or option, RulesError for a value that cannot be."""
    return options.make(BOARDS, name, chosen)
