"""Ordinary files of other programs: each is read as what it is, or refused by name, and people are told which."""

import time

import pytest

from hinterland.errors import BadText, RulesError
from hinterland.graph import Rules, readers
from hinterland.graph.formats import forms

YED = """<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml">
<key for="node" id="d6" yfiles.type="nodegraphics"/><key for="edge" id="d10" yfiles.type="edgegraphics"/>
<graph edgedefault="directed" id="G">
<node id="n0"><data key="d6"><y:ShapeNode><y:Geometry height="30" width="20" x="1" y="2"/>
<y:NodeLabel>Ulm</y:NodeLabel></y:ShapeNode></data></node>
<node id="n1"><data key="d6"><y:ShapeNode><y:Geometry height="30" width="20" x="50" y="2"/>
<y:NodeLabel>Bonn</y:NodeLabel></y:ShapeNode></data></node>
<edge id="e0" source="n0" target="n1"><data key="d10"><y:PolyLineEdge><y:Arrows source="none" target="none"/>
</y:PolyLineEdge></data></edge></graph></graphml>
"""
BARE_GRAPHML = '<graphml><graph edgedefault="directed"><node id="a"/><node id="b"/><node id="c"/>{}</graph></graphml>\n'
GEXF = (
    '<gexf xmlns="http://gexf.net/1.3" version="1.3"><graph defaultedgetype="directed"><nodes><node id="a" label="a"/>'
    '<node id="b" label="b"/><node id="c" label="c"/></nodes><edges>{}</edges></graph></gexf>\n'
)
PAJEK = "*Vertices 3\n"
JSON = '{"nodes": [{"id": "a"}, {"id": "b"}, {"id": "c"}], '
GML = "graph [ node [ id 0 label \"a\" {} ] node [ id 1 label \"b\" {} ] edge [ source 0 target 1 ] ]\n"

