"""Pictures of positions: where dots lie, what was drawn, shapes as SVG and as images.

This room may use all other rooms of this game. Begin with ``dot_places``.
"""
