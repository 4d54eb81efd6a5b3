"""Graphs in every form that networkx writes: the same board, and its areas as networkx's Dijkstra has them."""

import contextlib
import itertools
import json
import random
import time

import networkx as nx
import pytest
from networkx.readwrite import json_graph

from graph import oracle_networkx as oracle
from hinterland.errors import BadText, RulesError, UnknownName
from hinterland.graph import Rules, Token, readers
from hinterland.graph.formats import forms

GRAPHS = {
    "karate": nx.karate_club_graph,
    "miserables": nx.les_miserables_graph,
    "petersen": nx.petersen_graph,
    "florentine": nx.florentine_families_graph,
}
TUTTE = nx.Graph(nx.random_labeled_tree(20, seed=3))


def dumped(told):
    return lambda graph, path: path.write_text(json.dumps(told(graph)))


def numbered(write):
    return lambda graph, path: write(nx.convert_node_labels_to_integers(graph, label_attribute="was"), path)


WEIGHTED = {
    "dicts.edgelist": nx.write_edgelist,
    "column.weighted": nx.write_weighted_edgelist,
    "column.txt": nx.write_weighted_edgelist,
    "tabs.tsv": lambda graph, path: nx.write_weighted_edgelist(graph, path, delimiter="\t"),
    "commas.csv": lambda graph, path: nx.write_weighted_edgelist(graph, path, delimiter=","),
    "dicts.csv": lambda graph, path: nx.write_edgelist(graph, path, delimiter=","),
    "lines.multiline_adjlist": nx.write_multiline_adjlist,
    "lines.adjlist": nx.write_multiline_adjlist,
    "lines.txt": nx.write_multiline_adjlist,
    "a.gml": nx.write_gml,
    "a.gexf": nx.write_gexf,
    "draft.gexf": lambda graph, path: nx.write_gexf(graph, path, version="1.1draft"),
    "a.graphml": nx.write_graphml,
    "a.net": nx.write_pajek,
    "links.json": dumped(json_graph.node_link_data),
    "adjacency.json": dumped(json_graph.adjacency_data),
    "cytoscape.json": dumped(json_graph.cytoscape_data),
}
BARE = {
    "bare.edgelist": lambda graph, path: nx.write_edgelist(graph, path, data=False),
    "a.adjlist": nx.write_adjlist,
    "a.g6": numbered(nx.write_graph6),
    "a.s6": numbered(nx.write_sparse6),
    "headless.g6": numbered(lambda graph, path: nx.write_graph6(graph, path, header=False)),
}
CODED = ("a.g6", "a.s6", "headless.g6")
"""These hold no names."""


def lengths(rules, names=None):
    """Return the length of each edge by the names of its ends."""
    called = rules.called if names is None else names.__getitem__
    return {frozenset((called(a), called(b))): length for a, b, length in rules.edges}


def expected(graph, attribute):
    return {frozenset((str(a), str(b))): data.get(attribute, 1) for a, b, data in graph.edges(data=True)}


@pytest.mark.parametrize("form", [*WEIGHTED, *BARE])
@pytest.mark.parametrize("name", GRAPHS)
def test_the_same_board_in_every_form(name, form, tmp_path):
    graph = GRAPHS[name]()
    is_weighted = form in WEIGHTED and nx.is_weighted(graph)
    (WEIGHTED | BARE)[form](graph, tmp_path / form)
    names = list(map(str, graph)) if form in CODED else None
    notes = []
    for length, attribute in (("weight", "weight"), (1, None)) if is_weighted else ((1, None), (None, None)):
        rules = readers.read(tmp_path / form, length=length, tokens=2, note=notes.append)
        assert lengths(rules, names) == expected(graph, attribute)
        assert sorted(names or map(rules.called, range(rules.vertices))) == sorted(map(str, graph))
        assert rules.is_unweighted == (attribute is None)
        if name in ("karate", "petersen"):
            assert rules.names == (), "numbers are no names"
    assert any("every edge has length 1" in note for note in notes) == (not is_weighted)


