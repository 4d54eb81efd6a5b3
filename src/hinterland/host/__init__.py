"""Plays live games and matches: whatever waits, listens, reads a clock or starts a process around the pure ``referee``.

``network`` carries bytes. ``players`` has a class for each kind of player that can sit in a seat. ``processes`` runs
programs within limits. ``check`` tests bots. ``lobby`` admits players. Begin with ``live_game``.
"""
