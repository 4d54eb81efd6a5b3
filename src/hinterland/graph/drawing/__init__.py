"""Where everything of a board is drawn, and its pictures.

This room may use ``distances``, a position and ``hinterland.drawing.palette``; no verdict depends on it. Begin with
``drawing_data``, which places everything; ``graph_pictures`` draws.
"""