@pytest.mark.parametrize("form", ["a.gml", "column.weighted", "a.adjlist", "a.s6"])
@pytest.mark.parametrize("name", GRAPHS)
def test_areas_are_those_of_networkx(name, form, tmp_path):
    graph = GRAPHS[name]()
    (WEIGHTED | BARE)[form](graph, tmp_path / form)
    is_weighted = form in WEIGHTED and nx.is_weighted(graph)
    rules = readers.read(tmp_path / form, length="weight" if is_weighted else None, players=3, tokens=2)
    node = dict(enumerate(graph)) if form == "a.s6" else {rules.vertex(str(node)): node for node in graph}
    draw, ties = random.Random(name), 0
    for _ in range(10):
        position = rules.start()
        while position.to_move is not None:
            position = position.play(Token(draw.choice(sorted(set(node) - position.taken))))
            tokens = [(seat, node[token.vertex]) for seat, token in position.moves]
            owned = oracle.owners(graph, tokens, "weight" if is_weighted else None)
            assert {node[v]: None if seat < 0 else seat for v, seat in enumerate(position.owners.tolist())} == owned
            swapped = oracle.owners(graph, tokens[::-1], "weight" if is_weighted else None)
            ties += swapped != owned
    assert ties > 0, "no tie was met, so who placed first was not tried"


def test_every_form_and_ending_has_a_reader():
    built = {name for name, form in forms.FORMS.items() if form.is_built}
    assert set(forms.SUFFIXES.values()) | built == set(forms.FORMS)


@pytest.mark.parametrize("form", ["a.gml", "links.json", "a.net", "a.adjlist"])
def test_forms_are_known_by_their_first_lines_or_by_their_name(form, tmp_path):
    (WEIGHTED | BARE)[form](TUTTE, tmp_path / "tree")
    asked = form.removeprefix("a.") if form == "a.adjlist" else None
    assert lengths(readers.read(tmp_path / "tree", asked)) == expected(TUTTE, None)


LEDA = "LEDA.GRAPH\nstring\nint\n-2\n3\n|{A}|\n|{B}|\n|{C}|\n2\n1 2 0 |{4}|\n2 3 0 |{3.5}|\n"
DIMACS = "c roads\np sp 3 4\na 1 2 4\na 2 1 4\na 2 3 3.5\na 3 2 3.5\n"
GML = """Creator "somebody"
graph
[
  directed 0
  node [ id 7 label "A" graphics [ x 1.0 y 2.0 ] value 5 ]
  node [ id 3 label "B" graphics [ x 2.0 y 2.5 ] value 6 ]
  node [ id 9 label "C" graphics [ x 3.0 y 0 ] value 7 ]
  edge [ source 7 target 3 length 4 value 1 ]
  edge [ source 3 target 9 length 3.5 value 2 ]
  edge [ source 9 target 3 length 9 value 2 ]
]
"""
GEXF = """<?xml version="1.0"?>
<gexf xmlns="http://www.gexf.net/1.2draft" xmlns:viz="http://www.gexf.net/1.2draft/viz" version="1.2">
<graph defaultedgetype="undirected"><nodes>
<node id="0" label="A"><viz:position x="1" y="-2"/></node><node id="1" label="B"><viz:position x="2" y="-2.5"/></node>
<node id="2" label="C"><viz:position x="3" y="0"/></node></nodes>
<edges><edge id="0" source="0" target="1" weight="4"/><edge id="1" source="1" target="2" weight="3.5"/></edges>
</graph></gexf>
"""
PATH = {frozenset("AB"): 4, frozenset("BC"): 3.5}


