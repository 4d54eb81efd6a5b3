"""Points in the plane: valid coordinates, point sets by name and from files, and exact turns of three points.

This room uses no other room of this game; the rules use this one. Begin with ``point_sets``.
"""
