"""Boards under names: what each is, that a seed gives the same everywhere, and what cannot be."""

import hashlib
import math
from itertools import combinations

import msgspec
import numpy as np
import pytest

from hinterland.dice import Dice
from hinterland.errors import RulesError, UnknownName
from hinterland.graph import boards
from hinterland.graph.graphs import generators
from hinterland.graph.graphs.delaunay import delaunay_edges

SEEN = {
    "random": "a092597834c17fe3",
    "sparse": "b6aec9e59ba71911",
    "grid": "cc97abec12799dfc",
    "tree": "c1a6ab13687266ec",
    "geometric": "f807755e0d6ad927",
    "road": "5f246f615e770080",
    "small_world": "81f81864b196bf31",
}
"""Hashes of the boards of seed 7, 40 vertices, without their places: the same on every machine."""


def small(name, seed=7):
    size = {"rows": 5, "cols": 8} if name == "grid" else {"vertices": 40}
    return boards.make(name, seed=seed, **size)


@pytest.mark.parametrize("name", boards.BOARDS)
def test_a_seed_gives_the_same_board_everywhere(name):
    rules = small(name)
    assert rules == small(name)
    assert rules != small(name, seed=8)
    bare = msgspec.structs.replace(rules, places=())
    assert hashlib.sha256(str(bare).encode()).hexdigest()[:16] == SEEN[name]


def test_the_dice_are_the_bits_of_pcg64():
    raw = np.random.PCG64(5).random_raw(4).tolist()
    assert Dice(5).shares(4).tolist() == [(bits >> 12) / 2**52 for bits in raw]
    assert Dice(5).below(100, 4).tolist() == [(bits >> 32) * 100 >> 32 for bits in raw]


def test_the_course_board_has_its_edges_lengths_and_values():
    for density in (0.0, 0.1, 0.5, 1.0):
        rules = boards.random(200, density=density, seed=3)
        pairs, chance = 200 * 199 / 2, 1 - math.sqrt(density)
        assert abs(len(rules.edges) - pairs * chance) <= 4 * math.sqrt(pairs * chance * (1 - chance))
        assert all(1 <= length < 2 for _, _, length in rules.edges)
    assert set(boards.sparse(2000, density=0).values) == set(range(100))
    thin = boards.sparse(200, density=0.1, seed=3)
    assert abs(len(thin.edges) - pairs * 0.1) <= 4 * math.sqrt(pairs * 0.09)


def test_a_grid_is_a_grid():
    rules = boards.grid(3, 4, tokens=1)
    near = {frozenset(edge[:2]) for edge in rules.edges}
    places = [divmod(vertex, 4) for vertex in range(12)]
    assert near == {
        frozenset((a, b)) for a, b in combinations(range(12), 2) if math.dist(places[a], places[b]) == 1
    }  # fmt: skip
    assert {edge[2] for edge in rules.edges} == {1.0}


@pytest.mark.parametrize("count", [2, 3, 40])
def test_a_tree_is_connected_and_has_no_circle(count):
    rules = boards.tree(count, seed=1, tokens=1)
    assert len(rules.edges) == count - 1
    assert rules.network.parts == 1


def test_every_tree_is_drawn_as_often():
    seen = {}
    for seed in range(800):
        shape = frozenset(frozenset(edge[:2]) for edge in boards.tree(4, seed=seed, tokens=1).edges)
        seen[shape] = seen.get(shape, 0) + 1
    assert len(seen) == 16
    assert max(seen.values()) < 90
    assert min(seen.values()) > 20


@pytest.mark.parametrize("radius", [0, 0.02, 0.2, 0.5, 1])
def test_geometric_joins_what_is_near(radius):
    rules = boards.geometric(60, radius=radius, seed=2)
    dice = Dice(2)
    points = generators._draw_points(60, dice)
    reach = int(radius * generators.SIDE)
    expected = {pair for pair in combinations(range(60), 2) if math.dist(*points[list(pair)]) <= reach}
    assert {edge[:2] for edge in rules.edges} == expected


def test_a_ring_is_rewired_in_part():
    ring = boards.small_world(30, neighbours=4, rewired=0, seed=1)
    assert {(second - first) % 30 for first, second, _ in ring.edges} == {1, 2}
    assert len(ring.edges) == 60
    moved = boards.small_world(30, neighbours=4, rewired=0.5, seed=1)
    assert len(moved.edges) == 60
    assert 15 <= sum((second - first) % 30 not in (1, 2) for first, second, _ in moved.edges) <= 45


@pytest.mark.parametrize("name", ["grid", "geometric", "road"])
def test_places_are_as_far_apart_as_edges_are_long(name):
    rules = small(name)
    assert len(rules.edges) > 30
    for first, second, length in rules.edges:
        apart = math.dist(rules.places[first], rules.places[second])
        assert abs(apart - length) <= 0.5 / generators.STEPS_PER_UNIT + 2e-4, "lengths and places are rounded"


def test_a_grid_is_drawn_by_rows():
    assert boards.grid(2, 3, tokens=1).places == ((0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1))


def test_a_small_world_is_drawn_as_a_ring():
    places = small("small_world").places
    sides = [math.dist(places[vertex - 1], places[vertex]) for vertex in range(40)]
    assert max(sides) - min(sides) < 1e-3
    assert 0.98 < sides[0] < 1
    assert len(set(places)) == 40