READ = [
    # forms that looked like lists of edges
    ("a.tgf", "1 First\n2 Second\n3 Third\n#\n1 2\n2 3\n", {}, "First-Second Second-Third", "read as TGF: 3 vertices"),
    ("a.txt", "1 First\n2 Second\n3 Third\n#\n1 2\n2 3\n", {}, "First-Second Second-Third", "read as TGF"),
    ("a.tgf", "1\n2\n3\n#\n1 2\n2 3\n", {}, "1-2 2-3", "read as TGF"),
    ("a.tgf", "1 New York\n2 Ulm\n#\n1 2 5\n", {"length": "label"}, "New York-Ulm:5", "read as TGF"),
    ("a.txt", "# roads\n1 2\n#\n2 3\n", {}, "1-2 2-3", "read as a list of edges"),
    ("a.gdf", "nodedef>name VARCHAR,label VARCHAR\nv1,Ann\nv2,'Bob, jr'\nedgedef>node1 VARCHAR,node2 VARCHAR\nv1,v2\n",
     {}, "Ann-Bob, jr", "read as GDF: 2 vertices, 1 edge"),
    ("a.txt", "nodedef> name,x DOUBLE,y DOUBLE\nv1,1,2\nv2,3,4\nedgedef> node1,node2,weight DOUBLE,directed BOOLEAN\n"
     "v1,v2,2.5,false\n", {"length": "weight"}, "v1-v2:2.5", "read as GDF"),
    ("a.graph", "4 4\n2 4\n1 3\n2 4\n1 3\n", {}, "1-2 1-4 2-3 3-4", "read as METIS: 4 vertices, 4 edges"),
    ("a.txt", "4 4\n2 4\n1 3\n2 4\n1 3\n", {}, "1-2 1-4 2-3 3-4", "read as METIS"),
    ("a.graph", "% a ring\n3 2 1\n2 7\n1 7 3 4\n2 4\n", {"length": "weight"}, "1-2:7 2-3:4", "read as METIS"),
    ("a.graph", "4 1\n2\n1\n\n\n", {}, "1-2", "read as METIS: 4 vertices, 1 edge"),
    ("a.graph", "3 2 010\n9 2\n8 1 3\n7 2\n", {"value": "weight"}, "1-2 2-3", "read as METIS"),
    ("a.graph", "4 3\n1 2\n2 3\n3 4\n", {}, "1-2 2-3 3-4", "its first line counts 4 vertices and 3 edges"),
    ("a.lgl", "# a\nb 3\nc 4\n# b\nc 5\n", {"length": "weight"}, "a-b:3 a-c:4 b-c:5", "read as LGL"),
    ("a.txt", "# a\nb 3\nc 4\n# b\nc 5\n", {"length": "weight"}, "a-b:3 a-c:4 b-c:5", "read as LGL"),
    ("a.txt", "# a\nb\nc\n", {}, "a-b a-c", "read as LGL"),
    ("a.txt", "# north\n1 2\n2 3\n# south\n4 5\n", {}, "1-2 2-3 4-5", "read as a list of edges"),
    ("a.txt", "5 4\n0 1\n1 2\n2 3\n3 4\n", {}, "0-1 1-2 2-3 3-4", "its first line counts 5 vertices and 4 edges"),
    ("a.csv", "3,2\n1,2,2.5\n2,3,4\n", {}, "1-2:2.5 2-3:4", "its first line counts 3 vertices and 2 edges"),
    ("a.txt", "5 4\n0 1\n1 2\n2 3\n3 4\n", {"form": "edges"}, "5-4 0-1 1-2 2-3 3-4", "read as a list of edges"),
    ("a.txt", "5 4\n0 1\n1 2\n2 3\n3 5\n", {}, "5-4 0-1 1-2 2-3 3-5", "read as a list of edges"),
    ("a.txt", "1 0.5 0.2\n0.5 1 0\n0.2 0 1\n", {"length": "weight"}, "0-1:0.5 0-2:0.2", "read as a matrix"),
    ("a.csv", ",A,B,C\nA,0,2,0\nB,2,0,3\nC,0,3,0\n", {"length": "weight"}, "A-B:2 B-C:3", "read as a matrix"),
    ("a.txt", "0 1 0 0\n1 0 1 0\n0 1 0 1\n0 0 1 0\n", {}, "0-1 1-2 2-3", "read as a matrix: 4 vertices, 3 edges"),
    ("a.txt", "1 2 3\n2 3 4\n3 1 5\n", {}, "1-2:3 2-3:4 3-1:5", "read as a list of edges"),
    ("a.mtx", "%%MatrixMarket matrix coordinate real symmetric\n% x\n3 3 2\n2 1 4\n3 2 5\n", {"length": "weight"},
     "2-1:4 3-2:5", "read as Matrix Market"),
    ("a.txt", "1 2 6\n2 1 3\n3 2 4\n4 3 5\n5 4 6\n6 5 1\n", {}, "1-2 2-3 3-4 4-5 5-6 6-1",
     "read as an adjacency list"),
    ("a.csv", "# of networkx\nUlm Bonn Wien\nBonn Kiel\nKiel\nWien\n", {}, "Ulm-Bonn Ulm-Wien Bonn-Kiel",
     "read as an adjacency list: 4 vertices, 3 edges"),
    ("a.txt", "1 2 5\n2 3 6\n3 1 2\n", {}, "1-2:5 2-3:6 3-1:2", "read as a list of edges"),
    ("a.txt", "1 2 3\n2 3 1\n3 1 2\n", {"form": "edges"}, "1-2:3 2-3:1 3-1:2", "read as a list of edges"),
    # headings
    ("a.csv", "id_1,id_2\n1,2\n2,3\n", {}, "1-2 2-3", "its first line is a heading, 'id_1,id_2'"),
    ("a.csv", '"node_1","node_2"\n"1","2"\n"2","3"\n', {}, "1-2 2-3", "its first line is a heading"),
    ("a.tsv", "name1\tname2\nann\tbob\nbob\tcy\n", {}, "ann-bob bob-cy", "its first line is a heading"),
    ("a.csv", "Knoten A;Knoten B\nUlm;Bonn\nBonn;Kiel\n", {}, "Ulm-Bonn Bonn-Kiel", "its first line is a heading"),
    ("a.txt", "user_id friend_id\n1 2\n2 3\n", {}, "1-2 2-3", "its first line is a heading"),
    ("a.csv", "Quelle;Ziel\nUlm;Bonn\nBonn;Kiel\n", {}, "Ulm-Bonn Bonn-Kiel", "its first line is a heading"),
    ("a.csv", "movie,actor\nHeat,1\nAlien,2\n", {}, "Heat-1 Alien-2", "its first line is a heading"),
    ("a.csv", "id_1,id_2,weight\n1,2,5\n2,3,6\n", {"length": "weight"}, "1-2:5 2-3:6", "its first line is a heading"),
    ("a.csv", "Ort,Ziel\nUlm,Bonn\nBonn,Kiel\n", {"heading": True}, "Ulm-Bonn Bonn-Kiel",
     "its first line is a heading"),
    ("a.csv", "Rom,Bari\nUlm,Bonn\nBonn,Kiel\n", {"heading": False}, "Rom-Bari Ulm-Bonn Bonn-Kiel", "3 edges"),
    ("a.txt", "a b\nb c\n", {}, "a-b b-c", "2 edges"),
    ("a.txt", "v1 v2\nv3 v4\nv4 v5\n", {}, "v1-v2 v3-v4 v4-v5", "3 edges"),
    ("a.txt", "Ulm Bonn 4\nKiel Wien 2\n", {}, "Ulm-Bonn:4 Kiel-Wien:2", "2 edges"),
    # separators
    ("a.tsv", "Smith, Ann\tJones, Bob\nJones, Bob\tLee, Cy\n", {}, "Smith, Ann-Jones, Bob Jones, Bob-Lee, Cy", "edges"),
    ("a.txt", "Paris, Texas\tBerlin\nBerlin\tOslo, Norway\n", {}, "Paris, Texas-Berlin Berlin-Oslo, Norway", "edges"),
    ("a.tsv", "Paris, Texas\tBerlin\t3\nBerlin\tOslo\t4\n", {}, "Paris, Texas-Berlin:3 Berlin-Oslo:4", "edges"),
    ("a.csv", "a;b;1,5\nb;c;2,25\n", {}, "a-b:1.5 b-c:2.25", "edges"),
    ("a.csv", "Source;Target;length\na;b;1,5\nb;c;2,25\n", {}, "a-b:1.5 b-c:2.25", "its first line is a heading"),
    ("a.csv", "Von;Nach;km\nUlm;Bonn;1,5\nBonn;Kiel;2\n", {"length": "km"}, "Ulm-Bonn:1.5 Bonn-Kiel:2", "a heading"),
    ("a.txt", '"Smith, Ann" "Jones, Bob"\n"Jones, Bob" "Lee, Cy"\n', {}, "Smith, Ann-Jones, Bob Jones, Bob-Lee, Cy",
     ""),
    ("a.txt", "a b 1,5\nb c 2,25\n", {}, "a-b:1.5 b-c:2.25", "edges"),
    ("a.csv", 'a, "b, c"\n"b, c", d\n', {}, "a-b, c b, c-d", "edges"),
    ("a.csv", "New York,Los Angeles\nLos Angeles,Rio\n", {}, "New York-Los Angeles Los Angeles-Rio", "edges"),
    # Pajek
    ("a.net", PAJEK + '1 "a" 0.1 0.2 0.5 ic Red\n2 "b" 0.3 0.4 0.5\n3 "c" 0.5 0.9\n*Arcs\n*Edges\n1 2\n2 3\n', {},
     "a-b b-c", "read as Pajek: 3 vertices, 2 edges"),
    ("a.net", PAJEK + '1 "a"\n2 "b"\n3 "c"\n*Edgeslist\n1 2 3\n', {}, "a-b a-c", "read as Pajek"),
    ("a.net", PAJEK + "*Edges\n1 2\n", {}, "1-2", "3 vertices, 1 edge"),
    ("a.net", '*Vertices 3 2\n1 "a"\n2 "b"\n3 "c"\n*Edges\n1 3\n2 3\n', {}, "a-c b-c", "read as Pajek"),
    ("a.net", '*Network roads\n*vertices 3\n2 "b"\n*edges\n1 2\n2 3\n', {}, "1-b b-3", "read as Pajek"),
    ("a.net", PAJEK + '1 "a"\n% the second\n2 "b"\n3 ""\n*Edges\n1 2\n2 3\n*Vector x\n*Vertices 3\n1\n2\n3\n', {},
     "a-b b-3", "passed over: *Vector"),
    ("a.net", PAJEK + '1 "a"\n2 "a"\n3 "c"\n*Edges\n1 2\n', {}, "1-2", "vertices go by their ids"),
    ("a.net", PAJEK + "*Arcs\n1 2 4\n2 1 4\n*Edges\n2 3 5\n", {"length": "weight"}, "1-2:4 2-3:5", "read as Pajek"),
    ("a.net", PAJEK + "*Matrix\n0 1 0\n1 0 1\n0 1 0\n", {}, "1-2 2-3", "read as Pajek"),
    ("a.net", "*Vertices 3 1\n*Matrix\n1 0\n", {}, "1-2", "read as Pajek"),
    ("a.net", PAJEK + '*Edges :1 "likes"\n1 2\n*Edges :2 "knows"\n2 3\n', {}, "1-2 2-3",
     "its 2 relations are taken tog"),
    ("a.net", PAJEK + "*Arcslist\n1 2 3\n", {"undirected": True}, "1-2 1-3", "2 directed edges are taken both ways"),
    # edges that say themselves whether they are directed
    ("a.graphml", BARE_GRAPHML.format('<edge directed="false" source="a" target="b"/>'), {}, "a-b", "read as GraphML"),
    ("a.graphml", BARE_GRAPHML.format('<edge source="a" target="b"/>'), {"undirected": True}, "a-b", "both ways"),
    ("a.graphml", BARE_GRAPHML.format('<edge source="a" target="b"/><edge source="b" target="a"/>'), {}, "a-b",
     "1 edge"),
    ("a.graphml", YED, {}, "Ulm-Bonn", "read as GraphML"),
    ("a.gexf",
     GEXF.format('<edge type="undirected" source="b" target="a"/><edge type="mutual" source="b" target="c"/>'),
     {}, "a-b b-c", "read as GEXF: 3 vertices, 2 edges"),
    ("a.gexf", GEXF.format('<edge source="b" target="a"/><edge type="undirected" source="b" target="c"/>'),
     {"undirected": True}, "a-b b-c", "one directed edge is taken both ways"),
    ("a.gml", 'Creator "yFiles"\nVersion "2.12"\ngraph [ directed 1 node [ id 0 label "a" ] node [ id 1 label "b" ] '
     "edge [ source 0 target 1 ] ]\n", {"undirected": True}, "a-b", "both ways"),
    # JSON
    ("a.json", '{"nodes": [{"name": "a"}, {"name": "b"}, {"name": "c"}], "links": [{"source": 2, "target": 1}]}', {},
     "c-b", "read as JSON: 3 vertices, 1 edge"),
    ("a.json", '{"nodes": [{"name": "a"}, {"name": "b"}], "links": [{"source": "b", "target": "a"}]}', {}, "a-b",
     "JSON"),
    ("a.json", JSON + '"links": [{"source": 2, "target": 1}]}', {}, "c-b",
     "by the place of a node in the list, from 0"),
    ("a.json", JSON + '"links": [{"source": {"id": "a", "x": 1}, "target": {"id": "b"}}]}', {}, "a-b", "JSON"),
    ("a.json", JSON + '"edges": [{"from": "a", "to": "b"}]}', {}, "a-b", "JSON"),
    ("a.json", JSON + '"edges": [["a", "b"], ["b", "c"]]}', {}, "a-b b-c", "JSON"),
    ("a.json", '{"elements": [{"data": {"id": "a"}}, {"data": {"id": "b"}}, {"data": {"id": "ab", "source": "a", '
     '"target": "b"}}]}', {}, "a-b", "JSON"),
    ("a.json", '[{"data": {"id": "a"}, "position": {"x": 1, "y": 2}}, {"data": {"id": "b"}}, {"group": "edges", '
     '"data": {"id": "ab", "source": "a", "target": "b"}}]', {}, "a-b", "JSON"),
    ("a.json",
     '{"attributes": {}, "options": {"type": "undirected"}, "nodes": [{"key": "a", "attributes": {"label": "A"'
     '}}, {"key": "b"}], "edges": [{"key": "e", "source": "a", "target": "b", "attributes": {"km": 3}}]}',
     {"length": "km"}, "a-b:3", "JSON"),
    ("a.json",
     '{"graph": {"directed": false, "nodes": {"a": {"label": "A"}, "b": {"label": "B"}}, "edges": [{"source": '
     '"a", "target": "b"}]}}', {}, "A-B", "JSON"),
    ("a.json", '\ufeff{"nodes": ["a", "b"], "links": [{"source": "a", "target": "b"}]}', {}, "a-b", "JSON"),
]  # fmt: skip

