"""Limits the rates of clients. A client is an IPv4 address, or an IPv6 network with a prefix of 64 bits (a /64).

One household usually has one /64, but some customers have a /48, which contains 65,536 of them. Therefore all
addresses of a /56 together have the limits of two clients, and all addresses of a /48 the limits of four.
"""

from __future__ import annotations

import ipaddress
import time
from functools import lru_cache

from cachetools import LRUCache

HOUSEHOLD_BITS = 64
"""Length of the prefix of one household's IPv6 network."""
WIDER_NETWORKS = ((56, 2), (48, 4))
"""Prefixes of the IPv6 networks that one customer may have, each with the number of clients whose limits it has."""


def share_of(address: str) -> str:
    """Return the client that an address belongs to: for IPv4, also in IPv6 form, the address; for IPv6 its /64."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, HOUSEHOLD_BITS), strict=False))


@lru_cache(maxsize=20_000)
def networks_of(share: str) -> tuple[tuple[str, int], ...]:
    """Return a client and the wider networks around it, each with the number by which its limits are multiplied."""
    if not share.endswith(f"/{HOUSEHOLD_BITS}"):
        return ((share, 1),)
    house = ipaddress.IPv6Network(share)
    return ((share, 1), *((str(house.supernet(new_prefix=bits)), times) for bits, times in WIDER_NETWORKS))


def widest_share_of(address: str) -> str:
    """Return the widest network of an address: for IPv6 the /48, else the address."""
    return networks_of(share_of(address))[-1][0]


class Bucket:
    """A token bucket: it holds up to ``burst`` tokens and gains ``per_second`` tokens a second."""

    def __init__(self, per_second: float, burst: float) -> None:
        self.per_second = per_second
        self.burst = burst
        self._tokens = burst
        self._filled = time.monotonic()

    def take(self, tokens: float = 1) -> float:
        """If there are enough tokens, take them and return 0; if not, return the seconds until there will be enough."""
        now = time.monotonic()
        self._tokens = min(self.burst, self._tokens + (now - self._filled) * self.per_second)
        self._filled = now
        if self._tokens < tokens:
            return (tokens - self._tokens) / self.per_second
        self._tokens -= tokens
        return 0.0


class Rates:
    """A bucket for each client and each network around it.

    The buckets unused for longest are dropped. A client without a bucket starts with a full one.
    """

    def __init__(self, per_second: float, burst: float, clients: int = 10_000) -> None:
        self._rate = (per_second, burst)
        self._buckets: LRUCache[str, Bucket] = LRUCache(clients)

    def take(self, client: str, tokens: float = 1) -> float:
        """Take tokens, at most ``burst`` - 1, from the buckets of a client, as ``Bucket.take`` does."""
        per_second, burst = self._rate
        tokens = min(tokens, max(1, burst - 1))
        for network, times in networks_of(client):
            bucket = self._buckets.setdefault(network, Bucket(times * per_second, times * burst))
            if wait_s := bucket.take(tokens):
                return wait_s
        return 0.0
