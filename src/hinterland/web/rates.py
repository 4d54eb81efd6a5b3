"""How often somebody may do something: token buckets, one a client, of the clients seen last."""

from __future__ import annotations

import time

from cachetools import LRUCache


class Bucket:
    """Holds up to ``burst`` tokens and gains ``per_second``."""

    def __init__(self, per_second: float, burst: float) -> None:
        self.per_second = per_second
        self.burst = burst
        self._tokens = burst
        self._filled = time.monotonic()

    def take(self) -> float:
        """Take a token and return 0, or return the seconds until there will be one."""
        now = time.monotonic()
        self._tokens = min(self.burst, self._tokens + (now - self._filled) * self.per_second)
        self._filled = now
        if self._tokens < 1:
            return (1 - self._tokens) / self.per_second
        self._tokens -= 1
        return 0.0


class Rates:
    """A bucket for each client; who has been forgotten starts with a full one."""

    def __init__(self, per_second: float, burst: float, clients: int = 10_000) -> None:
        self._rate = (per_second, burst)
        self._buckets: LRUCache[str, Bucket] = LRUCache(clients)

    def take(self, client: str) -> float:
        """Take a token of a client's bucket; see ``Bucket.take``."""
        return self._buckets.setdefault(client, Bucket(*self._rate)).take()
