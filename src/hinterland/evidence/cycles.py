"""What ratings cannot express: cycles, mixtures of players that nobody beats, evolution, unexplained log-odds.

For n players, matrices (n, n) hold at [i, j] what player i achieved against player j. ``odds[i, j]``, which equals
``-odds[j, i]``, is the log-odds, in nats, that player i beats player j; NaN if the two did not meet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy

if TYPE_CHECKING:
    from hinterland.evidence.choices import Floats
    from hinterland.evidence.tally import Tally


def points(tally: Tally) -> tuple[Floats, Floats]:
    """Return the points of the row's player against the column's, and the number of games of the two: (n, n) each.

    A game of more than two players counts as one game of each pair of them, which the better rank wins; if two share a
    rank, each gets half a point.
    """
    scored, played = np.zeros((2, len(tally.names), len(tally.names)))
    for pattern, times in tally.patterns.items():
        for seats, ranks in pattern:
            for own, rank in zip(seats, ranks, strict=True):
                for other, its in zip(seats, ranks, strict=True):
                    if own != other:
                        scored[own, other] += times * (1.0 if rank < its else 0.5 if rank == its else 0.0)
                        played[own, other] += times
    return scored, played


def log_odds(tally: Tally) -> tuple[Floats, Floats]:
    """Return the log-odds of each pair, and their weights: (n, n) each.

    A weight is the inverse of the variance of the log-odds, if games are independent. Half a point is added to each
    side, so that odds are finite: Haldane, "The estimation and significance of the logarithm of a ratio of frequencies"
    (1956).
    """
    scored, played = points(tally)
    share = (scored + 0.5) / (played + 1)
    odds = np.where(played > 0, np.log(share / (1 - share)), np.nan)
    return odds, played * share * (1 - share)


def beyond_ladders(odds: Floats, weights: Floats) -> float:
    """Return the fraction of the sum of squared log-odds that no ratings can explain, from 0 to 1.

    The part that ratings explain is the weighted least-squares fit of the log-odds by differences of ratings, which is
    the gradient part of the Hodge decomposition: Jiang, Lim, Yao and Ye, "Statistical ranking and combinatorial Hodge
    theory" (2011), section 4.
    """
    one, other = np.nonzero(np.triu(np.isfinite(odds), 1) & (weights > 0))
    root = np.sqrt(weights[one, other])
    differences = (np.eye(len(odds))[one] - np.eye(len(odds))[other]) * root[:, None]
    flow = odds[one, other] * root
    ladder = np.linalg.lstsq(differences, flow, rcond=None)[0]
    whole = float(flow @ flow)
    return float(np.sum((flow - differences @ ladder) ** 2)) / whole if whole > 0 else 0.0


def nash_average(odds: Floats) -> Floats:
    """Return the mixture of players that loses to nobody: the share of each player in it, (n,).

    Of several such mixtures it is the one with the most entropy: Balduzzi, Tuyls, Perolat and Graepel, "Re-evaluating
    evaluation" (2018), section 3. A linear program excludes the players that are in no such mixture. The shares of the
    others follow from the dual of maximising the entropy. Pairs that did not meet count as even.
    """
    game = np.nan_to_num(np.asarray(odds, dtype=float))
    game = game / max(np.abs(game).max(initial=0.0), 1e-300)
    inside = _support(game)
    rows, others = game[np.ix_(inside, inside)], game[np.ix_(~inside, inside)]
    tilts = np.vstack([rows, others])
    bounds = [(None, None)] * len(rows) + [(0, None)] * len(others)

    def loss(x: Floats) -> tuple[float, Floats]:
        tilted = -x @ tilts
        worths = np.exp(tilted - tilted.max())
        mixture = worths / worths.sum()
        return float(np.log(worths.sum()) + tilted.max()), -tilts @ mixture

    options = {"ftol": 1e-15, "gtol": 1e-9, "maxiter": 10_000, "maxfun": 100_000}
    best = scipy.optimize.minimize(
        loss, np.zeros(len(tilts)), jac=True, bounds=bounds, method="L-BFGS-B", options=options
    ).x
    mixture = np.zeros(len(game))
    tilted = -best @ tilts
    mixture[inside] = np.exp(tilted - tilted.max())
    return np.asarray(mixture / mixture.sum())


def _support(game: Floats) -> np.ndarray:
    """Say for each player whether some mixture that loses to nobody contains it, bool[n]."""
    count = len(game)
    losing = np.hstack([game, np.zeros((count, count))])
    cut = np.hstack([-np.eye(count), np.eye(count)])
    found = scipy.optimize.linprog(
        np.r_[np.zeros(count), -np.ones(count)],
        A_ub=np.vstack([losing, cut]),
        b_ub=np.zeros(2 * count),
        bounds=[(0, None)] * count + [(0, 1)] * count,
    )
    return np.asarray(found.x[count:] > 0.5)


def alpha_rank(payoffs: Floats, alpha: float = 100.0, population: int = 50) -> Floats:
    """Return the share of time that an evolving population consists of each player, (n,).

    ``payoffs``: (n, n), the payoff of the row's player against the column's; ``alpha``: intensity of selection;
    ``population``: number of individuals. All individuals are copies of one player, until a copy of another player
    appears, and either takes over or dies out: Omidshafiei et al., "alpha-Rank: multi-agent evaluation by evolution"
    (2019), equations 9 to 11 for one population.
    """
    gain = alpha * (payoffs.T - payoffs)  # [i, j]: the advantage of a copy of j among copies of i
    whole = np.expm1(-population * np.abs(gain), where=gain != 0, out=np.ones_like(gain))
    fixed = np.expm1(-np.abs(gain)) / whole * np.exp((population - 1) * np.minimum(gain, 0.0))
    fixed = np.where(gain == 0, 1 / population, fixed)
    moves = fixed / max(len(payoffs) - 1, 1)
    np.fill_diagonal(moves, 0.0)
    return _stationary(moves)


def _stationary(moves: Floats) -> Floats:
    """Return the stationary distribution of a Markov chain; ``moves``: chances from the row's state to the column's.

    The diagonal of ``moves`` is not used. States are eliminated one by one, without subtractions, so that tiny chances
    keep their digits: Grassmann, Taksar and Heyman, "Regenerative analysis and steady state distributions for Markov
    chains" (1985).
    """
    rates = np.maximum(moves, 1e-300)
    for last in range(len(rates) - 1, 0, -1):
        rates[:last, last] /= rates[last, :last].sum()
        rates[:last, :last] += rates[:last, last, None] * rates[last, :last]
    spent = np.ones(1)
    for state in range(1, len(rates)):
        spent = np.append(spent, spent @ rates[:state, state])
    return np.asarray(spent / spent.sum())


def cycle(beats: np.ndarray) -> list[int]:
    """Return a shortest cycle of players that each beat the next, [] if there is none; ``beats``: bool (n, n)."""
    best: list[int] = []
    for start in _players_in_cycles(beats):
        paths = {start: [start]}
        waiting = [start]
        while waiting:
            at = waiting.pop(0)
            if beats[at, start] and (not best or len(paths[at]) < len(best)):
                best = paths[at]
            for after in np.flatnonzero(beats[at]).tolist():
                if after not in paths:
                    paths[after] = [*paths[at], after]
                    waiting.append(after)
    return best


def _players_in_cycles(beats: np.ndarray) -> list[int]:
    """Return the players that are in a cycle."""
    _, part = scipy.sparse.csgraph.connected_components(beats, directed=True, connection="strong")
    return [player for player in range(len(beats)) if (part == part[player]).sum() > 1]
