"""Order types of 9 and 10 dots: rows are made anew, shares follow from them, another program solves some boards."""

import sys
from itertools import combinations
from math import comb
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from oracle_dots_values import Board, area
from published import as_text, table
from research.dots_features import features

from hinterland.dots.atlas.atlas_file import TYPE_COUNTS, entries
from hinterland.dots.order_types.canonical import code_of
from hinterland.dots.order_types.enumeration import list_codes
from hinterland.dots.rules import Rules
from research import dots_figures, dots_nine, dots_ten

pytestmark = [pytest.mark.jit, pytest.mark.once]

NINE, TEN = table("dots_nine"), table("dots_ten")
WHOLE = {1: 83_640, 0: 72_919, -1: 2_268, -3: 2, 3: 1}
"""The whole atlas of 9 dots, as it stands in docs/games/dots.md."""


@pytest.mark.jit
def test_rows_of_nine_are_in_the_order_of_the_command_and_some_are_as_published():
    order = dots_nine.order()
    assert len(order) == TYPE_COUNTS[9]
    assert [(row["part"], int(row["number"])) for row in NINE] == order[: len(NINE)]
    for row in NINE[:: len(NINE) // 12]:
        assert as_text(dots_nine.row(row["part"], int(row["number"]))) == row


@pytest.mark.jit
def test_shares_follow_from_rows_and_hold_the_whole_atlas():
    left = TYPE_COUNTS[9] - len(dots_nine.certain())
    found = dots_nine.shares(NINE, left)
    assert list(map(as_text, found)) == table("dots_nine_shares")
    assert list(map(as_text, dots_nine.by_feature(NINE))) == table("dots_nine_features")
    for row in found:
        assert row["types_low"] <= WHOLE[row["value"]] <= row["types_high"]


def test_drawn_types_are_those_of_their_numbers():
    for number, points in dots_figures.EXCEPTIONAL_NINE.items():
        assert code_of(Rules(points=points).sides) == list_codes(9)[number]


@pytest.mark.jit
@pytest.mark.parametrize("number", dots_figures.EXCEPTIONAL_NINE)
def test_another_program_finds_what_exceptional_types_are_worth_after_lines_that_take_much(number):
    """The whole board is too much for plain Python; after two lines that do not meet, it is not."""
    points = dots_figures.EXCEPTIONAL_NINE[number]
    board = Board(points)
    for first, other in (((0, 1), (2, 3)), ((0, 4), (5, 8))):
        if other in board.crossing[first]:
            continue
        from hinterland.dots import Line, solve

        position = Rules(points=points).start().play(Line(*first)).play(Line(*other))
        assert board.value(lines={first, other}) == solve(position).value


@pytest.mark.parametrize("entry", entries(6) + entries(7)[::9], ids=lambda entry: f"{entry.dots}-{entry.number}")
def test_features_are_those_of_points(entry):
    points, dots = entry.points, range(entry.dots)
    found = features(Rules(points=points).sides)
    lefts = [sum(area(points[a], points[b], points[c]) > 0 for c in dots) for a in dots for b in dots if a != b]
    assert found["hull"] == lefts.count(0)
    halves = {(entry.dots - 2) // 2, (entry.dots - 1) // 2}
    assert found["halving"] == sum(left in halves for left in lefts) // 2
    assert sum(map(int, found["layers"].split("-"))) == entry.dots
    within = [
        any(len({area(points[a], points[b], points[x]) > 0, area(points[b], points[c], points[x]) > 0,
                 area(points[c], points[a], points[x]) > 0}) == 1 for x in set(dots) - {a, b, c})
        for a, b, c in combinations(dots, 3)
    ]  # fmt: skip
    assert found["empty"] == within.count(False)


@pytest.mark.jit
def test_rows_of_ten_are_as_published_and_shares_follow_from_them():
    drawn = list(dots_ten.draw_parents(dots_ten.PARENTS_PER_STRATUM))[: len(TEN)]
    assert [(int(row["stratum"]), int(row["parent"])) for row in TEN] == drawn
    for row in TEN[:: len(TEN) // 5]:
        assert as_text(dots_ten.row(int(row["stratum"]), int(row["parent"]))) == row
    sizes = {stratum: len(parents) for stratum, parents in dots_ten.strata().items()}
    found = dots_ten.estimates(TEN, sizes)
    assert [as_text({"value": value} | share._asdict()) for value, share in found.items()] == table("dots_ten_shares")


def test_children_of_all_boards_of_few_dots_are_each_a_board(monkeypatch):
    """On 7 dots, parents of 6 make each of the 135 once."""
    monkeypatch.setattr(dots_ten, "DOTS", 7)
    born = [child for parent in range(TYPE_COUNTS[6]) for child in dots_ten.children(parent)]
    assert len({code_of(Rules(orientations=child).sides) for child in born}) == len(born) == TYPE_COUNTS[7]
    assert {len(child) for child in born} == {comb(7, 3)}


def test_all_is_gone_on_with_after_a_kill(tmp_path, monkeypatch):
    monkeypatch.setattr(dots_ten, "DOTS", 6)
    path = tmp_path / "six.csv"
    dots_ten.solve_all(path, 1, None, until=2)
    path.write_text(path.read_text() + "2,0 0")
    dots_ten.solve_all(path, 1, None, until=None)
    lines = path.read_text().splitlines()
    assert [line.partition(",")[0] for line in lines] == ["0", "1", "2"]
    assert sum(len(line.partition(",")[2].split()) for line in lines) == TYPE_COUNTS[6]
