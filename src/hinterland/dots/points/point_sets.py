"""Point sets by name. The same seed gives the same points on every machine. All points lie in the unit square.

Coordinates are rounded to multiples of STEP, because machines differ in the last bit of a sine. If three dots would be
on one line, the last of them is moved by a few thousandths.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from hinterland.contract.numbers import as_int
from hinterland.dice import Dice
from hinterland.dots.points.coordinates import MAX_DOTS, MIN_DOTS, Point, Points
from hinterland.dots.points.orientation import orientation
from hinterland.errors import RulesError, quote

STEP = 2.0**-30
RADIUS = 0.49
NUDGE = 0.004
CLUSTER_RADIUS = 0.12
"""Largest distance of a dot from the centre of its cluster, along each axis."""
RING_DOTS = 4
"""Number of dots of each square of ``nested``."""
GOLDEN_ANGLE = math.pi * (3 - math.sqrt(5))


def circle(dots: int = 12, seed: int = 0) -> Points:
    """Put dots evenly on a circle. Raises RulesError, as all functions of point sets do."""
    turned = Dice(seed).share()
    return _avoid_lines(dots, seed, (_point_on_circle((dot + turned) / dots) for dot in range(_check_dots(dots))))


def double_circle(dots: int = 12, seed: int = 0) -> Points:
    """Put half of the dots evenly on a circle, and each other dot just inside the side between two of them."""
    outer = (_check_dots(dots) + 1) // 2
    turned = Dice(seed).share()
    inner_radius = RADIUS * math.cos(math.pi / outer) * (1 - 0.2 * (1 - math.cos(math.pi / outer)))
    corners = [_point_on_circle((dot + turned) / outer) for dot in range(outer)]
    return _avoid_lines(
        dots,
        seed,
        corners + [_point_on_circle((dot + 0.5 + turned) / outer, inner_radius) for dot in range(dots - outer)],
    )


def random(dots: int = 12, seed: int = 0) -> Points:
    """Draw dots uniformly."""
    dice = Dice(seed)
    return _avoid_lines(dots, seed, (dice.place() for _ in range(_check_dots(dots))))


def jittered(dots: int = 12, seed: int = 0) -> Points:
    """Draw a dot in each cell of a grid; the grid's last row need not be full."""
    dice = Dice(seed)
    side = math.isqrt(_check_dots(dots) - 1) + 1
    cells = [(cell % side, cell // side) for cell in range(dots)]
    drawn = [(col, row, *dice.place()) for col, row in cells]
    return _avoid_lines(
        dots, seed, (((col + 0.1 + 0.8 * x) / side, (row + 0.1 + 0.8 * y) / side) for col, row, x, y in drawn)
    )


def clusters(dots: int = 12, groups: int = 3, seed: int = 0) -> Points:
    """Draw dots around a few centres, which are drawn first."""
    dice = Dice(seed)
    dots, groups = _check_dots(dots), as_int(groups)
    if type(groups) is not int or not 1 <= groups <= dots:
        raise RulesError(f"groups must be a whole number from 1 to {dots}, not {quote(groups)}")
    middles = [
        tuple(CLUSTER_RADIUS + (1 - 2 * CLUSTER_RADIUS) * share for share in dice.place()) for _ in range(groups)
    ]
    drawn = [(middles[dot % groups], dice.place()) for dot in range(dots)]
    return _avoid_lines(
        dots, seed, ((x + CLUSTER_RADIUS * (2 * u - 1), y + CLUSTER_RADIUS * (2 * v - 1)) for (x, y), (u, v) in drawn)
    )


def spiral(dots: int = 12, seed: int = 0) -> Points:
    """Place dots like the seeds of a sunflower."""
    turned = Dice(seed).share()
    ways = (
        (dot * GOLDEN_ANGLE / (2 * math.pi) + turned, RADIUS * math.sqrt((dot + 0.5) / dots))
        for dot in range(_check_dots(dots))
    )
    return _avoid_lines(dots, seed, (_point_on_circle(turn, radius) for turn, radius in ways))


def nested(dots: int = 12, seed: int = 0) -> Points:
    """Place squares inside squares, each rotated at random."""
    rings = (_check_dots(dots) + RING_DOTS - 1) // RING_DOTS
    dice = Dice(seed)
    turns = [dice.share() for _ in range(rings)]
    places = ((dot // RING_DOTS, dot % RING_DOTS / RING_DOTS) for dot in range(dots))
    return _avoid_lines(dots, seed, (_point_on_circle(turns[ring] + turn, RADIUS * 0.6**ring) for ring, turn in places))


def halton(dots: int = 12, seed: int = 0) -> Points:
    """Take points of Halton's sequence with bases 2 and 3, starting at number ``seed``."""
    Dice(seed)
    return _avoid_lines(
        dots,
        seed,
        ((_reverse_digits(seed + dot, 2), _reverse_digits(seed + dot, 3)) for dot in range(1, _check_dots(dots) + 1)),
    )


def _reverse_digits(number: int, base: int) -> float:
    """Return the fraction from 0 to 1 whose digits after the point are those of ``number`` in reverse order."""
    share, unit = 0.0, 1.0
    while number:
        number, digit = divmod(number, base)
        unit /= base
        share += digit * unit
    return share


def _point_on_circle(turn: float, radius: float = RADIUS) -> Point:
    """Return a point on a circle around the centre of the unit square; ``turn``: its angle, in full turns."""
    return 0.5 + radius * math.cos(2 * math.pi * turn), 0.5 + radius * math.sin(2 * math.pi * turn)


def _check_dots(dots: object) -> int:
    count = as_int(dots)
    if type(count) is not int or not MIN_DOTS <= count <= MAX_DOTS:
        raise RulesError(f"dots must be a whole number from {MIN_DOTS} to {MAX_DOTS}, not {quote(dots)}")
    return count


def _avoid_lines(dots: int, seed: int, places: Iterable[Point]) -> Points:
    """Round places to multiples of STEP, and move each that is on one line with two earlier ones."""
    dice = Dice(seed + 1)
    points: list[Point] = []
    for place in places:
        point = _on_grid(place)
        while not _is_free(point, points):
            shifted = dice.place()
            point = _on_grid((place[0] + NUDGE * (shifted[0] - 0.5), place[1] + NUDGE * (shifted[1] - 0.5)))
        points.append(point)
    assert len(points) == dots
    return tuple(points)


def _on_grid(place: Point) -> Point:
    x, y = (min(max(round(value / STEP), 0), round(1 / STEP)) * STEP for value in place)
    return x, y


def _is_free(point: Point, points: list[Point]) -> bool:
    return point not in points and all(
        orientation(first, second, point) for place, first in enumerate(points) for second in points[:place]
    )


POINT_SETS: dict[str, Callable[..., Points]] = {
    points.__name__: points for points in (circle, double_circle, random, jittered, clusters, spiral, nested, halton)
}
"""Every point set by name. The parameters of the function are the options of the set."""
