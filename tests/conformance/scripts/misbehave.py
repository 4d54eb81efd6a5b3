"""A hostile player: does one thing wrong. ``misbehave.py MISBEHAVIOUR WAY SIZE CLOCK_MS TAG``.

WAY is ``pipes`` or ``tcp:PORT:PROTOCOL:TOKEN:PATH``, with a PATH where a WebSocket is to be opened; TAG is there to
find its processes by. Over a network the moment of connecting is printed, in nanoseconds of the monotonic clock. Like
all scripts of this folder it must start in a few milliseconds, so that only the standard library is imported, and finds
its own parts in a sandbox too.
"""

from __future__ import annotations

import contextlib
import os
import sys

if __name__ == "__main__":
    sys.path.insert(0, os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..")))  # noqa: PTH100, PTH118, PTH120

from conformance.scripts import (  # noqa: F401  (each enters what it does in the list)
    bad_connections,
    bad_messages,
    broken_lines,
    late_answers,
    unruly_programs,
)
from conformance.scripts.hostile_player import MISBEHAVIOURS, HostilePlayer

__all__ = ["MISBEHAVIOURS", "main"]


def main() -> None:
    """Do what the command line names."""
    name, way, size, clock_ms = sys.argv[1:5]
    with contextlib.suppress(ConnectionError):
        MISBEHAVIOURS[name](HostilePlayer(way, int(size), int(clock_ms)))


if __name__ == "__main__":
    main()
