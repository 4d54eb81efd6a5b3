"""The time of one table: monotonic, and standing still while the house, not a player, takes its time."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Stopwatch"]


class Stopwatch:
    """Nanoseconds since it was made, less the time it was held.

    A table holds it while a move is judged and written to the disk, and while a program waits for a free processor: no
    player's clock pays for that.
    """

    def __init__(self) -> None:
        self._lost_ns = time.monotonic_ns()
        self._holders = 0
        self._held_since_ns = 0

    def now_ns(self) -> int:
        """Return the time of the table."""
        return (self._held_since_ns if self._holders else time.monotonic_ns()) - self._lost_ns

    @property
    def is_held(self) -> bool:
        """Say whether time stands still."""
        return self._holders > 0

    @contextmanager
    def held(self) -> Iterator[None]:
        """Let time stand still; several may hold it at once."""
        if self._holders == 0:
            self._held_since_ns = time.monotonic_ns()
        self._holders += 1
        try:
            yield
        finally:
            self._holders -= 1
            if self._holders == 0:
                self._lost_ns += time.monotonic_ns() - self._held_since_ns
