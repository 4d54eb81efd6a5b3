"""What the searches of several games share: budgets of time or playouts, and trees that widen where they are visited.

This room imports only ``jit`` and ``search_clock``, and knows no game. Begin with ``budget`` for time and playouts;
``widening`` is the tree.
"""
