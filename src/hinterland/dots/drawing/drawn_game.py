"""What was drawn in a game, as far as it is to be seen: lines still there, and cycles that were closed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hinterland.dots.order_types.forest import Forest

if TYPE_CHECKING:
    from hinterland.dots.rules import Position

__all__ = ["ClosedCycle", "DrawnGame", "drawn_game"]


class ClosedCycle(NamedTuple):
    """A cycle that is gone."""

    seat: int
    """Who closed it."""
    dots: tuple[int, ...]
    """Its dots as they follow one another around it; the line that closed it joins the first and the last."""


class DrawnGame(NamedTuple):
    """All that was ever drawn in a game, as far as it is to be seen."""

    lines: dict[tuple[int, int], int]
    """The lines still there, in order of play, with the seats that drew them."""
    closed: list[ClosedCycle]
    """In order of play."""


def drawn_game(position: Position) -> DrawnGame:
    """Go through the game and keep who drew what, and who closed which cycle."""
    segments = position.rules.segments
    forest = Forest.empty(segments)
    lines: dict[tuple[int, int], int] = {}
    closed = []
    for seat, line in position.moves:
        number = segments.number[line.a, line.b]
        cycle = forest.cycle(number)
        if cycle:
            closed.append(ClosedCycle(seat, _around(forest, cycle, line.a, line.b)))
        forest = forest.after(number, seat)
        lines[line.a, line.b] = seat
        lines = {ends: drawer for ends, drawer in lines.items() if forest.lines >> segments.number[ends] & 1}
    return DrawnGame(lines, closed)


def _around(forest: Forest, cycle: int, first: int, last: int) -> tuple[int, ...]:
    """Return the dots of a cycle as they follow one another from one end of the line that closes it to the other."""
    path = [first]
    left = cycle & ~(1 << first)
    while path[-1] != last:
        following = forest.joined[path[-1]] & left
        path.append(following.bit_length() - 1)
        left &= ~following
    return tuple(path)
