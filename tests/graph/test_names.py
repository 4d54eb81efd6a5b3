"""Edges as networkx gives them, and vertices that have names: in rules, moves, pictures and commands."""

import networkx as nx
import numpy as np
import pytest

from hinterland.cli import run
from hinterland.errors import BadText, IllegalMove, RulesError
from hinterland.graph import Rules, Token
from hinterland.graph.drawing import drawing_data, graph_pictures
from hinterland.graph.rules import Position

ROADS = nx.Graph()
ROADS.add_edge("Ulm", "Bonn", weight=np.float64(2.5), length=np.int64(4))
ROADS.add_edge("Bonn", "Kiel", weight=3, length=2)
EDGES = ((0, 1, 2.5), (1, 2, 3.0))
NAMES = ("Ulm", "Bonn", "Kiel")


def test_edges_of_networkx_are_taken():
    rules = Rules(edges=ROADS.edges(data="weight"), tokens=1)
    assert (rules.edges, rules.names, rules.values) == (EDGES, NAMES, (1, 1, 1))
    assert Rules(edges=ROADS.edges(data=True), tokens=1).edges == ((0, 1, 4.0), (1, 2, 2.0)), "one is called length"
    assert Rules(edges=ROADS.edges(), tokens=1).is_unweighted
    assert Rules(edges=list(ROADS.edges), tokens=1).is_unweighted
    assert Rules(edges=((a, b, 7) for a, b in ROADS.edges), tokens=1).edges == ((0, 1, 7.0), (1, 2, 7.0))
    karate = nx.karate_club_graph()
    rules = Rules(edges=karate.edges(data="weight"), values=np.arange(34), tokens=1)
    assert (rules.names, rules.values, rules.edges[0]) == ((), tuple(range(34)), (0, 1, 4.0))
    again = Rules.from_json({"edges": [list(edge) for edge in rules.edges], "values": list(rules.values), "tokens": 1})
    assert again == rules
    multi = nx.MultiGraph([(0, 1, {"length": 2})])
    assert Rules(edges=multi.edges(keys=True, data=True), tokens=1).edges == ((0, 1, 2.0),)


def test_vertices_are_in_the_order_that_was_given():
    by_value = Rules(edges=ROADS.edges(data="weight"), values={"Kiel": np.int64(5), "Ulm": 6, "Bonn": 7}, tokens=1)
    assert (by_value.names, by_value.values) == (("Kiel", "Ulm", "Bonn"), (5, 6, 7))
    assert by_value.edges == ((1, 2, 2.5), (2, 0, 3.0))
    named = Rules(edges=[("Ulm", "Bonn", 2.5), ("Bonn", "Kiel", 3)], names=NAMES, values=[4, 5, 6], tokens=1)
    assert (named.edges, named.values) == (EDGES, (4, 5, 6))
    counted = Rules(edges=[(20, 10, 1.5), (20, 30, 2)], tokens=1)
    assert (counted.names, counted.edges) == (("10", "20", "30"), ((1, 0, 1.5), (1, 2, 2.0)))
    assert Rules(edges=[(0, 1, 1.5), (1, 3, 1)], tokens=1).vertices == 4, "numbers from 0 are numbers"


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"edges": nx.karate_club_graph().edges(data=True)},
         r"edge 1 has numbers called 'weight', and none called length: G.edges\(data='weight'\) takes that"),
        ({"edges": ROADS.edges(data="weight"), "values": [1, 2, 3]}, "vertices have names here: give values as"),
        ({"edges": ROADS.edges(data="toll")}, "edge 1 from 0 to 1 must have a length above 0, at most 1e.300, not "),
        ({"edges": ROADS.edges(data="weight"), "names": ["Ulm", "Bonn"]}, "an edge ends at 'Kiel', which is not among"),
        ({"edges": EDGES, "values": (1, 2, 3), "names": ("a", "b")}, "names must be one for each of the 3 vertices or"),
        ({"edges": EDGES, "values": (1, 2, 3), "names": ("a", "b", "a")}, "vertices 0 and 2 are both called 'a'"),
        ({"edges": EDGES, "values": (1, 2, 3), "names": ("a", "", "c")}, "the name of vertex 1 must be a line of 1 to"),
        ({"edges": EDGES, "values": (1, 2, 3), "names": ("a", "b\n", "c")}, "the name of vertex 1 must be a line"),
        ({"edges": EDGES, "values": (1, 2, 3), "names": ("a", "\u202eb", "c")}, "the name of vertex 1 must be a line"),
        ({"edges": EDGES, "values": (1, 2, 3), "names": "abc"}, "names must be a list of texts, one a vertex"),
        ({"edges": iter([(0.5, 1, 1)])}, "an edge ends at the number or the name of a vertex, not at 0.5"),
        ({"edges": iter([(0, 1, 1, 1)])}, r"edge 1 must be \[vertex, vertex, length\], not \(0, 1, 1, 1\)"),
        ({"edges": nx.DiGraph([("a", "b"), ("b", "a")]).edges}, "edge 2 joins 1 and 0, as edge 1 does"),
    ],
)  # fmt: skip
def test_unusable_edges_are_refused(given, complaint):
    with pytest.raises(RulesError, match=complaint) as refused:
        Rules(**given, tokens=1)
    assert "\n" not in str(refused.value)


