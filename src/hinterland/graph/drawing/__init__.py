"""Where everything of a board is drawn, and its pictures.

May touch ``distances``, a position and ``hinterland.palette``; nothing that is judged depends on it.
Begin with ``drawing_data``; ``layout`` places the vertices, ``graph_pictures`` draws.
"""
