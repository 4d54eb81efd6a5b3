"""Boards: each kind has its shape, lies in the unit square, repeats with its seed; files are read whole or not."""

import json

import pytest

from dots.oracle_dots import turn
from hinterland.dots import boards
from hinterland.errors import BadText, HinterlandError, RulesError, UnknownName


def hull(points):
    """Return the dots that some line has all others on one side of."""
    numbers = range(len(points))
    ends = set()
    for a in numbers:
        for b in numbers:
            if a != b and all(turn(points[a], points[b], points[c]) > 0 for c in numbers if c not in (a, b)):
                ends |= {a, b}
    return ends


@pytest.mark.parametrize("dots", [3, 4, 7, 12, 60])
@pytest.mark.parametrize("name", boards.BOARDS)
def test_every_board_is_one(name, dots):
    rules = boards.make(name, dots=dots, seed=5)
    assert rules.dots == len(set(rules.points)) == dots
    assert all(0 <= value <= 1 for point in rules.points for value in point)
    assert boards.make(name, dots=dots, seed=5) == rules
    assert boards.make(name, dots=dots, seed=6) != rules
    assert type(rules).parse(str(rules)) == rules


def test_seeds_give_the_same_board_everywhere():
    assert boards.random(3, seed=1).points == (
        (0.5118216248229146, 0.9504636963829398),
        (0.1441596131771803, 0.9486494474112988),
        (0.31183145195245743, 0.4233264485374093),
    )


@pytest.mark.parametrize("dots", [5, 8, 16])
def test_a_circle_is_all_hull(dots):
    assert hull(boards.circle(dots).points) == set(range(dots))


@pytest.mark.parametrize("corners", [3, 4, 8])
def test_a_double_circle_has_a_dot_within_each_side(corners):
    points = boards.double_circle(2 * corners).points
    assert hull(points) == set(range(corners))
    for corner in range(corners):
        start, inner, end = points[corner], points[corners + corner], points[(corner + 1) % corners]
        assert turn(start, inner, end) < 0, "it is within"
        for other in points:
            if other not in (start, inner, end):
                assert turn(start, inner, other) > 0, "and so near the side that no other dot comes between"
                assert turn(inner, end, other) > 0


def test_a_spiral_and_nested_hulls_have_few_corners():
    assert len(hull(boards.nested(16).points)) == 4
    assert len(hull(boards.clusters(30, groups=1).points)) < 15


@pytest.mark.parametrize(
    ("name", "options", "says"),
    [
        ("circle", {"dots": 2}, "dots must be a whole number from 3 to 60, not 2"),
        ("random", {"dots": 61}, "dots must be a whole number from 3 to 60, not 61"),
        ("random", {"dots": "9"}, "dots must be a whole number from 3 to 60, not '9'"),
        ("halton", {"seed": -1}, "seed must be a whole number from 0 on, not -1"),
        ("clusters", {"groups": 0}, "groups must be a whole number from 1 to 12, not 0"),
    ],
)
def test_impossible_boards(name, options, says):
    with pytest.raises(RulesError) as caught:
        boards.make(name, **options)
    assert str(caught.value) == says


def test_unknown_boards_and_options_are_named():
    with pytest.raises(UnknownName, match="known: circle, double_circle, random"):
        boards.make("square")
    with pytest.raises(UnknownName, match="unknown option of board circle 'radius'; known: dots, seed"):
        boards.make("circle", radius=2)


def test_files_hold_boards(tmp_path):
    rules = boards.random(7, seed=3)
    (tmp_path / "a.csv").write_text("x,y\n" + "\n".join(f"{x!r}, {y!r}" for x, y in rules.points) + "\n\n")
    (tmp_path / "a.json").write_text(json.dumps(rules.points))
    assert boards.from_csv(tmp_path / "a.csv") == boards.from_json(tmp_path / "a.json") == rules
    assert boards.from_file(tmp_path / "a.csv") == boards.from_file(str(tmp_path / "a.json")) == rules


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.csv", b"0,0\n1,0\n", "'a.csv': a board has from 3 to 60 dots, not 2"),
        ("a.csv", b"0,0\n1,0\n0,1,2\n", "'a.csv', line 3: expected x,y, not '0,1,2'"),
        ("a.csv", b"0,0\none,0\n", "'a.csv', line 2: a number was expected, not 'one'"),
        ("a.csv", b"0,0\n1_0,0\n", "'a.csv', line 2: a number was expected, not '1_0'"),
        ("a.csv", b"0,0\nnan,0\n0,1\n", "'a.csv': dot 1: coordinates must be finite, not nan"),
        ("a.csv", b"0,0\n1,1\n2,2\n", "'a.csv': dots 0, 1 and 2 are on one line"),
        ("a.csv", b"0,0\n\xff,1\n", "'a.csv' is not in UTF-8 (byte 5)"),
        ("a.csv", b"1" * (2**20 + 1), "'a.csv' is larger than 1 MiB"),
        ("a.json", b"[[0,0],[1,0],[0,", "'a.json' is not valid JSON"),
        ("a.json", b'{"x": 1}', "'a.json': points must be a list of (x, y)"),
        ("a.json", b"[[0,0],[1,0],[0,true]]", "'a.json': dot 2: coordinates must be numbers, not True"),
        ("a.json", b"[[0,0],[1,0],[0,1e999]]", "'a.json'"),
        ("a.txt", b"", "'a.txt': a file of dots ends in .csv or .json"),
    ],
)
def test_bad_files_are_refused_in_one_line(tmp_path, name, content, says):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(HinterlandError) as caught:
        boards.from_file(tmp_path / name)
    assert str(caught.value).startswith(says)
    assert "\n" not in str(caught.value)


def test_paths_that_are_no_files_are_refused(tmp_path):
    with pytest.raises(BadText, match="cannot be read: No such file"):
        boards.from_file(tmp_path / "none.csv")
    with pytest.raises(BadText, match="is not a file"):
        boards.from_csv(tmp_path)
