"""The index of games: lists and filters of what files tell, in SQL; never the truth, made again from the files at will.

May touch files, the database that a URL names, and the journals and records of ``storage``; knows no page.
Begin with ``game_index.py``; ``tables.py`` says what is kept, ``listing.py`` what is asked.
"""
