"""Makes rules from points: from point sets by name, each with its own options, and from files."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from hinterland.contract import options
from hinterland.contract.options import compose
from hinterland.dots.points import point_options, point_sets
from hinterland.dots.rules import Rules


def _rules(points: Any) -> Rules:
    return Rules(points=points)


circle = compose(point_sets.circle, _rules)
clusters = compose(point_sets.clusters, _rules)
double_circle = compose(point_sets.double_circle, _rules)
halton = compose(point_sets.halton, _rules)
jittered = compose(point_sets.jittered, _rules)
nested = compose(point_sets.nested, _rules)
random = compose(point_sets.random, _rules)
spiral = compose(point_sets.spiral, _rules)

BOARDS: dict[str, Callable[..., Rules]] = {
    name: compose(points, _rules) for name, points in point_sets.POINT_SETS.items()
}
"""Every board by name: a function that makes the rules. The function's parameters are the board's options."""


def make(name: str, **chosen: Any) -> Rules:
    """Make a board by name. Raises UnknownName for an unknown name or option, RulesError for an impossible value."""
    return options.make(BOARDS, name, chosen)


from_csv = partial(point_options.read_file, make=_rules, suffix=".csv")
from_json = partial(point_options.read_file, make=_rules, suffix=".json")
from_file = partial(point_options.read_file, make=_rules)
