"""Games shown by several processes: the arena judges and writes, relays show games to viewers.

This package uses Redis, which passes messages on and keeps none. Begin with ``messages``; ``game_feeds`` is the arena's
side, ``relay`` the relays' side.
"""
