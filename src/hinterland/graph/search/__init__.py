"""The strongest player's thinking: a tree of games played out by expected gain, and exact play at the end.

This room may use ``distances``, the rules and ``hinterland.search``; no rule and no score depends on it. Begin with
``search_player``; ``expected_gain`` says which tokens are worth a look.
"""
