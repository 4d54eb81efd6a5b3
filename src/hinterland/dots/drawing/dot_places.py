"""Coordinates for drawing the dots of a board, on a page or in a picture."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from hinterland.errors import RulesError

if TYPE_CHECKING:
    from hinterland.dots.rules import Rules

Place = tuple[float, float]
MARGIN = 0.07
"""Space around the dots, as a share of the picture's side."""


def page_rules(rules: Rules) -> dict[str, Any]:
    """Return the numbers of players and dots, and the total score, which is the number of dots."""
    return {"players": rules.players, "dots": rules.dots, "total": rules.dots}


def drawing_data(rules: Rules) -> dict[str, Any]:
    """Return what a page needs to draw a board, as JSON values.

    ``places``: [x, y] of each dot in the unit square, y downwards, with a margin. ``turns``: the order type, as in
    ``Rules.orientations``. From ``turns``, not from the rounded places, a page decides which lines cross. Raises
    RulesError as ``places_of`` does.
    """
    return {"places": [[round(x, 5), round(y, 5)] for x, y in places_of(rules)], "turns": rules.signs}


def locate(rules: Rules, places: Sequence[tuple[int, ...]]) -> list[Place]:
    """Return the place of each dot as ``places_of`` does. Raises RulesError as it does."""
    known = places_of(rules)
    return [known[dot] for (dot,) in places]


def places_of(rules: Rules) -> list[Place]:
    """Return the place of each dot in the unit square, y downwards.

    The board is centred, keeps its proportions, and is as large as ``MARGIN`` allows.

    Raises RulesError for an order type without known coordinates.
    """
    points = [(Fraction(x), Fraction(y)) for x, y in rules.points or _find_coordinates(rules)]
    left, right = (far(x for x, _ in points) for far in (min, max))
    bottom, top = (far(y for _, y in points) for far in (min, max))
    side = max(right - left, top - bottom) / Fraction(1 - 2 * MARGIN)
    return [
        (float((x - (left + right) / 2) / side) + 0.5, float(((bottom + top) / 2 - y) / side) + 0.5) for x, y in points
    ]


def _find_coordinates(rules: Rules) -> list[Place]:
    """Return the coordinates that the shipped atlas has for an order type."""
    from hinterland.dots.atlas import atlas_file  # noqa: PLC0415
    from hinterland.dots.order_types import canonical  # noqa: PLC0415

    if rules.dots not in atlas_file.SHIPPED_SIZES:
        raise RulesError(
            f"these {rules.dots} dots are given by orientations alone, and places are known for up to "
            f"{atlas_file.SHIPPED_SIZES[-1]} dots; give points to see them"
        )
    signs = canonical.signs_of(canonical.code_of(rules.sides), rules.dots)
    (known,) = (entry.points for entry in atlas_file.entries(rules.dots) if entry.orientations == signs)
    labelled, senses = canonical.label_board(rules.sides)
    mirror = int(senses[0])
    places = dict(zip(labelled[0].tolist(), known, strict=True))
    return [(mirror * x, y) for x, y in (places[dot] for dot in range(rules.dots))]
