"""Ladders of an arena: ratings of all who are known there, a game and a preset at a time, from rated games only.

May touch the index of ``storage`` and the ratings of ``contest``; knows no page. Begin with ``reckoning.py``.
"""
