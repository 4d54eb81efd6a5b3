"""The commands that play many matches: ``contest``, and ``arena-test`` and ``experiment``, which are plans of it.

Each file is a command or a part that several share; all stand on ``hinterland.contest``.
"""
