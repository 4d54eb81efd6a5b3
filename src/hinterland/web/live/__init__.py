"""Live games and their viewers. This package uses ``host`` and the WebSockets of browsers.

Pages see every game as a ``GameView``. Begin with ``game_view``, then ``arena_game`` for games that began on a page;
hosted matches are in ``matches``.
"""
