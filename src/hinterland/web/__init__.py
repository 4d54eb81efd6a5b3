"""The arena in a browser: pages, live games over WebSockets, and an archive of games that survives a restart.

The package ``pages`` answers in HTML, ``api`` in JSON and files. The package ``host`` runs games and matches. Nothing
here judges a game, and nothing knows a game by name. This package may import all other packages but the command line
and the notebook widgets. Begin with ``app``, then ``arena``.
"""
