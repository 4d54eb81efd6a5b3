"""Graphs: valid edges, names and places, graphs by name, options, and Delaunay's triangulation.

Of this game, this room may use only ``formats``, for boards from files; the rules stand on it. Begin with
``board_spec``, from which rules are made; ``generators`` fills it in.
"""
