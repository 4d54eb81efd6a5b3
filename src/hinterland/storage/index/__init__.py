"""The index of games in SQL, for lists and filters. Files hold the truth; the index can always be rebuilt from them.

The package uses files, the database that a URL names, and the journals and records of ``storage``. It knows no page.
Begin with ``game_index.py``; ``tables.py`` defines the tables, ``listing.py`` the queries.
"""
