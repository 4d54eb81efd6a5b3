"""Graphs: checks edges, names and places, makes graphs by name, and has Delaunay's triangulation.

This package uses no other package of the game, and the rules build on it. Begin with ``board_spec``, from which rules
are made; ``generators`` makes such specs.
"""
