"""Makes graphs by name from a seed, which gives the same board on every machine.

On boards of random points, lengths are multiples of 1/1024 of the points' mean spacing. Places are in mean spacings,
too, with four decimals.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import numpy as np

from hinterland.dice import Dice
from hinterland.errors import RulesError, quote
from hinterland.graph.graphs.board_spec import BoardSpec
from hinterland.graph.graphs.delaunay import COORDINATE_BITS, delaunay_edges, morton_order
from hinterland.graph.graphs.ranges import RANGES, check_whole

MAX_VALUE = 99
MAX_PAIR_VERTICES = 5000
"""Most vertices of a board for which a random number is drawn for every pair of vertices."""
MAX_VERTICES = RANGES["vertices"][1]
SIDE = 1 << COORDINATE_BITS
"""Points have whole coordinates from 0 to SIDE - 1, so the triangulation is exact in 64 bits."""
STEPS_PER_UNIT = 1024


def random(vertices: int = 100, density: float = 0.1, seed: int = 0, players: int = 2, tokens: int = 10) -> BoardSpec:
    """Draw the board of the published experiment: each pair is joined with probability 1 - sqrt(density).

    With density 0.1, 68 % of all pairs are joined. Lengths are uniform in [1, 2), values in 0 to 99. Raises RulesError
    for an impossible option, as all functions of ``GENERATORS`` do.
    """
    return _join_pairs(vertices, 1.0 - math.sqrt(_check_share("density", density)), seed, players, tokens)


def sparse(vertices: int = 100, density: float = 0.05, seed: int = 0, players: int = 2, tokens: int = 10) -> BoardSpec:
    """Join each pair with probability ``density``; lengths are uniform in [1, 2), values in 0 to 99."""
    return _join_pairs(vertices, _check_share("density", density), seed, players, tokens)


def _join_pairs(vertices: int, chance: float, seed: int, players: int, tokens: int) -> BoardSpec:
    count = check_whole("vertices", vertices, 2, MAX_PAIR_VERTICES)
    dice = Dice(seed)
    firsts, seconds = np.triu_indices(count, 1)
    joined = np.flatnonzero(dice.shares(firsts.size) < chance)
    lengths = 1.0 + dice.shares(joined.size)
    return _make_board(dice, count, firsts[joined], seconds[joined], lengths, players, tokens)


def grid(rows: int = 10, cols: int = 10, seed: int = 0, players: int = 2, tokens: int = 10) -> BoardSpec:
    """Make a square grid with edges of length 1, so that ties are frequent, and draw values from 0 to 99."""
    count = check_whole("rows", rows, 1, 1000) * check_whole("cols", cols, 1, 1000)
    number = np.arange(count).reshape(rows, cols)
    firsts = np.concatenate((number[:, :-1].ravel(), number[:-1].ravel()))
    seconds = np.concatenate((number[:, 1:].ravel(), number[1:].ravel()))
    places = np.stack((np.arange(count) % cols, np.arange(count) // cols), axis=1)
    return _make_board(Dice(seed), count, firsts, seconds, np.ones(firsts.size), players, tokens, places)


def tree(vertices: int = 100, seed: int = 0, players: int = 2, tokens: int = 10) -> BoardSpec:
    """Draw one of all trees, each equally likely; lengths are uniform in [1, 2), values in 0 to 99."""
    count = check_whole("vertices", vertices, 2, MAX_VERTICES)
    dice = Dice(seed)
    firsts, seconds = _tree_of(dice.below(count, count - 2).tolist())
    lengths = 1.0 + dice.shares(count - 1)
    return _make_board(dice, count, firsts, seconds, lengths, players, tokens)


def _tree_of(code: list[int]) -> tuple[list[int], list[int]]:
    """Return the edges of the tree with a Prüfer code: leaves, in order of their removal, and their neighbours."""
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


def road(vertices: int = 100, seed: int = 0, players: int = 2, tokens: int = 10) -> BoardSpec:
    """Join random points of a square by Delaunay's triangulation, as roads join towns; values are in 0 to 99."""
    dice = Dice(seed)
    points = _draw_points(check_whole("vertices", vertices, 2, MAX_VERTICES), dice)
    firsts, seconds = delaunay_edges(points)
    lengths = _measure_edges(points, firsts, seconds)
    return _make_board(dice, vertices, firsts, seconds, lengths, players, tokens, points * _spacings(points))


