"""Formats by name, with the options of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from hinterland.contest.pairings.adaptive import Adaptive
from hinterland.contest.pairings.melee_groups import MeleeGroups
from hinterland.contest.pairings.static import (
    FixedTables,
    Gauntlet,
    HasDecided,
    Knockout,
    RoundRobin,
    Sequential,
    never_decided,
)
from hinterland.contest.pairings.swiss import Swiss
from hinterland.errors import RulesError, UnknownName, quote

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hinterland.contest.pairings.rounds import Format

FORMATS: dict[str, Any] = {
    "round-robin": RoundRobin,
    "gauntlet": Gauntlet,
    "swiss": Swiss,
    "knockout": Knockout,
    "melee": MeleeGroups,
    "adaptive": Adaptive,
    "sprt": Sequential,
    "tables": FixedTables,
}
CONTEST_FIELDS = ("players", "seed", "pairings", "added", "has_decided")
"""Fields that ``make`` sets from the contest. All other fields of a format are its options, which people set."""


def make(
    name: str,
    players: int,
    *,
    seed: int = 0,
    pairings: int = 1,
    added: Sequence[int] = (),
    options: Mapping[str, object] | None = None,
    has_decided: HasDecided = never_decided,
) -> Format:
    """Make a format. ``added``: how many players there were before each addition.

    ``has_decided``: the test that ends a ``Sequential`` format. Raises UnknownName for an unknown name or option,
    RulesError for players or values that do not suit the format.
    """
    known, chosen = default_options(name), options or {}
    for option in chosen:
        if option not in known:
            raise UnknownName(f"option of format {name}", option, known)
    if type(players) is not int or players < 2:
        raise RulesError(f"{name} needs 2 players or more, not {quote(players)}")
    if added and not can_grow(name):
        growing = ", ".join(filter(can_grow, FORMATS))
        raise RulesError(f"nobody can be added to {name}; players can be added to {growing}")
    given = {"players": players, "seed": seed, "pairings": pairings, "added": tuple(added), "has_decided": has_decided}
    taken = {field: value for field, value in given.items() if field in FORMATS[name].__struct_fields__}
    made: Format = FORMATS[name](**taken, **chosen)
    return made


def default_options(name: str) -> dict[str, Any]:
    """Return the default of each option of a format, by the option's name. Raises UnknownName."""
    if name not in FORMATS:
        raise UnknownName("format", name, FORMATS)
    fields = msgspec.structs.fields(FORMATS[name])
    return {field.name: field.default for field in fields if field.name not in CONTEST_FIELDS}


def can_grow(name: str) -> bool:
    """Say whether a format accepts new players after a contest has begun. Raises UnknownName."""
    if name not in FORMATS:
        raise UnknownName("format", name, FORMATS)
    return "added" in FORMATS[name].__struct_fields__
