"""Lays out a connected graph by its distances: PivotMDS, refined by stress majorisation.

Stress is the sum over pairs of (distance drawn - distance in the graph)^2 / (distance in the graph)^2. PivotMDS
(Brandes, Pich 2007) projects the distances to a few vertices far from each other, the pivots, onto two principal axes,
which gives the overall shape. Majorisation (Gansner, Koren, North 2004) then moves one vertex after the other to the
minimum of a parabola that bounds its stress from above, which never increases stress. On large boards the stress of a
vertex counts only its distances to neighbours and pivots, and a pivot stands for the vertices around it (Ortmann,
Klimenta, Brandes 2016).

There is no randomness: the same distances give the same layout, on every machine. Matrix products and sines differ in
the last bits between processors, and majorisation would make this visible, so it starts from rounded places. There is
one exception: in graphs as symmetric as a ring or a star any axes are principal axes, and libraries of linear algebra
may choose different axes.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from hinterland.graph.distances import shortest_paths
from hinterland.graph.distances.network import Network
from hinterland.graph.drawing.declutter import GOLDEN_TURN
from hinterland.jit import kernel

MAX_FULL_VERTICES = 1500
"""Most vertices of a graph in whose stress every pair counts."""
PIVOTS = 50
MAX_ROUNDS = 100
DECIMALS = 7
"""Before majorisation, places are rounded to this many decimals, in units of the mean length of an edge."""
MIN_MOVE = 1e-3
"""Refinement ends when in a round no vertex moves by more than this share of the mean length of an edge."""


class Springs(NamedTuple):
    """Springs that hold each vertex at wanted distances from others.

    The springs of vertex v are ``start[v]:start[v + 1]`` of the other arrays.
    """

    start: np.ndarray
    """int64[n + 1]"""
    to: np.ndarray
    """int32[s]"""
    far: np.ndarray
    """float64[s]: the distance wanted."""
    weight: np.ndarray
    """float64[s]"""


def arrange(network: Network) -> np.ndarray:
    """Lay out a connected graph of 3 or more vertices: float64 (n, 2), in units of the network."""
    count = network.values.size
    if count <= MAX_FULL_VERTICES:
        table = shortest_paths.compute_all_distances(network).astype(np.float64)
        pivots = _choose_pivots(lambda vertex: table[vertex], count)
        places = _project(table[pivots], pivots)
        springs = _springs_of_all_pairs(table)
    else:
        rows: dict[int, np.ndarray] = {}

        def distances_from(vertex: int) -> np.ndarray:
            return rows.setdefault(vertex, shortest_paths.compute_distances_from(network, vertex).astype(np.float64))

        pivots = _choose_pivots(distances_from, count)
        table = np.stack([rows[pivot] for pivot in pivots])
        places, springs = _project(table, pivots), _springs_to_pivots(network, table, pivots)
    step = float(network.length.mean())
    places = np.round(places / step + _spiral(count) * 0.01, DECIMALS) * step
    _majorise(places, springs, MAX_ROUNDS, MIN_MOVE * step)
    return places


def _choose_pivots(distances_from: Callable[[int], np.ndarray], count: int) -> list[int]:
    """Choose vertices, each the farthest from all those chosen earlier."""
    pivots = [int(distances_from(0).argmax())]
    nearest = distances_from(pivots[0])
    while len(pivots) < min(PIVOTS, count):
        pivots.append(int(nearest.argmax()))
        nearest = np.minimum(nearest, distances_from(pivots[-1]))
    return pivots


def _project(rows: np.ndarray, pivots: list[int]) -> np.ndarray:
    """Project all vertices' distances from pivots, float64 (k, n), onto two principal axes: float64 (n, 2)."""
    squares = rows * rows
    centred = squares.mean(axis=0) + squares.mean(axis=1)[:, None] - squares - squares.mean()
    spreads, axes = np.linalg.eigh(centred @ centred.T)
    axes, spreads = axes[:, :-3:-1], spreads[:-3:-1]
    axes = axes * np.where(axes[np.abs(axes).argmax(axis=0), [0, 1]] < 0, -1.0, 1.0)  # fixes the sign of the axes
    stretch = np.maximum(spreads, spreads[0] * 1e-12) ** -0.25  # axis length: root of its singular value
    places = centred.T @ axes * stretch
    drawn = np.hypot(*(places[pivots][:, None, :] - places[None, :, :]).transpose(2, 0, 1))
    scaled: np.ndarray = places * ((rows * drawn).sum() / (drawn * drawn).sum())
    return scaled


def _spiral(count: int) -> np.ndarray:
    """Return different points within 1 of the origin, in a sunflower's pattern.

    Added to places, they separate vertices that are in one place.
    """
    number = np.arange(count)
    reach, turn = np.sqrt((number + 0.5) / count), number * GOLDEN_TURN
    return np.stack((reach * np.cos(turn), reach * np.sin(turn)), axis=1)


def _springs_of_all_pairs(table: np.ndarray) -> Springs:
    """Return springs between all pairs of vertices."""
    count = len(table)
    others = ~np.eye(count, dtype=np.bool_)
    to = np.broadcast_to(np.arange(count, dtype=np.int32), table.shape)[others]
    far = table[others]
    return Springs(np.arange(count + 1, dtype=np.int64) * (count - 1), to, far, far**-2.0)


def _springs_to_pivots(network: Network, rows: np.ndarray, pivots: list[int]) -> Springs:
    """Return springs from every vertex to its neighbours and to the pivots.

    ``rows``: float64 (k, n), the distances from pivots.

    A pivot stands for the vertices to which it is the nearest pivot. The pivot pulls v with the weight of all such
    vertices that are at most half as far from the pivot as v is.
    """
    count = len(network.values)
    nearest = rows.argmin(axis=0)
    weight = np.empty((len(pivots), count))
    for number, far in enumerate(rows):
        own = np.sort(far[nearest == number])
        weight[number] = np.searchsorted(own, far / 2.0, "right")
    heads = np.repeat(np.arange(count), np.diff(network.start))
    held, by = np.nonzero((rows > 0).T)
    order = np.argsort(np.concatenate((heads, held)), kind="stable")
    to = np.concatenate((network.to, np.array(pivots, dtype=np.int32)[by]))[order]
    far = np.concatenate((network.length.astype(np.float64), rows[by, held]))[order]
    pull = np.concatenate((np.ones(heads.size), weight[by, held]))[order]
    start = network.start + np.concatenate(([0], np.cumsum(np.bincount(held, minlength=count))))
    return Springs(start, to, far, pull / (far * far))


@kernel
def _majorise(places: np.ndarray, springs: Springs, rounds: int, still: float) -> None:
    """Move ``places``, float64 (n, 2), round after round until none moves farther than ``still``."""
    start, to, far, weight = springs
    for _ in range(rounds):
        farthest = 0.0
        for vertex in range(places.shape[0]):
            x, y = places[vertex]
            east = 0.0
            south = 0.0
            total = 0.0
            for spring in range(start[vertex], start[vertex + 1]):
                other_x = places[to[spring], 0]
                other_y = places[to[spring], 1]
                apart = math.sqrt((x - other_x) ** 2 + (y - other_y) ** 2)
                share = far[spring] / apart if apart > 0.0 else 0.0
                east += weight[spring] * (other_x + share * (x - other_x))
                south += weight[spring] * (other_y + share * (y - other_y))
                total += weight[spring]
            places[vertex, 0] = east / total
            places[vertex, 1] = south / total
            farthest = max(farthest, abs(places[vertex, 0] - x), abs(places[vertex, 1] - y))
        if farthest < still:
            break
