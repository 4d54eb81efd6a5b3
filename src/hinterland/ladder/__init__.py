"""Ladders of an arena: ratings of all known players from rated games, with one ladder for each game and preset.

This package reads the index of games in ``storage``, and groups and rates them as ``contest`` does. It knows no page.
Begin with ``calculation.py``.
"""
