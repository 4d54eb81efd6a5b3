"""Puzzles: one move, one best answer by a margin, exactly known.

Knows games by their ``Game.puzzles`` alone; pure but for reading the collections that the package ships. Begin with
``puzzle``, which says what one is; ``making`` makes them, ``collection`` holds them.
"""
