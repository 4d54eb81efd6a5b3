"""The conformance suite: hostile players, each doing one thing wrong, against a real referee that is watched meanwhile.

Begin with ``fault_rows.py``, what is tried, and ``run_case.py``, how. ``scripts/`` are the players, processes of their own.
"""
