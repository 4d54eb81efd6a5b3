"""Graphs: what an edge, a name and a place may be, graphs by name, what people choose, and Delaunay's triangulation.

May touch nothing else of this game but ``formats``, for boards from files; the rules stand on it.
Begin with ``board_spec``, of which rules are made; ``generators`` draws it.
"""
