"""Computes exactly: distances between vertices, owners, and what every token would gain.

This package may use ``graphs`` and ``jit``. The rules call this package; it does not import the rules. Begin with
``network``, the graph in arrays, then ``board`` and ``gain``.
"""
