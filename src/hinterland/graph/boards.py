"""Rules of boards by name. A board is made from a seed, which gives the same board on every machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hinterland.contract import options
from hinterland.contract.options import compose
from hinterland.graph.graphs import generators
from hinterland.graph.graphs.board_spec import BoardSpec
from hinterland.graph.rules import Rules


def make_rules(spec: BoardSpec) -> Rules:
    """Make the rules of a board. Raises RulesError."""
    return spec.make_rules(Rules)


geometric = compose(generators.geometric, make_rules)
grid = compose(generators.grid, make_rules)
random = compose(generators.random, make_rules)
road = compose(generators.road, make_rules)
small_world = compose(generators.small_world, make_rules)
sparse = compose(generators.sparse, make_rules)
tree = compose(generators.tree, make_rules)

BOARDS: dict[str, Callable[..., Rules]] = {
    name: compose(draw, make_rules) for name, draw in generators.GENERATORS.items()
}
"""For each name of a board, the function that makes it; its parameters are the board's options."""


def make(name: str, **chosen: Any) -> Rules:
    """Make a board by name. Raises UnknownName for an unknown name or option, RulesError for an impossible value."""
    return options.make(BOARDS, name, chosen)
