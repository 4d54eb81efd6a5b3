"""Boards by name, each from a seed that gives the same board on every machine: the rules that a graph makes."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec

from hinterland.contract import options as choosing
from hinterland.graph.graphs import generators
from hinterland.graph.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Callable

    from hinterland.graph.graphs.board_spec import BoardSpec

__all__ = ["BOARDS", "as_rules", "geometric", "grid", "make", "random", "road", "small_world", "sparse", "tree"]

P = ParamSpec("P")


def as_rules(source: Callable[P, BoardSpec]) -> Callable[P, Rules]:
    """Return what makes rules of the boards of a generator or a reader."""

    @wraps(source)
    def board(*args: P.args, **kwargs: P.kwargs) -> Rules:
        return source(*args, **kwargs).made(Rules)

    return board


geometric = as_rules(generators.geometric)
grid = as_rules(generators.grid)
random = as_rules(generators.random)
road = as_rules(generators.road)
small_world = as_rules(generators.small_world)
sparse = as_rules(generators.sparse)
tree = as_rules(generators.tree)

BOARDS: dict[str, Callable[..., Rules]] = {name: as_rules(draw) for name, draw in generators.GENERATORS.items()}
"""Every board by name. Their options are their parameters."""


def make(name: str, **options: Any) -> Rules:
    """Make a board by name. Raises UnknownName for an unknown name or option, RulesError for a value that cannot be."""
    return choosing.make(BOARDS, name, options)
