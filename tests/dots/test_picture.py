"""Pictures of Join the dots: what is drawn where, in which colour, what pages are told, and what is best."""

import json
import re
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from dots import oracle_dots as oracle
from hinterland.contract import Clock
from hinterland.dots import Line, Rules
from hinterland.dots.drawing import dot_places, dots_pictures
from hinterland.dots.drawing.dots_pictures import AREA_PALENESS, ClosedCycle, trace_game
from hinterland.dots.players import Careful, Random
from hinterland.dots.points.coordinates import MAX_DOTS
from hinterland.dots.search import hints
from hinterland.drawing import palette
from hinterland.errors import IllegalMove, RulesError
from hinterland.jit import JIT_ON

SQUARE = Rules(points=((0, 0), (10, 1), (11, 10), (1, 9), (5, 6), (20, 4), (22, 13)))
"""Four dots around one, and two aside."""
SVG = "{http://www.w3.org/2000/svg}"
EXAMPLE = Path(__file__).parents[2] / "src/hinterland/web/static/js/dots/dots-example-board.js"


def played(rules, *lines):
    position = rules.start()
    for a, b in lines:
        position = position.play(Line(a, b))
    return position


@pytest.fixture(scope="module")
def closed():
    """Return a game in which seat 0 has closed four dots around a line's end, after which seat 1 drew a line."""
    return played(SQUARE, (0, 1), (1, 2), (2, 3), (4, 2), (0, 3), (4, 5))


def pixel(image, place):
    return image.getpixel(tuple(round(share * image.width) for share in place))


def near(colour, other):
    return max(abs(one - two) for one, two in zip(colour, other, strict=True)) <= 3


def middle(places, *dots):
    return [sum(places[dot][axis] for dot in dots) / len(dots) for axis in (0, 1)]


def test_lines_and_areas_have_the_colours_of_their_seats(closed):
    image = dots_pictures.image(closed, 600)
    assert (image.mode, image.size) == ("RGB", (600, 600))
    places = dot_places.places_of(SQUARE)
    x, y = middle(places, 0, 1)
    assert near(pixel(image, (x, y - 0.03)), palette.mix(palette.stone(0), palette.GROUND, AREA_PALENESS))
    assert near(pixel(image, middle(places, 4, 5)), palette.stone(1)), "the line of seat 1 lies above the area"
    for dot in (4, 5, 6):
        assert near(pixel(image, places[dot]), palette.INK)
    for dot in range(4):
        assert near(pixel(image, places[dot]), palette.GROUND), "a dot that is gone is a ring"
    assert near(pixel(image, (0.01, 0.01)), palette.GROUND)


def test_a_line_is_there_until_its_dots_go():
    before = played(SQUARE, (0, 1), (1, 2), (2, 3), (4, 2))
    places = dot_places.places_of(SQUARE)
    for line, seat in (((0, 1), 0), ((1, 2), 1), ((2, 3), 0), ((2, 4), 1)):
        assert trace_game(before).lines[line] == seat
        assert near(pixel(dots_pictures.image(before, 600), middle(places, *line)), palette.stone(seat))
    after = trace_game(before.play(Line(0, 3)))
    assert after.lines == {}, "the line from 4 to 2 goes with dot 2"
    assert after.closed == [ClosedCycle(0, (0, 1, 2, 3))]


def test_cycles_are_those_of_the_plain_rules():
    rng = np.random.default_rng(8)
    for _ in range(20):
        rules = Rules(points=tuple(map(tuple, rng.random((12, 2)).tolist())))
        position, dots, lines, paths, drawers = rules.start(), frozenset(range(12)), frozenset(), [], {}
        while position.to_move is not None:
            seat, line = position.to_move, position.legal_moves.sample(rng)
            cycle = oracle.path(lines, *line.numbers)
            if cycle:
                paths.append((seat, tuple(cycle)))
            drawers[line.numbers] = seat
            dots, lines, _ = oracle.after(dots, lines, line.numbers)
            position = position.play(line)
            drawing = trace_game(position)
            assert drawing.closed == paths
            assert drawing.lines == {kept: drawers[kept] for kept in lines}


