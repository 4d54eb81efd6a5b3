"""Pictures of positions: where dots lie, what was drawn, shapes as SVG and as images.

This room may use all others of the game. Begin with ``dot_places``.
"""
