"""The arena in a browser: pages, live games over WebSockets, and an archive of games that survives a restart.

``pages`` answers in HTML, ``api`` in JSON and files. The games and matches run in other packages. Nothing here judges a
game, and nothing knows a game by name. This package may import everything but the command line. Begin with ``app``,
then ``arena``.
"""