def geometric(
    vertices: int = 100, radius: float = 0.15, seed: int = 0, players: int = 2, tokens: int = 10
) -> BoardSpec:
    """Join random points of a square if they are at most ``radius`` sides apart; values are in 0 to 99."""
    dice = Dice(seed)
    reach = int(_check_share("radius", radius) * SIDE)
    points = _draw_points(check_whole("vertices", vertices, 2, MAX_VERTICES), dice)
    firsts, seconds = _near_pairs(points, reach)
    lengths = _measure_edges(points, firsts, seconds)
    return _make_board(dice, vertices, firsts, seconds, lengths, players, tokens, points * _spacings(points))


def _draw_points(count: int, dice: Dice) -> np.ndarray:
    """Draw distinct points with whole coordinates; near points get near numbers: int64 (count, 2)."""
    cells = np.empty(0, dtype=np.int64)
    while cells.size < count:
        drawn = np.concatenate((cells, dice.below(SIDE * SIDE, count - cells.size)))
        cells = drawn[np.sort(np.unique(drawn, return_index=True)[1])]
    points = np.stack((cells // SIDE, cells % SIDE), axis=1)
    return np.take(points, morton_order(points), axis=0)


def _measure_edges(points: np.ndarray, firsts: np.ndarray, seconds: np.ndarray) -> np.ndarray:
    """Return the lengths of straight edges in mean spacings, rounded to 1, 2, 3 … times 1 / STEPS_PER_UNIT."""
    apart = np.sqrt(((points[firsts] - points[seconds]) ** 2).sum(axis=1).astype(np.float64))
    steps = np.rint(apart * (_spacings(points) * STEPS_PER_UNIT))
    lengths: np.ndarray = np.maximum(steps, 1.0) / STEPS_PER_UNIT
    return lengths


def _spacings(points: np.ndarray) -> float:
    """Return the length of one coordinate unit in mean spacings."""
    return math.sqrt(len(points)) / SIDE


def _near_pairs(points: np.ndarray, reach: int) -> tuple[np.ndarray, np.ndarray]:
    """List the pairs of points at most ``reach`` apart. Raises RulesError if there are too many pairs.

    Points are sorted into columns ``reach`` wide; each is compared with those of its own and the next column.
    """
    wide = max(reach, 1)
    order = np.lexsort((points[:, 1], points[:, 0] // wide))
    sorted_points = points[order]
    column, y = sorted_points[:, 0] // wide, sorted_points[:, 1]
    keys = column * SIDE + y
    found: list[np.ndarray] = []
    most = RANGES["edges"][1]
    for shift in (0, 1):
        low = np.searchsorted(keys, (column + shift) * SIDE + np.maximum(y - reach, 0))
        high = np.searchsorted(keys, (column + shift) * SIDE + np.minimum(y + reach, SIDE - 1), "right")
        if shift == 0:
            low = np.maximum(low, np.arange(len(points)) + 1)
        counts = np.maximum(high - low, 0)
        if counts.sum() > 4 * most:
            raise RulesError(f"radius {reach / SIDE:.4g} gives more than the {most} edges that a graph has at most")
        firsts = np.repeat(np.arange(len(points)), counts)
        starts = np.repeat(np.cumsum(counts) - counts, counts)
        seconds = np.arange(counts.sum()) - starts + np.repeat(low, counts)
        near = ((sorted_points[firsts] - sorted_points[seconds]) ** 2).sum(axis=1) <= reach * reach
        found.append(order[np.stack((firsts[near], seconds[near]))])
    pairs = np.sort(np.concatenate(found, axis=1), axis=0)
    pairs = pairs[:, np.lexsort((pairs[1], pairs[0]))]
    return pairs[0], pairs[1]


def small_world(
    vertices: int = 100, neighbours: int = 4, rewired: float = 0.1, seed: int = 0, players: int = 2, tokens: int = 10
) -> BoardSpec:
    """Join each vertex of a ring to its nearest ``neighbours``, and rewire a share of the edges.

    This is the model of Watts and Strogatz. Lengths are uniform in [1, 2), values in 0 to 99.
    """
    count = check_whole("vertices", vertices, 3, MAX_VERTICES)
    half = check_whole("neighbours", neighbours, 2, min(count - 1, 100)) // 2
    dice = Dice(seed)
    firsts = np.tile(np.arange(count), half)
    seconds = (firsts + np.repeat(np.arange(1, half + 1), count)) % count
    moving = np.flatnonzero(dice.shares(firsts.size) < _check_share("rewired", rewired))
    ends = _rewire(list(zip(firsts.tolist(), seconds.tolist(), strict=True)), moving.tolist(), count, dice)
    lengths = 1.0 + dice.shares(len(ends))
    firsts, seconds = np.array(ends).T
    turns = np.arange(count) * (math.tau / count)
    ring = np.stack((np.cos(turns), np.sin(turns)), axis=1) * (count / math.tau)
    return _make_board(dice, count, firsts, seconds, lengths, players, tokens, ring)


def _rewire(ends: list[tuple[int, int]], moving: list[int], count: int, dice: Dice) -> list[tuple[int, int]]:
    """Give each edge in ``moving`` a new second end, drawn at random.

    An end that makes a loop or a double edge is drawn again, up to 20 times in all; then the edge stays as it was.
    """
    there = {frozenset(pair) for pair in ends}
    for edge in moving:
        first, second = ends[edge]
        for other in dice.below(count, 20).tolist():
            if other != first and frozenset((first, other)) not in there:
                there.remove(frozenset((first, second)))
                there.add(frozenset((first, other)))
                ends[edge] = (first, other)
                break
    return ends


def _make_board(
    dice: Dice,
    count: int,
    firsts: Iterable[int],
    seconds: Iterable[int],
    lengths: Iterable[float],
    players: int,
    tokens: int,
    places: np.ndarray | None = None,
) -> BoardSpec:
    """Draw the values, and assemble the board."""
    columns = [np.asarray(column).tolist() for column in (firsts, seconds, lengths)]
    edges = tuple(zip(*columns, strict=True))
    drawn = () if places is None else tuple(map(tuple, np.round(places, 4).tolist()))
    return BoardSpec(edges, tuple(dice.below(MAX_VALUE + 1, count).tolist()), players, tokens, drawn)


def _check_share(name: str, value: object) -> float:
    if type(value) not in (int, float) or not 0 <= value <= 1:  # type: ignore[operator]
        raise RulesError(f"{name} must be a number from 0 to 1, not {quote(value)}")
    return float(value)  # type: ignore[arg-type]


def _count_pairs(count: float) -> float:
    return count * (count - 1) / 2


GENERATORS: dict[str, Callable[..., BoardSpec]] = {
    draw.__name__: draw for draw in (random, sparse, grid, tree, geometric, road, small_world)
}
"""All generators by name. Their parameters are their options."""
SIZE_ESTIMATES: dict[str, Callable[..., tuple[float, float]]] = {
    "random": lambda vertices, density: (vertices, _count_pairs(vertices) * (1 - math.sqrt(min(density, 1)))),
    "sparse": lambda vertices, density: (vertices, _count_pairs(vertices) * min(density, 1)),
    "grid": lambda rows, cols: (rows * cols, 2 * rows * cols - rows - cols),
    "tree": lambda vertices: (vertices, vertices - 1),
    "geometric": lambda vertices, radius: (vertices, _count_pairs(vertices) * min(2 * radius * radius, 1)),
    "road": lambda vertices: (vertices, 3 * vertices),
    "small_world": lambda vertices, neighbours: (vertices, vertices * neighbours / 2),
}
"""For each board, a function that estimates the numbers of vertices and edges from the board's options."""
