"""Where vertices are drawn, as people give it: checked. It changes nothing about who owns what."""

from __future__ import annotations

from hinterland.errors import RulesError, shown

__all__ = ["FARTHEST", "Place", "checked_places", "is_place"]

Place = tuple[float, float]
FARTHEST = 1e9
"""The greatest coordinate, either way."""


def checked_places(places: object, vertices: int) -> tuple[Place, ...]:
    """Return places as pairs of floats, none or one a vertex. Raises RulesError, which names the first that cannot be.

    y goes downwards.
    """
    if not isinstance(places, (tuple, list)):
        raise RulesError(f"places must be a list of [x, y], one a vertex, not {shown(places)}")
    if places and len(places) != vertices:
        raise RulesError(f"places must be one [x, y] for each of the {vertices} vertices or none, not {len(places)}")
    for vertex, place in enumerate(places):
        if not is_place(place):
            raise RulesError(
                f"the place of vertex {vertex} must be [x, y], "
                f"numbers from {-FARTHEST:,.0f} to {FARTHEST:,.0f}, not {shown(place)}"
            )
    return tuple((float(x), float(y)) for x, y in places)


def is_place(place: object) -> bool:
    """Say whether a vertex can be drawn there."""
    return (
        isinstance(place, (tuple, list))
        and len(place) == 2
        and all(type(number) in (int, float) and abs(number) <= FARTHEST for number in place)
    )
