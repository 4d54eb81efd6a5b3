"""Points in the plane: valid coordinates, point sets by name and from files, and exact turns of three points.

This room uses nothing else of this game; the rules stand on it. Begin with ``point_sets``.
"""
