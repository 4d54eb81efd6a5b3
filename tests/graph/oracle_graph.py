"""The Voronoi game on graphs in plain Python and whole fractions: slow, short, and independent of what it checks.

Fractions are written over their common denominator, which makes them whole numbers and the tests quick.
"""

from fractions import Fraction
from heapq import heappop, heappush
from math import lcm


def denominator(edges):
    """Return the common denominator of all lengths."""
    return lcm(*(Fraction(length).denominator for _, _, length in edges))


def roads(edges, count):
    """List the neighbours of each vertex with their lengths over the common denominator."""
    near = [[] for _ in range(count)]
    whole = denominator(edges)
    for first, second, length in edges:
        parts = int(Fraction(length) * whole)
        near[first].append((second, parts))
        near[second].append((first, parts))
    return near


def distances(near, source):
    """Return the distance of each vertex that can be reached, over the common denominator."""
    far = {}
    waiting = [(0, source)]
    while waiting:
        here, vertex = heappop(waiting)
        if vertex not in far:
            far[vertex] = here
            for other, length in near[vertex]:
                heappush(waiting, (here + length, other))
    return far


def all_distances(edges, count):
    """Return the distances from every vertex."""
    near = roads(edges, count)
    return [distances(near, source) for source in range(count)]


def owners(tables, tokens):
    """Return the owner of each vertex, -1 for nobody. ``tokens``: (vertex, seat) in order of play."""
    own = []
    for vertex in range(len(tables)):
        reaching = [
            (tables[token][vertex], order) for order, (token, _) in enumerate(tokens) if vertex in tables[token]
        ]
        own.append(tokens[min(reaching)[1]][1] if reaching else -1)
    return own


def nearest(tables, tokens):
    """Return the distance of each vertex from its nearest token, None where none reaches."""
    far = [[tables[token].get(vertex) for token, _ in tokens] for vertex in range(len(tables))]
    return [min((distance for distance in row if distance is not None), default=None) for row in far]


def scores(tables, values, tokens, players):
    """Return the sum of values of each seat."""
    own = owners(tables, tokens)
    won = [0] * players
    for value, owner in zip(values, own, strict=True):
        if owner >= 0:
            won[owner] += value
    return tuple(won)


def gains(tables, values, tokens, players, seat):
    """Return what a token on each vertex adds to a seat's score, and to its lead over all others, by playing it."""
    before = scores(tables, values, tokens, players)
    held = {vertex for vertex, _ in tokens}
    own, lead = [], []
    for vertex in range(len(tables)):
        if vertex in held:
            own.append(-1)
            lead.append(-1)
            continue
        after = scores(tables, values, [*tokens, (vertex, seat)], players)
        changes = [now - then for now, then in zip(after, before, strict=True)]
        own.append(changes[seat])
        lead.append(2 * changes[seat] - sum(changes))
    return own, lead