def test_a_picture_as_svg_says_the_same(closed):
    root = ElementTree.fromstring(dots_pictures.svg(closed))
    assert root.find(f"{SVG}title").text == ("Join the dots, 3 of 7 left after 6 lines; seat 0: 4, seat 1: 0")
    assert len(root.findall(f"{SVG}polygon")) == 1
    assert len(root.findall(f"{SVG}circle")) == 2 * 7
    places = dot_places.places_of(SQUARE)
    corners = [tuple(map(float, pair.split(","))) for pair in root.find(f"{SVG}polygon").get("points").split()]
    assert np.array(corners) == pytest.approx(1000 * np.array(places[:4]), abs=0.2)
    assert closed._repr_svg_() == dots_pictures.svg(closed)
    assert f'stroke="{palette.to_hex(palette.stone(1))}"' in dots_pictures.svg(closed)


def test_the_latest_line_and_the_latest_cycle_stand_out():
    fresh = played(SQUARE, (0, 1))
    old = played(SQUARE, (0, 1), (5, 6))
    ink = palette.to_hex(palette.INK)
    width = r'stroke="(#\w+)" stroke-width="([\d.]+)"'
    widths = [re.findall(width, dots_pictures.svg(position)) for position in (fresh, old)]
    blue = palette.to_hex(palette.stone(0))
    assert ink in dict(widths[0])
    assert float(dict(widths[0])[blue]) > float(dict(widths[1])[blue])
    closing = played(SQUARE, (0, 1), (1, 2), (0, 2))
    assert f'stroke="{blue}" stroke-width="{dict(widths[0])[blue]}"' in dots_pictures.svg(closing)
    assert f'stroke="{blue}"' not in dots_pictures.svg(closing.play(Line(3, 4))), "later its outline is paler"


@pytest.mark.parametrize(
    "points",
    [
        ((0, 0), (1, 0), (0, 1), (5, 9)),
        ((-1e308, -1e308), (1e308, -1e308), (0, 1e308)),
        ((1.0, 1.0), (1.0 + 2**-52, 1.0), (1.0, 1.0 + 2**-52)),
        ((0, 0), (5e-324, 0), (0, 5e-324)),
        ((0, 0), (1000, 1), (500, -1)),
    ],
    ids=str,
)
def test_places_fill_the_square_in_proportion(points):
    places = dot_places.places_of(Rules(points=points))
    wide, high = ([place[axis] for place in places] for axis in (0, 1))
    assert max(max(wide) - min(wide), max(high) - min(high)) == pytest.approx(1 - 2 * dot_places.MARGIN)
    assert max(wide) + min(wide) == pytest.approx(1)
    assert max(high) + min(high) == pytest.approx(1)
    lowest, highest = (min(range(len(points)), key=lambda dot: way * points[dot][1]) for way in (1, -1))
    assert places[lowest][1] > places[highest][1], "y goes down in pictures"


def test_pages_are_told_places_and_turns():
    told = dot_places.drawing_data(SQUARE)
    assert json.loads(json.dumps(told)) == told
    assert told["turns"] == SQUARE.signs
    for dot, place in enumerate(dot_places.places_of(SQUARE)):
        assert told["places"][dot] == pytest.approx(place, abs=1e-5)


def test_the_example_of_the_pages_is_a_board():
    written = re.search(r"DRAWING_DATA = (\{.*\});", EXAMPLE.read_text(), re.DOTALL).group(1)
    shown = json.loads(re.sub(r",(\s*})", r"\1", written))
    rules = Rules(points=tuple((x, -y) for x, y in shown["places"]))
    assert rules.signs == shown["turns"]
    assert dot_places.drawing_data(rules)["places"] == pytest.approx(np.array(shown["places"]), abs=2e-5)


