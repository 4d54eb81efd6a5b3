"""Join the dots solved in plain Python: alpha-beta over dots and lines as they are, positions kept under themselves.

Nothing is relabelled, nothing is looked up but the very same position; crossings come from areas in whole numbers, and
Dawson's Kayles from lines that are really drawn. Imports nothing of what it checks.
"""

from itertools import combinations


def area(p, q, r):
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])


def convex(dots):
    """Return dots on a parabola: the same order type as on a circle."""
    return [(x, x * x) for x in range(dots)]


class Board:
    """A board of points in whole numbers; a line is a pair of numbers in order."""

    def __init__(self, points):
        self.pairs = list(combinations(range(len(points)), 2))
        self.crossing = {
            line: {other for other in self.pairs if crosses([points[end] for end in (*line, *other)])}
            for line in self.pairs
        }
        self.all_dots = frozenset(range(len(points)))
        self.bounds = {}

    def moves(self, dots, lines):
        """Return (taken dots, dots left, lines left) for each line that may be drawn, those that take most first."""
        found = []
        for line in self.pairs:
            if line in lines or not dots.issuperset(line) or self.crossing[line] & lines:
                continue
            gone = frozenset(way(lines, *line))
            kept = frozenset(other for other in lines | {line} if gone.isdisjoint(other))
            found.append((len(gone), dots - gone, kept))
        return sorted(found, key=lambda move: -move[0])

    def value(self, dots=None, lines=frozenset()):
        """Return the mover's score less the other's from here on."""
        return self.search(self.all_dots if dots is None else dots, frozenset(lines), -99, 99)

    def search(self, dots, lines, alpha, beta):
        if len(dots) < 3:
            return 0
        low, high = self.bounds.get((dots, lines), (-len(dots), len(dots)))
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        best = -99
        for gain, left, kept in self.moves(dots, lines):
            best = max(best, gain - self.search(left, kept, gain - beta, gain - max(alpha, best)))
            if best >= beta:
                break
        low, high = (max(low, best), high) if best >= beta else (low, min(high, best))
        if alpha < best < beta:
            low = high = best
        self.bounds[dots, lines] = low, high
        return best

    def unpaired_lines(self, lines):
        """Return the lines that may be drawn between two dots without a line."""
        used = {end for line in lines for end in line}
        return [line for line in self.pairs if used.isdisjoint(line) and not self.crossing[line] & lines]

    def dawson(self, lines=frozenset()):
        """Return the Grundy value of the game in which only such lines are drawn."""
        reached = {self.dawson(lines | {line}) for line in self.unpaired_lines(lines)}
        return next(number for number in range(len(reached) + 1) if number not in reached)

    def pairings(self):
        """Return all sets of lines that are reached by drawing such lines."""
        found, new = {frozenset()}, [frozenset()]
        for lines in new:
            for line in self.unpaired_lines(lines):
                if lines | {line} not in found:
                    found.add(lines | {line})
                    new.append(lines | {line})
        return found


def crosses(points):
    """Say whether two segments cross, given their four ends; they do not where they share one."""
    p, q, r, s = points
    return area(p, q, r) * area(p, q, s) < 0 and area(r, s, p) * area(r, s, q) < 0


def way(lines, start, goal):
    """Return the dots of the way along lines from one dot to another, nothing where there is none."""
    ways = [(start,)]
    for so_far in ways:
        if so_far[-1] == goal:
            return so_far
        ways.extend((*so_far, end) for line in lines if so_far[-1] in line for end in line if end not in so_far)
    return ()
