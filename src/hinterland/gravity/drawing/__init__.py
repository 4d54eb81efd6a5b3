"""Drawings of a position: SVG and images of the regions, and the heat map of every stone's gain.

May read a position and ``hinterland.drawing.palette``; nothing that is judged depends on it.
Begin with ``regions``; ``outlines`` has the closed lines, of regions and of equal pull.
"""
