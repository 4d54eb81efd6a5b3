"""Connections and the lines that go over them. The package uses sockets. Begin with ``link``."""
