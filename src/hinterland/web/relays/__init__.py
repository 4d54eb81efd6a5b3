"""Games shown by several processes: the arena judges and writes, relays show games to viewers.

Touches Redis, which carries messages and keeps nothing. Begin with ``messages``; ``game_feeds`` is the arena's side,
``relay`` the other.
"""
