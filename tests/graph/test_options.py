"""What people type or choose instead of a list of edges."""

import inspect

import pytest

from hinterland.errors import BadText, HinterlandError, RulesError, UnknownName
from hinterland.graph import Rules, boards
from hinterland.graph.board_options import estimate
from hinterland.graph.drawing.drawing_data import page_rules

EDGES = "u,v,length\n0,1,1.5\n1,2,2\n2,3,1\n"


@pytest.mark.parametrize("name", boards.BOARDS)
def test_a_board_by_its_name_is_the_board_of_the_generator(name):
    assert Rules.from_options({"board": name}) == boards.BOARDS[name]()
    chosen = Rules.from_options({"board": name, "board_seed": 5, "tokens": 3, "players": 3})
    assert chosen == boards.BOARDS[name](seed=5, tokens=3, players=3)


def test_without_a_name_it_is_the_board_of_the_course():
    assert Rules.from_options({}) == boards.random()
    assert Rules.from_options({"vertices": 30, "density": 0.5}) == boards.random(vertices=30, density=0.5)
    assert Rules.from_options(Rules.options()) == boards.random()
    assert Rules.from_options({"board": "grid", "rows": 4, "cols": None}) == boards.grid(rows=4), "null is the default"


def test_edges_and_values_are_taken_as_they_are():
    given = {"edges": [[0, 1, 2.5]], "values": [3, 4], "tokens": 1}
    assert Rules.from_options(given) == Rules(edges=((0, 1, 2.5),), values=(3, 4), tokens=1)


def test_a_file_is_read_where_that_is_allowed(tmp_path):
    file = tmp_path / "roads.csv"
    file.write_text(EDGES)
    worth = tmp_path / "worth.csv"
    worth.write_text("0,7\n1,8\n2,9\n3,10\n")
    asked = {"board": str(file), "tokens": 1}
    drawn = Rules.from_options(asked, may_read=True)
    assert drawn.edges == ((0, 1, 1.5), (1, 2, 2.0), (2, 3, 1.0))
    assert Rules.from_options({**asked, "board_seed": 1}, may_read=True).values != drawn.values
    valued = Rules.from_options({**asked, "board_values": str(worth)}, may_read=True)
    assert valued.values == (7, 8, 9, 10)


def test_a_graphml_file_is_read(tmp_path):
    file = tmp_path / "pair.graphml"
    file.write_text(
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><key id="d" for="edge" attr.name="length" '
        'attr.type="double"/><graph edgedefault="undirected"><node id="a"/><node id="b"/>'
        '<edge source="a" target="b"><data key="d">2.5</data></edge></graph></graphml>\n'
    )
    assert Rules.from_options({"board": str(file), "tokens": 1}, may_read=True).edges == ((0, 1, 2.5),)
    with pytest.raises(BadText, match="board_values goes with a CSV file"):
        Rules.from_options({"board": str(file), "board_values": "x.csv"}, may_read=True)


@pytest.mark.parametrize(
    ("options", "kind", "words"),
    [
        ({"board": "moebius"}, UnknownName, "unknown board 'moebius'; known: random, sparse, grid"),
        ({"board": 7}, RulesError, "board is a name such as random, not 7"),
        ({"board": "grid", "density": 0.1}, UnknownName, "unknown option of board grid 'density'; known: rows, cols,"),
        ({"seed": 3}, UnknownName, "unknown option of board random 'seed'; known: vertices, density, board_seed"),
        ({"board": "road", "edges": []}, RulesError, "by its name or by edges, not by both"),
        ({"density": 1.5}, RulesError, "density must be a number from 0 to 1, not 1.5"),
        ({"vertices": 5}, RulesError, "2 players with 10 tokens each need at least 20 vertices, this graph has 5"),
        ({"board": "roads.csv"}, BadText, "boards are read from files on the command line only; name one of random,"),
        ({"board": "/etc/passwd"}, BadText, "boards are read from files on the command line only"),
        ({"board": "../x.graphml"}, BadText, "boards are read from files on the command line only"),
        ({"board_values": "worth.csv"}, UnknownName, "unknown option of board random 'board_values'"),
    ],
)
def test_impossible_options_are_refused_in_one_line(options, kind, words):
    with pytest.raises(HinterlandError) as refused:
        Rules.from_options(options)
    assert type(refused.value) is kind
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(BadText, match=r"roads\.csv"):
        Rules.from_options({"board": str(tmp_path / "roads.csv")}, may_read=True)


def test_pages_get_counts_instead_of_tables():
    rules = boards.sparse(vertices=30, density=0.03, seed=1, tokens=2)
    told = page_rules(rules)
    assert told == {
        "players": 2,
        "tokens": 2,
        "vertices": 30,
        "edges": len(rules.edges),
        "parts": rules.network.parts,
        "unweighted": False, "total": sum(rules.values),
    }


@pytest.mark.parametrize("name", boards.BOARDS)
def test_sizes_are_estimated(name):
    """Close enough to refuse what is far too large before it is drawn."""
    for asked in ({}, {"density": 0.3, "radius": 0.3, "neighbours": 10, "rows": 7, "vertices": 200}):
        known = inspect.signature(boards.BOARDS[name]).parameters
        options = {"board": name, "tokens": 1, **{one: value for one, value in asked.items() if one in known}}
        rules = Rules.from_options(options)
        seen = estimate(options)
        assert seen["vertices"] == rules.vertices
        assert len(rules.edges) * 0.6 <= seen["edges"] <= len(rules.edges) * 1.5


@pytest.mark.parametrize(
    "options",
    [
        {"board": "klein"},
        {"board": 7},
        {"vertices": "many"},
        {"vertices": -3},
        {"vertices": 10**400},
        {"vertices": float("nan")},
        {"density": None, "vertices": True},
        {"edges": [], "values": [1, 2]},
    ],
)
def test_what_makes_no_sense_is_not_estimated(options):
    assert estimate(options) == {}
