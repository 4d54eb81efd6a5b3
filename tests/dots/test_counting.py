"""Positions that play can reach, counted cleverly and one by one."""

import math
import random

import pytest

from dots import oracle_types
from hinterland import dots
from hinterland.dots.order_types import position_counts as counting
from hinterland.dots.order_types.canonical import find_symmetries
from hinterland.errors import RulesError

AROUND_ONE = ((0, 0), (8, 1), (3, 9), (4, 4))
STAR = ((0, 0), (100, 0), (50, 87), (50, 10), (40, 33), (60, 35))


def circle(count):
    return tuple((math.cos(2 * math.pi * dot / count), math.sin(2 * math.pi * dot / count)) for dot in range(count))


def drawn(count, seed):
    rng = random.Random(seed)
    return tuple((rng.random(), rng.random()) for _ in range(count))


def counted(points):
    return counting.count_positions(dots.Rules(points=points).sides)


BOARDS = [
    circle(3),
    circle(4),
    AROUND_ONE,
    circle(5),
    drawn(5, 1),
    drawn(5, 2),
    drawn(5, 5),
    circle(6),
    STAR,
    drawn(6, 1),
]


@pytest.mark.parametrize("points", BOARDS, ids=lambda points: f"{len(points)} dots")
def test_counts_equal_positions_found_one_by_one(points):
    images = oracle_types.symmetries(oracle_types.signs_of_points(points), len(points))
    found = oracle_types.positions(points)
    whole = [position for position in found if len(position[0]) == len(points)]
    told = counted(points)
    assert told.symmetries == len(images)
    assert (told.positions, told.classes) == (len(found), oracle_types.classes(found, images))
    assert (told.whole, told.whole_classes) == (len(whole), oracle_types.classes(whole, images))


@pytest.mark.jit
@pytest.mark.parametrize("points", [circle(7), drawn(7, 4)], ids=["circle", "random"])
def test_seven_dots_of_which_two_may_be_left_joined(points):
    found = oracle_types.positions(points)
    assert counted(points).positions == len(found)
    assert any(len(dots) == 2 and lines for dots, lines in found)


def test_two_dots_that_cannot_be_left_joined():
    for points in (circle(5), drawn(5, 1)):
        joined = {next(iter(lines)) for left, lines in oracle_types.positions(points) if len(left) == 2 and lines}
        assert len(joined) == counted(points).positions - counted(points).whole - 1 - 5 - 10


@pytest.mark.jit
def test_a_circle_has_as_many_as_there_are_plane_forests():
    assert [counted(circle(count)).whole for count in range(3, 9)] == [7, 33, 181, 1083, 6854, 45111]


def test_symmetries_form_a_group_and_keep_what_they_should():
    side = dots.Rules(points=STAR).sides
    images, senses = find_symmetries(side)
    known = {tuple(image) for image in images.tolist()}
    assert list(images[0]) == list(range(6))
    for image, sense in zip(images.tolist(), senses.tolist(), strict=True):
        assert (side[image][:, image][:, :, image] == side * sense).all()
        assert {tuple(image[dot] for dot in other) for other in known} == known


def test_more_dots_than_are_counted():
    with pytest.raises(RulesError, match="at most 11 dots, not of 12"):
        counted(circle(12))
