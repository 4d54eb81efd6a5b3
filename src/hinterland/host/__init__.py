"""The impure shell around the judge: everything that waits, listens or starts a process, with its sockets and clocks.

``network`` carries bytes, ``players`` are the players in their seats, ``processes`` are programs with their limits,
``lobby`` admits players. Begin with ``live_game``.
"""
