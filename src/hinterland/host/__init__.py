"""The impure shell around the judge: everything that waits, listens or starts a process, with its sockets and clocks.

``network`` carries bytes. ``players`` connects each seat with its player. ``processes`` runs programs within limits.
``lobby`` admits players. Begin with ``live_game``.
"""
