"""How often somebody may do something: token buckets, and a bounded book of them, one a client."""

from __future__ import annotations

import time
from collections import OrderedDict

__all__ = ["Bucket", "Rates"]


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
    """A bucket for each of the clients seen last; who has been forgotten starts with a full one."""

    def __init__(self, per_second: float, burst: float, clients: int = 10_000) -> None:
        self._per_second = per_second
        self._burst = burst
        self._clients = clients
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, client: str) -> float:
        """Take a token of a client's bucket; see ``Bucket.take``."""
        bucket = self._buckets.pop(client, None) or Bucket(self._per_second, self._burst)
        self._buckets[client] = bucket
        if len(self._buckets) > self._clients:
            self._buckets.popitem(last=False)
        return bucket.take()
