"""Results of one player against others, row by row, for ``arena-test`` and ``experiment``.

Builds on the matches that ``engine`` plays; pure. Begin with ``results``.
"""
