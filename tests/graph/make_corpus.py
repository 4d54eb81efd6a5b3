"""Write the corpus of ``test_corpus``: small graphs as other libraries write them. Run by hand, with those installed.

    pip install networkx scipy pandas igraph networkit rustworkx pydot pyvis easygraph
    python tests/graph/make_corpus.py

Each file goes to ``tests/graph/corpus``; ``corpus.json`` beside it says which library wrote it and what it drew:
vertices, and edges as [vertex, vertex, length], or why the form is refused.
"""

from __future__ import annotations

import json
import math
import shutil
import sys
from pathlib import Path

import igraph
import networkit
import networkx as nx
import numpy as np
import pandas as pd
import rustworkx
import scipy.io
import scipy.sparse

FOLDER = Path(__file__).parent / "corpus"
ROADS = [
    ("Ulm", "Bonn", 4.0), ("Bonn", "Kiel", 3.5), ("Kiel", "Wien", 2.0), ("Wien", "Ulm", 6.25), ("Bonn", "Wien", 5.0),
]  # fmt: skip
CITIES = ["Ulm", "Bonn", "Kiel", "Wien", "Rom"]
"""Rom lies on no road."""
PLAIN = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0), (1, 4)]
told: dict[str, dict] = {}


def road_map() -> nx.Graph:
    graph = nx.Graph()
    graph.add_nodes_from(CITIES)
    graph.add_weighted_edges_from(ROADS)
    return graph


def ring() -> nx.Graph:
    graph = nx.Graph()
    graph.add_nodes_from(range(6))
    graph.add_edges_from(PLAIN)
    return graph


def keep(name, library, vertices, edges, refused=None, **options):
    path = FOLDER / name
    assert path.stat().st_size < 8000, name
    assert name not in told, name
    told[name] = {"library": library, "options": options}
    if refused is None:
        told[name] |= {"vertices": sorted(map(str, vertices)), "edges": [[str(a), str(b), c] for a, b, c in edges]}
    else:
        told[name]["refused"] = refused


def even(edges, plus=0):
    return [(a + plus, b + plus, 1.0) for a, b in edges]


def numbered(edges, plus=0):
    return [(CITIES.index(a) + plus, CITIES.index(b) + plus, c) for a, b, c in edges]


BARE = [(a, b, 1.0) for a, b, _ in ROADS]
DOT = "DOT, "
ONE_WAY = "edges go both ways in this game, these are directed"


