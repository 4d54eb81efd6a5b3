"""The commands that play many matches: ``contest``, ``arena-test`` and ``experiment``.

Each file is a command, or a part that several commands use. All use ``hinterland.contest``.
"""
