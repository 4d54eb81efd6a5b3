"""Boards from files and foreign graphs, and files that are not what they should be."""

import os
from functools import partial

import msgspec
import numpy as np
import pytest

from hinterland.dice import Dice
from hinterland.errors import BadText, RulesError
from hinterland.graph import Rules, readers
from hinterland.graph.formats.matrices import read_matrix_market
from hinterland.graph.graphs.ranges import RANGES

read_edges, read_graphml = (partial(readers.read, form=form) for form in ("edges", "graphml"))
EDGES = "u,v,length\n0,1,1.5\n\n1,2,2\n"
GRAPHML = """<?xml version="1.0" encoding="utf-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d0" for="node" attr.name="value" attr.type="long"/>
  <key id="d1" for="edge" attr.name="length" attr.type="double"/>
  <graph edgedefault="undirected">
    <node id="a"><data key="d0">4</data></node>
    <node id="b"><data key="d0">5</data></node>
    <node id="c"><data key="d0">6</data></node>
    <edge source="a" target="b"><data key="d1">1.5</data></edge>
    <edge source="b" target="c"><data key="d1">2</data></edge>
  </graph>
</graphml>
"""
EXPECTED = Rules(edges=((0, 1, 1.5), (1, 2, 2.0)), values=(4, 5, 6), tokens=1)
NAMED = msgspec.structs.replace(EXPECTED, names=("a", "b", "c"))


