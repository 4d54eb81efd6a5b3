"""Exact play: a null-window search with a transposition table of canonical forms, and a small one for the atlas.

May touch ``order_types`` and the rules. Begin with ``solutions``, which asks; ``null_window`` answers.
"""
