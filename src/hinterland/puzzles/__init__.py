"""Puzzles: each asks for one move and has one best answer, better than all others by an exactly known margin.

The package knows games by their ``Game.puzzles`` alone. It is pure, except that it reads the shipped collections. Begin
with ``puzzle``, which defines a puzzle; ``making`` makes them, ``collection`` holds them.
"""
