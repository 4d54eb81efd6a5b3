"""Files on the disk: append-only files, records, and journals of games and matches.

The package uses files and locks, the contract and the referee's values, but no process, socket or page.
Begin with ``append_file.py``, on which everything else builds.
"""
