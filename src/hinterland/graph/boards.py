"""Boards under names, each from a seed that gives the same board on every machine.

Lengths of boards with coordinates are in units of the mean spacing, and multiples of 1/1024.
"""

from __future__ import annotations

import inspect
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from hinterland.errors import RulesError, UnknownName, shown
from hinterland.graph.dice import Dice
from hinterland.graph.rules import RANGES, Rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["BOARDS", "geometric", "grid", "make", "random", "road", "small_world", "sparse", "tree"]

MOST_VALUE = 99
PAIRED = 5000
"""The most vertices of boards that draw for every pair of them."""
ROOMY = RANGES["vertices"][1]
SIDE = 2**14
"""Points have whole coordinates from 0 to SIDE - 1: so the triangulation is exact in 64 bits."""
STEP = 1024


def random(vertices: int = 100, density: float = 0.1, seed: int = 0, players: int = 2, tokens: int = 10) -> Rules:
    """Draw the course's board: an edge with probability 1 - sqrt(density), lengths uniform in [1, 2), values 0 to 99.

    With density 0.1 that is 68 % of all pairs. Raises RulesError, as all of these do.
    """
    return _by_pairs(vertices, 1.0 - math.sqrt(_share("density", density)), seed, players, tokens)


def sparse(vertices: int = 100, density: float = 0.05, seed: int = 0, players: int = 2, tokens: int = 10) -> Rules:
    """Draw an edge with probability density, lengths uniform in [1, 2), values 0 to 99."""
    return _by_pairs(vertices, _share("density", density), seed, players, tokens)


def _by_pairs(vertices: int, chance: float, seed: int, players: int, tokens: int) -> Rules:
    count = _whole("vertices", vertices, 2, PAIRED)
    dice = Dice(seed)
    firsts, seconds = np.triu_indices(count, 1)
    joined = np.flatnonzero(dice.shares(firsts.size) < chance)
    lengths = 1.0 + dice.shares(joined.size)
    return _rules(firsts[joined], seconds[joined], lengths, dice.below(MOST_VALUE + 1, count), players, tokens)


def grid(rows: int = 10, cols: int = 10, seed: int = 0, players: int = 2, tokens: int = 10) -> Rules:
    """Lay out a square grid with edges of length 1, so that ties are many, and draw values 0 to 99."""
    count = _whole("rows", rows, 1, 1000) * _whole("cols", cols, 1, 1000)
    number = np.arange(count).reshape(rows, cols)
    firsts = np.concatenate((number[:, :-1].ravel(), number[:-1].ravel()))
    seconds = np.concatenate((number[:, 1:].ravel(), number[1:].ravel()))
    values = Dice(seed).below(MOST_VALUE + 1, count)
    return _rules(firsts, seconds, np.ones(firsts.size), values, players, tokens)


def tree(vertices: int = 100, seed: int = 0, players: int = 2, tokens: int = 10) -> Rules:
    """Draw one of all trees with numbered vertices, each equally likely; lengths uniform in [1, 2), values 0 to 99."""
    count = _whole("vertices", vertices, 2, ROOMY)
    dice = Dice(seed)
    firsts, seconds = _tree_of(dice.below(count, count - 2).tolist())
    lengths = 1.0 + dice.shares(count - 1)
    return _rules(firsts, seconds, lengths, dice.below(MOST_VALUE + 1, count), players, tokens)


def _tree_of(code: list[int]) -> tuple[list[int], list[int]]:
    """Return the edges of the tree with this Prüfer code: (leaf, the vertex it hangs on) in order of removal."""
    count = len(code) + 2
    degree = [1] * count
    for vertex in code:
        degree[vertex] += 1
    leaves, stems = [], []
    lowest = leaf = degree.index(1)
    for stem in code:
        leaves.append(leaf)
        stems.append(stem)
        degree[stem] -= 1
        if degree[stem] == 1 and stem < lowest:
            leaf = stem
        else:
            lowest = leaf = degree.index(1, lowest + 1)
    return [*leaves, leaf], [*stems, count - 1]


def _rules(
    firsts: Iterable[int],
    seconds: Iterable[int],
    lengths: Iterable[float],
    values: np.ndarray,
    players: int,
    tokens: int,
) -> Rules:
    columns = [np.asarray(column).tolist() for column in (firsts, seconds, lengths)]
    edges = tuple(zip(*columns, strict=True))
    return Rules(edges=edges, values=tuple(values.tolist()), players=players, tokens=tokens)


def _whole(name: str, value: object, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise RulesError(f"{name} must be a whole number from {least} to {most}, not {shown(value)}")
    return value


def _share(name: str, value: object) -> float:
    if type(value) not in (int, float) or not 0 <= value <= 1:  # type: ignore[operator]
        raise RulesError(f"{name} must be a number from 0 to 1, not {shown(value)}")
    return float(value)  # type: ignore[arg-type]


def make(name: str, **options: Any) -> Rules:
    """Make a board by name. Raises UnknownName for an unknown name or option, RulesError for a value that cannot be."""
    if name not in BOARDS:
        raise UnknownName("board", name, BOARDS)
    known = inspect.signature(BOARDS[name]).parameters
    for option in options:
        if option not in known:
            raise UnknownName(f"option of board {name}", option, known)
    return BOARDS[name](**options)


BOARDS: dict[str, Callable[..., Rules]] = {
    "random": random,
    "sparse": sparse,
    "grid": grid,
    "tree": tree,
}
"""Every board by name. Their options are their parameters."""
