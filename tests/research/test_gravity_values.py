"""Values of small boards: the tables are made anew as far as that is quick, and another program finds the same."""

import sys
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from oracle_small_boards import value, value_of_layouts
from published import as_text, table

from hinterland.gravity import Rules, Stone
from research import even_layouts, gravity_values

pytestmark = [pytest.mark.jit, pytest.mark.once]

ONE, TWO, LAYOUTS = (table(name) for name in gravity_values.TABLES)


def test_one_stone_is_worth_a_line_of_the_board_where_it_has_a_middle_and_nothing_elsewhere():
    assert {int(row["size"]): int(row["first_lead"]) for row in ONE} == {
        size: size if size % 2 else 0 for size in range(2, gravity_values.SIZES["gravity_one_stone"] + 1)
    }


@pytest.mark.parametrize("size", [2, 3, 4, 5, pytest.param(6, marks=pytest.mark.thorough)])
def test_another_program_finds_the_same_values(size):
    assert -value(size, 1) == int(ONE[size - 2]["first_lead"])
    assert value(size, 2) == int(TWO[size - 2]["second_lead"])
    assert value_of_layouts(size, 2) == int(LAYOUTS[size - 2]["second_lead"])


@pytest.mark.jit
@pytest.mark.parametrize("size", range(2, 17))
def test_small_boards_have_the_published_values(size):
    made = [make(size) for _, make in gravity_values.TABLES.values()]
    assert list(map(as_text, made)) == [rows[size - 2] for rows in (ONE, TWO, LAYOUTS)]


def test_winners_are_those_on_the_page():
    assert {row["size"]: lead(row) for row in TWO if lead(row) <= 0} == {"2": 0, "3": -1}
    assert [row["size"] for row in LAYOUTS if lead(row) <= 0] == ["2", "3", "4", "5"]
    assert {row["stones"] for row in table("even_layouts") if row["holds"] != "no"} == {"1"}


def test_published_games_end_as_their_values_say():
    for row in TWO:
        position = Rules(size=int(row["size"]), stones=2, spacing=1).start()
        for name in ("first", "second", "third", "fourth"):
            position = position.play(Stone(*map(int, row[name].split(":"))))
        assert position.scores[1] - position.scores[0] == lead(row)


def test_to_lay_blindly_never_pays_but_on_two_boards_so_small_that_a_planned_cell_can_be_taken():
    pays = [game["size"] for game, layout in zip(TWO, LAYOUTS, strict=False) if lead(game) > lead(layout)]
    assert pays == ["4", "5"]


def lead(row):
    return int(row["second_lead"])


def test_two_stones_side_by_side_keep_what_the_proof_says():
    """All in half cells, so that the middle of the two stones is the origin."""
    cells = [(row, col) for row in range(-7, 8, 2) for col in range(-6, 7, 2)]
    mine = [(-1, 0), (1, 0)]
    others = [cell for cell in cells if cell not in mine]
    pulls = {
        y: [Fraction(1, (x[0] - y[0]) ** 2 + (x[1] - y[1]) ** 2) if x != y else None for x in others] for y in cells
    }
    opposite = [others.index((-row, -col)) for row, col in others]
    own = [one + other for one, other in zip(*(pulls[stone] for stone in mine), strict=True)]
    dots = {y: [x[0] * y[0] + x[1] * y[1] for x in others] for y in others}
    squares = [row * row + col * col for row, col in others]
    steep = {
        y: [5 * dot**2 <= here * square for dot, square in zip(dots[y], squares, strict=True)]
        for y, here in zip(others, squares, strict=True)
    }
    seen = [0, 0]
    for one, other in combinations(others, 2):
        for at, back in enumerate(opposite):
            if others[at] in (one, other) or others[back] in (one, other):
                continue
            if dots[one][at] <= 0 and dots[other][at] <= 0:
                assert own[at] > pulls[one][at] + pulls[other][at]
                seen[0] += 1
            if steep[one][at] and steep[other][at]:
                assert any(own[x] > pulls[one][x] + pulls[other][x] for x in (at, back))
                seen[1] += 1
    assert min(seen) > 1000


@pytest.mark.jit
def test_small_even_layouts_fall_as_published():
    published = [row for row in table("even_layouts") if row["size"] == "25" and int(row["stones"]) <= 3]
    found = [
        as_text(even_layouts.table_row(25, stones, name, first))
        for stones in range(1, 4)
        for name, first in even_layouts.layouts(25, stones)
    ]
    assert found == published
