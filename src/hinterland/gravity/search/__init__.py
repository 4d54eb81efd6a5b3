"""How the strongest player thinks: Monte Carlo tree search on coarse boards, refined around its best moves.

Uses the rules of gravity, ``coarse``, ``guide`` and ``hinterland.search``; no rule and no score depends on it. Begin
with ``best_moves``, which chooses a stone; ``config`` holds the options and constants, ``mcts`` grows the trees.
"""
