"""Descriptors: how many connections this process can hold and still open files."""

from __future__ import annotations

import sys

from hinterland.errors import ArenaError

RESERVED_DESCRIPTORS = 200
"""For files, pipes of programs, and what libraries open."""
MIN_CONNECTIONS = 50
"""Connections with which a server is of use."""


def allow_connections(connections: int) -> int:
    """Return how many of so many connections there are descriptors for, having asked the system for all it gives.

    Raises ArenaError where there are next to none.
    """
    if sys.platform == "win32":
        return connections
    import resource  # noqa: PLC0415

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + RESERVED_DESCRIPTORS
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if soft != resource.RLIM_INFINITY and soft < MIN_CONNECTIONS + RESERVED_DESCRIPTORS:
        raise ArenaError(
            f"this process may open {soft} files, too few for a server; allow it {wanted} with `ulimit -n {wanted}`"
        )
    return connections if soft == resource.RLIM_INFINITY else min(connections, soft - RESERVED_DESCRIPTORS)
