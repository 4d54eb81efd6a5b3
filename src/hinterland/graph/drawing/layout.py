"""Where each vertex is drawn in the unit square: where the rules say, or as the distances ask.

The parts of a graph are laid out one by one, each with its longest extent lying, and packed into a square like bricks,
the largest first: each goes where the bricks below it reach least high. So single vertices gather in what is left.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from hinterland.graph.distances.network import Network, renumbered
from hinterland.graph.drawing import stress
from hinterland.graph.drawing.declutter import decluttered, nearest

if TYPE_CHECKING:
    from hinterland.graph.rules import Rules

GAP = 0.6
"""The least distance of two vertices in a layout, in mean spacings: 1 / sqrt(n)."""
KEPT_GAP = 0.4
"""The same where the rules say where vertices are: those are moved less."""
LEAST_GAP = 0.1
"""The same where vertices lie in a line or a heap, which a greater one would crumple."""
EVENED = 5
"""How often vertices that are nearer than usual are pushed apart; each time what is usual grows."""
MARGINS = (0.022, 0.06)
"""From and to: how far vertices stay from the border; a token must not be cut off."""


def places_of(rules: Rules) -> np.ndarray:
    """Return where each vertex is drawn in the unit square, y downwards: float64 (n, 2), no two on one place."""
    unit = 1.0 / math.sqrt(rules.vertices)
    margin = min(max(unit / 2.0, MARGINS[0]), MARGINS[1])
    if rules.places:
        wanted, gap = np.array(rules.places, dtype=np.float64), KEPT_GAP
    else:
        wanted, gap = _laid_out(rules.network), GAP
    places = _fitted(wanted, margin)
    usual = max(spacing_of(places, gap * unit), LEAST_GAP * unit)
    return _fitted(decluttered(places, usual, margin), margin)


def spacing_of(places: np.ndarray, most: float) -> float:
    """Return how far from each other nearest vertices usually are, at most so much."""
    return float(np.median(nearest(places, most)))


def _fitted(places: np.ndarray, margin: float) -> np.ndarray:
    """Scale and shift points into the middle of the unit square, both directions alike."""
    low, high = places.min(axis=0), places.max(axis=0)
    scale = (1.0 - 2.0 * margin) / (float((high - low).max()) or 1.0)
    fitted: np.ndarray = 0.5 + (places - (low + high) / 2.0) * scale
    return fitted


def _laid_out(network: Network) -> np.ndarray:
    """Lay out a graph by its distances, in mean spacings."""
    order = np.argsort(network.part, kind="stable")
    ends = np.cumsum(np.bincount(network.part))[:-1]
    members = sorted(np.split(order, ends), key=lambda part: -part.size)
    bricks = [_brick(network, part) for part in members]
    places = np.empty((network.values.size, 2))
    corners = _packed([brick.max(axis=0) + 1.0 for brick in bricks])
    for part, brick, corner in zip(members, bricks, corners, strict=True):
        places[part] = brick + corner
    return places


def _brick(network: Network, members: np.ndarray) -> np.ndarray:
    """Lay out one part of a graph, with its least coordinates at 0 and about one vertex in each unit of area."""
    spread = math.sqrt(members.size)
    if members.size <= 2:
        return np.stack((np.arange(members.size), np.zeros(members.size)), axis=1).astype(np.float64)
    places = _fitted(_lying(stress.arranged(_alone(network, members))), 0.0)
    for _ in range(EVENED):  # without walls, or what is in line would pile up before them
        gap = spacing_of(places, GAP / spread)
        places = _fitted(decluttered(places, gap), 0.0)
    brick: np.ndarray = (places - places.min(axis=0)) * spread
    return brick


def _alone(network: Network, members: np.ndarray) -> Network:
    """Return one part of a graph, its vertices numbered anew in their order."""
    if members.size == network.values.size:
        return network
    part = np.zeros(members.size, dtype=np.int32)
    return Network(*renumbered(network, members), network.values[members], part, network.scale)


def _lying(places: np.ndarray) -> np.ndarray:
    """Turn points so that their longest extent lies horizontally; in parts of their extent, the same on any machine."""
    centred = places - places.mean(axis=0)
    _, axes = np.linalg.eigh(centred.T @ centred)
    x, y = axes[:, 1] * (1.0 if axes[np.abs(axes[:, 1]).argmax(), 1] > 0 else -1.0)
    lying: np.ndarray = np.round(centred @ np.array([[x, -y], [y, x]]) / np.ptp(centred), stress.EXACT)
    return lying


def _packed(sizes: list[np.ndarray]) -> np.ndarray:
    """Return the corners at which boxes, (width, height) each, are packed into about a square: float64 (k, 2)."""
    area = sum(float(width * height) for width, height in sizes)
    widest = max(float(width) for width, _ in sizes)
    widths = {max(widest, math.sqrt(area) * stretch) for stretch in (1.0, 1.1, 1.2, 1.35)}
    tries = [_stacked(sizes, math.ceil(width)) for width in sorted(widths)]
    return min(tries, key=lambda tried: tried[1])[0]


def _stacked(sizes: list[np.ndarray], columns: int) -> tuple[np.ndarray, float]:
    """Put each box where it lies lowest on those before it; return the corners, and the side of the square needed."""
    heights = np.zeros(columns)
    corners = np.empty((len(sizes), 2))
    right = 0.0
    for number, (width, height) in enumerate(sizes):
        wide = min(math.ceil(width), columns)
        floors = np.lib.stride_tricks.sliding_window_view(heights, wide).max(axis=1)
        left = int(floors.argmin())
        corners[number] = left, floors[left]
        heights[left : left + wide] = floors[left] + height
        right = max(right, left + width)
    return corners, max(float(heights.max()), right)