REFUSED = [
    ("a.tgf", "1 First\n2 Second\n", "is not TGF, which has one line # between its vertices and its edges"),
    ("a.tgf", "1 First\n2 Second\n#\n1 3\n", "an edge ends at '3', which is no vertex"),
    ("a.gdf", "nodedef>name\na\nedgedef>node1,node2\na,b,c\n", "line 4: 2 fields were expected, not 'a,b,c'"),
    ("a.gdf", "nodedef>label\na\n", "each vertex of GDF has a name; nodedef> lists none"),
    ("a.graph", "3 2\n2\n1 3\n1\n", "vertex 2 lists neighbour 3, but 3 does not list 2 equally"),
    ("a.graph", "3 3\n2\n1 3\n2\n", "promises 3 edges but names 4 neighbours, not twice as many"),
    ("a.graph", "5 2\n2\n1 3\n2\n", "promises 5 vertices and has 3 lines for them; is it cut short?"),
    ("a.graph", "3 2 1\n2\n1 3\n2\n", "vertex 1: neighbours with weights come in pairs, not '2'"),
    ("a.graph", "hello there\n", "METIS begins with the numbers of vertices and edges, not 'hello there'"),
    ("a.lgl", "b 3\n# a\n", "line 1: LGL has lines # VERTEX, and NEIGHBOUR or NEIGHBOUR WEIGHT, not 'b 3'"),
    ("a.txt", "4 6\n1 2\n2 3\n3 4\n4 1\n",
     "promises 6 edges in its first line and has 4; is it cut short? --board-format"),
    ("a.txt", "0.5 1.5\n2.5 0.25\n", "its first two columns are numbers with fractions, where a list of edges has"),
    ("a.csv", "x;y\n0,5;1,5\n2,5;0,25\n", "its first two columns are numbers with fractions"),
    ("a.txt", "1 0.5 0.2\n0.5 1 0.7\n0.2 0.7 1\n", "which attribute is the length of an edge? edges have weight (0.2"),
    ("a.txt", "0 1 0 0\n1 0 1 0\n0 0 0 1\n0 0 1 0\n", "these are directed"),
    ("a.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 1\n1 2 4\n",
     "a matrix of 2 rows and 3 columns is not"),
    ("a.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 2 4\n", "promises 2 entries and has 1; is it"),
    ("a.csv", "Ort,Ziel\nUlm,Bonn\nBonn,Kiel\n", "is the first line, 'Ort,Ziel', a heading? Neither of its first two"),
    ("a.csv", "source,target\nsource,a\na,b\n",
     "a heading? One of its first two words stands on another line; write --head"),
    ("a.txt", "u v\nv w\n", "write --heading yes or --heading no"),
    ("a.dl", "dl n=3\ndata:\n1 2\n", "its name says DL, of UCINET"),
    ("a.txt", "dl n=3 format=edgelist1\ndata:\n1 2\n", "DL, the language of UCINET"),
    ("a.tsp", "NAME : x\nTYPE : TSP\nDIMENSION : 3\n", "TSPLIB"),
    ("a.txt", "NAME: x\nTYPE: TSP\nDIMENSION: 3\n", "a problem of TSPLIB"),
    ("a.txt", "*Node data\nid\n1\n*Tie data\n", "VNA, of NetDraw"),
    ("a.sif", "1 pp 2\n2 pp 3\n", "its name says SIF, of Cytoscape, which is not read"),
    ("a.tlp", '(tlp "2.0"\n(nodes 0 1))\n', "TLP, of Tulip"),
    ("a.lgf", "@nodes\nlabel\n1\n", "LGF, of LEMON"),
    ("a.txt", "graph 1 2.5 3\nnode a 1 1 1 1 a\nedge a b 4\n", "a drawing of Graphviz (plain)"),
    ("a.gv", "graph { a -- b }\n", "its name says DOT"),
    ("a.net", PAJEK + "*Arcs\n1 2\n",
     "these are directed; save the graph as an undirected one, or write --undirected yes"),
    ("a.net", PAJEK + "*Edges\n1 4\n", "line 3: vertices go from 1 to 3, not 4"),
    ("a.net", PAJEK + "*Network b\n*Vertices 2\n", "holds several networks of Pajek; put one into a file of its own"),
    ("a.net", PAJEK + "*Events\n1 2\n", "line 2: the Pajek section *events is not read"),
    ("a.net", PAJEK + "*Matrix\n0 1\n", "line 3: *Matrix has 3 rows of 3 numbers"),
    ("a.graphml", BARE_GRAPHML.format('<edge source="a" target="b"/>'), "or write --undirected yes"),
    ("a.graphml", YED.replace('target="none"', 'target="standard"'), "or write --undirected yes"),
    ("a.gexf", GEXF.format('<edge source="b" target="a"/>'), "or write --undirected yes"),
    ("a.json", '{"graph": {"nodes": {"a": {}, "b": {}}, "edges": [{"source": "a", "target": "b"}]}}',
     "these are directed"),
    ("a.json", JSON + '"links": [{"one": "a", "two": "b"}]}',
     "an edge has 'one', 'two'; source and target were expected"),
    ("a.json", JSON + '"links": [{"source": "a", "target": "zed"}]}', "an edge ends at 'zed', which is no vertex"),
    ("a.json", JSON + '"edges": [{"from": "a", "to": "b", "arrows": "to"}]}', "these are directed"),
    ("a.json", '{"nodes": [[1], {"id": 2}], "links": []}', "a node of JSON is an object, not [1]"),
    ("a.json", '{"nodes": [{"id": {}}], "links": []}', "a node is named by a text or a number, not {}"),
]  # fmt: skip


