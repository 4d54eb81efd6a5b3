"""Double circles and patterns: another program finds the same values, and small rows are made anew."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from oracle_dots_values import Board
from published import as_text, table

from hinterland.dots.boards import double_circle
from hinterland.dots.order_types.canonical import code_of
from hinterland.dots.rules import Rules
from research import dots_double_circles

pytestmark = [pytest.mark.jit, pytest.mark.once]

DOUBLE, PATTERNS = table("dots_double_circles"), table("dots_patterns")


@pytest.mark.parametrize("row", [row for row in PATTERNS if int(row["dots"]) < 9], ids=lambda row: row["pattern"])
def test_another_program_finds_the_same_values(row):
    assert Board(dots_double_circles.points(row["pattern"])).value() == int(row["value"])


@pytest.mark.jit
def test_small_rows_are_as_published():
    small = [row for row in PATTERNS if int(row["dots"]) < 10]
    found = [dots_double_circles.row(pattern) for pattern in dots_double_circles.boards("dots_patterns", 9)]
    assert list(map(as_text, found)) == small
    assert [as_text(dots_double_circles.row("1" * sides)) for sides in (3, 4, 5)] == DOUBLE[:3]


@pytest.mark.parametrize("corners", [3, 4])
def test_a_pattern_of_ones_is_a_double_circle(corners):
    pattern = Rules(points=tuple(dots_double_circles.points("1" * corners)))
    assert code_of(pattern.sides) == code_of(double_circle(2 * corners).sides)


@pytest.mark.parametrize("pattern", [row["pattern"] for row in PATTERNS])
def test_dots_within_sides_are_nearer_to_them_than_any_other_line(pattern):
    """From each end of a side, the dot within it comes first, before every other."""
    sides, sign = len(pattern), Rules(points=tuple(dots_double_circles.points(pattern))).sides
    within = sides
    for side in range(sides):
        if pattern[side] == "1":
            first, second = side, (side + 1) % sides
            others = set(range(len(sign))) - {first, second, within}
            assert all(sign[first, within, x] == 1 and sign[within, second, x] == 1 for x in others)
            within += 1
