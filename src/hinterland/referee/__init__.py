"""The referee: asks, times, judges and records. Everything here but ``shell`` is pure."""