@pytest.fixture
def written(tmp_path):
    """Return a function that writes a file and gives its path."""
    number = itertools.count()

    def write(content, name="graph.txt"):
        path = tmp_path / str(next(number)) / name
        path.parent.mkdir()
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.mark.parametrize(
    ("text", "length", "names", "places"),
    [
        (LEDA, "label", "123", ()),
        (DIMACS, None, "123", ()),
        ("p edge 3 2\ne 1 2\ne 2 3\n", None, "123", ()),
        (GML, None, "ABC", ((1.0, 2.0), (2.0, 2.5), (3.0, 0.0))),
        (GEXF, "weight", "ABC", ((1.0, 2.0), (2.0, 2.5), (3.0, 0.0))),
        ("# two roads\nA B 4\nB\tC 3.5\n", None, "ABC", ()),
        ('"A"; B; 4\nB;C;3.5\n', None, "ABC", ()),
        ("u v 4\nv w 3.5\n", None, "uvw", ()),
        ("Source,Target,Weight,Id\nA,B,4,0\nB,C,3.5,1\n", "Weight", "ABC", ()),
        ("source target length\nA B 4\nB C 3.5\n", None, "ABC", ()),
        ("1 2 4\n3 2 3.5\n", None, "123", ()),
        ("10 20 4\n30 20 3.5\n", None, ["10", "20", "30"], ()),
        ('{"elements": {"nodes": [{"data": {"id": "7", "name": "A"}}, {"data": {"id": "b", "name": "B"}}, '
         '{"data": {"id": "c", "name": "C"}}], "edges": [{"data": {"source": 7, "target": "b", "length": 4}}, '
         '{"data": {"source": "b", "target": "c", "length": 3.5}}]}}', None, "ABC", ()),
    ],
)  # fmt: skip
def test_files_of_other_programs_are_read(written, text, length, names, places):
    rules = readers.read(written(text), length=length, tokens=1)
    known = dict(zip(names, "ABC", strict=True))
    got = {frozenset(known.get(name, name) for name in pair): far for pair, far in lengths(rules).items()}
    if text.startswith("LEDA"):
        assert sorted(lengths(rules).values()) == [3.5, 4]
    else:
        assert got == (dict.fromkeys(PATH, 1) if text.startswith("p edge") else PATH)
        assert rules.names == tuple(names)
    assert rules.places == places
    assert rules.values == ((5, 6, 7) if text is GML else rules.values)


def test_values_are_listed_by_name(written):
    values = written("vertex,value\nC,6\nA,4\nB,5\nD,1\n", "values.csv")
    rules = readers.read(written("A,B,4\nB,C,3.5\n"), values=values, tokens=1)
    assert (rules.names, rules.values, lengths(rules)) == (("C", "A", "B", "D"), (6, 4, 5, 1), PATH)
    with pytest.raises(BadText, match="edge 2 ends at 'E', which is not among the vertices with values"):
        readers.read(written("A,B,4\nB,E,3.5\n"), values=values, tokens=1)
    with pytest.raises(BadText, match="line 2: vertex 'A' occurs twice"):
        readers.read(written("A,B,4\n"), values=written("A,4\nA,5\n"), tokens=1)


def test_the_length_is_never_guessed(written):
    two = "source,target,weight,time,kind\na,b,2,10,road\nb,c,5,20.5,road\n"
    with pytest.raises(BadText, match=r"which attribute is the length of an edge\? edges have weight \(2 to 5\), "
                       r"time \(10 to 20.5\); write --length weight, or --length 1 for edges all of len"):  # fmt: skip
        readers.read(written(two), tokens=1)
    assert set(lengths(readers.read(written(two), length="time", tokens=1)).values()) == {10, 20.5}
    assert set(lengths(readers.read(written(two), length=1, tokens=1)).values()) == {1}
    with pytest.raises(BadText, match=r"no edge has 'cost'; edges have weight \(2 to 5\), time \(10 to 20.5\), kind"):
        readers.read(written(two), length="cost", tokens=1)
    with pytest.raises(BadText, match="a kind was expected, not 'road'"):
        readers.read(written(two), length="kind", tokens=1)
    with pytest.raises(BadText, match="length names an attribute of the edges, or is 1 for edges of length 1, not 2"):
        readers.read(written(two), length=2, tokens=1)
    called = two.replace("time", "Length")
    assert set(lengths(readers.read(written(called), tokens=1)).values()) == {10, 20.5}, "one is called so"
    gap = two.replace(",5,", ",,")
    with pytest.raises(BadText, match="the edge from 'b' to 'c' has no weight, though others have"):
        readers.read(written(gap), length="weight", tokens=1)


