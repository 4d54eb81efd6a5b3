"""What the searches of several games share: how long to think, and trees that grow wider where they are visited.

Stands on ``jit`` and ``stopwatch`` alone, and knows no game.
Begin with ``budget`` for time and playouts; ``widening`` is the tree.
"""
