"""Points in the plane: what a coordinate may be, point sets by name and from files, and exact turns of three points.

May touch nothing else of this game; the rules stand on it. Begin with ``point_sets``.
"""
