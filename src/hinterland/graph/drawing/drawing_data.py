"""What pictures of a board have in common, whatever is played on it: laid out once, and kept with the rules."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hinterland.graph.drawing.cells import cells, reach_of
from hinterland.graph.drawing.edge_shading import Stroke, strokes
from hinterland.graph.drawing.layout import places_of, spacing_of

if TYPE_CHECKING:
    from hinterland.graph.rules import Rules

ROOMY = 0.21
"""The radius of the greatest vertex where all have room, in mean spacings; no more than LARGEST."""
LARGEST = 0.04
CLOSE = 0.45
"""That radius where they have none, as a share of the usual distance of two."""
SLIM = 2.5
"""How far a region reaches around its vertices where they lie in lines, as a share of the usual distance of two."""
LEAST = 0.32
"""The radius of a vertex of value 0, as a share of the greatest: it must be seen and clicked."""


class DrawingData(NamedTuple):
    """A board drawn in the unit square, y downwards."""

    places: np.ndarray
    """float64 (n, 2)"""
    cells: list[np.ndarray]
    """float64 (corners, 2) each: the convex polygon around each vertex that its region is painted with."""
    radius: float
    """Of a vertex of the greatest value."""
    radii: np.ndarray
    """float64[n]: a vertex's area is its value, but for the smallest."""
    strokes: list[Stroke]
    """The edges, the lightest first."""


def lay_out(rules: Rules) -> DrawingData:
    """Decide where everything of a board is drawn."""
    places = places_of(rules)
    most = min(ROOMY / math.sqrt(rules.vertices), LARGEST)
    radius = CLOSE * spacing_of(places, most / CLOSE)
    values = np.array(rules.values, dtype=np.float64)
    shares = np.sqrt(values / max(values.max(), 1.0))
    reach = reach_of(rules.vertices)
    slim = min(reach, SLIM * spacing_of(places, reach))
    radii = radius * np.maximum(shares, LEAST)
    return DrawingData(places, cells(places, slim), radius, radii, strokes(rules.edges, places))


def page_rules(rules: Rules) -> dict[str, Any]:
    """Count what there is on a board; ``total`` is the sum of the values."""
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
    """Return what a page needs to draw a board, in plain JSON values, in the unit square with y downwards."""
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
