"""Connections and the lines that go over them. Touches sockets; begin with ``link``."""
