"""What all pictures of a board have in common: computed once, and stored with the rules."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hinterland.graph.drawing.cells import compute_cells, reach_of
from hinterland.graph.drawing.edge_shading import Stroke, shade_edges
from hinterland.graph.drawing.layout import places_of, spacing_of

if TYPE_CHECKING:
    from hinterland.graph.rules import Rules

RADIUS_PER_SPACING = 0.21
"""Radius of the largest vertex if there is room, in mean spacings; at most MAX_RADIUS."""
MAX_RADIUS = 0.04
RADIUS_PER_DISTANCE = 0.45
"""Radius of the largest vertex on crowded boards, as a share of the usual distance between neighbours."""
REACH_PER_DISTANCE = 2.5
"""Extent of a region around vertices that lie in lines, as a share of the usual distance between neighbours."""
MIN_RADIUS_SHARE = 0.32
"""Radius of a vertex of value 0, as a share of the largest: it must be visible and clickable."""


class DrawingData(NamedTuple):
    """A board drawn in the unit square, y downwards."""

    places: np.ndarray
    """float64 (n, 2)"""
    cells: list[np.ndarray]
    """float64 (corners, 2) each: the convex polygon around each vertex with which its region is painted."""
    radius: float
    """Radius of a vertex with the greatest value."""
    radii: np.ndarray
    """float64[n]: a vertex's area is proportional to its value, except for the smallest."""
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
    """Return the numbers of a board; ``total`` is the sum of the values."""
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