def test_remarks_say_how_a_graph_was_read(written):
    notes = []
    rules = readers.read(written("0 1 2\n1 0 1.5\n1 1 7\n1 2 3\n5 0 1\n"), tokens=1, note=notes.append)
    assert rules.edges == ((0, 1, 1.5), (1, 2, 3.0), (5, 0, 1.0))
    assert notes == [
        "'graph.txt': read as a list of edges: 6 vertices, 5 edges; values are drawn",
        "'graph.txt': vertices go from 0 to 5; 2 of these numbers stand on no line",
        "'graph.txt': its third column is the length of an edge; --length 1 would make all edges 1 long",
        "'graph.txt': one loop is left out, no path takes one",
        "'graph.txt': one edge is left out beside another of the same two vertices, the shortest counts",
    ]
    assert rules.vertices == 6


def test_directed_graphs_lead_both_ways_or_are_refused(written):
    one_way = "edges go both ways in this game, these are directed; save the graph as an undirected one"
    with pytest.raises(BadText, match=one_way):
        readers.read(written(DIMACS.replace("a 3 2 3.5", "a 3 2 4")), tokens=1)
    with pytest.raises(BadText, match=one_way):
        readers.read(written(GML.replace("directed 0", "directed 1")), tokens=1)
    there_and_back = nx.DiGraph(nx.petersen_graph())
    assert lengths(readers.from_networkx(there_and_back, tokens=1)) == expected(nx.petersen_graph(), None)
    with pytest.raises(BadText, match=one_way):
        readers.from_networkx(nx.DiGraph([(0, 1), (1, 2), (2, 1)]), tokens=1)


def test_networkx_graphs_of_all_kinds(tmp_path):
    graph = nx.MultiGraph([("a", "b", {"length": 3}), ("a", "b", {"length": 2}), ("b", "b", {"length": 1})])
    notes = []
    rules = readers.from_networkx(graph, tokens=1, note=notes.append)
    assert (rules.edges, rules.names, len(notes)) == (((0, 1, 2.0),), ("a", "b"), 2)
    grid = readers.from_networkx(nx.grid_2d_graph(2, 2), tokens=1)
    assert grid.names == ("(0, 0)", "(0, 1)", "(1, 0)", "(1, 1)")
    assert grid.is_unweighted
    mixed = nx.Graph([(1, "1")])
    with pytest.raises(RulesError, match="the networkx graph: vertices 0 and 1 are both called '1'"):
        readers.from_networkx(mixed, tokens=1)
    shuffled = nx.Graph([(2, 0, {"length": 5}), (0, 1, {"length": 7})])
    assert readers.from_networkx(shuffled, tokens=1).edges == ((2, 0, 5.0), (0, 1, 7.0)), "numbers stay numbers"


def bad(text, complaint, name="graph.txt", **options):
    return pytest.param(text, complaint, name, options, id=complaint[:40])


BILLION = '<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>'


