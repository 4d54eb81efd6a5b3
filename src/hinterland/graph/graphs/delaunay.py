"""Delaunay's triangulation of points with whole coordinates, exactly.

Points are added one at a time, by the algorithm of Bowyer and Watson: the triangles whose circumcircle contains the new
point are removed, and the hole is filled with triangles around the point. One vertex at infinity closes the hull, so
that every point lies in a triangle. Coordinates below 2**14 keep every determinant below 2**61.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hinterland.jit import inlined, kernel

COORDINATE_BITS = 14
"""Coordinates are whole numbers from 0 to 2**COORDINATE_BITS - 1."""


class Mesh(NamedTuple):
    """An unfinished triangulation of n points. All arrays are int64; kernels overwrite all but the points.

    Points are numbered from 0; n is the vertex at infinity.
    """

    points: np.ndarray
    """(n, 2)"""
    corners: np.ndarray
    """(2 n, 3): the corners of each triangle, anticlockwise; -1 in unused rows."""
    across: np.ndarray
    """(2 n, 3): for each corner of a triangle, the neighbouring triangle beyond the opposite side."""
    mark: np.ndarray
    """(2 n): for each triangle, the last inserted point whose hole contained it; -1 if there is none."""
    hole: np.ndarray
    """(2 n): the triangles of the hole, that is, those whose circumcircle contains the point being inserted; new
    triangles around that point replace them."""
    rim: np.ndarray
    """(2 n, 3): for each side of the hole, its two corners and the triangle outside."""
    fan: np.ndarray
    """(n + 1): for each corner of the hole, the new triangle at the side that begins there."""


def morton_order(points: np.ndarray) -> np.ndarray:
    """Return the numbers of points in their order along a Morton curve: int64[n].

    Most points that follow each other on this curve lie close together. ``points``: int64 (n, 2).
    """
    codes = np.zeros(len(points), dtype=np.int64)
    for bit in range(COORDINATE_BITS):
        codes |= ((points[:, 0] >> bit) & 1) << (2 * bit)
        codes |= ((points[:, 1] >> bit) & 1) << (2 * bit + 1)
    return np.argsort(codes, kind="stable")


def delaunay_edges(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the edges of the triangulation as two arrays, the lower and the higher vertex of each edge.

    ``points``: int64 (n, 2), all distinct; sort them by ``morton_order`` first, and this function is faster. If all
    points are on one line, each is joined to the next.
    """
    first = _first_corner(points)
    if first < 0:
        order = np.lexsort((points[:, 1], points[:, 0]))
        ends = np.sort(np.stack((order[:-1], order[1:])), axis=0)
        return ends[0], ends[1]
    corners = _triangulate(np.ascontiguousarray(points), first)
    corners = corners[(corners >= 0).all(axis=1) & (corners < len(points)).all(axis=1)]
    sides = np.sort(corners[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    keys = np.unique(sides[:, 0] * len(points) + sides[:, 1])
    return keys // len(points), keys % len(points)


@inlined
def _turn(points: np.ndarray, a: int, b: int, c: int) -> int:
    """Return twice the area of the triangle a, b, c: positive if they are anticlockwise, else negative or 0."""
    right = (points[b, 0] - points[a, 0]) * (points[c, 1] - points[a, 1])
    left = (points[b, 1] - points[a, 1]) * (points[c, 0] - points[a, 0])
    return int(right - left)


@kernel
def _first_corner(points: np.ndarray) -> int:
    """Return the first point that is not on the line through points 0 and 1; -1 if all points are on it."""
    for point in range(2, points.shape[0]):
        if _turn(points, 0, 1, point) != 0:
            return point
    return -1


@inlined
def _is_in_circle(points: np.ndarray, a: int, b: int, c: int, d: int) -> bool:
    """Say whether point d lies inside the circle through a, b, c, which are anticlockwise."""
    ax = points[a, 0] - points[d, 0]
    ay = points[a, 1] - points[d, 1]
    bx = points[b, 0] - points[d, 0]
    by = points[b, 1] - points[d, 1]
    cx = points[c, 0] - points[d, 0]
    cy = points[c, 1] - points[d, 1]
    inside = (ax * ax + ay * ay) * (bx * cy - by * cx)
    inside += (bx * bx + by * by) * (cx * ay - cy * ax)
    inside += (cx * cx + cy * cy) * (ax * by - ay * bx)
    return bool(inside > 0)


@inlined
def _is_beyond(points: np.ndarray, a: int, b: int, d: int) -> bool:
    """Say whether d lies to the left of the line from a to b, or on the line between a and b."""
    side = _turn(points, a, b, d)
    if side != 0:
        return side > 0
    along = (points[a, 0] - points[d, 0]) * (points[b, 0] - points[d, 0])
    along += (points[a, 1] - points[d, 1]) * (points[b, 1] - points[d, 1])
    return bool(along < 0)


@inlined
def _circle_contains(mesh: Mesh, triangle: int, point: int) -> bool:
    """Say whether the circle of a triangle contains a point.

    For a triangle with the vertex at infinity, the circle is the half-plane outside the hull.
    """
    points, corners = mesh.points, mesh.corners[triangle]
    for i in range(3):
        if corners[i] == points.shape[0]:
            return _is_beyond(points, corners[(i + 1) % 3], corners[(i + 2) % 3], point)
    return _is_in_circle(points, corners[0], corners[1], corners[2], point)


@inlined
def _locate(mesh: Mesh, triangle: int, point: int) -> int:
    """Walk from a triangle to the next until the circle of one contains the point; return that triangle."""
    points, corners, across = mesh.points, mesh.corners, mesh.across
    infinite = points.shape[0]
    for i in range(3):
        if corners[triangle, i] == infinite:
            triangle = across[triangle, i]
            break
    moved = True
    while moved:
        moved = False
        for i in range(3):
            a = corners[triangle, (i + 1) % 3]
            b = corners[triangle, (i + 2) % 3]
            if _turn(points, a, b, point) < 0:
                triangle = across[triangle, i]
                moved = infinite not in (corners[triangle, 0], corners[triangle, 1], corners[triangle, 2])
                break
    return triangle


@inlined
def _find_hole(mesh: Mesh, first: int, point: int) -> int:
    """List and mark the triangles whose circles contain the point; return how many. ``first`` is one of them."""
    hole, mark = mesh.hole, mesh.mark
    hole[0] = first
    mark[first] = point
    count = 1
    looked = 0
    while looked < count:
        for i in range(3):
            other = mesh.across[hole[looked], i]
            if mark[other] != point and _circle_contains(mesh, other, point):
                mark[other] = point
                hole[count] = other
                count += 1
        looked += 1
    return count


@inlined
def _fill_hole(mesh: Mesh, used: int, point: int, holes: int) -> int:
    """Replace the ``holes`` triangles of the hole with triangles around the point; return the number of rows in use."""
    _, corners, across, mark, hole, rim, fan = mesh
    sides = 0
    for h in range(holes):
        for i in range(3):
            outside = across[hole[h], i]
            if mark[outside] != point:
                rim[sides, 0] = corners[hole[h], (i + 1) % 3]
                rim[sides, 1] = corners[hole[h], (i + 2) % 3]
                rim[sides, 2] = outside
                sides += 1
    for side in range(sides):
        new = hole[side] if side < holes else used + side - holes
        a, b, outside = rim[side, 0], rim[side, 1], rim[side, 2]
        for i in range(3):
            if corners[outside, i] != a and corners[outside, i] != b:
                across[outside, i] = new
        corners[new, 0] = point
        corners[new, 1] = a
        corners[new, 2] = b
        across[new, 0] = outside
        mark[new] = -1
        fan[a] = new
    for side in range(sides):
        new = hole[side] if side < holes else used + side - holes
        after = fan[corners[new, 2]]
        across[new, 1] = after
        across[after, 2] = new
    return used + sides - holes


@kernel(allocates=True)
def _triangulate(points: np.ndarray, first: int) -> np.ndarray:
    """Return the corners of all triangles: int64 (2 n, 3), -1 in unused rows, n for the vertex at infinity.

    ``points``: int64 (n, 2). ``first``: a point that is not on the line through points 0 and 1.
    """
    count = points.shape[0]
    corners = np.full((2 * count, 3), -1, dtype=np.int64)
    across = np.full((2 * count, 3), -1, dtype=np.int64)
    mark = np.full(2 * count, -1, dtype=np.int64)
    hole = np.empty(2 * count, dtype=np.int64)
    rim = np.empty((2 * count, 3), dtype=np.int64)
    mesh = Mesh(points, corners, across, mark, hole, rim, np.empty(count + 1, dtype=np.int64))
    a, b, c = 0, 1, first
    if _turn(points, a, b, c) < 0:
        a, b = b, a
    for row, (first_corner, second, third) in enumerate(((a, b, c), (count, c, b), (count, a, c), (count, b, a))):
        corners[row, 0], corners[row, 1], corners[row, 2] = first_corner, second, third
    for row, (first_across, second, third) in enumerate(((1, 2, 3), (0, 3, 2), (0, 1, 3), (0, 2, 1))):
        across[row, 0], across[row, 1], across[row, 2] = first_across, second, third
    used = 4
    last = 0
    for point in range(2, count):
        if point == first:
            continue
        last = _locate(mesh, last, point)
        holes = _find_hole(mesh, last, point)
        used = _fill_hole(mesh, used, point, holes)
        last = hole[0]
    return corners
