"""What is on the disk: files that are only appended to, the records in them, and journals of running games.

May touch files and locks, the contract and the referee's values; knows no process, socket or page.
Begin with ``append_file.py``, under which all of it stands.
"""
