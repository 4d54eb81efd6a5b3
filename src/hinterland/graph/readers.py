"""Boards from files and from networkx: the rules that a graph makes."""

from __future__ import annotations

from hinterland.graph.boards import as_rules
from hinterland.graph.formats import graph_files
from hinterland.graph.formats.files import LARGEST

__all__ = ["LARGEST", "from_networkx", "read", "read_edges", "read_graphml"]

from_networkx = as_rules(graph_files.from_networkx)
read = as_rules(graph_files.read)
read_edges = as_rules(graph_files.read_edges)
read_graphml = as_rules(graph_files.read_graphml)
