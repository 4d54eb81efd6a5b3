"""What goes over the wire: bytes in, messages out. Nothing here opens a socket, waits or reads a clock."""
