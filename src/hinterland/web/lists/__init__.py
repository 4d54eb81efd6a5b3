"""Lists of games: filtered by the index, as pages, as JSON, as records in one file, and with thumbnails.

May touch the arena and the index of ``storage``; knows no rules. Begin with ``game_list.py``, which reads the request.
"""
