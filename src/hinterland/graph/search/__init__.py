"""How the strongest player thinks: a tree of games played out by gain, and exact play at the end.

May touch ``distances``, the rules and ``hinterland.search``; no rule and no score depends on it.
Begin with ``search_player``; ``search_state`` keeps every gain up to date from token to token.
"""
