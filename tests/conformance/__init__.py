"""The conformance suite: hostile players, each with one misbehaviour, against a real referee under observation.

``fault_rows.py`` lists the cases, ``run_case.py`` runs one; ``scripts/`` are the players, in processes of their own.
"""