@pytest.mark.parametrize(
    ("text", "complaint", "name", "options"),
    [
        bad(b"\xff\xd8\xff\xe0\0\x10JFIF", "is not a graph: it looks like a JPEG picture"),
        bad(b"%PDF-1.7\n%\xe2\xe3", "it looks like a PDF document", "graph.gml"),
        bad(b"\x1f\x8b\x08\0\0", "it looks like packed with gzip; unpack it", "graph.gml.gz"),
        bad(b"PK\x03\x04\0\0", "it looks like a ZIP archive", "graph.xlsx"),
        bad(b"\x80\x04\x95\0", "it looks like a pickle of Python, which is never read"),
        bad(b"\x7fELF\x02\0", "it looks like a program"),
        bad(b"0 1\n\0\n", "it holds zero bytes"),
        bad("<!DOCTYPE html>\n<html><body>404</body></html>\n", "it looks like a page in HTML; was it", "graph.gml"),
        bad("<!DOCTYPE html>\n<html><body>404</body></html>\n", "it looks like a page in HTML; was", "graph.graphml"),
        bad("<svg xmlns='x'></svg>\n", "it looks like XML of another kind, <svg>", "graph.csv"),
        bad("<svg xmlns='x'></svg>\n", "is not GraphML with one graph in it", "graph.graphml"),
        bad("graph G {\n a -- b;\n}\n", "it looks like DOT, the language of Graphviz"),
        bad("%%MatrixMarket matrix array real general\n3 3\n1\n", "Matrix Market as array real general is not read"),
        bad("import networkx\nG = 1\n", "it looks like a program in Python"),
        bad("Hello\n", "it looks like a text that begins with 'Hello'"),
        bad("", "it looks like an empty file", "graph.gml"),
        bad('{"format": "hinterland-record/1"}', "is JSON, but not of a graph: an object with 'format'"),
        bad("[1, 2]", "is JSON, but not of a graph: a list"),
        bad('{"nodes": [{"id": 1}, {"id": 1}], "links": []}', "vertex 1 occurs twice; each needs a name of its own"),
        bad('{"nodes": [{"id": 1}], "links": [{"source": 1, "target": 2}]}', "an edge ends at 2, which is no vertex"),
        bad('{"nodes": [{"id": 1}, {"name": 1}], "links": []}', "node 2 has no id, though others have"),
        bad('{"nodes": [', "is not valid JSON: Input data was truncated"),
        bad(BILLION + "<graphml>&b;</graphml>", "document types and entities are not read"),
        bad(BILLION + "<gexf>&b;</gexf>", "document types and entities are not read", "graph.gexf"),
        bad(GEXF.replace('id="1" label', 'id="0" label'), "vertex '0' occurs twice; each needs a name of its own"),
        bad(GEXF.replace('target="2"', 'target="5"'), "an edge ends at '5', which is no vertex"),
        bad(GEXF[:-20], "is not valid XML"),
        bad(GML.replace("id 3", "id 7"), "cannot be read as GML: node id 7 is duplicated"),
        bad(GML.replace("target 9", "target 8"), "cannot be read as GML: edge #1 has undefined target 8"),
        bad(GML.replace("length 4", "length 0"), "edge 1 from 'A' to 'B' must have a length above 0, at most 1e"),
        bad(GML.replace("length 4", "length -4"), "must have a length above 0, at most 1e\\+300, not -4"),
        bad(GML.replace("length 4", "length +INF"), "must have a length above 0, at most 1e\\+300, not inf"),
        bad(GML.replace("length 4", "length NAN"), "must have a length above 0, at most 1e\\+300, not nan"),
        bad(GML.replace("length 4", ""), "the edge from 'A' to 'B' has no length, though others have"),
        bad(GML.replace("value 6", ""), "vertex 'B' has no value, though others have"),
        bad(GML[:-30], "cannot be read as GML"),
        bad("a b\nb c\n", "is not GML: it looks like a text that begins with 'a b'", "graph.gml"),
        bad('*Vertices 2\n1 "a"\n1 "b"\n*Edges\n1 2\n', "line 3: vertex 1 occurs twice"),
        bad('*Vertices 1000000000\n1 "a"\n', "line 1: a graph has at most 1000000 vertices, not '1000000000'"),
        bad("LEDA.GRAPH\nstring\nint\n-2\n9\n|{A}|\n", "cannot be read as LEDA"),
        bad("p edge 3 2\ne 1 2\n", "promises 2 edges and has 1; is it cut short\\?"),
        bad("p edge 3 1\ne 1 4\n", "line 2: vertices go from 1 to 3, not 4"),
        bad("p edge 3 1\ne 1\n", "line 2: expected e U V, not 'e 1'"),
        bad("p sp 3 1\na 1 2\n", "line 2: expected a U V LENGTH, not 'a 1 2'"),
        bad("p cnf 3 1\n1 2 0\n", "line 1: a DIMACS file of another problem, 'cnf'; graphs are edge, edges, col, sp"),
        bad("p edge 99999999999 0\n", "a graph has at most 1000000 vertices, not 99999999999"),
        bad("hello\n", "line 1: DIMACS begins with p edge N M or p sp N M, not 'hello'", board_format="dimacs"),
        bad("A_\nA_\n", "holds 2 graphs in graph6 or sparse6", "graph.g6"),
        bad(":~~~~~~~~AA\n", "holds more than 500,000 vertices or edges", "graph.s6"),
        bad("~~?@?????A\n", "holds more than 500,000 vertices or edges", "graph.g6"),
        bad("\x01\x02 b\n", "cannot be read as graph6: letters that do not belong there", "graph.g6"),
        bad("0 1 2\n0 3\n1 2 3 4\n", "line 2: expected u,v,length, not '0,3'"),
        bad("0 1\n0 1 2 3\n", "line 2: expected u,v, not '0,1,2,3'; for lines of a vertex and its neighbours write "
            "--board-format adjlist"),
        bad("0 1 {'weight': 1}\n0 2 {'weight': os}\n", "line 2: attributes in braces were expected, as {'weight': 2}"),
        bad("0 1 {}\n0 2 " + "{" * 5000 + "\n", "line 2: attributes in braces were expected"),
        bad("a\x1b[31m b\n", "the name of vertex 0 must be a line of 1 to 200 letters without spaces around it and "
            "without control characters"),
        bad("a " + "b" * 201 + "\n", "the name of vertex 1 must be a line of 1 to 200 letters"),
        bad("a b\n", "unknown form of a graph file 'xml'; known: edges, graphml", board_format="xml"),
    ],
)  # fmt: skip
def test_files_that_are_no_graphs(written, text, complaint, name, options):
    asked = {"board": str(written(text, name)), "tokens": 1, **options}
    with pytest.raises((BadText, RulesError, UnknownName), match=complaint) as refused:
        Rules.from_options(asked, may_read=True)
    assert "\n" not in str(refused.value)
    assert refused.value.__cause__ is None


