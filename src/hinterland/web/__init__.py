"""The arena in a browser: pages, live games over WebSockets, an archive that survives restarts. It knows no game by name."""
