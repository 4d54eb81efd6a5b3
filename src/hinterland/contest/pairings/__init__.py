"""Formats of contests: who meets whom, as a pure function of the players and the finished rounds.

The package knows no game, record, clock or file. Begin with ``rounds``, which defines a format; ``format_names`` lists
all formats.
"""
