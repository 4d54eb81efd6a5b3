"""The pages: what is asked for with an address and answered in HTML.

May touch what answers in JSON beside it (``api``), the arena and the tables that are live; no game is judged here.
Begin with ``game_pages``.
"""
