"""The referee: asks, times, judges and records. Everything here is pure: begin with ``judge``."""
