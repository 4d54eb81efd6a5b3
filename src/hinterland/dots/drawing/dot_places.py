"""What a page or a picture needs to draw a board: where the dots are, and the cycles that have been closed on it."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from hinterland.dots.boards.forest import Board
from hinterland.errors import RulesError

if TYPE_CHECKING:
    from hinterland.dots.rules import Position, Rules

    Place = tuple[float, float]

__all__ = ["Closed", "Drawing", "drawing_of", "places_of", "scenery"]

MARGIN = 0.07
"""Around the dots, as a share of the picture's side."""


class Closed(NamedTuple):
    """A cycle that is gone."""

    seat: int
    """Who closed it."""
    dots: tuple[int, ...]
    """Its dots as they follow one another around it; the line that closed it joins the first and the last."""


class Drawing(NamedTuple):
    """All that was ever drawn in a game, as far as it is to be seen."""

    lines: dict[tuple[int, int], int]
    """The lines still there, in order of play, with the seats that drew them."""
    closed: list[Closed]
    """In order of play."""


def scenery(rules: Rules) -> dict[str, Any]:
    """Return what a page needs to draw a board, in plain JSON values.

    ``places``: [x, y] of each dot in the unit square, y downwards, with a margin; ``turns``: as ``Rules.orientations``,
    from which follows which lines cross, whatever the rounding of the places. Raises RulesError as ``places_of`` does.
    """
    return {"places": [[round(x, 5), round(y, 5)] for x, y in places_of(rules)], "turns": rules.signs}


def places_of(rules: Rules) -> list[Place]:
    """Return where each dot is drawn in the unit square, y downwards: as large as fits, in the middle, in proportion.

    Raises RulesError for an order type for which no places are known.
    """
    points = [(Fraction(x), Fraction(y)) for x, y in rules.points or _realised(rules)]
    left, right = (far(x for x, _ in points) for far in (min, max))
    bottom, top = (far(y for _, y in points) for far in (min, max))
    side = max(right - left, top - bottom) / Fraction(1 - 2 * MARGIN)
    return [
        (float((x - (left + right) / 2) / side) + 0.5, float(((bottom + top) / 2 - y) / side) + 0.5) for x, y in points
    ]


def _realised(rules: Rules) -> list[Place]:
    """Return the places that the shipped atlas has for an order type."""
    from hinterland.dots.order_types import canonical as numbering  # noqa: PLC0415
    from hinterland.dots.atlas import atlas_file as shelf  # noqa: PLC0415

    if rules.dots not in shelf.SHELVED:
        raise RulesError(
            f"these {rules.dots} dots are given by orientations alone, and places are known for up to "
            f"{shelf.SHELVED[-1]} dots; give points to see them"
        )
    signs = numbering.signs_of(numbering.code_of(rules.sides), rules.dots)
    (known,) = (entry.points for entry in shelf.entries(rules.dots) if entry.orientations == signs)
    numbered, senses = numbering.numberings(rules.sides)
    mirror = int(senses[0])
    places = dict(zip(numbered[0].tolist(), known, strict=True))
    return [(mirror * x, y) for x, y in (places[dot] for dot in range(rules.dots))]


def drawing_of(position: Position) -> Drawing:
    """Go through the game and keep who drew what, and who closed which cycle."""
    board = Board.empty(position.rules.plan)
    lines: dict[tuple[int, int], int] = {}
    closed = []
    for seat, line in position.moves:
        number = board.plan.number[line.a, line.b]
        cycle = board.cycle(number)
        if cycle:
            closed.append(Closed(seat, _around(board, cycle, line.a, line.b)))
        board = board.after(number, seat)
        lines[line.a, line.b] = seat
        lines = {ends: drawer for ends, drawer in lines.items() if board.lines >> board.plan.number[ends] & 1}
    return Drawing(lines, closed)


def _around(board: Board, cycle: int, first: int, last: int) -> tuple[int, ...]:
    """Return the dots of a cycle as they follow one another from one end of the line that closes it to the other."""
    path = [first]
    left = cycle & ~(1 << first)
    while path[-1] != last:
        following = board.joined[path[-1]] & left
        path.append(following.bit_length() - 1)
        left &= ~following
    return tuple(path)
