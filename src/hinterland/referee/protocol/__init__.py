"""The protocols: bytes in, messages out. Nothing here opens a socket, waits or reads a clock."""
