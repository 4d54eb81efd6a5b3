"""What vertices are called and where they are drawn, as people give it: checked. No verdict depends on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hinterland.errors import BadText, RulesError, quote

Place = tuple[float, float]
FARTHEST = 1e9
"""The greatest coordinate of a place, either way."""
LONGEST = 200
"""Letters of the longest name."""
STEERING = frozenset(map(chr, (*range(32), *range(127, 160), *range(0x2028, 0x202F), *range(0x2066, 0x206A))))
"""Letters that steer a terminal, break a line or turn the direction of writing."""


def is_name(name: object) -> bool:
    """Say whether a vertex can be called so: a line without spaces around it, not longer than LONGEST."""
    return (
        isinstance(name, str)
        and 0 < len(name) <= LONGEST
        and name == name.strip()
        and STEERING.isdisjoint(name)
        and not any("\ud800" <= letter <= "\udfff" for letter in name)
    )


def checked_names(names: object, vertices: int) -> tuple[str, ...]:
    """Return names as a tuple, none or one a vertex, no two alike. Raises RulesError, which says which cannot be."""
    for vertex, name in enumerate(listed := _one_a_vertex("names", names, "texts", vertices)):
        if not is_name(name):
            raise RulesError(
                f"the name of vertex {vertex} must be a line of 1 to {LONGEST} letters without spaces around it, "
                f"none of which steers a terminal, not {quote(name)}"
            )
    if len(set(listed)) < len(listed):
        seen: dict[str, int] = {}
        for vertex, name in enumerate(listed):
            if seen.setdefault(name, vertex) != vertex:
                raise RulesError(f"vertices {seen[name]} and {vertex} are both called {quote(name)}; names differ")
    return listed


def checked_places(places: object, vertices: int) -> tuple[Place, ...]:
    """Return places as pairs of floats, none or one a vertex. Raises RulesError, which names the first that cannot be.

    y goes downwards.
    """
    for vertex, place in enumerate(listed := _one_a_vertex("places", places, "[x, y]", vertices)):
        if not is_place(place):
            raise RulesError(
                f"the place of vertex {vertex} must be [x, y], "
                f"numbers from {-FARTHEST:,.0f} to {FARTHEST:,.0f}, not {quote(place)}"
            )
    return tuple((float(x), float(y)) for x, y in listed)


def is_place(place: object) -> bool:
    """Say whether a vertex can be drawn there."""
    return (
        isinstance(place, (tuple, list))
        and len(place) == 2
        and all(type(number) in (int, float) and abs(number) <= FARTHEST for number in place)
    )


def _one_a_vertex(what: str, given: object, kinds: str, vertices: int) -> tuple[Any, ...]:
    if not isinstance(given, (tuple, list)):
        raise RulesError(f"{what} must be a list of {kinds}, one a vertex, not {quote(given)}")
    if given and len(given) != vertices:
        raise RulesError(f"{what} must be one for each of the {vertices} vertices or none, not {len(given)}")
    return tuple(given)


def vertex_called(text: str, names: Sequence[str], vertices: int) -> int:
    """Return the vertex that a person means by a name, in capitals or not, or by a number.

    Numbers count only where no name is one: there is no telling which of the two was meant. Raises BadText.
    """
    asked = text.strip()
    if asked in names:
        return names.index(asked)
    alike = [vertex for vertex, name in enumerate(names) if name.casefold() == asked.casefold()]
    if len(alike) == 1:
        return alike[0]
    is_number = asked.isascii() and asked.isdigit() and len(asked) < 10
    if is_number and int(asked) < vertices and not any(name.isdigit() for name in names):
        return int(asked)
    if not names:
        raise BadText(f"a vertex is a number from 0 to {vertices - 1}, not {quote(text)}")
    near = [name for name in names if asked and asked.casefold() in name.casefold()][:3] or list(names[:3])
    raise BadText(f"no vertex is called {quote(text)}; there are {', '.join(map(quote, near))} …")
