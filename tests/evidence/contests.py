"""Random contests from known strengths, in plain Python and NumPy."""

import numpy as np

from hinterland.evidence.tally import GameResult, MatchResult, Tally

WHOLE = 10**9
FIRST, TIE, SECOND = (0, 1), (0, 0), (1, 0)
RANKS = (FIRST, TIE, SECOND)


def game(seats, ranks, **more):
    """Make a game in which the first-ranked players share all scores."""
    best = ranks.count(0)
    return GameResult(tuple(seats), tuple(ranks), tuple(WHOLE // best * (rank == 0) for rank in ranks), **more)


def match_of_two(one, other, first, second, **more):
    """Make a match of two games; ``first``, ``second``: ranks of the games that ``one`` and ``other`` begin."""
    return MatchResult((game((one, other), first), game((other, one), second)), **more)


def chances(ahead, tie):
    """Return (..., 3): Davidson's chances of the first seat to win, tie and lose; ``ahead``: its lead in nats."""
    worths = np.stack([np.exp(ahead / 2), np.full_like(ahead, tie), np.exp(-ahead / 2)], axis=-1)
    return worths / worths.sum(axis=-1, keepdims=True)


def outcomes(one, other, seat=0.0, tie=0.6, opening=0.0):
    """Return the chances of the nine outcomes of a match, flat: ranks of its first game, then of its second.

    ``opening``: standard deviation over openings of the first seat's value, in nats; 0 for independent games.
    """
    points, weights = np.polynomial.hermite_e.hermegauss(21)
    first = chances(one - other + seat + opening * points, tie)
    second = chances(other - one + seat + opening * points, tie)
    return np.einsum("k,ka,kb->ab", weights / weights.sum(), first, second).ravel()


def round_robin(strengths, counts):
    """Make the tally of a contest; ``counts`` returns the matches of a pair with each of the nine outcomes."""
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
