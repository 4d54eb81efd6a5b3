"""Finds the owner of every cell, exactly: arrays of stones for kernels, areas, owner maps.

Imports only ``jit`` and numpy, and knows neither rules nor positions. Begin with ``ownership``, which cuts the board
into tiles; the other files decide who owns a tile or a cell, and whether a cell is tied.
"""
