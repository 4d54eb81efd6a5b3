"""Ladders of an arena: ratings of all known players from rated games, with one ladder for each game and preset.

This room reads the index of ``storage`` and uses the ratings of ``contest``; it knows no page. Begin with
``calculation.py``.
"""
