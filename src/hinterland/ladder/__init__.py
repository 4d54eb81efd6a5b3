"""Ladders of an arena: ratings of all players known there, one ladder for each game and preset, from rated games only.

This room reads the index of ``storage`` and uses the ratings of ``contest``; it knows no page. Begin with
``calculation.py``.
"""
