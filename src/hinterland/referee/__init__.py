"""The referee: asks players for moves, times, judges and records them. All is pure; read ``judge`` first."""
