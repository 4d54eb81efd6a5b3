"""The arena in a browser: pages, live games over WebSockets, and an archive that outlives it.

``pages`` answer in HTML, ``api`` in JSON and files; both use games and matches that run elsewhere. Nothing here judges,
and nothing knows a game by name. May touch everything but the command line. Begin with ``app``, then ``arena``.
"""
