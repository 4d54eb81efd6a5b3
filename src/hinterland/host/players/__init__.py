"""Who sits at a board: players of this process, programs, bots that connect. Begin with ``player_connection``."""
