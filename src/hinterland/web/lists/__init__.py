"""Lists of games, which the index filters: as pages with thumbnails, as JSON, and as one file of records.

May import the arena and the index of ``storage``; knows no rules. Begin with ``game_list.py``, which reads requests.
"""
