"""The rules: every move of random games as the oracle has it; refusals, with their codes."""

import numpy as np
import pytest

from dots.oracle_dots import after, legal, path, positions
from dots.some_boards import AROUND, circle, plain, random_game, small_boards
from hinterland.dots import Line, Position, Rules, boards
from hinterland.errors import BadText, HinterlandError, IllegalMove, RulesError, UnknownName


@pytest.mark.parametrize(
    "rules", [circle(8), *small_boards(24, least=4, most=12)], ids=lambda rules: f"{rules.dots} dots"
)
def test_games_go_as_the_oracle_says(rules, rng):
    scores = [0, 0]
    dots, lines = frozenset(range(rules.dots)), frozenset()
    for position in random_game(rules, rng):
        if position.moves:
            seat, line = position.moves[-1]
            dots, lines, won = after(dots, lines, line.numbers)
            scores[seat] += won
        assert plain(position) == (dots, lines)
        assert position.scores == tuple(scores)
        assert (position.to_move is None) == (len(dots) < 3)
        if position.to_move is not None:
            expected = legal(rules.points, dots, lines)
            assert [line.numbers for line in position.legal_moves] == expected
            assert expected, "as long as three dots are left there is a legal line"
            for line in position.legal_moves:
                assert position.cycle(line) == tuple(sorted(path(lines, *line.numbers) or []))
    assert position.end_reason == "complete"


def test_positions_on_a_circle_are_plane_forests():
    assert [len(positions(circle(dots).points)) for dots in (3, 4, 5, 6)] == [7, 33, 181, 1083]
    assert [reachable(circle(dots)) for dots in (3, 4, 5, 6)] == [7, 33, 181, 1083]


@pytest.mark.once
def test_positions_on_larger_circles():
    assert [reachable(circle(dots)) for dots in (7, 8)] == [6854, 45111]


def reachable(rules):
    """Count the positions that can be reached while no dot has been removed, by the rules of the package."""
    start = rules.start().forest
    found, new = {start.lines}, [start]
    while new:
        forest = new.pop()
        for line in range(len(forest.segments.ends)):
            if forest.legal >> line & 1 and not forest.cycle(line):
                then = forest.after(line, 0)
                if then.lines not in found:
                    found.add(then.lines)
                    new.append(then)
    return len(found)


def test_a_cycle_takes_its_dots_and_their_lines_and_leaves_those_inside():
    position = AROUND.start()
    for a, b in ((0, 3), (0, 1), (1, 2)):
        position = position.play(Line(a, b))
    assert position.cycle(Line(0, 2)) == (0, 1, 2)
    position = position.play(Line(2, 0))
    assert position.dots == (3,)
    assert position.lines == ()
    assert position.scores == (0, 3)
    assert position.outcome.reason == "complete"


def test_a_line_has_its_smaller_dot_first():
    assert Line(5, 2) == Line(2, 5) == Line.from_numbers([5, 2])
    assert str(Line(5, 2)) == "2,5"


@pytest.mark.parametrize(
    ("moves", "line", "code", "says"),
    [
        ([], Line(1, 1), "same", "a line joins two dots, not dot 1 with itself"),
        ([], Line(0, 7), "outside", "dot 7 is not on the board, they go from 0 to 6"),
        ([(0, 1)], Line(0, 1), "joined", "dots 0 and 1 are joined already"),
        ([(0, 2)], Line(1, 3), "crossing", "the line from 1 to 3 would cross the line from 0 to 2"),
        ([(0, 1), (1, 2), (0, 2)], Line(2, 3), "gone", "dot 2 is gone, a cycle took it"),
        ([], Line("0", 1), "not_whole", "a dot is a whole number, not '0'"),
        ([], (0, 1), "not_a_line", "a move of this game is Line(dot, dot), not (0, 1)"),
        (
            [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)],
            Line(3, 6),
            "game_over",
            "the game is over, no move is left to make",
        ),
    ],
)
def test_illegal_lines(moves, line, code, says):
    position = circle(7).start()
    for move in moves:
        position = position.play(Line(*move))
    with pytest.raises(IllegalMove) as caught:
        position.play(line)
    assert (caught.value.code, caught.value.detail) == (code, says)