@pytest.mark.thorough
def test_ten_million_lines_are_refused_at_once(tmp_path):
    with (tmp_path / "huge.txt").open("w") as file:
        for _ in range(100):
            file.write("0 1\n" * 100_000)
    with pytest.raises(BadText, match=r"huge\.txt' has 10,000,000 lines, more than the 4,000,000 edges that a"):
        readers.read(tmp_path / "huge.txt")
    (tmp_path / "huge.adjlist").write_text("0 1\n" * 5_000_000)
    with pytest.raises(BadText, match=r"huge\.adjlist' is larger than 16 MiB, the most that is read of this form"):
        readers.read(tmp_path / "huge.adjlist")


def test_files_are_read_from_the_command_line_only(written):
    for ending in forms.SUFFIXES:
        with pytest.raises(BadText, match="boards are read from files on the command line only"):
            Rules.from_options({"board": f"graph.{ending}"})


@pytest.mark.parametrize("line", ["\n", " \n", "#\n", "%\n", "c\n", "Creator\n"])
def test_many_blank_lines_are_read_at_once(line):
    began = time.process_time()
    with contextlib.suppress(BadText):
        forms.detect_form("a.txt", line * 10_000 + "a b\nb c\n")
    assert time.process_time() - began < 2


def test_repeated_labels_are_ignored_with_a_remark(written):
    nodes = "".join(f'node [ id {number} label "{label}" ]\n' for number, label in ((4, "a"), (7, "b"), (9, "a")))
    notes = []
    edges = "edge [ source 4 target 7 ]\nedge [ source 7 target 9 ]\n"
    rules = readers.read(written(f"graph [\n{nodes}{edges}]\n", "g.gml"), tokens=1, note=notes.append)
    assert rules.names == ("4", "7", "9")
    assert any("vertices go by their ids, since 'a' is the label of several" in note for note in notes)
