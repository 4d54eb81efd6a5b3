"""What vertices are called, as people give it: checked. Names are for people; moves and records hold numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hinterland.errors import BadText, RulesError, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["LONGEST", "checked_names", "is_name", "vertex_called"]

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
    if not isinstance(names, (tuple, list)):
        raise RulesError(f"names must be a list of texts, one a vertex, not {shown(names)}")
    if names and len(names) != vertices:
        raise RulesError(f"names must be one for each of the {vertices} vertices or none, not {len(names)}")
    for vertex, name in enumerate(names):
        if not is_name(name):
            raise RulesError(
                f"the name of vertex {vertex} must be a line of 1 to {LONGEST} letters, "
                f"without spaces around it, not {shown(name)}"
            )
    if len(set(names)) < len(names):
        seen: dict[str, int] = {}
        for vertex, name in enumerate(names):
            if seen.setdefault(name, vertex) != vertex:
                raise RulesError(f"vertices {seen[name]} and {vertex} are both called {shown(name)}; names differ")
    return tuple(names)


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
        raise BadText(f"a vertex is a number from 0 to {vertices - 1}, not {shown(text)}")
    near = [name for name in names if asked and asked.casefold() in name.casefold()][:3] or list(names[:3])
    raise BadText(f"no vertex is called {shown(text)}; there are {', '.join(map(shown, near))} …")
