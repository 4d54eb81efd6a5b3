"""Checks names and places of vertices, as people give them. Names and places change no result of a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hinterland.errors import BadText, RulesError, quote

Place = tuple[float, float]
MAX_COORDINATE = 1e9
"""Greatest absolute value of a coordinate of a place."""
MAX_NAME_LENGTH = 200
"""Letters in the longest name."""
CONTROL_LETTERS = frozenset(map(chr, (*range(32), *range(127, 160), *range(0x2028, 0x202F), *range(0x2066, 0x206A))))
"""Characters that control a terminal, break a line or change the direction of writing."""


def is_name(name: object) -> bool:
    """Say whether this is a valid name: a line without spaces around it, at most MAX_NAME_LENGTH letters long."""
    return (
        isinstance(name, str)
        and 0 < len(name) <= MAX_NAME_LENGTH
        and name == name.strip()
        and CONTROL_LETTERS.isdisjoint(name)
        and not any("\ud800" <= letter <= "\udfff" for letter in name)
    )


def check_names(names: object, vertices: int) -> tuple[str, ...]:
    """Return names as a tuple: none, or one for each vertex, all different.

    Raises RulesError, which names a bad one.
    """
    for vertex, name in enumerate(listed := _check_count("names", names, "texts", vertices)):
        if not is_name(name):
            raise RulesError(
                f"the name of vertex {vertex} must be a line of 1 to {MAX_NAME_LENGTH} letters without spaces around "
                f"it and without control characters, not {quote(name)}"
            )
    if len(set(listed)) < len(listed):
        seen: dict[str, int] = {}
        for vertex, name in enumerate(listed):
            if seen.setdefault(name, vertex) != vertex:
                raise RulesError(f"vertices {seen[name]} and {vertex} are both called {quote(name)}; names must differ")
    return listed


def check_places(places: object, vertices: int) -> tuple[Place, ...]:
    """Return places as pairs of floats: none, or one for each vertex.

    Raises RulesError, which names the first bad one. y goes downwards.
    """
    for vertex, place in enumerate(listed := _check_count("places", places, "[x, y]", vertices)):
        if not is_place(place):
            raise RulesError(
                f"the place of vertex {vertex} must be [x, y], "
                f"numbers from {-MAX_COORDINATE:,.0f} to {MAX_COORDINATE:,.0f}, not {quote(place)}"
            )
    return tuple((float(x), float(y)) for x, y in listed)


def is_place(place: object) -> bool:
    """Say whether this is a valid place: two numbers, at most MAX_COORDINATE in absolute value."""
    return (
        isinstance(place, (tuple, list))
        and len(place) == 2
        and all(type(number) in (int, float) and abs(number) <= MAX_COORDINATE for number in place)
    )


def _check_count(what: str, given: object, kinds: str, vertices: int) -> tuple[Any, ...]:
    if not isinstance(given, (tuple, list)):
        raise RulesError(f"{what} must be a list of {kinds}, one a vertex, not {quote(given)}")
    if given and len(given) != vertices:
        raise RulesError(f"{what} must be one for each of the {vertices} vertices or none, not {len(given)}")
    return tuple(given)


def find_vertex(text: str, names: Sequence[str], vertices: int) -> int:
    """Return the vertex that a person means by a name, in capital or small letters, or by a number.

    Numbers count only if no name is a number, since they would be ambiguous. Raises BadText.
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
