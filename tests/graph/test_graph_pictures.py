"""Pictures: what is drawn where, in which colour, how large, and how much of it is drawn once."""

import json
import math
import re
from importlib import resources
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest

from graph.graph_cases import PIECES
from hinterland.drawing import film, palette
from hinterland.errors import IllegalMove
from hinterland.graph import Rules, Token, boards
from hinterland.graph.drawing import drawing_data, graph_pictures

SMALL = boards.road(24, seed=3, players=3, tokens=2)
SVG = "{http://www.w3.org/2000/svg}"


def played(rules, *vertices):
    position = rules.start()
    for vertex in vertices:
        position = position.play(Token(vertex))
    return position


@pytest.fixture(scope="module")
def position():
    """Return a game of three seats in its middle."""
    return played(SMALL, 3, 20, 11, 7)


def pixel(image, place):
    return image.getpixel(tuple(min(int(share * image.width), image.width - 1) for share in place))


def near(colour, other):
    return max(abs(one - two) for one, two in zip(colour, other, strict=True)) <= 2


def test_vertices_and_cells_have_the_colours_of_their_owners(position):
    image = graph_pictures.image(position, 500)
    assert (image.mode, image.size) == ("RGB", (500, 500))
    owners = position.owners.tolist()
    assert set(owners) == {0, 1, 2}
    for vertex, place in enumerate(SMALL.drawing.places.tolist()):
        if vertex not in position.taken:
            assert near(pixel(image, place), palette.mix(palette.stone(owners[vertex]), palette.GROUND, 0.22))
    colours = {colour for _, colour in image.getcolors(500 * 500)}
    assert {palette.region(seat) for seat in (0, 1, 2)} <= colours


def test_tokens_are_ringed_in_their_seats_colour(position):
    image = graph_pictures.image(position, 1000)
    radius = graph_pictures._token_radius(SMALL)
    for seat, token in position.moves:
        x, y = SMALL.drawing.places[token.vertex]
        for reach in (radius * 0.9, radius + 1.5 * graph_pictures.RING_WIDTH):
            assert near(pixel(image, (x, y + reach)), palette.stone(seat))
        assert near(pixel(image, (x, y + radius + graph_pictures.RING_WIDTH / 2)), palette.GROUND)


def test_nobodys_vertices_are_grey():
    image = graph_pictures.image(played(Rules(**PIECES, tokens=1), 0), 300)
    places = Rules(**PIECES, tokens=1).drawing.places
    assert near(pixel(image, places[5]), graph_pictures.UNOWNED_VERTEX)


def drawing(position):
    return ElementTree.fromstring(graph_pictures.svg(position))


def test_the_svg_says_what_it_shows(position):
    root = drawing(position)
    scores = ", ".join(f"seat {seat}: {score}" for seat, score in enumerate(position.scores))
    title = root.find(f"{SVG}title").text
    assert title == f"Voronoi game on a graph of 24 vertices after 4 tokens; {scores}"
    assert root.get("role") == "img"
    assert [text.text for text in root.iter(f"{SVG}text")] == ["1", "2", "3", "4"]
    fills = [text.get("fill") for text in root.iter(f"{SVG}text")]
    assert fills == [palette.to_hex(palette.ink_on(palette.stone(seat))) for seat, _ in position.moves]
    assert position._repr_svg_() == graph_pictures.svg(position)


def test_a_vertex_is_as_large_as_its_value(position):
    places = SMALL.drawing.places * 1000
    seen, areas = set(), {}
    for circle in drawing(position).iter(f"{SVG}circle"):
        apart = np.hypot(*(places - (float(circle.get("cx")), float(circle.get("cy")))).T)
        vertex = int(apart.argmin())
        assert apart[vertex] < 0.1
        if vertex in position.taken:
            continue
        seen.add(vertex)
        radius = (float(circle.get("r")) / 1000 - graph_pictures.RIM_WIDTH / 2) / SMALL.drawing.radius
        if radius > drawing_data.MIN_RADIUS_SHARE * 1.01:
            areas[vertex] = radius**2
    assert seen == set(range(24)) - position.taken
    assert len(areas) > 12
    for vertex, area in areas.items():
        assert area == pytest.approx(SMALL.values[vertex] / max(SMALL.values), abs=0.02)


def test_a_worthless_board_can_be_drawn():
    rules = Rules(values=(0,) * 4, tokens=1)
    assert rules.drawing.radii.min() > 0
    assert drawing(rules.start()) is not None


@pytest.mark.jit
def test_the_course_boards_svg_stays_small():
    position = boards.random(seed=2).start()
    assert len(position.rules.edges) > 3000
    text = graph_pictures.svg(position)
    assert len(text) < 200_000
    assert text.count("<path") <= drawing_data.SHADES + 2