@pytest.fixture
def written(tmp_path):
    """Return a function that writes a file and gives its path."""

    def write(name, text):
        (tmp_path / name).write_text(text)
        return tmp_path / name

    return write


def drawn(rules):
    return {
        frozenset((rules.called(first), rules.called(second))): length for first, second, length in rules.edges
    }  # fmt: skip


def expected(words, rules):
    """Read ``a-b:2 b-c``; names may hold spaces."""
    names = sorted(map(rules.called, range(rules.vertices)), key=len, reverse=True)
    found = {}
    while words:
        first = next(name for name in names if words.startswith(f"{name}-"))
        words = words[len(first) + 1 :]
        second = next(name for name in names if words.startswith(name))
        length, _, rest = words[len(second) :].partition(" ")
        found[frozenset((first, second))] = float(length.removeprefix(":") or 1)
        words = rest
    return found


@pytest.mark.parametrize(("name", "text", "options", "edges", "note"), READ)
def test_ordinary_files_are_read_as_they_are_written(written, name, text, options, edges, note):
    notes = []
    rules = readers.read(written(name, text), tokens=1, note=notes.append, **options)
    assert drawn(rules) == expected(edges, rules)
    assert notes[0].startswith(f"'{name}': read as ")
    assert any(note in told for told in notes), notes


