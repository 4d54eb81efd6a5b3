"""The players in the seats: built-in players, programs, connected bots, persons. Begin with ``player_connection``."""
