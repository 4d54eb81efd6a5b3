"""Distances between vertices, exactly: shortest paths, owners, and what every token would gain.

This room may use ``graphs`` and ``jit``; the rules call it, and it knows them only by their types. Begin with
``network``, the graph in arrays, then ``board`` and ``gain``.
"""
