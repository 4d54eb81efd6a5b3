"""The pages: HTML answers.

May import the JSON endpoints (``api``), the arena and its live games. Judges no game. Begin with ``game_pages``.
"""
