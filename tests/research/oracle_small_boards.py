"""Gravity on tiny boards in plain Python: every final position is counted, then values are carried back. No cuts.

Pulls are whole numbers: each 1/d is multiplied by the least common multiple of all squared distances on the board.
"""

from itertools import combinations, product
from math import lcm


def squares(size):
    """Return {(cell, other): squared distance} of all pairs of cells."""
    cells = list(product(range(size), repeat=2))
    return cells, {(a, b): (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 for a in cells for b in cells}


def leads(size, stones):
    """Return {(first's stones, second's stones): the second's cells less the first's} for all final positions."""
    cells, square = squares(size)
    whole = lcm(*(value for value in square.values() if value))
    endless = 2 * stones * whole + 1
    pulls = {cell: [whole // square[cell, x] if cell != x else endless for x in cells] for cell in cells}
    sums = {
        frozenset(chosen): [sum(at) for at in zip(*(pulls[cell] for cell in chosen), strict=True)]
        for chosen in combinations(cells, stones)
    }
    found = {}
    for first, pull in sums.items():
        for second, other in sums.items():
            if not first & second:
                found[first, second] = sum((b > a) - (b < a) for a, b in zip(pull, other, strict=True))
    return cells, found


def value(size, stones):
    """Return the second player's lead with best play; players take turns, the first begins."""
    cells, final = leads(size, stones)

    def below(first, second):
        if len(second) == stones:
            return final[first, second]
        seen = {}
        for cell in cells:
            if cell not in first and cell not in second:
                after = (first | {cell}, second) if len(first) == len(second) else (first, second | {cell})
                seen[cell] = below(*after)
        return (min if len(first) == len(second) else max)(seen.values())

    return below(frozenset(), frozenset())


def value_of_layouts(size, stones):
    """Return the second player's lead when the first lays all its stones before it lays any."""
    worst = {}
    for (first, _), lead in leads(size, stones)[1].items():
        worst[first] = max(worst.get(first, lead), lead)
    return min(worst.values())
