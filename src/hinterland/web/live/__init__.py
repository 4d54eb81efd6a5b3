"""Games as they go on, and who looks at them. Touches the host and sockets of browsers.

What a page is told of a game is a ``GameView``, whoever hosts it: begin with ``game_view``, then ``arena_game`` for
games that begin on a page; matches at a table are in ``matches``.
"""
