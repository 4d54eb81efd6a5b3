"""Files on the disk: append-only files, records, and journals of games and matches.

Uses files and locks, the contract and the referee's values; knows no process, socket or page.
Begin with ``append_file.py``, on which everything else builds.
"""
