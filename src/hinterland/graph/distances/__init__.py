"""Distances between vertices, exactly: shortest paths, who owns what, and what every token would gain.

May touch ``graphs`` and ``jit``; the rules call it, and it knows them by their types alone.
Begin with ``network``, the graph in arrays, then ``board`` and ``gain``.
"""
