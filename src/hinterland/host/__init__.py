"""The shells around the judge: whatever waits, listens or starts a process. Everything here has a socket or a clock.

``network`` carries bytes, ``players`` are who sits at a board, ``processes`` are programs with their limits, ``lobby``
lets players in. Begin with ``live_game``.
"""
