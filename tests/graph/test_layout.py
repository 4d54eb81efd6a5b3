"""Where vertices are drawn: within the square, apart, true to the distances, and the same every time."""

import math
import os
import subprocess
import sys
from itertools import combinations

import numpy as np
import pytest

from graph.graph_cases import PIECES
from hinterland.graph import Rules, boards
from hinterland.graph.drawing import drawing_data, stress


def bare(rules):
    """Return the same board without places."""
    return Rules(edges=rules.edges, values=rules.values, players=rules.players, tokens=rules.tokens)


def path(count):
    return Rules(edges=tuple((i, i + 1, 1.0) for i in range(count - 1)), values=(1,) * count, tokens=1)


def ring(count):
    return Rules(edges=tuple((i, (i + 1) % count, 1.0) for i in range(count)), values=(1,) * count, tokens=1)


def star(count):
    return Rules(edges=tuple((0, i, 1.0) for i in range(1, count)), values=(1,) * count, tokens=1)


def play_out(count):
    return Rules(edges=tuple((i, j, 1.0) for i, j in combinations(range(count), 2)), values=(1,) * count, tokens=1)


SHAPES = {
    "course": boards.random(30, seed=1, tokens=1),
    "tree": boards.tree(30, seed=2, tokens=1),
    "sparse": boards.sparse(40, density=0.04, seed=3, tokens=1),
    "grid": bare(boards.grid(5, 6, seed=1, tokens=1)),
    "pieces": Rules(**PIECES, tokens=1),
    "none": Rules(values=(1,) * 30, tokens=1),
    "two": path(2),
    "two alone": Rules(values=(1, 2), tokens=1),
    "three": path(3),
    "path": path(25),
    "ring": ring(24),
    "star": star(25),
    "complete": play_out(16),
}


def least_apart(places):
    return min(math.dist(one, other) for one, other in combinations(places.tolist(), 2))


@pytest.mark.parametrize("name", SHAPES)
def test_vertices_are_apart_and_within_the_square(name):
    rules = SHAPES[name]
    places = drawing_data.places_of(rules)
    assert places.shape == (rules.vertices, 2)
    assert places.dtype == np.float64
    assert places.min() >= drawing_data.MARGIN_RANGE[0] - 1e-9
    assert places.max() <= 1 - drawing_data.MARGIN_RANGE[0] + 1e-9
    assert np.ptp(places, axis=0).max() > 0.85, "the square is used"
    assert least_apart(places) * math.sqrt(rules.vertices) > drawing_data.MIN_GAP * 0.9
    assert np.array_equal(drawing_data.places_of(rules), places), "nothing is drawn by lot"


@pytest.mark.parametrize("name", ["course", "complete", "star", "none"])
def test_crowds_are_spread_evenly(name):
    rules = SHAPES[name]
    assert least_apart(drawing_data.places_of(rules)) * math.sqrt(rules.vertices) > 0.5


def disagreement(rules, places):
    """Return how far drawn distances are from those of the graph, at the best scale: a share, root mean square."""
    count = rules.vertices
    far = [[0.0 if i == j else math.inf for j in range(count)] for i in range(count)]
    for first, second, length in rules.edges:
        far[first][second] = far[second][first] = length
    for k in range(count):
        for i in range(count):
            for j in range(count):
                far[i][j] = min(far[i][j], far[i][k] + far[k][j])
    ratios = [math.dist(places[i], places[j]) / far[i][j] for i, j in combinations(range(count), 2)]
    scale = sum(ratios) / sum(ratio * ratio for ratio in ratios)
    return math.sqrt(sum((ratio * scale - 1) ** 2 for ratio in ratios) / len(ratios))


@pytest.mark.parametrize(
    ("name", "most"), [("path", 0.01), ("ring", 0.13), ("grid", 0.15), ("tree", 0.13), ("course", 0.38)]
)
def test_distances_are_drawn_truly(name, most):
    """By lot the course's board is off by 0.46, the others by 0.65 and more; a grid and a ring can be no truer."""
    rules = SHAPES[name]
    assert disagreement(rules, drawing_data.places_of(rules).tolist()) < most
    shuffled = np.random.default_rng(1).permutation(drawing_data.places_of(rules))
    assert disagreement(rules, shuffled.tolist()) > most


