"""Lists of games: found by filters in the index, as pages, in JSON, as records in one file, with thumbnails.

May touch the arena and the index of ``storage``; knows nothing of how a game is played.
Begin with ``game_list.py``, which reads what is asked for.
"""