def by_networkx():
    lib = "networkx"
    graph, plain = road_map(), ring()
    joined = graph.subgraph(CITIES[:4])
    for name, write in {
        "nx.graphml": nx.write_graphml, "nx.gexf": nx.write_gexf, "nx.gml": nx.write_gml,
        "nx.multiline_adjlist": nx.write_multiline_adjlist,
    }.items():  # fmt: skip
        write(graph, FOLDER / name)
        keep(name, lib, CITIES, ROADS, length="weight")
    nx.write_pajek(graph, FOLDER / "nx.net")
    keep("nx.net", lib, CITIES, ROADS, length="weight")
    nx.write_pajek(nx.DiGraph(graph), FOLDER / "nx_both_ways.net")
    keep("nx_both_ways.net", lib, CITIES, ROADS, length="weight")
    nx.write_gexf(nx.DiGraph(graph), FOLDER / "nx_both_ways.gexf")
    keep("nx_both_ways.gexf", lib, CITIES, ROADS, length="weight")
    nx.write_graphml(nx.DiGraph([(a, b) for a, b, _ in ROADS]), FOLDER / "nx_directed.graphml")
    keep("nx_directed.graphml", lib, [], [], ONE_WAY)
    shutil.copy(FOLDER / "nx_directed.graphml", FOLDER / "nx_undirected.graphml")
    keep("nx_undirected.graphml", lib, CITIES[:4], BARE, undirected=True)
    nx.write_adjlist(graph, FOLDER / "nx.adjlist")
    keep("nx.adjlist", lib, CITIES, BARE)
    nx.write_edgelist(joined, FOLDER / "nx.edgelist")
    keep("nx.edgelist", lib, CITIES[:4], ROADS, length="weight")
    nx.write_weighted_edgelist(joined, FOLDER / "nx.weighted")
    keep("nx.weighted", lib, CITIES[:4], ROADS)
    nx.write_edgelist(joined, FOLDER / "nx_tabs.tsv", delimiter="\t", data=["weight"])
    keep("nx_tabs.tsv", lib, CITIES[:4], ROADS)
    nx.write_edgelist(plain, FOLDER / "nx_bare.txt", data=False)
    keep("nx_bare.txt", lib, range(6), even(PLAIN))
    for form, write in (("g6", nx.write_graph6), ("s6", nx.write_sparse6)):
        write(plain, FOLDER / f"nx.{form}")
        keep(f"nx.{form}", lib, range(6), even(PLAIN))
    for name, made in {
        "nx_links.json": nx.node_link_data(graph, edges="links"),
        "nx_edges.json": nx.node_link_data(graph, edges="edges"),
        "nx_adjacency.json": nx.adjacency_data(graph), "nx_cytoscape.json": nx.cytoscape_data(graph),
    }.items():  # fmt: skip
        (FOLDER / name).write_text(json.dumps(made))
        keep(name, lib, CITIES, ROADS, length="weight")
    (FOLDER / "nx_multi.json").write_text(json.dumps(nx.node_link_data(nx.MultiGraph(graph), edges="edges")))
    keep("nx_multi.json", lib, CITIES, ROADS, length="weight")
    (FOLDER / "nx_tree.json").write_text(json.dumps(nx.tree_data(nx.DiGraph([(0, 1), (0, 2)]), 0)))
    keep("nx_tree.json", lib, [], [], "is JSON, but not of a graph: an object with 'id', 'children'")
    nx.write_latex(graph, FOLDER / "nx.tex", pos=nx.circular_layout(graph))
    keep("nx.tex", lib, [], [], "it looks like TeX")
    nx.write_network_text(graph, FOLDER / "nx_drawn.txt")
    keep("nx_drawn.txt", lib, [], [], "a drawing by networkx")


def by_pydot():
    nx.nx_pydot.write_dot(road_map(), FOLDER / "pydot.dot")
    keep("pydot.dot", "pydot", [], [], DOT)
    shutil.copy(FOLDER / "pydot.dot", FOLDER / "pydot.txt")
    keep("pydot.txt", "pydot", [], [], DOT)


def by_scipy_and_pandas():
    graph, plain = road_map(), ring()
    matrix = nx.to_scipy_sparse_array(graph, weight="weight")
    names = range(1, 6)
    scipy.io.mmwrite(FOLDER / "scipy.mtx", matrix)
    keep("scipy.mtx", "scipy", names, numbered(ROADS, 1), length="weight")
    scipy.io.mmwrite(FOLDER / "scipy_general.mtx", matrix, symmetry="general")
    keep("scipy_general.mtx", "scipy", names, numbered(ROADS, 1), length="weight")
    pattern = nx.to_scipy_sparse_array(plain, weight=None)
    scipy.io.mmwrite(FOLDER / "scipy_pattern.mtx", pattern, field="pattern")
    keep("scipy_pattern.mtx", "scipy", range(1, 7), even(PLAIN, 1))
    scipy.io.mmwrite(FOLDER / "scipy_array.mtx", nx.to_numpy_array(graph))
    keep("scipy_array.mtx", "scipy", [], [], "Matrix Market as array real symmetric is not read")
    np.savetxt(FOLDER / "numpy_matrix.txt", nx.to_numpy_array(graph))
    keep("numpy_matrix.txt", "numpy", range(5), numbered(ROADS), length="weight")
    np.savetxt(FOLDER / "numpy_matrix.csv", nx.to_numpy_array(plain), fmt="%d", delimiter=",")
    keep("numpy_matrix.csv", "numpy", range(6), even(PLAIN))
    np.savetxt(FOLDER / "numpy_points.csv", np.random.default_rng(1).random((6, 2)), delimiter=",")
    keep("numpy_points.csv", "numpy", [], [], "its first two columns are numbers with fractions")
    nx.to_pandas_adjacency(graph).to_csv(FOLDER / "pandas_matrix.csv")
    keep("pandas_matrix.csv", "pandas", CITIES, ROADS, length="weight")
    frame = nx.to_pandas_edgelist(graph)
    frame.to_csv(FOLDER / "pandas.csv", index=False)
    keep("pandas.csv", "pandas", CITIES[:4], ROADS, length="weight")
    frame.to_csv(FOLDER / "pandas_german.csv", index=False, sep=";", decimal=",")
    keep("pandas_german.csv", "pandas", CITIES[:4], ROADS, length="weight")
    frame.rename(columns={"source": "id_1", "target": "id_2"}).to_csv(FOLDER / "pandas_ids.tsv", index=False, sep="\t")
    keep("pandas_ids.tsv", "pandas", CITIES[:4], ROADS, length="weight")
    pd.DataFrame(PLAIN, columns=["user", "friend"]).to_csv(FOLDER / "pandas_users.csv", index=False)
    keep("pandas_users.csv", "pandas", range(6), even(PLAIN))
    frame[["source", "target"]].to_csv(FOLDER / "pandas_bare.txt", index=False, header=False, sep=" ")
    keep("pandas_bare.txt", "pandas", CITIES[:4], BARE)
    (FOLDER / "pandas_records.json").write_text(frame.to_json(orient="records"))
    keep("pandas_records.json", "pandas", [], [], "is JSON, but not of a graph: a list")


