"""The referee: asks players for moves, and judges and records games. Everything is pure; read ``judge`` first."""
