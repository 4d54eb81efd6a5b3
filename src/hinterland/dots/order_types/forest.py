"""The forest of lines drawn among dots: an immutable value that gives legal moves and cycles.

Sets of dots and of lines are bits of whole numbers. Before a line is drawn, the board has no cycle, so its lines are a
forest. A line that joins two dots of one tree closes exactly one cycle: the path between them in the tree, and the
line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hinterland.dots.order_types.segments import Segments


def bits(mask: int) -> Iterator[int]:
    """Yield the members of a bit set in order."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


class Forest(msgspec.Struct, frozen=True):
    """The dots and lines on the board at one moment; ``after`` returns them one line later."""

    segments: Segments
    """All lines that can be drawn, with their numbers, and which of them cross."""
    present: int
    """The set of dots on the board."""
    lines: int
    """The set of lines drawn."""
    joined: tuple[int, ...]
    """For each dot, the set of dots joined to it."""
    blocked: int
    """The set of lines that cannot be drawn, because one of their ends is gone or a drawn line crosses them."""
    scores: tuple[int, int] = (0, 0)
    """Number of dots that each seat has scored."""

    @classmethod
    def empty(cls, segments: Segments) -> Forest:
        """Return the forest before the first line."""
        dots = len(segments.star)
        return cls(segments, (1 << dots) - 1, 0, (0,) * dots, 0)

    @property
    def legal(self) -> int:
        """The set of lines that may be drawn, whichever seat is to move."""
        return ~(self.blocked | self.lines) & ((1 << len(self.segments.ends)) - 1)

    def path(self, line: int) -> tuple[int, ...]:
        """Return the dots on the drawn path between the ends of a line, in order; empty if there is no path."""
        start, goal = self.segments.ends[line]
        paths: list[tuple[int, ...]] = [(start,)]
        seen = 1 << start
        for path in paths:
            if path[-1] == goal:
                return path
            near = self.joined[path[-1]] & ~seen
            seen |= near
            paths += [(*path, dot) for dot in bits(near)]
        return ()

    def cycle(self, line: int) -> int:
        """Return the set of dots of the cycle that a line closes; 0 if it closes none."""
        return sum(1 << dot for dot in self.path(line))

    def after(self, line: int, seat: int) -> Forest:
        """Return the forest after a seat has drawn a legal line; a closed cycle scores and is removed."""
        gone = self.cycle(line)
        if gone:
            return self._without(gone, seat)
        a, b = self.segments.ends[line]
        joined = list(self.joined)
        joined[a] |= 1 << b
        joined[b] |= 1 << a
        return Forest(
            self.segments,
            self.present,
            self.lines | 1 << line,
            tuple(joined),
            self.blocked | self.segments.crossed[line],
            self.scores,
        )

    def _without(self, gone: int, seat: int) -> Forest:
        present = self.present & ~gone
        blocked = 0
        for dot in bits(~present & ((1 << len(self.joined)) - 1)):
            blocked |= self.segments.star[dot]
        lines = self.lines & ~blocked
        for line in bits(lines):
            blocked |= self.segments.crossed[line]
        joined = tuple(near & ~gone if present >> dot & 1 else 0 for dot, near in enumerate(self.joined))
        won = gone.bit_count()
        scores = (self.scores[0] + won, self.scores[1]) if seat == 0 else (self.scores[0], self.scores[1] + won)
        return Forest(self.segments, present, lines, joined, blocked, scores)