@pytest.mark.parametrize(("name", "text", "complaint"), REFUSED)
def test_unsupported_files_are_named(written, name, text, complaint):
    with pytest.raises((BadText, RulesError)) as refused:
        readers.read(written(name, text), tokens=1)
    assert complaint in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("values", "options", "worths", "note"),
    [
        (("value 7", "value 0"), {}, (7, 0),
         "a vertex is worth its attribute 'value' (0 to 7); --value none would draw"),
        (('value "3"', 'value "4"'), {}, (3, 4), "(3 to 4)"),
        (("value 3.0", "value 4"), {}, (3, 4), "(3 to 4)"),
        (('value "n"', 'value "c"'), {}, None, "the attribute 'value' holds 'n', no whole number; --value NAME names"),
        (("value 0.25", "value 0.5"), {}, None, "values are drawn"),
        (("value -1", "value -2"), {}, None, "the attribute 'value' holds -1"),
        (("value 7", "value 0"), {"value": "none"}, None, "values are drawn"),
        (("votes 7", "votes 0"), {"value": "votes"}, (7, 0), "read as GML: 2 vertices, 1 edge"),
        (("", ""), {}, None, "values are drawn"),
    ],
)
def test_values_are_read_from_the_attribute_value(written, values, options, worths, note):
    notes = []
    rules = readers.read(written("a.gml", GML.format(*values)), tokens=1, note=notes.append, **options)
    assert any(note in told for told in notes), notes
    assert rules.values == ((63, 26) if worths is None else worths)


