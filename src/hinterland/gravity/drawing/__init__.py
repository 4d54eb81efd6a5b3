"""How a position is drawn: SVG and images of the regions, and the heat map of what every stone would gain.

May read a position and ``hinterland.palette``; nothing that is judged depends on it.
Begin with ``regions``; ``outlines`` turns owner maps into polygons, ``contours`` are lines of equal pull.
"""