def by_igraph():
    lib = "igraph"
    graph = igraph.Graph.TupleList(ROADS, weights=True)
    graph.add_vertex("Rom")
    plain = igraph.Graph(n=6, edges=PLAIN)
    for name, options in {
        "igraph.graphml": {"length": "weight"}, "igraph.gml": {"length": "weight"}, "igraph.lgl": {"length": "weight"},
        "igraph.net": {"length": "weight"},
    }.items():  # fmt: skip
        graph.save(str(FOLDER / name))
        keep(name, lib, CITIES, ROADS, **options)
    shutil.copy(FOLDER / "igraph.lgl", FOLDER / "igraph_lgl.txt")
    keep("igraph_lgl.txt", lib, CITIES, ROADS, length="weight")
    bare = igraph.Graph.TupleList(BARE)
    bare.write_lgl(str(FOLDER / "igraph_bare.lgl"), weights=None, isolates=False)
    keep("igraph_bare.lgl", lib, CITIES[:4], BARE)
    graph.write_ncol(str(FOLDER / "igraph.ncol"))
    keep("igraph.ncol", lib, CITIES[:4], ROADS)
    plain.write_edgelist(str(FOLDER / "igraph.edgelist"))
    keep("igraph.edgelist", lib, range(6), even(PLAIN))
    plain.write_leda(str(FOLDER / "igraph.lgr"), names=None, weights=None)
    keep("igraph.lgr", lib, range(1, 7), even(PLAIN, 1))
    for name in ("igraph.dot", "igraph_dot.txt"):
        graph.write_dot(str(FOLDER / name))
        keep(name, lib, [], [], DOT)
    plain.es["capacity"] = [1] * len(PLAIN)
    plain.as_directed().write_dimacs(str(FOLDER / "igraph.dimacs"), 0, 5, capacity=[1] * (2 * len(PLAIN)))
    keep("igraph.dimacs", lib, [], [], "a DIMACS file of another problem, 'max'")
    igraph.Graph(n=6, edges=PLAIN, directed=True).write_graphml(str(FOLDER / "igraph_directed.graphml"))
    keep("igraph_directed.graphml", lib, [], [], ONE_WAY)
    graph.write_svg(str(FOLDER / "igraph.svg"), layout="circle")
    keep("igraph.svg", lib, [], [], "it looks like XML of another kind, <svg>")


