"""Point sets under names, each from a seed that gives the same one on every machine; all in the unit square.

Coordinates are multiples of STEP, which hides that machines differ in the last bit of a sine. Where three dots would
be on one line, the last of them is moved by a few thousandths.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from hinterland.contract.numbers import as_int
from hinterland.dice import Dice
from hinterland.dots.points.coordinates import DOTS, Point, Points
from hinterland.dots.points.orientation import orientation
from hinterland.errors import RulesError, quote

STEP = 2.0**-30
RADIUS = 0.49
NUDGE = 0.004
CLUSTER = 0.12
"""How far a dot is from the middle of its cluster at most, in each direction."""
RING = 4
"""How many dots each hull of ``nested`` has."""
GOLDEN = math.pi * (3 - math.sqrt(5))


def circle(dots: int = 12, seed: int = 0) -> Points:
    """Put dots on a circle, evenly. Raises RulesError, as all of these do."""
    turned = Dice(seed).share()
    return _general(dots, seed, (_around((dot + turned) / dots) for dot in range(_whole(dots))))


def double_circle(dots: int = 12, seed: int = 0) -> Points:
    """Put half of the dots on a circle, evenly, and each other just within the side between two of them."""
    outer = (_whole(dots) + 1) // 2
    turned = Dice(seed).share()
    inner_radius = RADIUS * math.cos(math.pi / outer) * (1 - 0.2 * (1 - math.cos(math.pi / outer)))
    corners = [_around((dot + turned) / outer) for dot in range(outer)]
    return _general(
        dots, seed, corners + [_around((dot + 0.5 + turned) / outer, inner_radius) for dot in range(dots - outer)]
    )


def random(dots: int = 12, seed: int = 0) -> Points:
    """Draw dots uniformly."""
    dice = Dice(seed)
    return _general(dots, seed, (dice.place() for _ in range(_whole(dots))))


def jittered(dots: int = 12, seed: int = 0) -> Points:
    """Draw a dot in each cell of a grid, the last row of which need not be full."""
    dice = Dice(seed)
    side = math.isqrt(_whole(dots) - 1) + 1
    cells = [(cell % side, cell // side) for cell in range(dots)]
    drawn = [(col, row, *dice.place()) for col, row in cells]
    return _general(
        dots, seed, (((col + 0.1 + 0.8 * x) / side, (row + 0.1 + 0.8 * y) / side) for col, row, x, y in drawn)
    )


def clusters(dots: int = 12, groups: int = 3, seed: int = 0) -> Points:
    """Draw dots around a few places, which are drawn first."""
    dice = Dice(seed)
    dots, groups = _whole(dots), as_int(groups)
    if type(groups) is not int or not 1 <= groups <= dots:
        raise RulesError(f"groups must be a whole number from 1 to {dots}, not {quote(groups)}")
    middles = [tuple(CLUSTER + (1 - 2 * CLUSTER) * share for share in dice.place()) for _ in range(groups)]
    drawn = [(middles[dot % groups], dice.place()) for dot in range(dots)]
    return _general(dots, seed, ((x + CLUSTER * (2 * u - 1), y + CLUSTER * (2 * v - 1)) for (x, y), (u, v) in drawn))


def spiral(dots: int = 12, seed: int = 0) -> Points:
    """Lay dots out like the seeds of a sunflower."""
    turned = Dice(seed).share()
    ways = (
        (dot * GOLDEN / (2 * math.pi) + turned, RADIUS * math.sqrt((dot + 0.5) / dots)) for dot in range(_whole(dots))
    )
    return _general(dots, seed, (_around(turn, radius) for turn, radius in ways))


def nested(dots: int = 12, seed: int = 0) -> Points:
    """Lay squares within squares, each turned at random."""
    rings = (_whole(dots) + RING - 1) // RING
    dice = Dice(seed)
    turns = [dice.share() for _ in range(rings)]
    places = ((dot // RING, dot % RING / RING) for dot in range(dots))
    return _general(dots, seed, (_around(turns[ring] + turn, RADIUS * 0.6**ring) for ring, turn in places))


def halton(dots: int = 12, seed: int = 0) -> Points:
    """Take points of Halton's sequence with bases 2 and 3, from the number ``seed`` on."""
    Dice(seed)
    return _general(
        dots, seed, ((_reversed(seed + dot, 2), _reversed(seed + dot, 3)) for dot in range(1, _whole(dots) + 1))
    )


def _reversed(number: int, base: int) -> float:
    """Return a number's digits the other way round, behind the point."""
    share, unit = 0.0, 1.0
    while number:
        number, digit = divmod(number, base)
        unit /= base
        share += digit * unit
    return share


def _around(turn: float, radius: float = RADIUS) -> Point:
    """Return a point on a circle around the middle of the square, after so many turns."""
    return 0.5 + radius * math.cos(2 * math.pi * turn), 0.5 + radius * math.sin(2 * math.pi * turn)


def _whole(dots: object) -> int:
    least, most = DOTS
    count = as_int(dots)
    if type(count) is not int or not least <= count <= most:
        raise RulesError(f"dots must be a whole number from {least} to {most}, not {quote(dots)}")
    return count


def _general(dots: int, seed: int, places: Iterable[Point]) -> Points:
    """Lay places on the grid of STEP, and move those that are on a line with two before them: into general position."""
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
"""Every point set by name. Their options are their parameters."""
