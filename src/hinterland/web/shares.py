"""In whose share somebody is who comes from an address.

One household has a /64 of IPv6 to itself, but providers hand out a /56 or a /48: with one of those somebody could have
tens of thousands of shares. So each of them has a share too, of a few households.
"""

from __future__ import annotations

import ipaddress
from functools import lru_cache

HOUSEHOLD_BITS = 64
"""Of an IPv6 address, which any one household has to itself."""
WIDER_NETWORKS = ((56, 2), (48, 4))
"""What one customer may have, and how many households' share that is."""


def share_of(address: str) -> str:
    """Return in whose share an address is: an IPv4 address also where it is written as IPv6, of IPv6 the /64."""
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
    """Return a share and the wider ones around it, each with how many times as much it has."""
    if not share.endswith(f"/{HOUSEHOLD_BITS}"):
        return ((share, 1),)
    house = ipaddress.IPv6Network(share)
    return ((share, 1), *((str(house.supernet(new_prefix=bits)), times) for bits, times in WIDER_NETWORKS))


def widest_share_of(address: str) -> str:
    """Return the widest share that an address is in: of IPv6 the /48."""
    return networks_of(share_of(address))[-1][0]
