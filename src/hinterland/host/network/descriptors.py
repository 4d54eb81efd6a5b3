"""File descriptors: how many connections this process can hold and still open files."""

from __future__ import annotations

import sys

from hinterland.errors import ArenaError

RESERVED_DESCRIPTORS = 200
"""Descriptors kept free for files, pipes of programs and libraries."""
MIN_CONNECTIONS = 50
"""Number of connections below which a server is useless."""


def allow_connections(connections: int) -> int:
    """Raise the limit on descriptors as far as needed; return how many of the ``connections`` they suffice for.

    Raises ArenaError if there are next to none.
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
