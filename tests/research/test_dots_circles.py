"""Circles: another program finds the same values, and small rows are made anew."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from oracle_dots_values import Board, convex
from published import as_text, table

from hinterland.dots import solve
from research import dots_circles

pytestmark = [pytest.mark.jit, pytest.mark.once]

CIRCLES, PAIRINGS = table("dots_circles"), table("dots_pairings")
LOST = [0, 1, 5, 9, 15, 21, 25, 29, 35, 39]
"""Rows of Dawson's Kayles that are lost for the mover: Winning Ways, chapter 4."""


def test_grundy_values_of_rows_are_those_that_are_known():
    assert [dots for dots in range(40) if dots_circles.dawson(dots) == 0] == LOST
    assert [dots_circles.dawson(dots) for dots in range(12)] == [0, 0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3]


@pytest.mark.parametrize("dots", range(3, 9))
def test_another_program_finds_the_same_values_of_circles(dots):
    board = Board(convex(dots))
    assert (board.value(), board.dawson()) == (int(CIRCLES[dots - 3]["value"]), int(CIRCLES[dots - 3]["grundy"]))


@pytest.mark.parametrize("dots", range(3, 9))
def test_another_program_finds_the_same_positions(dots):
    """It solves all of them, not one of each class, and finds as many after the symmetries are taken out."""
    board = Board(convex(dots))
    other = {lines: (board.dawson(lines), board.value(lines=lines)) for lines in board.pairings()}
    for one in dots_circles.solve_pairings(dots):
        assert other[frozenset(one.pairs)] == (one.grundy, one.value)
    classes = dots_circles.up_to_symmetry(dots)
    images = [image for pairs in classes for image in set(dots_circles._images(dots, pairs))]
    assert sorted(images) == sorted(tuple(sorted(lines)) for lines in other)


@pytest.mark.jit
@pytest.mark.parametrize("dots", range(3, 13))
def test_small_rows_are_as_published(dots):
    assert as_text(dots_circles.circle_row(dots)) == CIRCLES[dots - 3]
    if dots < 12:
        assert as_text(dots_circles.pairings_row(dots)) == PAIRINGS[dots - 3]


def test_the_tie_holds_where_three_dots_less_are_worth_three_at_most():
    """The theorem of the page, and that where it says nothing, the tie fails on 9 and on 11 dots."""
    most = {int(row["dots"]): int(row["most"]) for row in PAIRINGS}
    broken = {int(row["dots"]) for row in PAIRINGS if row["counterexample"]}
    assert broken == {9, 11}
    assert all(most[dots - 3] > 3 for dots in broken)


def test_circles_are_lost_just_where_rows_are_up_to_20_dots_and_21_is_the_counterexample():
    assert [row["dots"] for row in CIRCLES if (int(row["value"]) < 0) != (row["grundy"] == "0")] == ["21"]
    assert int(CIRCLES[21 - 3]["value"]) > 0


EIGHTEEN = ((0, 1), (2, 3), (4, 9), (5, 6), (10, 17), (11, 16), (12, 15), (13, 14))
"""Lines among 18 dots that leave more than 3 to the mover, without which the circle of 21 could not be won."""


@pytest.mark.jit
def test_18_dots_can_be_worth_more_than_3():
    assert solve(dots_circles.position_of(18, EIGHTEEN)).value == 4


@pytest.mark.rare
def test_another_program_finds_that_18_dots_can_be_worth_more_than_3():
    board = Board(convex(18))
    assert board.search(board.all_dots, frozenset(EIGHTEEN), 3, 4) > 3
