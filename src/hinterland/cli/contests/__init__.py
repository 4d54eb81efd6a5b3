"""The commands that play many matches: ``contest``, ``arena-test`` and ``experiment``.

Each file holds a command, or what several commands use. All use ``hinterland.contest``.
"""
