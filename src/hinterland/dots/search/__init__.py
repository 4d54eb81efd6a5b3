"""Play without a proof: playouts, a tree search that uses them, the choice among best moves, hints.

This room may use ``solver``, and the rooms that ``solver`` may use. Begin with ``playout_policy``.
"""
