"""How much of everything a game on a graph may have."""

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
"""From and to, both included. With these no sum of values leaves 63 bits, nor the whole numbers of a browser."""


def checked_whole(name: str, value: object, least: int, most: int) -> int:
    """Return a whole number within bounds. Raises RulesError."""
    number = as_int(value)
    if type(number) is not int or not least <= number <= most:
        raise RulesError(f"{name} must be a whole number from {least} to {most}, not {quote(value)}")
    return number
