"""Draws positions: the regions as SVG or images, and the heat map of what a stone on each cell would gain.

Imports positions and ``hinterland.drawing``; no rule and no score depends on it. Begin with ``regions``; ``outlines``
finds closed lines: around regions, and of equal pull.
"""