@pytest.mark.parametrize(
    ("values", "options", "complaint"),
    [
        (("value 3", ""), {}, "vertex 'b' has no value, though others have; --value none draws values"),
        (("value -1", "value 1"), {},
         "the value of vertex 'a' must be a whole number from 0 to 1000000000, not -1; --va"),
        (("value 1", 'value "x"'), {}, "the value of vertex 'b' must be a whole number from 0 to 1000000000, not 'x'"),
        (("votes 1", "votes 2"), {"value": "seats"}, "no vertex has 'seats'; vertices have 'label', 'votes'"),
        (("votes 1", "votes 0.5"), {"value": "votes"}, "the votes of vertex 'b' must be a whole number from 0"),
        (("value 1", "value 2"), {"value": 3}, "value names an attribute of the vertices, or is none to draw values"),
    ],
)
def test_incomplete_values_need_a_choice(written, values, options, complaint):
    with pytest.raises(BadText) as refused:
        readers.read(written("a.gml", GML.format(*values)), tokens=1, **options)
    assert complaint in str(refused.value)


def test_options_are_those_of_the_command_line_and_of_plans(written):
    file = str(written("a.graphml", BARE_GRAPHML.format('<edge source="a" target="b"/>')))
    for word in ("yes", True):
        asked = {"board": file, "tokens": 1, "undirected": word, "value": "none", "length": 1}
        assert len(Rules.from_options(asked, may_read=True).edges) == 1
    with pytest.raises(BadText, match="undirected is yes or no, not 'perhaps'"):
        Rules.from_options({"board": file, "undirected": "perhaps"}, may_read=True)
    with pytest.raises(BadText, match="heading goes with a list of edges; this is GraphML"):
        Rules.from_options({"board": file, "heading": "no"}, may_read=True)
    edges = str(written("a.csv", "Ort,Ziel\nUlm,Bonn\nBonn,Kiel\n"))
    assert len(Rules.from_options({"board": edges, "tokens": 1, "heading": "yes"}, may_read=True).edges) == 2


def test_a_drawing_of_yed_keeps_its_places(written):
    assert readers.read(written("a.graphml", YED), tokens=1).places == ((11, 17), (60, 17))


@pytest.mark.parametrize("form", forms.FORMS)
@pytest.mark.parametrize(
    "text",
    ["", "\n" * 60_000, "#\n" * 60_000, "1 " * 60_000 + "\n", "9" * 300_000 + " 1\n", "999999999 999999999\n1 2\n",
     "*Vertices 9\n" + "*Matrix\n" * 30_000, "[" * 60_000, '{"nodes": [' + '{"id": 1},' * 20_000, "a;b,c\td\n" * 20_000,
     "nodedef>" * 20_000, '"' * 100_001 + "\n", "# a\n" * 50_000,
      "%%MatrixMarket matrix coordinate real general\n9 9 9\n"],
    ids=lambda text: text[:12],
)  # fmt: skip
def test_hostile_files_are_refused_in_a_moment(written, form, text):
    began = time.process_time()
    for asked in (form, None):
        with pytest.raises((BadText, RulesError)) as refused:
            readers.read(written("a.txt", text), asked, tokens=9)
        assert len(str(refused.value)) < 400
    assert time.process_time() - began < 5
