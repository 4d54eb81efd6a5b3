"""Counts the positions that play can reach on a board, all of them and up to the symmetries of its order type.

A position is the set of dots and the set of lines on the board. The seat to move and the scores are not part of it.

- While nothing has been removed, any set of lines that do not cross and close no cycle can be drawn, in any order.
- Dots are removed in cycles, so at least three at once. Any set of three dots or more can be removed at once, because
  some closed line through all of them does not cross itself. Then any set of lines that do not cross and close no cycle
  can be drawn among the dots left. So for each set of three dots or more that can be left, all such sets of lines among
  them are counted.
- If fewer than three dots are left, the game is over, and no line can be drawn any more. Two dots that are left are
  joined only if the last cycle could be closed without crossing the line between them.

The number of positions up to symmetry is the mean, over all symmetries, of the number of positions that a symmetry
leaves unchanged (Burnside's lemma). In an unchanged position, a line is drawn together with all its images under the
symmetry (its orbit).
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import numpy as np

from hinterland.dots.order_types.bitsets import lowest
from hinterland.dots.order_types.canonical import find_symmetries
from hinterland.dots.order_types.segments import Segments, segments_of
from hinterland.errors import RulesError
from hinterland.jit import inlined, kernel

MAX_DOTS = 11
"""Largest number of dots of a board whose positions are counted; the lines of such a board fit a word."""


class PositionCounts(msgspec.Struct, frozen=True):
    """Numbers of positions of a board."""

    dots: int
    symmetries: int
    """Number of symmetries of the board's order type, including mirror images."""
    whole: int
    """Number of positions from which no dot has been removed."""
    whole_classes: int
    """Number of positions from which no dot has been removed, up to symmetry."""
    positions: int
    """Number of all positions that play can reach, including the first and the last ones."""
    classes: int
    """Number of all positions up to symmetry."""


def count_positions(side: np.ndarray) -> PositionCounts:
    """Count the positions of a board; ``side``: the turns of its dots, int8 (n, n, n).

    Raises RulesError above MAX_DOTS dots.
    """
    dots = len(side)
    if dots > MAX_DOTS:
        raise RulesError(f"positions are counted on boards of at most {MAX_DOTS} dots, not of {dots}")
    segments = segments_of(side)
    joined = [pair for pair in segments.ends if _can_stay(segments, pair)]
    images, _ = find_symmetries(side)
    kept = [_count_fixed(image.tolist(), segments, joined) for image in images]
    whole, removed = (sum(column) for column in zip(*kept, strict=True))
    return PositionCounts(
        dots, len(images), kept[0][0], whole // len(images), sum(kept[0]), (whole + removed) // len(images)
    )


def _count_fixed(image: list[int], segments: Segments, joined: list[tuple[int, int]]) -> tuple[int, int]:
    """Count the positions that a symmetry leaves unchanged: those without removed dots, and those with removed dots.

    ``image``: the dot to which the symmetry maps each dot. ``joined``: the pairs of dots that can be the last two dots
    left, with a line between them.
    """
    dots = len(image)
    moved = [segments.number[min(image[a], image[b]), max(image[a], image[b])] for a, b in segments.ends]
    blocks = np.array(list(_orbits(moved)), dtype=np.int64)
    ends = np.array(segments.ends, dtype=np.int64)
    crossed = np.array(segments.crossed, dtype=np.int64)
    cycles = list(_orbits(image))
    rests = [sum(cycle for at, cycle in enumerate(cycles) if chosen >> at & 1) for chosen in range(1 << len(cycles))]
    removed = 0
    for rest in rests:
        left = rest.bit_count()
        if left <= dots - 3:
            removed += count_forests(ends, crossed, blocks, rest) if left >= 3 else 1
    removed += sum(1 for a, b in joined if {image[a], image[b]} == {a, b})
    return count_forests(ends, crossed, blocks, (1 << dots) - 1), removed


def _orbits(image: list[int]) -> Iterator[int]:
    """Yield the orbits of a permutation, each as a set of bits."""
    seen = 0
    for start in range(len(image)):
        orbit, at = 0, start
        while not (seen | orbit) >> at & 1:
            orbit |= 1 << at
            at = image[at]
        if orbit:
            yield orbit
        seen |= orbit


@kernel(allocates=True)
def count_forests(ends: np.ndarray, crossed: np.ndarray, blocks: np.ndarray, dots: int) -> int:
    """Count the sets of blocks whose lines join only dots of ``dots``, do not cross and close no cycle.

    ``ends``: int64 (L, 2), L at most 63. ``crossed``: int64[L], the lines that cross each line. ``blocks``: int64[B],
    sets of lines that are drawn together or not at all. ``dots``: a set of dots, as bits. The time is proportional to
    the result.
    """
    deep = ends.shape[0] + 1
    blocked = np.zeros(deep, dtype=np.int64)
    tree = np.zeros((deep, ends[-1, 1] + 1), dtype=np.int64)
    following = np.zeros(deep, dtype=np.int64)
    for line in range(ends.shape[0]):
        if not (dots >> ends[line, 0] & 1 and dots >> ends[line, 1] & 1):
            blocked[0] |= 1 << line
    for dot in range(tree.shape[1]):
        tree[0, dot] = 1 << dot
    found = 1
    place = 0
    while place >= 0:
        block = following[place]
        if block == blocks.size:
            place -= 1
            continue
        following[place] = block + 1
        if blocks[block] & blocked[place]:
            continue
        blocked[place + 1] = blocked[place]
        tree[place + 1] = tree[place]
        if _try_to_draw(ends, crossed, blocks[block], blocked, tree, place + 1):
            found += 1
            place += 1
            following[place] = block + 1
    return found


@inlined
def _try_to_draw(
    ends: np.ndarray, crossed: np.ndarray, lines: int, blocked: np.ndarray, tree: np.ndarray, place: int
) -> bool:
    """Draw lines one by one; return False as soon as a line crosses another or closes a cycle."""
    while lines:
        line = lowest(lines)
        lines &= lines - 1
        first, second = tree[place, ends[line, 0]], tree[place, ends[line, 1]]
        if blocked[place] >> line & 1 or first == second:
            return False
        blocked[place] |= crossed[line]
        rest = first | second
        while rest:
            tree[place, lowest(rest)] = first | second
            rest &= rest - 1
    return True


def _can_stay(segments: Segments, pair: tuple[int, int]) -> bool:
    """Say whether all dots but two can be removed while the line between these two stays."""
    dots = len(segments.star)
    beside = ~segments.crossed[segments.number[pair]]
    others = [dot for dot in range(dots) if dot not in pair]

    def closes(way: list[int], free: int) -> bool:
        """Say whether ``way``, a path, can grow into a last cycle that crosses neither itself nor ``pair``'s line."""
        for dot in (*others, way[0]):
            line = segments.number.get((min(way[-1], dot), max(way[-1], dot)))
            if line is None or not free >> line & 1:
                continue
            if dot == way[0]:
                if len(way) >= 3 and (len(way) == dots - 2 or len(way) <= dots - 5):
                    return True
            elif dot > way[0] and dot not in way and closes([*way, dot], free & ~segments.crossed[line]):
                return True
        return False

    return any(closes([start], beside) for start in others)
