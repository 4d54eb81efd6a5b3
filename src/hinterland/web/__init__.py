"""The arena in a browser: pages, live games over WebSockets, an archive that outlives it. It knows no game by name."""