def test_boards_without_a_natural_shape_have_no_places():
    assert all(small(name).places == () for name in ("random", "sparse", "tree"))


def turn(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def in_circle(a, b, c, d):
    rows = [(p[0] - d[0], p[1] - d[1], (p[0] - d[0]) ** 2 + (p[1] - d[1]) ** 2) for p in (a, b, c)]
    return round(np.linalg.det(np.array(rows, dtype=float)) * np.sign(turn(a, b, c)))


def is_delaunay(points, pair):
    """Say whether two points may be joined: an empty circle through them exists."""
    a, b = (points[i] for i in pair)
    others = [p for i, p in enumerate(points) if i not in pair]
    if all(turn(a, b, p) == 0 for p in others):
        return not any((p[0] - a[0]) * (p[0] - b[0]) + (p[1] - a[1]) * (p[1] - b[1]) < 0 for p in others)
    inside = [p for p in others if turn(a, b, p) == 0]
    if any((p[0] - a[0]) * (p[0] - b[0]) + (p[1] - a[1]) * (p[1] - b[1]) < 0 for p in inside):
        return False
    left = [p for p in others if turn(a, b, p) > 0]
    right = [p for p in others if turn(a, b, p) < 0]
    return any(
        all(in_circle(a, b, c, d) <= 0 for d in others if turn(a, b, d) != 0) for c in (*left, *right)
    )  # fmt: skip


def test_triangulations_are_delaunay(rng):
    for _ in range(60):
        side = int(rng.integers(2, 6))
        cells = rng.permutation(side * side)[: int(rng.integers(2, min(side * side, 12) + 1))]
        points = np.stack((cells // side, cells % side), axis=1).astype(np.int64)
        firsts, seconds = delaunay_edges(points)
        pairs = list(zip(firsts.tolist(), seconds.tolist(), strict=True))
        listed = [tuple(point) for point in points.tolist()]
        assert all(is_delaunay(listed, pair) for pair in pairs)
        assert not any(crosses(listed, one, two) for one, two in combinations(pairs, 2))
        if all(turn(*listed[:2], point) == 0 for point in listed):
            assert len(pairs) == len(listed) - 1
        else:
            assert len(pairs) == 3 * len(listed) - 3 - on_hull(listed), "no edge could be added"


def crosses(points, one, two):
    if set(one) & set(two):
        return False
    a, b, c, d = (points[i] for i in (*one, *two))
    return turn(a, b, c) * turn(a, b, d) < 0 and turn(c, d, a) * turn(c, d, b) < 0


def on_hull(points):
    """Count the points on the border of the hull, those between its corners included."""
    return sum(
        any(
            a != b and all(turn(a, b, other) >= 0 for other in points) and turn(a, b, point) == 0
            for a in points for b in points
        )
        for point in points
    )  # fmt: skip


def test_roads_are_planar_and_connected():
    rules = boards.road(300, seed=4)
    assert rules.network.parts == 1
    assert 2.7 * 300 < len(rules.edges) <= 3 * 300 - 6
    assert rules.network.scale <= 10
    assert len(boards.road(2, tokens=1).edges) == 1
    assert len(boards.road(3, tokens=1).edges) in (2, 3)


@pytest.mark.parametrize(
    ("name", "options", "complaint"),
    [
        ("random", {"density": -0.1}, "density must be a number from 0 to 1, not -0.1"),
        ("random", {"density": 1.5}, "density must be a number from 0 to 1, not 1.5"),
        ("sparse", {"density": math.nan}, "density must be a number from 0 to 1, not nan"),
        ("sparse", {"density": "much"}, "density must be a number from 0 to 1, not 'much'"),
        ("geometric", {"radius": 2}, "radius must be a number from 0 to 1, not 2"),
        ("geometric", {"vertices": 100_000, "radius": 1}, "radius 1 gives more than the 4000000 edges"),
        ("small_world", {"rewired": True}, "rewired must be a number from 0 to 1, not True"),
        ("small_world", {"neighbours": 100}, "neighbours must be a whole number from 2 to 99, not 100"),
        ("random", {"vertices": 5001}, "vertices must be a whole number from 2 to 5000, not 5001"),
        ("random", {"vertices": 1}, "vertices must be a whole number from 2 to 5000, not 1"),
        ("tree", {"vertices": 10**7}, "vertices must be a whole number from 2 to 1000000"),
        ("road", {"vertices": 2.0}, "vertices must be a whole number from 2 to 1000000, not 2.0"),
        ("grid", {"rows": 0}, "rows must be a whole number from 1 to 1000, not 0"),
        ("grid", {"rows": 1, "cols": 1}, "a graph has from 2 to 1000000 vertices"),
        ("grid", {"seed": -1}, "seed must be a whole number from 0 on, not -1"),
        ("road", {"seed": 0.5}, "seed must be a whole number from 0 on, not 0.5"),
        ("road", {"vertices": 19}, "need at least 20 vertices, this graph has 19"),
        ("road", {"players": 99}, "players must be a whole number from 2 to 12, not 99"),
    ],
)
def test_impossible_boards_are_refused(name, options, complaint):
    with pytest.raises(RulesError, match=complaint):
        boards.make(name, **options)


def test_unknown_boards_and_options():
    with pytest.raises(UnknownName, match="unknown board 'star'; known: random, sparse, grid"):
        boards.make("star")
    with pytest.raises(UnknownName, match="unknown option of board grid 'size'; known: rows, cols, seed"):
        boards.make("grid", size=3)
