"""Who holds what at the end of a game, and means with their intervals, in plain Python and whole fractions."""

import heapq
from fractions import Fraction
from itertools import count
from math import sqrt

from oracle_gravity import owner

T_OF_TWO = 12.706204736
"""Student's 97.5 % quantile with one degree of freedom."""


def gravity_scores(moves, players, size):
    """Return the cells of each seat. ``moves``: (seat, row, col, weight)."""
    stones = [[tuple(place) for seat, *place in moves if seat == player] for player in range(players)]
    held = [0] * players
    for cell in range(size * size):
        seat = owner(stones, *divmod(cell, size), "gravity")
        if seat >= 0:
            held[seat] += 1
    return tuple(held)


def graph_scores(moves, players, edges, values):
    """Return the values of each seat: all distances anew from each token, the first placed wins ties."""
    ways = {}
    for a, b, length in edges:
        ways.setdefault(a, []).append((b, Fraction(length)))
        ways.setdefault(b, []).append((a, Fraction(length)))
    best = {}
    for order, (seat, vertex) in enumerate(moves):
        for at, far in distances(ways, vertex).items():
            best[at] = min(best.get(at, (far, order, seat)), (far, order, seat))
    held = [0] * players
    for at, (_, _, seat) in best.items():
        held[seat] += values[at]
    return tuple(held)


def distances(ways, start):
    """Return how far all vertices are that can be reached."""
    found, number = {}, count()
    queue = [(Fraction(0), next(number), start)]
    while queue:
        far, _, at = heapq.heappop(queue)
        if at not in found:
            found[at] = far
            for there, length in ways.get(at, ()):
                heapq.heappush(queue, (far + length, next(number), there))
    return found


def mean_of_two(one, other):
    """Return the mean of two numbers and the ends of its interval, from 0 to 1."""
    mean = (one + other) / 2
    half = T_OF_TWO * sqrt(((one - mean) ** 2 + (other - mean) ** 2) / 2)
    return float(mean), max(float(mean) - half, 0.0), min(float(mean) + half, 1.0)
