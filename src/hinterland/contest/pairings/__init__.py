"""Formats of contests: who meets whom, as a pure function of the players and of the rounds that are over.

Knows no game, no record, no clock and no file. Begin with ``rounds``, which says what a format is;
``format_names`` lists those there are.
"""
