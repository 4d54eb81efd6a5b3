"""Lists of games, which the index filters: as pages with thumbnails, as JSON, and as one file of records.

This package may import the arena and the index of ``storage``; it knows no game's rules. Begin with ``game_list.py``,
which reads requests.
"""
