"""What numbers prove: ratings, intervals, tests, and what is wrong with them. Knows no game, touches only numbers.

Begin with ``tally``, which is what all others are told of a contest; then ``davidson`` and ``sprt``.
"""
