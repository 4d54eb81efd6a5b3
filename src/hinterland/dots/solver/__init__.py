"""Exact play: a null-window search with a transposition table of canonical forms, and a small search for the atlas.

Of this game, this room may use ``order_types`` and the rules. Begin with ``solutions``, the interface; ``null_window``
is the search.
"""
