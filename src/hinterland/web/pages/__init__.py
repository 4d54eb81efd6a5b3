"""The pages: HTML answers.

This package may import the JSON endpoints (``api``), the arena and its live games. It judges no game. Begin with
``game_pages``.
"""
