"""Games shown by several processes: the arena judges and writes, relays show to whoever only watches.

Touches Redis, by which they speak to one another: nothing is kept there. Begin with ``messages``; ``game_feeds`` is the
arena's side, ``relay`` the other.
"""