@pytest.fixture
def written(tmp_path):
    """Return a function that writes a file and gives its path."""

    def write(content, name="graph.txt"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def test_edge_lists_are_read_with_and_without_header_and_values(written):
    values = written("vertex,value\n0,4\n1,5\n2,6\n", "values.csv")
    for text in (EDGES, EDGES.removeprefix("u,v,length\n"), "\ufeff" + EDGES, EDGES.replace("\n", "\r\n"),
                 'U ,"v",Length\n 0,"1", 1.5\n1,2,2e0\n'):  # fmt: skip
        assert read_edges(written(text), values=values, tokens=1) == EXPECTED
    drawn = read_edges(str(written(EDGES)), seed=3, tokens=1)
    assert drawn.values == tuple(Dice(3).below(100, 3).tolist())


def test_graphml_is_read(written):
    assert read_graphml(written(GRAPHML), tokens=1) == NAMED
    bare = GRAPHML.replace("value", "colour").replace('"length"', '"weight"')
    assert read_graphml(written(bare), tokens=1, length="weight").edges == EXPECTED.edges
    with pytest.raises(BadText, match=r"which attribute is the length of an edge\? edges have weight \(1.5 to 2\)"):
        read_graphml(written(bare), tokens=1)


DRAWN_GRAPHML = GRAPHML.replace("<graph ", '<key id="x" for="node" attr.name="x"/><key id="y" attr.name="y"/><graph ')
for _vertex, _at in {"a": (0, 1), "b": (0.5, -2), "c": ("1e3", " 4 ")}.items():
    DRAWN_GRAPHML = DRAWN_GRAPHML.replace(
        f'id="{_vertex}">', f'id="{_vertex}"><data key="x">{_at[0]}</data><data key="y">{_at[1]}</data>'
    )


def test_graphml_says_where_vertices_are_drawn(written):
    drawn = read_graphml(written(DRAWN_GRAPHML), tokens=1)
    assert drawn.places == ((0.0, 1.0), (0.5, -2.0), (1000.0, 4.0))
    assert (drawn.edges, drawn.values) == (EXPECTED.edges, EXPECTED.values)
    half = DRAWN_GRAPHML.replace('<data key="y">-2</data>', "")
    assert read_graphml(written(half), tokens=1).places == ()


BAD_EDGE_LISTS = [
    ("0,1,1\n1,2,1", "graph.txt' may be cut short: its last line has no line break; add one if it is whole"),
    ("0,1,1\n1,2\n", "graph.txt', line 2: expected u,v,length, not '1,2'"),
    ("0,1,1,7\n", "line 1: expected u,v,length, not '0,1,1,7'"),
    ("a,,1\n", "the name of vertex 1 must be a line of 1 to 200 letters"),
    ("0,1,far\n", "line 1: a length was expected, not 'far'"),
    ("0,1,1_0\n", "line 1: a length was expected, not '1_0'"),
    ("0,1,nan\n", "graph.txt': edge 1 from 0 to 1 must have a length above 0, at most 1e\\+300, not nan"),
    ("0,1,inf\n", "edge 1 from 0 to 1 must have a length above 0, at most 1e\\+300, not inf"),
    ("0,1,-1\n", "edge 1 from 0 to 1 must have a length above 0, at most 1e\\+300, not -1.0"),
    ("0,0,1\n1,2,0\n", "edge 2 from 1 to 2 must have a length above 0, at most 1e\\+300, not 0.0"),
    ("0,1,1\n1,0,nan\n", "edge 2 from 1 to 0 must have a length above 0, at most 1e\\+300, not nan"),
    ("-1,1,1\n", "edge 1 must join vertices from 0 to 1, not -1"),
    ("0,9999999999,1\n", "a graph has from 2 to 1000000 vertices"),
    ("", "a graph has from 2 to 1000000 vertices, one for each value, not 0"),
    ('0,"1,1\n', "not CSV, unexpected end of data"),
    ("0,1,1\n".encode("utf-16"), "is not in UTF-8 \\(byte 1\\); save it in that encoding"),
    ("0,1,1\n".encode("utf-16-le"), "is not a text in UTF-8: it holds zero bytes"),
    (b"0,1,\xe9\n", "is not in UTF-8 \\(byte 5\\)"),
]


@pytest.mark.parametrize(("content", "complaint"), BAD_EDGE_LISTS)
def test_impossible_edge_lists_are_refused(written, content, complaint):
    with pytest.raises((BadText, RulesError), match=complaint) as refused:
        read_edges(written(content), tokens=1)
    assert "\n" not in str(refused.value)


BAD_VALUES = [
    ("0,4\n2,5\n", "values.csv', line 2: vertices must be listed in order: 1 comes here, not '2'"),
    ("0,4\n1,0.5\n", "line 2: a whole number was expected, not '0.5'"),
    ("0,4\n1,-5\n2,3\n", "the value of vertex 1 must be a whole number from 0"),
    ("0,4\n1,5\n", "edge 2 must join vertices from 0 to 1, not 2"),
]


@pytest.mark.parametrize(("content", "complaint"), BAD_VALUES)
def test_impossible_values_are_refused(written, content, complaint):
    values = written(content, "values.csv")
    with pytest.raises((BadText, RulesError), match=complaint):
        read_edges(written(EDGES), values=values, tokens=1)


@pytest.mark.parametrize("cut", range(0, len(GRAPHML) - 1, 37))
def test_graphml_cut_short_anywhere(written, cut):
    with pytest.raises(BadText, match="is not valid XML"):
        read_graphml(written(GRAPHML[:cut]), tokens=1)


BAD_GRAPHML = [
    ("<x/>", "is not GraphML with one graph in it"),
    ("<graphml/>", "is not GraphML with one graph in it"),
    ("<!DOCTYPE x [<!ENTITY a 'aa'>]><graphml/>", "document types and entities are not read"),
    (GRAPHML.replace("undirected", "directed"), "edges go both ways in this game, these are directed"),
    (GRAPHML.replace('target="c"', 'target="c" directed="true"'), "these are directed"),
    (GRAPHML.replace('target="c"', 'target="d"'), "an edge ends at 'd', which is no vertex"),
    (GRAPHML.replace('id="c"', 'id="b"'), "vertex 'b' occurs twice"),
    (GRAPHML.replace('<data key="d1">2</data>', ""), "the edge from 'b' to 'c' has no length"),
    (GRAPHML.replace('<data key="d0">5</data>', ""), "vertex 'b' has no value, though others have"),
    (GRAPHML.replace(">5<", ">5.5<"), "the value of vertex 'b' must be a whole number from 0 to 1000000000, not 5.5"),
    (GRAPHML.replace(">2<", ">two<"), "a length was expected, not 'two'"),
    (GRAPHML.replace(">2<", ">-2<"), "edge 2 from 'b' to 'c' must have a length above 0, at most 1e\\+300, not -2.0"),
    (GRAPHML.replace("</graph>", "<hyperedge/></graph>"), "a hyperedge is not read"),
    (GRAPHML.replace("</graph>", "<node><graph/></node></graph>"), "a graph within a vertex or an edge is not read"),
    (GRAPHML.encode("utf-16"), "is not in UTF-8"),
    (DRAWN_GRAPHML.replace(">0.5<", ">left<"), "graph.txt': a coordinate was expected, not 'left'"),
    (DRAWN_GRAPHML.replace(">0.5<", ">1e10<"), "the place of vertex 1 must be"),
]


@pytest.mark.parametrize(("content", "complaint"), BAD_GRAPHML)
def test_impossible_graphml_is_refused(written, content, complaint):
    with pytest.raises((BadText, RulesError), match=complaint) as refused:
        read_graphml(written(content), tokens=1)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("read", [read_edges, read_graphml])
def test_missing_and_too_large_files_are_refused(read, tmp_path):
    with pytest.raises(BadText, match=r"nothing' cannot be read: No such file"):
        read(tmp_path / "nothing")
    with pytest.raises(BadText, match="is not a file"):
        read(tmp_path)
    with pytest.raises(BadText, match="cannot be read"):
        read("a\0b")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(BadText, match="is not a file"):
        read(tmp_path / "pipe")
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(10**9)
    with pytest.raises(BadText, match="is larger than 64 MiB, the most that is read"):
        read(tmp_path / "huge")


def test_more_lines_than_a_graph_can_have(written, monkeypatch):
    monkeypatch.setitem(RANGES, "edges", (0, 1))
    with pytest.raises(BadText, match="line 4: more than 1 lines"):
        read_edges(written(EDGES), tokens=1)


class Foreign:
    """What is read of a networkx graph."""

    def __init__(self, nodes, edges, directed=False):
        self._nodes, self._edges, self._directed = nodes, edges, directed

    def is_directed(self):
        return self._directed

    def is_multigraph(self):
        return False

    def nodes(self, data):
        return self._nodes

    def edges(self, data):
        return self._edges


NODES = [("a", {"value": 4}), ("b", {"value": 5}), (("c", 1), {"value": 6})]


def test_networkx_graphs_are_converted():
    graph = Foreign(NODES, [("a", "b", {"length": 1.5}), ("b", ("c", 1), {"length": 2, "colour": "red"})])
    named = msgspec.structs.replace(EXPECTED, names=("a", "b", "('c', 1)"))
    assert readers.from_networkx(graph, tokens=1) == named


def test_networkx_graphs_say_where_vertices_are_drawn():
    places = ((0.0, 1.0), (0.5, -2.0), (3.0, 4.0))
    posed = [(name, {**data, "pos": np.array(place)}) for (name, data), place in zip(NODES, places, strict=True)]
    assert readers.from_networkx(Foreign(posed, []), tokens=1).places == places
    split = [(name, {**data, "x": x, "y": np.float64(y)}) for (name, data), (x, y) in zip(NODES, places, strict=True)]
    assert readers.from_networkx(Foreign(split, []), tokens=1).places == places
    assert readers.from_networkx(Foreign([*posed[:2], NODES[2]], []), tokens=1).places == ()


@pytest.mark.parametrize("pos", ["1,2", 7, (1, 2, 3), (1, "2"), (1, float("nan"))])
def test_impossible_networkx_places_are_refused(pos):
    posed = [(name, {**data, "pos": pos}) for name, data in NODES]
    with pytest.raises(RulesError, match="the networkx graph: the place of vertex 0 must be"):
        readers.from_networkx(Foreign(posed, []), tokens=1)


@pytest.mark.parametrize(
    ("graph", "complaint"),
    [
        (Foreign(NODES, [("a", "b", {})], directed=True), "edges go both ways in this game, these are directed"),
        (Foreign(NODES, [("a", "b", {}), ("b", ("c", 1), {"length": 1})]), "the edge from 'a' to 'b' has no length"),
        (Foreign(NODES, [("a", "b", {"weight": 2})]), r"which attribute is the length of an edge\? edges have weight"),
        (
            Foreign([("a", {"value": 0.5}), ("b", {"value": 1})], []),
            "the networkx graph: the value of vertex 'a' must be",
        ),
        (Foreign([("a", {"value": 5}), ("b", {})], []), "vertex 'b' has no value, though others have"),
        (Foreign(NODES, [("a", "d", {"length": 1})]), "an edge ends at 'd', which is no vertex"),
    ],
)
def test_impossible_networkx_graphs_are_refused(graph, complaint):
    with pytest.raises((BadText, RulesError), match=complaint):
        readers.from_networkx(graph, tokens=1)


def test_graphml_defaults_count(tmp_path):
    file = tmp_path / "usual.graphml"
    file.write_text(
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
        '<key id="v" for="node" attr.name="value" attr.type="int"><default>7</default></key>'
        '<key id="l" for="edge" attr.name="length" attr.type="double"><default>2.5</default></key>'
        '<graph edgedefault="undirected"><node id="a"/><node id="b"><data key="v">9</data></node>'
        '<node id="c"/><edge source="a" target="b"/><edge source="b" target="c"><data key="l">1</data></edge>'
        "</graph></graphml>\n"
    )
    rules = read_graphml(file, tokens=1)
    assert rules.values == (7, 9, 7)
    assert rules.edges == ((0, 1, 2.5), (1, 2, 1.0))


def test_rows_of_a_matrix_are_counted_from_one():
    with pytest.raises(BadText, match="rows and columns go from 1 to 2, not '0 1'"):
        read_matrix_market("a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n0 1 4\n")
