"""Starts, limits, watches and ends programs of other people. Begin with ``program_process``."""
