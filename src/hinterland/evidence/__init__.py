"""Statistics of contests: ratings, intervals, tests and diagnoses. Pure; knows no game.

Begin with ``tally``, the input of all others; then ``davidson`` and ``sprt``.
"""
