"""What people type or choose instead of a list of dots."""

import pytest

from hinterland.dots import Rules, boards
from hinterland.dots.drawing.dot_places import page_rules
from hinterland.errors import BadText, HinterlandError, RulesError, UnknownName

POINTS = [[0, 0], [4, 0], [1, 3], [2, 1]]
DOTS = "0,0\n4,0\n1,3\n2,1\n"


@pytest.mark.parametrize("name", boards.BOARDS)
def test_a_board_by_its_name_is_the_board_of_the_generator(name):
    assert Rules.from_options({"board": name}) == boards.BOARDS[name]()
    chosen = Rules.from_options({"board": name, "board_seed": 5, "dots": 9, "players": 2})
    assert chosen == boards.BOARDS[name](seed=5, dots=9)


def test_without_a_name_dots_are_drawn_at_random():
    assert Rules.from_options({}) == boards.random()
    assert Rules.from_options({"dots": 7, "board_seed": 3}) == boards.random(dots=7, seed=3)
    assert Rules.from_options(Rules.options()) == boards.random()
    assert Rules.from_options({"board": "circle", "dots": None}) == boards.circle(), "null is the default"
    assert Rules.drawn_by in Rules.options()


def test_points_and_orientations_are_taken_as_they_are():
    rules = Rules.from_options({"points": POINTS})
    assert rules == Rules(points=((0, 0), (4, 0), (1, 3), (2, 1)))
    assert Rules.from_options({"orientations": rules.signs, "players": 2}) == Rules(orientations=rules.signs)


@pytest.mark.parametrize(("name", "text"), [("dots.csv", DOTS), ("dots.json", str(POINTS))])
def test_a_file_is_read_where_that_is_allowed(tmp_path, name, text):
    file = tmp_path / name
    file.write_text(text)
    assert Rules.from_options({"board": str(file)}, may_read=True) == Rules.from_options({"points": POINTS})
    with pytest.raises(UnknownName, match="unknown option of a board from a file 'dots'; known: none"):
        Rules.from_options({"board": str(file), "dots": 4}, may_read=True)
    with pytest.raises(HinterlandError, match="no_such"):
        Rules.from_options({"board": str(tmp_path / f"no_such_{name}")}, may_read=True)


@pytest.mark.parametrize(
    ("options", "kind", "words"),
    [
        ({"board": "moebius"}, UnknownName, "unknown board 'moebius'; known: circle, double_circle, random"),
        ({"board": 7}, RulesError, "board is a name such as random, not 7"),
        ({"board": "circle", "groups": 2}, UnknownName, "unknown option of board circle 'groups'; known: dots, board_"),
        ({"seed": 3}, UnknownName, "unknown option of board random 'seed'; known: dots, board_seed"),
        ({"board": "circle", "points": []}, RulesError, "by its name or by points, not by both"),
        ({"board": "circle", "orientations": "+"}, RulesError, "by its name or by orientations, not by both"),
        ({"points": POINTS, "orientations": "++++"}, RulesError, "by one of them and not by both"),
        ({"points": POINTS, "dots": 4}, UnknownName, "unknown rule of dots 'dots'"),
        ({"dots": 2}, RulesError, "dots must be a whole number from 3 to 60, not 2"),
        ({"dots": "ten"}, RulesError, "dots must be a whole number from 3 to 60, not 'ten'"),
        ({"board_seed": -1}, RulesError, "seed must be a whole number from 0 on, not -1"),
        ({"players": 3}, RulesError, "players must be 2 in this game, not 3"),
        ({"points": [[0, 0], [1, 1], [2, 2]]}, RulesError, "dots 0, 1 and 2 are on one line"),
        ({"points": [[0, 0], [1, 1], [0, 0]]}, RulesError, "dots 0 and 2 are both at"),
        ({"board": "dots.csv"}, BadText, "boards are read from files on the command line only; name one of circle,"),
        ({"board": "/etc/passwd"}, BadText, "boards are read from files on the command line only"),
        ({"board": "../x.json"}, BadText, "boards are read from files on the command line only"),
    ],
)
def test_impossible_options_are_refused_in_one_line(options, kind, words):
    with pytest.raises(HinterlandError) as refused:
        Rules.from_options(options)
    assert type(refused.value) is kind
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


def test_pages_and_people_get_the_rules_in_short():
    rules = boards.circle(dots=9)
    assert page_rules(rules) == {"players": 2, "dots": 9, "total": 9}
    assert rules.summary == "dots: 2 players · 9 dots given by their points"
    assert Rules(orientations="+").summary == "dots: 2 players · 3 dots given by their orientations"
    assert set(boards.BOARDS) < set(Rules.choices()["board"])
