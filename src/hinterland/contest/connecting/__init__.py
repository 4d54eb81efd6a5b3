"""Plays the matches of bots that connect to a contest over the network; each bot shows a token.

The package builds on ``host`` and its lobby. ``engine`` plays all other matches. Begin with ``network``.
"""
