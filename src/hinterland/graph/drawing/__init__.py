"""Where everything of a board is drawn, and its pictures.

This room may use ``distances``, a position and ``hinterland.palette``; no verdict depends on it. Begin with
``drawing_data``; ``layout`` places the vertices, ``graph_pictures`` draws.
"""
