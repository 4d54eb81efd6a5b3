"""Reads boards from files and from networkx, and makes rules of them."""

from __future__ import annotations

from hinterland.contract.options import compose
from hinterland.graph.boards import make_rules
from hinterland.graph.formats import graph_files

from_networkx = compose(graph_files.from_networkx, make_rules)
read = compose(graph_files.read, make_rules)
