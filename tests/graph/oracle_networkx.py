"""Who owns what on a networkx graph, by its own Dijkstra and the rules' words; nothing here comes from the project."""

import networkx as nx


def owners(graph, tokens, length=None):
    """Return the seat that owns each node, None for nobody. ``tokens``: (seat, node) in the order of placing.

    ``length``: the attribute of the edges; without it all are 1. At equal distance the token placed first keeps a node.
    """
    owner = dict.fromkeys(graph)
    nearest = dict.fromkeys(graph, float("inf"))
    for seat, token in tokens:
        far = nx.single_source_dijkstra_path_length(graph, token, weight=length or (lambda *_: 1))
        for node, distance in far.items():
            if distance < nearest[node]:
                nearest[node], owner[node] = distance, seat
    return owner
