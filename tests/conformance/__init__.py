"""The conformance suite: hostile players, each doing one thing wrong, against a real referee that is watched meanwhile.

``fault_rows.py`` says what is tried, ``run_case.py`` tries it; ``scripts/`` are the players, in processes of their own.
"""
