"""The owner of every cell, exactly: stones laid out for kernels, areas, owner maps.

Stands on ``jit`` and numpy alone, and knows neither rules nor positions.
Begin with ``ownership``, which cuts the board into tiles; the other files settle tiles, cells and ties.
"""
