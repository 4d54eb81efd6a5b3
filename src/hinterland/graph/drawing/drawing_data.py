"""What all pictures of a board have in common: places, cells, sizes and shades; computed once for each board.

Places come from the rules, or else from a layout by distances. The connected parts of a graph are laid out one by one,
each turned so that its longest extent is horizontal. Then the parts are stacked like bricks into a square, the largest
first: each goes where the stack below it is lowest. So parts of a single vertex fill the remaining space. Shorter edges
are drawn darker, and all edges fainter if there are many, to avoid a grey slab.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hinterland.graph.distances.network import Network, renumber
from hinterland.graph.drawing import stress
from hinterland.graph.drawing.cells import compute_cells, reach_of
from hinterland.graph.drawing.declutter import declutter, find_nearest_distances
from hinterland.graph.graphs.edges import Edge

if TYPE_CHECKING:
    from hinterland.graph.rules import Rules

RADIUS_PER_SPACING = 0.21
"""Radius of the largest vertex if there is room, in mean spacings, but at most MAX_RADIUS. The mean spacing of n
vertices is 1 / sqrt(n) of the square's side."""
MAX_RADIUS = 0.04
RADIUS_PER_DISTANCE = 0.45
"""Radius of the largest vertex on crowded boards, as a share of the median distance to the nearest vertex."""
REACH_PER_DISTANCE = 2.5
"""Radius of the cells of vertices that lie in lines, as a multiple of the median distance to the nearest vertex."""
MIN_RADIUS_SHARE = 0.32
"""Radius of a vertex of value 0, as a share of the largest; such a vertex, too, must be visible and clickable."""


class DrawingData(NamedTuple):
    """A board drawn in the unit square, y downwards."""

    places: np.ndarray
    """float64 (n, 2)"""
    cells: list[np.ndarray]
    """For each vertex the convex polygon that is painted in the colour of the vertex's owner: float64 (corners, 2)."""
    radius: float
    """Radius of a vertex with the greatest value."""
    radii: np.ndarray
    """float64[n]: radius of each vertex. Areas are proportional to values, but none is below a least size."""
    strokes: list[Stroke]
    """The edges, the lightest first."""


def lay_out(rules: Rules) -> DrawingData:
    """Compute where everything of a board is drawn."""
    places = places_of(rules)
    most = min(RADIUS_PER_SPACING / math.sqrt(rules.vertices), MAX_RADIUS)
    radius = RADIUS_PER_DISTANCE * spacing_of(places, most / RADIUS_PER_DISTANCE)
    values = np.array(rules.values, dtype=np.float64)
    shares = np.sqrt(values / max(values.max(), 1.0))
    reach = reach_of(rules.vertices)
    slim = min(reach, REACH_PER_DISTANCE * spacing_of(places, reach))
    radii = radius * np.maximum(shares, MIN_RADIUS_SHARE)
    return DrawingData(places, compute_cells(places, slim), radius, radii, shade_edges(rules.edges, places))


def page_rules(rules: Rules) -> dict[str, Any]:
    """Return what a page says of a board in numbers; ``total`` is the sum of the values."""
    return {
        "players": rules.players,
        "tokens": rules.tokens,
        "vertices": rules.vertices,
        "edges": len(rules.edges),
        "parts": rules.network.parts,
        "total": sum(rules.values),
        "unweighted": rules.is_unweighted,
    }


def drawing_data(rules: Rules) -> dict[str, Any]:
    """Return what a page needs to draw a board, as JSON values, in the unit square with y downwards."""
    drawn = rules.drawing
    named = {"names": list(rules.names)} if rules.names else {}
    return {
        **named,
        "values": list(rules.values),
        "edges": [list(edge) for edge in rules.edges],
        "places": np.round(drawn.places, 4).tolist(),
        "cells": [np.round(cell, 4).ravel().tolist() for cell in drawn.cells],
        "radius": round(drawn.radius, 4),
    }


def locate(rules: Rules, places: Sequence[tuple[int, ...]]) -> list[tuple[float, float]]:
    """Return the place of each vertex in the unit square."""
    drawn: list[list[float]] = rules.drawing.places[[vertex for (vertex,) in places]].tolist()
    return [(x, y) for x, y in drawn]


LAYOUT_GAP = 0.6
"""Least distance of two vertices in a computed layout, in mean spacings."""
GIVEN_GAP = 0.4
"""Least distance of two vertices, in mean spacings, if the rules give places; it is small, so that places change
little."""
MIN_GAP = 0.1
"""Least distance of two vertices, in mean spacings, even if most vertices lie in a line or a heap. A larger distance
would spoil such shapes."""
EVENING_ROUNDS = 5
"""Number of times that vertices are pushed apart if they are nearer than the median distance, which grows each time."""
MARGIN_RANGE = (0.022, 0.06)
"""Smallest and largest distance of vertices from the border, so that no token is cut off."""


def places_of(rules: Rules) -> np.ndarray:
    """Return the place of each vertex in the unit square, y downwards: float64 (n, 2), no two in one place."""
    unit = 1.0 / math.sqrt(rules.vertices)
    margin = min(max(unit / 2.0, MARGIN_RANGE[0]), MARGIN_RANGE[1])
    if rules.places:
        wanted, gap = np.array(rules.places, dtype=np.float64), GIVEN_GAP
    else:
        wanted, gap = _lay_out(rules.network), LAYOUT_GAP
    places = _fit_square(wanted, margin)
    usual = max(spacing_of(places, gap * unit), MIN_GAP * unit)
    return _fit_square(declutter(places, usual, margin), margin)