@pytest.mark.parametrize("name", ["tree", "course"])
def test_no_vertex_would_be_better_off_a_little_aside(name):
    rules = SHAPES[name]
    places = stress.arrange(rules.network)
    far = np.where(np.eye(rules.vertices, dtype=bool), np.inf, rules.distances)
    mean = float(np.ptp(places, axis=0).max()) / math.sqrt(rules.vertices)
    for vertex in range(rules.vertices):
        here = strain(places[vertex], places, far[vertex])
        for turn in np.arange(8) * math.tau / 8:
            aside = places[vertex] + 0.2 * mean * np.array((math.cos(turn), math.sin(turn)))
            assert strain(aside, places, far[vertex]) > here


def strain(place, places, far):
    """Return the stress of one vertex."""
    apart = np.hypot(*(places - place).T)
    return float(np.sum((apart / far - 1.0) ** 2))


def test_a_path_lies_in_its_order():
    places = drawing_data.places_of(SHAPES["path"])
    steps = np.diff(places[:, 0])
    assert (steps > 0.02).all() or (steps < -0.02).all()
    assert np.ptp(places[:, 1]) < 0.01


DRAWN = """
from graph.test_layout import SHAPES, drawing_data
for name in ("course", "tree", "sparse", "pieces", "path"):
    print(drawing_data.places_of(SHAPES[name]).round(9).tolist())
"""


@pytest.mark.thorough
def test_another_processor_draws_the_same():
    """The library of linear algebra is told that it runs on other processors, where there are such."""
    cores = ("Nehalem", "Sandybridge", "Haswell")
    told = [subprocess.run([sys.executable, "-c", DRAWN], capture_output=True, text=True, check=True, env={
        **os.environ, "OPENBLAS_CORETYPE": core, "PYTHONPATH": "tests"
    }).stdout for core in cores]  # fmt: skip
    assert told[0].startswith("[[0.")
    assert set(told) == {told[0]}


def test_the_longest_extent_is_horizontal():
    places = drawing_data.places_of(bare(boards.grid(3, 9, seed=1, tokens=1)))
    assert np.ptp(places[:, 0]) > 2 * np.ptp(places[:, 1])


@pytest.mark.parametrize("name", ["pieces", "sparse"])
def test_parts_lie_beside_each_other(name):
    rules = SHAPES[name]
    places, part = drawing_data.places_of(rules), rules.network.part
    boxes = [
        (places[part == number].min(axis=0), places[part == number].max(axis=0)) for number in range(part.max() + 1)
    ]
    assert len(boxes) > 2
    for (low, high), (other_low, other_high) in combinations(boxes, 2):
        assert (high < other_low).any() or (other_high < low).any()


def test_given_places_are_fitted_as_they_are():
    rules = boards.grid(4, 9, seed=1, tokens=1)
    places = drawing_data.places_of(rules)
    step = places[1, 0] - places[0, 0]
    wanted = places[0] + np.array(rules.places) * step
    assert np.abs(places - wanted).max() < 1e-3 * step
    assert np.abs(places.min(axis=0) + places.max(axis=0) - 1).max() < 1e-9, "in the middle"


@pytest.mark.parametrize(
    "given_places",
    [((3.0, 3.0),) * 12, ((1e6, -1e6), *((i * 1e-9, 0.0) for i in range(11))), ((0.0, 0.0), (1.0, 1.0)) * 6],
)
def test_vertices_in_one_place_are_separated(given_places):
    rules = Rules(values=(1,) * 12, tokens=1, places=given_places)
    places = drawing_data.places_of(rules)
    assert least_apart(places) > 0.01
    assert places.min() > 0
    assert places.max() < 1


@pytest.mark.jit
@pytest.mark.parametrize("rules", [boards.tree(2000, seed=1), bare(boards.small_world(1800, seed=1))])
def test_large_boards_keep_neighbours_near(rules):
    places = drawing_data.places_of(rules)
    assert least_near(places) * math.sqrt(rules.vertices) > drawing_data.MIN_GAP * 0.9
    ends = np.array([edge[:2] for edge in rules.edges])
    apart = np.hypot(*(places[ends[:, 0]] - places[ends[:, 1]]).T)
    mixed = np.hypot(*(places[ends[:, 0]] - np.roll(places[ends[:, 1]], 700, axis=0)).T)
    assert np.median(apart) < 0.25 * np.median(mixed)


def least_near(places):
    """Return the least distance of any two of many points."""
    gaps = np.hypot(*(places[:, None, :] - places[None, :, :]).transpose(2, 0, 1))
    np.fill_diagonal(gaps, math.inf)
    return gaps.min()


@pytest.mark.jit
def test_the_courses_board_is_spread_for_clicking():
    for seed in range(5):
        places = drawing_data.places_of(boards.random(seed=seed))
        assert least_near(places) > 0.05
