"""Boards from files and from networkx: the rules that a graph makes."""

from __future__ import annotations

from hinterland.contract.options import compose
from hinterland.graph.boards import rules_of
from hinterland.graph.formats import graph_files

from_networkx = compose(graph_files.from_networkx, rules_of)
read = compose(graph_files.read, rules_of)
