"""The bootstrap: fits the ratings of many resampled contests. Matches are resampled, never single games.

The games of a match share their opening, so they are not independent. A resampled contest gives each pattern of the
tally (see ``tally.py``) a random weight, which is the sum of as many exponential variables as the pattern has matches:
Rubin, "The Bayesian bootstrap" (1981). Drawing matches with replacement would have the same mean and variance. But in
small contests it leaves out players and makes others win all their games, and then the likelihood has no maximum.

Each fit begins at the parameters that fit the real contest, and takes a few Newton steps, all with the same Hessian,
which follows from the weights of the resampled contest. Many contests are fitted at once: Andrews, "Higher-order
improvements of a computationally attractive k-step bootstrap" (2002).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy

from hinterland.evidence.likelihood import ELO, make_definite

if TYPE_CHECKING:
    from hinterland.evidence.choices import Choices, Floats
    from hinterland.evidence.likelihood import Fit

REPLICATES = 1000
BATCH_CELLS = 4_000_000
"""Numbers held at a time."""
MAX_CHANCES, MIN_REPLICATES = 100_000_000, 200
"""MAX_CHANCES: limit of the number of resampled contests times the number of sets that can be chosen (see
``choices.py``). At least MIN_REPLICATES contests are resampled in any case."""
NEWTON_STEPS = 6
MAX_STANDARD_ERRORS = 3.2
"""Largest distance of an interval's end from the rating, in standard errors. The quantiles of a thousand resampled
contests lie no farther out."""
STEP_TOLERANCE = 1.0 / ELO
"""The iteration ends with a Newton step shorter than this, which is one Elo."""


def replicates(choices: Choices, found: Fit, rng: np.random.Generator, count: int = REPLICATES) -> Floats:
    """Return the parameters fitted to resampled contests, (contests, K).

    There are ``count`` contests, or fewer if games of many players can end in very many ways: see ``MAX_CHANCES``.
    """
    count = min(count, max(MIN_REPLICATES, MAX_CHANCES // max(len(choices.menu_of), 1)))
    width = max(len(choices.menu_of), len(choices.patterns), choices.parameters**2)
    batch = max(1, min(count, BATCH_CELLS // width))
    curvatures = choices.curvatures(found.parameters)
    sizes = [min(batch, count - begun) for begun in range(0, count, batch)]
    return np.concatenate([_draw_batch(choices, found, curvatures, rng, size) for size in sizes])


def interval(elo: Floats, drawn: Floats, matches: np.ndarray) -> tuple[Floats, Floats]:
    """Return the lower and upper ends of the 95 % intervals of n players, (n,) each.

    ``elo``: ratings, (n,); ``drawn``: ratings in resampled contests, (contests, n); ``matches``: number of matches of
    each player, (n,). The ends are quantiles of ``drawn``. With few matches, 2.5 % and 97.5 % would make the intervals
    too narrow, so quantiles farther out are taken, which follow from Student's distribution: Hesterberg, "What teachers
    should know about the bootstrap" (2015), section 3.5.
    """
    matches = np.maximum(matches, 2)
    tails = scipy.special.ndtr(-np.sqrt((matches + 1) / (matches - 1)) * scipy.special.stdtrit(matches - 1, 0.975))
    ends = [np.quantile(column, (tail, 1 - tail)) for column, tail in zip(drawn.T, tails, strict=True)]
    low, high = np.array(ends).reshape(-1, 2).T
    return np.minimum(low, elo), np.maximum(high, elo)


def interval_of_fit(elo: Floats, errors: Floats, matches: np.ndarray) -> tuple[Floats, Floats]:
    """Return the lower and upper ends of the 95 % intervals, (n,) each, from standard errors instead of a bootstrap."""
    matches = np.maximum(matches, 2)
    spreads = np.sqrt((matches + 1) / (matches - 1)) * scipy.special.stdtrit(matches - 1, 0.975)
    reach = np.minimum(spreads, MAX_STANDARD_ERRORS) * errors
    return elo - reach, elo + reach


def _draw_batch(choices: Choices, found: Fit, curvatures: Floats, rng: np.random.Generator, count: int) -> Floats:
    weights = rng.standard_gamma(choices.counts, (count, len(choices.counts))).T
    menus, taken = choices.offered.T @ weights, choices.taken.T @ weights
    size = choices.parameters
    bent = make_definite(choices, (curvatures @ menus).T.reshape(count, size, size), found.prior)
    inverse = np.linalg.inv(bent)
    centre = found.prior**-0.5 * rng.standard_normal((size, count)) if found.prior else np.zeros((size, count))
    of_menu = menus[choices.menu_of]
    at = np.repeat(found.parameters[:, None], count, axis=1)
    chances = choices.chances(found.parameters)[:, None]
    for _ in range(NEWTON_STEPS):
        slope = taken - choices.features.T @ (chances * of_menu) - found.prior * (at - centre)
        step = np.einsum("bij,jb->ib", inverse, slope)
        step *= np.minimum(1.0, 1.0 / np.maximum(np.abs(step).max(axis=0), 1e-300))
        at += step
        if np.abs(step).max() < STEP_TOLERANCE:
            break
        chances = choices.chances(at)
    return at.T
