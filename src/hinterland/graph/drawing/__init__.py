"""Places everything of a board for drawing, and draws its pictures.

This package may use ``distances``, positions and ``hinterland.drawing``; no result of a game depends on it. Begin with
``drawing_data``, which places everything; ``graph_pictures`` draws.
"""
