"""Bots of a contest that connect over the network with a token: they wait, and their matches are played.

Builds on ``host`` and its lobby, while ``engine`` plays all other matches. Begin with ``network``.
"""