def by_networkit():
    lib, forms = "networkit", networkit.Format
    plain = networkit.nxadapter.nx2nk(ring())
    weighted = networkit.nxadapter.nx2nk(nx.convert_node_labels_to_integers(road_map()), weightAttr="weight")
    for name, form, plus in (
        ("nk.graph", forms.METIS, 1), ("nk_zero.txt", forms.EdgeListSpaceZero, 0),
        ("nk_one.txt", forms.EdgeListSpaceOne, 1), ("nk_tabs.txt", forms.EdgeListTabZero, 0),
    ):  # fmt: skip
        networkit.writeGraph(plain, str(FOLDER / name), form)
        keep(name, lib, range(plus, 6 + plus), even(PLAIN, plus))
    shutil.copy(FOLDER / "nk.graph", FOLDER / "nk_metis.txt")
    keep("nk_metis.txt", lib, range(1, 7), even(PLAIN, 1))
    networkit.writeGraph(weighted, str(FOLDER / "nk_weighted.graph"), forms.METIS)
    keep("nk_weighted.graph", lib, range(1, 6), numbered(ROADS, 1), length="weight")
    networkit.writeGraph(plain, str(FOLDER / "nk.gml"), forms.GML)
    keep("nk.gml", lib, range(6), even(PLAIN))
    networkit.graphio.GEXFWriter().write(plain, str(FOLDER / "nk.gexf"), [], [])
    keep("nk.gexf", lib, range(6), even(PLAIN))
    networkit.graphio.GraphMLWriter().write(plain, str(FOLDER / "nk.graphml"))
    keep("nk.graphml", lib, range(6), even(PLAIN))
    networkit.writeGraph(plain, str(FOLDER / "nk_graphviz.dot"), forms.GraphViz)
    keep("nk_graphviz.dot", lib, [], [], DOT)
    networkit.writeGraph(plain, str(FOLDER / "nk.snap"), forms.SNAP)
    keep("nk.snap", lib, [], [], "it looks like a list of edges under a line of NetworKit's")


def by_rustworkx():
    graph = rustworkx.PyGraph()
    graph.add_nodes_from(CITIES)
    graph.add_edges_from([(CITIES.index(a), CITIES.index(b), c) for a, b, c in ROADS])
    rustworkx.node_link_json(
        graph, path=str(FOLDER / "rx.json"), node_attrs=lambda city: {"label": city},
        edge_attrs=lambda weight: {"weight": str(weight)},
    )  # fmt: skip
    keep("rx.json", "rustworkx", CITIES, ROADS, length="weight")
    (FOLDER / "rx.dot").write_text(graph.to_dot(lambda city: {"label": city}))
    keep("rx.dot", "rustworkx", [], [], DOT)
    graph.write_edge_list(str(FOLDER / "rx.csv"), deliminator=",", weight_fn=str)
    keep("rx.csv", "rustworkx", range(4), numbered(ROADS))


def by_pyvis():
    from pyvis.network import Network

    shown = Network()
    shown.from_nx(road_map())
    nodes, edges, *_ = shown.get_network_data()
    (FOLDER / "pyvis.json").write_text(json.dumps({"nodes": nodes, "edges": edges}))
    keep("pyvis.json", "pyvis", CITIES, ROADS, length="width")


def by_easygraph():
    import easygraph as eg

    graph = eg.Graph()
    graph.add_nodes(CITIES)
    for a, b, c in ROADS:
        graph.add_edge(a, b, weight=c)
    eg.write_pajek(graph, str(FOLDER / "eg.net"))
    keep("eg.net", "easygraph", CITIES, ROADS, length="weight")
    eg.write_gml(graph, str(FOLDER / "eg.gml"))
    keep("eg.gml", "easygraph", CITIES, ROADS, length="weight")
    eg.write_graphml(graph, str(FOLDER / "eg.graphml"))
    keep("eg.graphml", "easygraph", CITIES, ROADS, length="weight")
    eg.write_gexf(graph, str(FOLDER / "eg.gexf"))
    keep("eg.gexf", "easygraph", CITIES, ROADS, length="weight")


def main() -> None:
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    made = by_networkx, by_pydot, by_scipy_and_pandas, by_igraph, by_networkit, by_rustworkx, by_pyvis, by_easygraph
    for make in made:
        before = len(told)
        try:
            make()
        except Exception as error:
            print(f"{make.__name__}: {type(error).__name__}: {error}", file=sys.stderr)
        print(make.__name__, len(told) - before)
    assert math.isclose(sum(c for *_, c in ROADS), 20.75)
    (FOLDER / "corpus.json").write_text(json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    main()