def test_an_order_type_is_drawn_where_the_atlas_knows_places():
    rng = np.random.default_rng(5)
    for dots in (3, 5, 7, 8):
        signs = Rules(points=tuple(map(tuple, rng.random((dots, 2)).tolist()))).signs
        places = dot_places.places_of(Rules(orientations=signs))
        turns = (oracle.turn(*((x, -y) for x, y in three)) for three in combinations(places, 3))
        assert "".join("+" if turn > 0 else "-" for turn in turns) == signs
    nine = Rules(orientations=Rules(points=tuple(map(tuple, rng.random((9, 2)).tolist()))).signs)
    with pytest.raises(RulesError, match="9 dots are given by orientations alone, and places are known for up to 8"):
        dots_pictures.svg(nine.start())


def test_heat_colours_lines_by_what_they_close():
    position = played(SQUARE, (0, 1), (1, 2), (2, 3), (5, 6))
    image = dots_pictures.heat(position, {})
    assert image.mode == "RGBA"
    places = dot_places.places_of(SQUARE)
    assert near(pixel(image, middle(places, 0, 3)), (*palette.HEAT[-1], 255)), "four dots are the most"
    assert near(pixel(image, middle(places, 1, 5)), (*palette.HEAT[0], 255))
    assert pixel(image, middle(places, 0, 1))[3] == 0, "a line that is there is no move"
    over = played(Rules(points=((0, 0), (1, 0), (0, 1))), (0, 1), (1, 2), (0, 2))
    for ask in (dots_pictures.heat, dots_pictures.best):
        with pytest.raises(IllegalMove, match="the game is over"):
            ask(over, {})
    with pytest.raises(IllegalMove, match="the game is over"):
        hints.analysis(over)


def test_analysis_is_that_of_plain_negamax(monkeypatch):
    monkeypatch.setattr(hints, "SECONDS", None)
    rng = np.random.default_rng(11)
    for _ in range(6 if JIT_ON else 2):
        points = tuple(map(tuple, rng.random((6, 2)).tolist()))
        solver = oracle.Solver(points)
        position, dots, lines = Rules(points=points).start(), frozenset(range(6)), frozenset()
        while position.to_move is not None:
            values = solver.values(dots, lines)
            most = max(values.values())
            best = sorted([list(line) for line, value in values.items() if value == most])
            found = hints.analysis(position)
            assert found == {"value": most, "low": most, "high": most, "exact": True, "best": best}
            line, gain = dots_pictures.best(position, {})
            assert values[line.numbers] == most
            assert gain == len(oracle.path(lines, *line.numbers) or ())
            line = position.legal_moves.sample(rng)
            dots, lines, _ = oracle.after(dots, lines, line.numbers)
            position = position.play(line)


def test_what_cannot_be_solved_in_time_is_bounded_and_played_with_care(monkeypatch):
    monkeypatch.setattr(hints, "SECONDS", 0.1)
    rng = np.random.default_rng(2)
    position = Rules(points=tuple(map(tuple, rng.random((40, 2)).tolist()))).start()
    found = hints.analysis(position)
    assert found == {"value": None, "low": -40, "high": 40, "exact": False, "best": []}
    line, gain = dots_pictures.best(position, {})
    assert line in position.legal_moves
    assert gain == 0
    for _ in range(9):
        position = position.play(Random().choose(position, Clock(), rng))
    line, gain = dots_pictures.best(position, {})
    assert gain == max(len(position.cycle(move)) for move in position.legal_moves)
    left = position.withdraw(0)
    assert dots_pictures.best(left, {})[0] in left.legal_moves, "who is alone is still told something"
    with pytest.raises(RulesError, match="seat 0 has left"):
        hints.analysis(played(SQUARE, (0, 1)).withdraw(0))


@pytest.mark.parametrize("dots", [3, 12, MAX_DOTS])
def test_whole_games_are_drawn(dots):
    rng = np.random.default_rng(dots)
    position = Rules(points=tuple(map(tuple, rng.random((dots, 2)).tolist()))).start()
    while position.to_move is not None:
        position = position.play(Careful().choose(position, Clock(), rng))
    dots_pictures.image(position, 100)
    ElementTree.fromstring(dots_pictures.svg(position))
    assert len(trace_game(position).closed) == sum(
        1 for plies in range(len(position.moves)) if position.after(plies + 1).scores != position.after(plies).scores
    )
