"""Cells in the plane, by random probes: each belongs to the cell of the nearest place, if it lies within its disc."""

import math

import numpy as np
import pytest

from hinterland.graph.drawing.cells import DISC_CORNERS, compute_cells, reach_of

INNER = math.cos(math.pi / DISC_CORNERS)
"""A disc's sides come so near to its centre, as a share of its radius."""


def side_of(polygon, probe):
    """Return how far a probe is within a convex polygon, below 0 outside: the least over its sides."""
    least = math.inf
    for (ax, ay), (bx, by) in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        length = math.hypot(bx - ax, by - ay)
        if length > 1e-12:
            least = min(least, ((bx - ax) * (probe[1] - ay) - (by - ay) * (probe[0] - ax)) / length)
    return least


def kinds(rng):
    """Yield places of many kinds: by lot, on a grid, in a heap, at the border, two of them."""
    yield rng.random((40, 2))
    yield np.stack(np.meshgrid(np.arange(6), np.arange(6)), axis=-1).reshape(-1, 2) / 6 + 0.08
    yield np.concatenate((0.5 + rng.random((20, 2)) * 0.01, rng.random((5, 2))))
    yield np.array([(0.0, 0.0), (1.0, 1.0), (0.0, 1.0), (1.0, 0.0), (0.5, 0.0)])
    yield np.array([(0.3, 0.5), (0.4, 0.5)])
    yield np.stack((np.linspace(0.05, 0.95, 30), np.full(30, 0.5)), axis=1)


def test_a_probe_is_in_the_cell_of_the_nearest_place(rng):
    within = without = 0
    for places in kinds(rng):
        reach = reach_of(len(places))
        polygons = [cell.tolist() for cell in compute_cells(places)]
        assert len(polygons) == len(places)
        for probe in [*rng.random((150, 2)).tolist(), *(places + rng.normal(0, reach / 3, places.shape)).tolist()]:
            apart = [math.dist(probe, place) for place in places.tolist()]
            nearest = apart.index(min(apart))
            depths = [side_of(polygon, probe) for polygon in polygons]
            if min(map(abs, depths)) < 1e-9 or reach * INNER <= apart[nearest] <= reach:
                continue
            inside = apart[nearest] < reach and all(0 < share < 1 for share in probe)
            assert [vertex for vertex, depth in enumerate(depths) if depth > 0] == ([nearest] if inside else [])
            within += inside
            without += not inside
    assert within > 300
    assert without > 100


def test_cells_hold_their_places_and_stay_within_the_square(rng):
    for places in kinds(rng):
        for place, cell in zip(places.tolist(), compute_cells(places), strict=True):
            assert side_of(cell.tolist(), place) >= -1e-12
            assert cell.min() >= -1e-12
            assert cell.max() <= 1 + 1e-12
            assert np.hypot(*(cell - place).T).max() <= reach_of(len(places)) + 1e-9


@pytest.mark.jit
def test_the_cells_of_a_large_board_fill_it(rng):
    places = rng.random((3000, 2))
    area = 0.0
    for cell in compute_cells(places, reach=0.2):
        x, y = cell.T
        area += 0.5 * float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))
    assert area == pytest.approx(1.0, abs=1e-9)
