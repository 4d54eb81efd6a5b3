"""The rules of the graph game: what is legal, what graphs cannot be, how lengths are kept, how values read."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.graph_cases import PIECES
from hinterland.contract import EndReason
from hinterland.errors import BadText, IllegalMove, RulesError, UnknownName
from hinterland.graph import Position, Rules, Token, boards
from hinterland.graph.graphs import ranges

PATH = ((0, 1, 1.0), (1, 2, 1.5))
SMALL = Rules(edges=PATH, values=(4, 5, 6), tokens=1)


def refusal(position, token):
    with pytest.raises(IllegalMove) as refused:
        position.play(token)
    return refused.value.code, refused.value.detail


@pytest.mark.parametrize(
    ("token", "code", "detail"),
    [
        (Token(-1), "outside", "vertex -1 is not on the board, they go from 0 to 2"),
        (Token(3), "outside", "vertex 3 is not on the board, they go from 0 to 2"),
        (Token(1), "taken", "token 1 stands on vertex 1 already"),
        (Token(0.5), "not_whole", "vertex must be a whole number, not 0.5"),
        (Token(True), "not_whole", "vertex must be a whole number, not True"),
        (Token(None), "not_whole", "vertex must be a whole number, not None"),
        (1, "not_a_token", "a move of this game is Token(vertex), not 1"),
    ],
)
def test_refusals_say_what_was_wrong_and_what_is_right(token, code, detail):
    assert refusal(SMALL.start().play(Token(1)), token) == (code, detail)


def test_a_game_ends_with_the_last_token():
    position = SMALL.start().play(Token(1)).play(Token(2))
    assert position.to_move is None
    assert position.scores == (9, 6)
    assert position.outcome.winners == (0,)
    assert position.end_reason is EndReason.COMPLETE
    assert refusal(position, Token(0)) == ("game_over", "the game is over, no move is left to make")
    with pytest.raises(IllegalMove, match="game is over"):
        position.legal_moves.sample(np.random.default_rng(1))
    assert repr(position.legal_moves) == "<0 legal tokens>"


def test_every_free_vertex_is_sampled():
    position = Rules(**PIECES, tokens=3).start().play(Token(0)).play(Token(4))
    draw = np.random.default_rng(1)
    drawn = {position.legal_moves.sample(draw).vertex for _ in range(100)}
    assert drawn == {1, 2, 3, 5}


BAD_EDGES = [
    (((0, 0, 1.0),), "edge 1 is a loop at vertex 0; an edge joins two vertices"),
    ((*PATH, (2, 1, 3.0)), "edge 3 joins 2 and 1, as edge 2 does; one edge a pair"),
    (((0, 1, 0.0),), "edge 1 from 0 to 1 must have a length above 0, at most 1e\\+300, not 0.0"),
    (((0, 1, -1.0),), "edge 1 from 0 to 1 must have a length above 0, at most 1e\\+300, not -1.0"),
    (((0, 1, math.nan),), "edge 1 from 0 to 1 must have a length above 0, at most 1e\\+300, not nan"),
    (((0, 1, math.inf),), "edge 1 from 0 to 1 must have a length above 0, at most 1e\\+300, not inf"),
    (((0, 1, 10**400),), "edge 1 from 0 to 1 must have a length above 0, at most 1e\\+300, not 1000"),
    (((0, 1, "1"),), "edge 1 from 0 to 1 must have a length above 0, at most 1e\\+300, not '1'"),
    (((0, 1, True),), "edge 1 from 0 to 1 must have a length above 0, at most 1e\\+300, not True"),
    ((*PATH, (0, 3, 1.0)), "edge 3 must join vertices from 0 to 2, not 3"),
    (((-1, 1, 1.0),), "edge 1 must join vertices from 0 to 2, not -1"),
    (((0.0, 1, 1.0),), "edge 1 must join vertices from 0 to 2, not 0.0"),
    (((0, True, 1.0),), "edge 1 must join vertices from 0 to 2, not True"),
    (((0, 10**30, 1.0),), "edge 1 must join vertices from 0 to 2, not 1000000"),
    (((0, 1),), r"edge 1 must be \[vertex, vertex, length\], not .0, 1."),
    ((5,), r"edge 1 must be \[vertex, vertex, length\], not 5"),
    ("ab", r"edges must be a list of \[vertex, vertex, length\], not 'ab'"),
    (((0, 1, 1e300), (1, 2, 1e-300)), "length 1e-300 is too short beside 1e\\+300"),
]


@pytest.mark.parametrize(("edges", "complaint"), BAD_EDGES)
def test_impossible_edges_are_refused(edges, complaint):
    with pytest.raises(RulesError, match=complaint) as refused:
        Rules(edges=edges, values=(1, 2, 3), tokens=1)
    assert "\n" not in str(refused.value)
    if isinstance(edges, tuple):
        with pytest.raises(RulesError, match=complaint):
            Rules.from_json({"edges": [list(e) if isinstance(e, tuple) else e for e in edges], "values": [1, 2, 3]}
                            | {"tokens": 1})  # fmt: skip


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ((1, -2, 3), "the value of vertex 1 must be a whole number from 0 to 1000000000, not -2"),
        ((1, 2, 0.5), "the value of vertex 2 must be a whole number from 0 to 1000000000, not 0.5"),
        ((True, 2, 3), "the value of vertex 0 must be a whole number from 0 to 1000000000, not True"),
        ((1, 2, 10**30), "the value of vertex 2 must be a whole number"),
        ((1,), "a graph has from 2 to 1000000 vertices, one for each value, not 1"),
        (7, "values must be a list of whole numbers, one a vertex, not 7"),
        ((1, 2), "edge 2 must join vertices from 0 to 1, not 2"),
    ],
)
def test_impossible_values_are_refused(values, complaint):
    with pytest.raises(RulesError, match=complaint):
        Rules(edges=PATH, values=values, tokens=1)


def test_too_few_vertices_and_too_many_edges(monkeypatch):
    with pytest.raises(RulesError, match="2 players with 2 tokens each need at least 4 vertices, this graph has 3"):
        Rules(edges=PATH, values=(1, 2, 3), tokens=2)
    monkeypatch.setitem(ranges.RANGES, "edges", (0, 1))
    with pytest.raises(RulesError, match="a graph has at most 1 edges, not 2"):
        Rules(edges=PATH, values=(1, 2, 3), tokens=1)


@pytest.mark.parametrize("name", ["players", "tokens"])
@pytest.mark.parametrize("value", [0, -1, 1.5, True, "3", 10**30, math.nan])
def test_impossible_numbers_are_refused(name, value):
    with pytest.raises(RulesError, match=f"{name} must be a whole number from"):
        Rules(edges=PATH, values=(1, 2, 3), **{"tokens": 1, name: value})


def test_lists_are_taken_as_tuples():
    rules = Rules(edges=[[0, 1, 1], [1, 2, 1.5]], values=[4, 5, 6], tokens=1)
    assert rules == SMALL
    assert hash(rules) == hash(SMALL)
    assert rules.edges == PATH
    assert type(rules.edges[0][2]) is float


def test_places_are_told_where_they_are_known():
    drawn = Rules(edges=[[0, 1, 1]], values=[4, 5], tokens=1, places=[[0, 1], [2.5, -3]])
    assert drawn.places == ((0.0, 1.0), (2.5, -3.0))
    assert str(drawn).endswith("places=[[0.0,1.0],[2.5,-3.0]]")
    assert Rules.parse(str(drawn)) == drawn
    assert "places" not in str(SMALL)
    position = drawn.start().play(Token(1))
    assert Position.from_json(position.to_json()) == position


def test_places_change_nothing_about_who_owns_what():
    position = Rules(**PIECES, tokens=2).start().play(Token(4)).play(Token(0))
    drawn = Rules(**PIECES, tokens=2, places=((5.0, 5.0),) * 6).start().play(Token(4)).play(Token(0))
    assert drawn.owners.tolist() == position.owners.tolist()


@pytest.mark.parametrize(
    ("places", "complaint"),
    [
        ("here", "places must be a list of .x, y., one a vertex, not 'here'"),
        ([[0, 0]], r"places must be one for each of the 3 vertices or none, not 1"),
        ([[0, 0], [0], [1, 1]], r"the place of vertex 1 must be \[x, y\], numbers from -1,000,000,000 to 1,0"),
        ([[0, 0], [0, math.nan], [1, 1]], "the place of vertex 1 must be"),
        ([[0, 0], [0, 1], [-math.inf, 1]], "the place of vertex 2 must be"),
        ([[0, 0], [0, 1], [1, 10**400]], "the place of vertex 2 must be"),
        ([[0, True], [0, 1], [1, 1]], "the place of vertex 0 must be"),
        ([[0, 0], "01", [1, 1]], "the place of vertex 1 must be"),
        ([[0, 0], [0, 1], [1, 1e9 + 1]], "the place of vertex 2 must be"),
    ],
)
def test_impossible_places_are_refused(places, complaint):
    with pytest.raises(RulesError, match=complaint) as refused:
        Rules(edges=PATH, values=(1, 2, 3), tokens=1, places=places)
    assert "\n" not in str(refused.value)


def test_a_graph_says_into_how_many_parts_it_falls():
    assert SMALL.summary == "graph: 2 players, one token each · 3 vertices, 2 edges, connected"
    assert Rules(**PIECES, tokens=1).summary.endswith("6 vertices, 3 edges, in 3 parts that no edge joins")


def test_the_course_boards_lengths_stay_as_they_are():
    lengths = [math.nextafter(2.0, 0.0), math.nextafter(1.0, 2.0), 1.1, 1.0]
    edges = tuple((i, i + 1, length) for i, length in enumerate(lengths))
    rules = Rules(edges=edges, values=(1,) * 100)
    assert rules.edges == edges
    assert boards.random().network.scale == 52


@given(
    st.lists(st.floats(min_value=5e-324, max_value=1e300), min_size=1, max_size=12),
    st.integers(2, 5000),
)
def test_lengths_are_on_a_grid_that_is_kept_and_exact(lengths, extra):
    count = len(lengths) + extra
    edges = tuple((i, i + 1, length) for i, length in enumerate(lengths))
    try:
        rules = Rules(edges=edges, values=(1,) * count, tokens=1)
    except RulesError as error:
        assert "too short beside" in str(error)
        assert min(lengths) / max(lengths) < 2.0**-40
        return
    again = Rules(edges=rules.edges, values=rules.values, tokens=1)
    assert again.edges == rules.edges, "rounding twice is rounding once"
    units = rules.network.length
    assert int(units.max()) * (count + 1) < 2**61
    scale = Fraction(2) ** rules.network.scale
    kept = sorted(int(Fraction(length) * scale) for _, _, length in rules.edges)
    assert sorted(units.tolist()) == sorted(kept * 2)
    for (_, _, length), given_length in zip(rules.edges, lengths, strict=True):
        assert abs(Fraction(length) - Fraction(given_length)) <= Fraction(max(lengths)) / 2**40


def test_rules_and_positions_read_back():
    position = Rules(**PIECES, tokens=2).start().play(Token(4)).skip().play(Token(0))
    assert str(position) == (
        "graph players=2 edges=[[0,1,1.0],[1,2,1.0],[3,4,2.5]] values=[1,2,3,4,5,6] tokens=2 ; 0:4 1:lost 0:0"
    )
    assert Position.parse(str(position)) == position
    assert Position.from_json(position.to_json()) == position


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("graph edges=[[0,1,1]] values=[1,2", r"values must be a list of whole numbers, one a vertex, not '\[1,2'"),
        ("graph edges=[[0,1]] values=[1,2] tokens=1", "edge 1 must be"),
        ("graph tokens=1", "a graph has from 2 to 1000000 vertices, one for each value, not 0"),
        ("graph edges=[] values=[1,2] tokens=1 ; 0:0 1:0", "move 2: token 1 stands on vertex 0 already"),
        ("graph edges=[] values=[1,2] tokens=1 ; 0:0,1", "a move is an array of whole numbers"),
    ],
)
def test_text_of_no_position_is_refused(text, complaint):
    with pytest.raises((BadText, IllegalMove, RulesError), match=complaint):
        Position.parse(text)


def test_unknown_rules():
    with pytest.raises(UnknownName, match="unknown rule of graph 'size'"):
        Rules.from_json({"size": 3})


def test_a_scratch_board_follows_lost_turns():
    scratch = Rules(**PIECES, tokens=2).start().play(Token(1)).skip().scratch()
    assert scratch.to_move == 0
    scratch.play(Token(4))
    assert (scratch.to_move, scratch.scores) == (1, (15, 0))
    assert scratch.position.moves == ((0, Token(1)), (0, Token(4)))
    scratch.undo()
    assert (scratch.to_move, scratch.scores) == (0, (6, 0))
