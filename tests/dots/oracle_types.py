"""Order types in plain Python, by trying everything: no corner, no canonical trick, nothing of what it checks.

Signs are a dict from ordered triples of dots to 1 or -1. Knuth, "Axioms and Hulls" (1992), says which there are.
"""

from itertools import combinations, permutations, product

from dots.oracle_dots import Solver, after, turn


def signs_of_points(points):
    """Return the turn of all triples, in every order of their dots."""
    return {triple: turn(*(points[dot] for dot in triple)) for triple in permutations(range(len(points)), 3)}


def spread(known):
    """Return the turns of triples in every order, from those in one order."""
    signs = {}
    for (i, j, k), sign in known.items():
        signs |= dict.fromkeys([(i, j, k), (j, k, i), (k, i, j)], sign)
        signs |= dict.fromkeys([(j, i, k), (i, k, j), (k, j, i)], -sign)
    return signs


def greatest(signs, dots):
    """Return the greatest text of any numbering of the dots, and of their mirror image."""
    texts = set()
    for order in permutations(range(dots)):
        for sense in (1, -1):
            turns = (signs[order[i], order[j], order[k]] * sense for i, j, k in combinations(range(dots), 3))
            texts.add(tuple(turns))
    return "".join("+" if sign > 0 else "-" for sign in max(texts))


def is_possible(signs, dots):
    """Say whether signs satisfy Knuth's axioms of interiority and transitivity; the others are in ``spread``."""
    left = {triple for triple, sign in signs.items() if sign > 0}
    for p, q, r, t in permutations(range(dots), 4):
        if {(t, q, r), (p, t, r), (p, q, t)} <= left and (p, q, r) not in left:
            return False
    for t, s, p, q, r in permutations(range(dots), 5):
        if {(t, s, p), (t, s, q), (t, s, r), (t, p, q), (t, q, r)} <= left and (t, p, r) not in left:
            return False
    return True


def all_types(dots):
    """Return the greatest texts of all order types. Dot 0 is taken for a corner, the others in order around it."""
    corner = {(0, i, j): 1 for i, j in combinations(range(1, dots), 2)}
    others = list(combinations(range(1, dots), 3))
    found = set()
    for chosen in product((1, -1), repeat=len(others)):
        signs = spread(corner | dict(zip(others, chosen, strict=True)))
        if is_possible(signs, dots):
            found.add(greatest(signs, dots))
    return found


def symmetries(signs, dots):
    """Return all numberings that keep every turn, or change every one."""
    return [
        order
        for order in permutations(range(dots))
        if len({signs[triple] * signs[tuple(order[dot] for dot in triple)] for triple in signs}) == 1
    ]


def corners(points):
    """Count the dots that are in no triangle of others."""
    dots = range(len(points))
    return sum(not any(_within(points, dot, three) for three in combinations(set(dots) - {dot}, 3)) for dot in dots)


def _within(points, dot, three):
    a, b, c = (points[corner] for corner in three)
    return len({turn(a, b, points[dot]), turn(b, c, points[dot]), turn(c, a, points[dot])}) == 1


def positions(points):
    """Return all positions of play, each (dots, lines)."""
    start = (frozenset(range(len(points))), frozenset())
    moves = Solver(points).moves
    found, new = {start}, [start]
    while new:
        dots, lines = new.pop()
        if len(dots) < 3:
            continue
        for line in moves(dots, lines):
            position = after(dots, lines, line)[:2]
            if position not in found:
                found.add(position)
                new.append(position)
    return found


def classes(found, images):
    """Count positions, those that a symmetry makes of each other as one."""
    left = set(found)
    count = 0
    while left:
        dots, lines = next(iter(left))
        count += 1
        for image in images:
            moved = frozenset(tuple(sorted((image[a], image[b]))) for a, b in lines)
            left.discard((frozenset(image[dot] for dot in dots), moved))
    return count