def test_moves_are_given_by_name():
    start = Rules(edges=EDGES, values=(4, 5, 6), names=("Ulm", "Bad Ems", "Kiel"), tokens=1).start()
    assert start.read_move("Bad Ems") == start.read_move(" bad ems ") == start.read_move("1") == Token(1)
    assert start.rules.told(Token(1)) == "Bad Ems"
    with pytest.raises(BadText, match="no vertex is called 'Ems'; there are 'Bad Ems' …"):
        start.read_move("Ems")
    with pytest.raises(BadText, match="no vertex is called '3'"):
        start.read_move("3")
    with pytest.raises(IllegalMove, match="token 1 stands on vertex 2, 'Kiel', already"):
        start.play(Token(2)).play(Token(2))
    counted = Rules(edges=EDGES, values=(4, 5, 6), names=("1", "2", "3"), tokens=1).start()
    assert counted.read_move("3") == Token(2), "where names are numbers, they are meant"
    with pytest.raises(BadText, match="no vertex is called '0'"):
        counted.read_move("0")
    plain = Rules(edges=EDGES, values=(4, 5, 6), tokens=1).start()
    assert plain.read_move("2") == Token(2)
    with pytest.raises(BadText, match="a vertex is a number from 0 to 2, not 'Ulm'"):
        plain.read_move("Ulm")


def test_names_go_with_the_rules():
    position = Rules(edges=EDGES, values=(4, 5, 6), names=("Ulm", "Bad Ems", "K<i>el"), tokens=1).start().play(Token(2))
    assert Position.from_json(position.to_json()) == position
    drawn = graph_pictures.svg(position)
    assert "<title>Bad Ems</title></circle>" in drawn
    assert "1<title>K&lt;i&gt;el</title></text>" in drawn
    assert drawing_data.drawing_data(position.rules)["names"] == ["Ulm", "Bad Ems", "K<i>el"]
    assert "names" not in str(Rules(edges=EDGES, values=(4, 5, 6), tokens=1))


def test_a_match_on_a_file_is_told_by_name(tmp_path, capsys):
    nx.write_gml(nx.florentine_families_graph(), tmp_path / "florence.gml")
    kept = str(tmp_path / "a.jsonl")
    file = str(tmp_path / "florence.gml")
    asked = ["match", "graph", "greedy", "gain", "--board", file, "--tokens", "2", "--seed", "1"]
    assert run([*asked, "--record", kept]) == 0
    told = capsys.readouterr()
    assert "'florence.gml': it has no lengths, every edge has length 1\n" in told.err
    assert "15 vertices, 20 edges of length 1, connected" in told.out
    assert run(["verify", kept]) == 0
    assert run(["replay", kept]) == 0
    assert run(["analyse", kept]) == 0
    shown = capsys.readouterr().out
    assert sum(name in shown for name in nx.florentine_families_graph()) >= 4


def test_a_file_whose_length_is_not_known_is_refused_in_a_line(tmp_path, capsys):
    nx.write_gml(nx.les_miserables_graph(), tmp_path / "les.gml")
    asked = ["match", "graph", "greedy", "gain", "--board", str(tmp_path / "les.gml"), "--tokens", "2", "--quiet"]
    assert run(asked) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert run([*asked, "--length", "weight"]) == 0
    assert run([*asked, "--length", "1"]) == 0
    assert run([*asked, "--length", '"1"']) == 2, "in quotes it is a name"
