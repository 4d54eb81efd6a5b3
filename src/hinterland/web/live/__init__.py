"""Live games and their viewers. Touches the host and sockets of browsers.

Pages see every game as a ``GameView``, whoever hosts it: begin with ``game_view``, then ``arena_game`` for games that
begin on a page; hosted matches are in ``matches``.
"""
