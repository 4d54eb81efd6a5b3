"""The arena in a browser: pages, live games over WebSockets, an archive that outlives it. It knows no game by name.

``pages`` answer in HTML, ``api`` in JSON and files, standing on games and matches as they go on; nothing here judges.
May touch everything but the command line. Begin with ``app``, then ``arena``.
"""
