"""The share that an address counts for.

One household has a /64 of IPv6, but providers hand out a /56 or a /48: with one of those, a client could have tens of
thousands of shares. So each of them has a share too, of a few households.
"""

from __future__ import annotations

import ipaddress
from functools import lru_cache

HOUSEHOLD_BITS = 64
"""Prefix of the IPv6 network of one household."""
WIDER_NETWORKS = ((56, 2), (48, 4))
"""Prefixes that one customer may have, each with its share in households."""


def share_of(address: str) -> str:
    """Return the share of an address: IPv4 also in its IPv6 form, IPv6 by its /64."""
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
    """Return a share and the wider ones around it, each with its factor."""
    if not share.endswith(f"/{HOUSEHOLD_BITS}"):
        return ((share, 1),)
    house = ipaddress.IPv6Network(share)
    return ((share, 1), *((str(house.supernet(new_prefix=bits)), times) for bits, times in WIDER_NETWORKS))


def widest_share_of(address: str) -> str:
    """Return the widest share of an address: the /48 for IPv6."""
    return networks_of(share_of(address))[-1][0]
