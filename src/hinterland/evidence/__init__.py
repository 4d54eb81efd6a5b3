"""Statistics of contests: ratings, intervals, tests and diagnoses. Pure; knows no game.

Begin with ``tally``, which is the input of all other modules; then read ``davidson`` and ``sprt``.
"""
