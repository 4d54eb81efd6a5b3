"""Contests that are drawn from a known truth, in plain Python and NumPy."""

import numpy as np

from hinterland.evidence.tally import GameResult, MatchResult, Tally

WHOLE = 10**9
FIRST, TIE, SECOND = (0, 1), (0, 0), (1, 0)
RANKS = (FIRST, TIE, SECOND)


def game(seats, ranks, **more):
    """Make a game in which those who rank first share everything."""
    best = ranks.count(0)
    return GameResult(tuple(seats), tuple(ranks), tuple(WHOLE // best * (rank == 0) for rank in ranks), **more)


def match_of_two(one, other, first, second, **more):
    """Make a match of two games: ranks of the game that ``one`` begins, and of that which ``other`` begins."""
    return MatchResult((game((one, other), first), game((other, one), second)), **more)


def chances(ahead, tie):
    """Return (..., 3): how likely the first seat wins, ties, loses by Davidson's model; ``ahead`` in nats."""
    worths = np.stack([np.exp(ahead / 2), np.full_like(ahead, tie), np.exp(-ahead / 2)], axis=-1)
    return worths / worths.sum(axis=-1, keepdims=True)


def outcomes(one, other, seat=0.0, tie=0.6, opening=0.0):
    """Return the chances of the nine outcomes of a match, flat: ranks of its first game, then of its second.

    ``opening``: the standard deviation over openings of what the first seat is worth, in nats; 0 for independent games.
    """
    points, weights = np.polynomial.hermite_e.hermegauss(21)
    first = chances(one - other + seat + opening * points, tie)
    second = chances(other - one + seat + opening * points, tie)
    return np.einsum("k,ka,kb->ab", weights / weights.sum(), first, second).ravel()


def round_robin(strengths, counts):
    """Make the tally of a contest: ``counts`` says for a pair how many matches had each of the nine outcomes."""
    tally = Tally([f"p{player}" for player in range(len(strengths))])
    for one in range(len(strengths)):
        for other in range(one):
            for outcome, times in enumerate(counts(strengths[one], strengths[other])):
                if times:
                    tally.add(match_of_two(one, other, RANKS[outcome // 3], RANKS[outcome % 3]), int(times))
    return tally


def drawn(strengths, matches, rng, **terms):
    """Draw a contest of so many matches a pair."""
    return round_robin(strengths, lambda one, other: rng.multinomial(matches, outcomes(one, other, **terms)))
