"""Limits of a game on a graph."""

from __future__ import annotations

from hinterland.contract.numbers import as_int
from hinterland.errors import RulesError, quote

RANGES = {
    "players": (2, 12),
    "tokens": (1, 1000),
    "vertices": (2, 1_000_000),
    "edges": (0, 4_000_000),
    "value": (0, 1_000_000_000),
}
"""First and last allowed values. Within these limits, sums of values fit into 63 bits, and into the whole numbers that
JavaScript keeps exact."""


def check_whole(name: str, value: object, least: int, most: int) -> int:
    """Return ``value`` if it is a whole number from ``least`` to ``most``; else raise RulesError, which names it."""
    number = as_int(value)
    if type(number) is not int or not least <= number <= most:
        raise RulesError(f"{name} must be a whole number from {least} to {most}, not {quote(value)}")
    return number
