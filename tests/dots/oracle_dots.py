"""Join the dots in plain Python and exact fractions: slow, short, and independent of what it checks.

A board is a list of points; a position is the set of dots still there and the set of lines, pairs (a, b) with a < b.
"""

from fractions import Fraction
from itertools import combinations


def turn(p, q, r):
    """Return 1, -1 or 0: whether p, q, r turn left, right, or not."""
    px, py, qx, qy, rx, ry = (Fraction(value) for point in (p, q, r) for value in point)
    area = (qx - px) * (ry - py) - (qy - py) * (rx - px)
    return (area > 0) - (area < 0)


def cross(points, first, second):
    """Say whether two lines have a point in common that is no end of both."""
    if set(first) & set(second):
        return False
    (p, q), (r, s) = ((points[a], points[b]) for a, b in (first, second))
    return turn(p, q, r) != turn(p, q, s) and turn(r, s, p) != turn(r, s, q)


def legal(points, dots, lines):
    """List the lines that may be drawn."""
    return [
        pair
        for pair in combinations(sorted(dots), 2)
        if pair not in lines and not any(cross(points, pair, line) for line in lines)
    ]


def path(lines, start, goal, seen=()):
    """Return the dots on the way from one dot to another along lines, None where there is none."""
    if start == goal:
        return [start]
    for line in lines:
        if start in line:
            (other,) = set(line) - {start}
            if other not in seen:
                rest = path(lines, other, goal, (*seen, start))
                if rest:
                    return [start, *rest]
    return None


def after(dots, lines, line):
    """Return (dots, lines, score) after a legal line."""
    cycle = path(lines, *line)
    if not cycle:
        return dots, lines | {line}, 0
    left = dots - set(cycle)
    return left, frozenset(kept for kept in lines if set(kept) <= left), len(cycle)


class Solver:
    """Remembers the value of every position of one board that it met."""

    def __init__(self, points):
        self.points = points
        self.blocks = {pair: self._crossing(pair) for pair in combinations(range(len(points)), 2)}
        self.known = {}

    def _crossing(self, pair):
        return frozenset(line for line in combinations(range(len(self.points)), 2) if cross(self.points, pair, line))

    def moves(self, dots, lines):
        """List the lines that may be drawn."""
        return [pair for pair in combinations(sorted(dots), 2) if pair not in lines and not lines & self.blocks[pair]]

    def value(self, dots, lines=frozenset()):
        """Return what the mover scores more than the other from here on, both playing best."""
        if len(dots) < 3:
            return 0
        key = (dots, lines)
        if key not in self.known:
            self.known[key] = max(self.values(dots, lines).values())
        return self.known[key]

    def values(self, dots, lines=frozenset()):
        """Return that of every legal line."""
        told = {}
        for line in self.moves(dots, lines):
            left, kept, score = after(dots, lines, line)
            told[line] = score - self.value(left, kept)
        return told


def positions(points):
    """Return every position that can be reached while nothing has been removed."""
    dots = frozenset(range(len(points)))
    found, new = {frozenset()}, {frozenset()}
    while new:
        new = {lines | {line} for lines in new for line in legal(points, dots, lines) if not path(lines, *line)} - found
        found |= new
    return found