FAR = 1e308
NAN = float("nan")


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({}, "by one of them and not by both"),
        ({"points": ((0, 0), (1, 0), (0, 1)), "orientations": "+"}, "by one of them and not by both"),
        ({"points": ((0, 0), (1, 0))}, "a board has from 3 to 60 dots, not 2"),
        ({"points": tuple((k, k * k) for k in range(61))}, "a board has from 3 to 60 dots, not 61"),
        ({"points": ((0, 0), (1, 1), (5, 0), (2, 2))}, "1 and 3 are on one line: (0.0, 0.0), (1.0, 1.0), (2.0, 2.0)"),
        ({"points": ((0, 0), (FAR, FAR), (-FAR, -FAR))}, "dots 0, 1 and 2 are on one line"),
        ({"points": ((0, 0), (3, 1), (0.0, -0.0))}, "dots 0 and 2 are both at (0.0, 0.0)"),
        ({"points": ((0, 0), (1, NAN), (0, 1))}, "dot 1: coordinates must be finite, not nan"),
        ({"points": ((0, 0), (1, float("inf")), (0, 1))}, "dot 1: coordinates must be finite, not inf"),
        ({"points": ((0, 0), (1,), (0, 1))}, "dot 1 must be (x, y), not (1,)"),
        ({"points": ((0, 0), ("1", 0), (0, 1))}, "dot 1: coordinates must be numbers, not '1'"),
        ({"points": ((0, 0), (2**53 + 1, 0), (0, 1))}, "dot 1: 9007199254740993 has more digits"),
        ({"points": ((0, 0), (10**400, 0), (0, 1))}, "has more digits than a coordinate can keep"),
        ({"points": "circle"}, "points must be a list of (x, y), not 'circle'"),
        ({"orientations": "+0+-"}, 'orientations must be a text of "+" and "-"'),
        ({"orientations": "++"}, "one sign for each three dots: 1, 4, 10, 20 …, not 2"),
        ({"orientations": ""}, "one sign for each three dots"),
        ({"orientations": "+" * 40_000}, "these orientations are of more"),
        ({"orientations": "+-+-"}, "no dots have these orientations"),
        ({"points": ((0, 0), (1, 0), (0, 1)), "players": 3}, "players must be 2 in this game, not 3"),
    ],
)  # fmt: skip
def test_impossible_rules(values, says):
    with pytest.raises(RulesError) as caught:
        Rules(**values)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 250


def test_dots_that_differ_in_the_last_bit_or_are_far_apart_are_played_on():
    near = Rules(points=((1.0, 1.0), (1.0000000000000002, 1.0), (1.0, 1.0000000000000002), (FAR, -FAR)))
    *_, last = random_game(near, np.random.default_rng(1))
    assert last.outcome is not None


@pytest.mark.parametrize(
    "text", ["dots points=[[0,0],[1,0]]", "dots points=[[0,0],[1,null],[0,1]]", "dots size=3", "dots ; 0:1"]
)
def test_bad_text_is_refused_in_one_line(text):
    with pytest.raises(HinterlandError) as caught:
        Position.parse(text)
    assert "\n" not in str(caught.value)


def test_unknown_rules_are_named():
    with pytest.raises(UnknownName, match="known: players, points, orientations"):
        Rules.from_json({"spots": 3})


def test_lost_turns_end_a_game_as_stuck():
    position = circle(4).start()
    while position.to_move is not None:
        position = position.skip()
    assert position.end_reason == "stuck"
    assert position.legal_moves.__len__() == 0
    with pytest.raises(IllegalMove):
        position.legal_moves.sample(np.random.default_rng(0))


def test_a_seat_left_alone_plays_on():
    position = boards.circle(6).start().withdraw(1)
    rng = np.random.default_rng(2)
    while position.to_move is not None:
        assert position.to_move == 0
        position = position.play(position.legal_moves.sample(rng))
    assert position.scores[1] == 0
    assert len(position.dots) < 3


def test_texts_of_no_moves_are_refused():
    with pytest.raises(BadText):
        Line.from_numbers([1])