def test_short_edges_are_darker():
    places = np.array([(0.0, 0.0), (0.1, 0.0), (0.3, 0.0), (0.9, 0.0)])
    edges = ((0, 1, 1.0), (1, 2, 2.0), (2, 3, 6.0), (0, 3, 9.0))
    strokes = drawing_data.shade_edges(edges, places)
    shades = {tuple(pair): stroke.opacity for stroke in strokes for pair in stroke.ends.tolist()}
    opacities = [shades[edge[:2]] for edge in edges]
    assert opacities == sorted(opacities, reverse=True)
    assert opacities[0] == drawing_data.DARKEST
    assert opacities[-1] == pytest.approx(drawing_data.LIGHTEST)
    drawn = [stroke.opacity for stroke in drawing_data.shade_edges(edges, places)]
    assert drawn == sorted(drawn), "the darkest lie on top"


def test_a_crowd_of_edges_is_fainter():
    rules = boards.sparse(60, density=1.0, seed=1)
    places = np.random.default_rng(1).random((60, 2))
    crowd, few = drawing_data.shade_edges(rules.edges, places), drawing_data.shade_edges(rules.edges[:50], places)
    assert inked(crowd, places) < 1.5 * drawing_data.CROWD_LENGTH
    assert inked(crowd, places) / 1770 < 0.4 * inked(few, places) / 50
    assert max(stroke.opacity for stroke in crowd) > 0.3, "the shortest are still seen"


def inked(strokes, places):
    """Return the ink of all edges: length drawn times opacity."""
    return sum(math.dist(*places[pair]) * stroke.opacity for stroke in strokes for pair in stroke.ends)


def test_edges_as_long_as_each_other_are_alike():
    rules = boards.grid(3, 3, seed=1, tokens=1)
    (stroke,) = rules.drawing.strokes
    assert len(stroke.ends) == 12
    assert Rules(values=(1, 2), tokens=1).drawing.strokes == []


def test_the_heat_map_is_clear_but_for_free_vertices(position):
    heat = graph_pictures.heat(position, {})
    assert heat.mode == "RGBA"
    assert heat.width == heat.height
    gains = position.gains().tolist()
    lights = []
    for vertex, place in enumerate(SMALL.drawing.places):
        *colour, opaque = pixel(heat, place)
        assert opaque == (0 if vertex in position.taken else 255)
        if opaque:
            lights.append((gains[vertex], sum(colour)))
    lights.sort()
    assert all(one[1] <= other[1] + 2 for one, other in pairwise(lights)), "from dark to light"
    assert pixel(heat, SMALL.drawing.places[gains.index(max(gains))])[:3] == palette.HEAT[-1]
    assert pixel(heat, (0.001, 0.001))[3] == 0


def test_best_is_the_first_vertex_that_gains_the_most(position):
    gains = position.gains().tolist()
    assert graph_pictures.best(position, {}) == (Token(gains.index(max(gains))), max(gains))
    level = Rules(values=(3, 7, 7, 1), tokens=1).start()
    assert graph_pictures.best(level, {}) == (Token(1), 7)


def test_there_is_no_best_after_the_end():
    over = played(Rules(values=(3, 7), tokens=1), 0, 1)
    for asked in (graph_pictures.best, graph_pictures.heat):
        with pytest.raises(IllegalMove, match="the game is over"):
            asked(over, {})
    assert graph_pictures.image(over, 100).size == (100, 100)


def test_the_drawing_data_is_plain_json():
    drawn = drawing_data.drawing_data(SMALL)
    assert json.loads(json.dumps(drawn)) == drawn
    assert list(drawn) == ["values", "edges", "places", "cells", "radius"]
    assert drawn["values"] == list(SMALL.values)
    assert [tuple(edge) for edge in drawn["edges"]] == list(SMALL.edges)
    assert len(drawn["places"]) == len(drawn["cells"]) == 24
    assert all(0 < share < 1 for place in drawn["places"] for share in place)
    assert all(len(cell) % 2 == 0 and len(cell) >= 6 and min(cell) >= 0 and max(cell) <= 1 for cell in drawn["cells"])
    assert 0 < drawn["radius"] < 0.05
    assert not re.search(r"\d\.\d{5}", json.dumps([drawn["places"], drawn["cells"]])), "four decimals"


def test_a_film_lays_its_board_out_once(monkeypatch):
    rules = boards.sparse(12, density=0.2, seed=9, tokens=2)
    calls = []
    lay_out = drawing_data.lay_out
    monkeypatch.setattr(drawing_data, "lay_out", lambda board: calls.append(board) or lay_out(board))
    position = played(rules, 0, 1, 2, 3)
    frames = [graph_pictures.image(position.after(ply), 60) for ply in range(5)]
    assert film.encode_gif(frames[:-1], frames[-1]).startswith(b"GIF89a")
    assert calls == [rules]


def test_the_board_that_pages_show_without_a_server_is_drawn_alike():
    script = resources.files("hinterland.web").joinpath("static/js/graph/graph-example-board.js").read_text()
    kept = json.loads(re.search(r"DRAWING_DATA = (\{.*),\n\};", script, re.DOTALL).group(1) + "}")
    drawn = drawing_data.drawing_data(boards.road(vertices=24, seed=138, tokens=4))
    assert (kept["values"], kept["edges"], kept["radius"]) == (drawn["values"], drawn["edges"], drawn["radius"])
    for name in ("places", "cells"):
        for shape, other in zip(kept[name], drawn[name], strict=True):
            assert shape == pytest.approx(other, abs=2e-4)
