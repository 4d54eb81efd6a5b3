"""Rate limits: token buckets, one for each recent client."""

from __future__ import annotations

import time

from cachetools import LRUCache

from hinterland.web.shares import networks_of


class Bucket:
    """Holds up to ``burst`` tokens and gains ``per_second``."""

    def __init__(self, per_second: float, burst: float) -> None:
        self.per_second = per_second
        self.burst = burst
        self._tokens = burst
        self._filled = time.monotonic()

    def take(self, tokens: float = 1) -> float:
        """Take tokens and return 0, or return the seconds until there are enough."""
        now = time.monotonic()
        self._tokens = min(self.burst, self._tokens + (now - self._filled) * self.per_second)
        self._filled = now
        if self._tokens < tokens:
            return (tokens - self._tokens) / self.per_second
        self._tokens -= tokens
        return 0.0


class Rates:
    """A bucket for each client and the networks around it; a forgotten client starts with a full one."""

    def __init__(self, per_second: float, burst: float, clients: int = 10_000) -> None:
        self._rate = (per_second, burst)
        self._buckets: LRUCache[str, Bucket] = LRUCache(clients)

    def take(self, client: str, tokens: float = 1) -> float:
        """Take tokens of a client's buckets, one less than they hold at most; see ``Bucket.take``."""
        per_second, burst = self._rate
        tokens = min(tokens, max(1, burst - 1))
        for network, times in networks_of(client):
            bucket = self._buckets.setdefault(network, Bucket(times * per_second, times * burst))
            if wait_s := bucket.take(tokens):
                return wait_s
        return 0.0
