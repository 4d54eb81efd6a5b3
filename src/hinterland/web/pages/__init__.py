"""The pages: HTML answers.

May touch the JSON endpoints (``api``), the arena and its live games; no game is judged here. Begin with ``game_pages``.
"""
