"""How the strongest player thinks: a tree of games played out by expected gain, and exact play at the end.

This package may use ``distances``, the rules and ``hinterland.search``; no rule and no score depends on it. Begin with
``search_player``; ``expected_gain`` says what a token's expected gain is.
"""
