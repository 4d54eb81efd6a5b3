"""One player against others, row by row: what ``arena-test`` and ``experiment`` make of the matches that they play.

Stands on what ``engine`` plays; touches nothing outside. Begin with ``table``.
"""
