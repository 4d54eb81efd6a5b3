"""Boards by name, each with options of its own, and boards from files: the rules that points make."""

from __future__ import annotations

from functools import partial, wraps
from typing import TYPE_CHECKING, Any, ParamSpec

from hinterland.contract import options as choosing
from hinterland.dots.points import point_files, point_sets
from hinterland.dots.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Callable

    from hinterland.dots.points.coordinates import Points

__all__ = [
    "BOARDS",
    "circle",
    "clusters",
    "double_circle",
    "from_csv",
    "from_file",
    "from_json",
    "halton",
    "jittered",
    "make",
    "nested",
    "random",
    "spiral",
]

P = ParamSpec("P")


def _rules(points: Any) -> Rules:
    return Rules(points=points)


def _board(point_set: Callable[P, Points]) -> Callable[P, Rules]:
    """Return what makes rules of a point set."""

    @wraps(point_set)
    def board(*args: P.args, **kwargs: P.kwargs) -> Rules:
        return _rules(point_set(*args, **kwargs))

    return board


circle = _board(point_sets.circle)
clusters = _board(point_sets.clusters)
double_circle = _board(point_sets.double_circle)
halton = _board(point_sets.halton)
jittered = _board(point_sets.jittered)
nested = _board(point_sets.nested)
random = _board(point_sets.random)
spiral = _board(point_sets.spiral)

BOARDS: dict[str, Callable[..., Rules]] = {name: _board(points) for name, points in point_sets.POINT_SETS.items()}
"""Every board by name. Their options are their parameters."""


def make(name: str, **options: Any) -> Rules:
    """Make a board by name. Raises UnknownName for an unknown name or option, RulesError for a value that cannot be."""
    return choosing.make(BOARDS, name, options)


from_csv = partial(point_files.from_csv, make=_rules)
from_json = partial(point_files.from_json, make=_rules)
from_file = partial(point_files.read, make=_rules)