def spacing_of(places: np.ndarray, most: float) -> float:
    """Return the median distance to the nearest vertex, at most ``most``."""
    return float(np.median(find_nearest_distances(places, most)))


def _fit_square(places: np.ndarray, margin: float) -> np.ndarray:
    """Scale points, by the same factor in both directions, and shift them to the middle of the unit square."""
    low, high = places.min(axis=0), places.max(axis=0)
    scale = (1.0 - 2.0 * margin) / (float((high - low).max()) or 1.0)
    fitted: np.ndarray = 0.5 + (places - (low + high) / 2.0) * scale
    return fitted


def _lay_out(network: Network) -> np.ndarray:
    """Lay out a graph by its distances, in mean spacings."""
    order = np.argsort(network.part, kind="stable")
    ends = np.cumsum(np.bincount(network.part))[:-1]
    members = sorted(np.split(order, ends), key=lambda part: -part.size)
    bricks = [_lay_out_part(network, part) for part in members]
    places = np.empty((network.values.size, 2))
    corners = _pack_boxes([brick.max(axis=0) + 1.0 for brick in bricks])
    for part, brick, corner in zip(members, bricks, corners, strict=True):
        places[part] = brick + corner
    return places


def _lay_out_part(network: Network, members: np.ndarray) -> np.ndarray:
    """Lay out one part of a graph, with least coordinates 0 and about one vertex in each unit of area."""
    spread = math.sqrt(members.size)
    if members.size <= 2:
        return np.stack((np.arange(members.size), np.zeros(members.size)), axis=1).astype(np.float64)
    places = _fit_square(_turn_longest_side(stress.arrange(_extract_part(network, members))), 0.0)
    for _ in range(EVENING_ROUNDS):  # without a margin: at a border vertices would pile up
        gap = spacing_of(places, LAYOUT_GAP / spread)
        places = _fit_square(declutter(places, gap), 0.0)
    brick: np.ndarray = (places - places.min(axis=0)) * spread
    return brick


def _extract_part(network: Network, members: np.ndarray) -> Network:
    """Return one part of a graph; its vertices are renumbered in the order of ``members``."""
    if members.size == network.values.size:
        return network
    part = np.zeros(members.size, dtype=np.int32)
    return Network(*renumber(network, members), network.values[members], part, network.scale)


def _turn_longest_side(places: np.ndarray) -> np.ndarray:
    """Turn points so that their longest extent is horizontal; round them, to be the same on every machine."""
    centred = places - places.mean(axis=0)
    _, axes = np.linalg.eigh(centred.T @ centred)
    x, y = axes[:, 1] * (1.0 if axes[np.abs(axes[:, 1]).argmax(), 1] > 0 else -1.0)
    lying: np.ndarray = np.round(centred @ np.array([[x, -y], [y, x]]) / np.ptp(centred), stress.DECIMALS)
    return lying


def _pack_boxes(sizes: list[np.ndarray]) -> np.ndarray:
    """Pack boxes into roughly a square; return the place of each box's first corner: float64 (k, 2).

    ``sizes``: (width, height) of each box.
    """
    area = sum(float(width * height) for width, height in sizes)
    widest = max(float(width) for width, _ in sizes)
    widths = {max(widest, math.sqrt(area) * stretch) for stretch in (1.0, 1.1, 1.2, 1.35)}
    tries = [_stack_boxes(sizes, math.ceil(width)) for width in sorted(widths)]
    return min(tries, key=lambda tried: tried[1])[0]


def _stack_boxes(sizes: list[np.ndarray], columns: int) -> tuple[np.ndarray, float]:
    """Stack boxes, each as low as possible; return their first corners, and the side of a square around all."""
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


CROWD_LENGTH = 60.0
"""Edges are crowded if their total length exceeds this many sides of the picture."""
SHADES = 8
DARKEST = 0.62
"""Opacity of the shortest edge."""
LIGHTEST = 0.3
"""Opacity of the longest edge on a board that is not crowded."""
EQUAL_SHADE = 0.5
"""Shade of all edges if they are equally long: 0 is the lightest, 1 the darkest."""
MIN_OPACITY = 1 / 256


class Stroke(NamedTuple):
    """Edges of one shade."""

    opacity: float
    """Opacity from 0 to 1."""
    ends: np.ndarray
    """int64 (m, 2): the vertices at the ends."""


def shade_edges(edges: tuple[Edge, ...], places: np.ndarray) -> list[Stroke]:
    """Sort edges into a few shades, the lightest first, so that the darkest are drawn over all others.

    ``places``: float64 (n, 2) in the unit square. Edges too light to be seen are left out.
    """
    if not edges:
        return []
    ends = np.array([edge[:2] for edge in edges], dtype=np.int64)
    lengths = np.array([edge[2] for edge in edges])
    shortest, longest = lengths.min(), lengths.max()
    nearness = (longest - lengths) / (longest - shortest) if longest > shortest else np.full(len(edges), EQUAL_SHADE)
    drawn = float(np.hypot(*(places[ends[:, 0]] - places[ends[:, 1]]).T).sum())
    crowd = max(drawn / CROWD_LENGTH, 1.0)
    shade = np.rint(nearness ** math.sqrt(crowd) * (SHADES - 1)).astype(np.int64)
    opacities = np.linspace(LIGHTEST / crowd, DARKEST / crowd**0.2, SHADES)
    return [
        Stroke(float(opacity), ends[shade == number])
        for number, opacity in enumerate(opacities)
        if opacity >= MIN_OPACITY and (shade == number).any()
    ]
