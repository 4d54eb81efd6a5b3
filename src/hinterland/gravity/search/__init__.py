"""How the strongest player thinks: Monte Carlo tree search on coarse boards, refined around its best moves.

Stands on the rules of gravity, on ``coarse`` and on ``hinterland.search``; no rule and no score depends on it.
Begin with ``refinement``, which goes from coarse boards to finer ones; ``mcts`` grows the trees.
"""
