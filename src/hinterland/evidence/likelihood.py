"""Maximum likelihood by Newton's method, for one set of counts and for many at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from hinterland.evidence.choices import Choices, Floats

ELO = 400 / np.log(10)
"""Elo units in a nat: with 400 of them the odds are ten to one."""
PRIOR_SPREAD = 1000 / ELO
"""Standard deviation, in nats, of the prior used if there is no maximum: 1000 Elo."""
MAX_STEPS = 30
"""Newton's method doubles the digits with every step; a maximum not found by then does not exist."""
MAX_STEP = 3.0
"""Longest step, in nats."""


class Fit(NamedTuple):
    """The parameters that fit best."""

    parameters: Floats
    """(K,), nats; strengths add up to 0 in each pool."""
    covariance: Floats
    """(K, K): the sandwich of the Hessian and of the scores of whole matches, so that games of one match may depend on
    one another: White, "Maximum likelihood estimation of misspecified models" (1982); for clusters, Liang and Zeger,
    "Longitudinal data analysis using generalized linear models" (1986)."""
    hessian: Floats
    """(K, K): the negative Hessian with the prior's, made definite along the free directions."""
    prior: float
    """Precision of the prior; 0 if none was needed."""


def fit(choices: Choices) -> Fit:
    """Return the parameters of maximum likelihood, with a prior if the likelihood has no maximum.

    It has none if a player won or lost all games: Ford, "Solution of a ranking problem from binary comparisons" (1957).
    Newton's steps then never become short. The prior is normal with a standard deviation of 1000 Elo.
    """
    found = _maximise(choices, 0.0) if choices.is_bounded else None
    prior = 0.0
    if found is None:
        prior = PRIOR_SPREAD**-2
        found = _maximise(choices, prior)
        assert found is not None  # with a prior the maximum exists
    bent = make_definite(choices, choices.hessian(found, choices.counts), prior)
    inverse = np.linalg.inv(bent)
    moved = inverse @ (choices.scores(found) * np.sqrt(choices.counts)[:, None]).T
    # sums of squares: no variance is rounded to less than 0
    return Fit(found, moved @ moved.T + prior * (inverse @ inverse.T), bent, prior)


def make_definite(choices: Choices, hessian: Floats, prior: float) -> Floats:
    """Add the prior to Hessians, (..., K, K), and make them definite along the free directions, for Newton steps."""
    return np.asarray(hessian + choices.held + prior * np.eye(choices.parameters))


def _maximise(choices: Choices, prior: float) -> Floats | None:
    at: Floats = np.zeros(choices.parameters)
    if not len(choices.menu_of):
        return at
    value = choices.log_likelihood(at, choices.counts)
    length = 1.0
    for _ in range(4 * MAX_STEPS if prior else MAX_STEPS):
        slope = choices.slope(at, choices.counts) - prior * at
        try:
            step = np.linalg.solve(make_definite(choices, choices.hessian(at, choices.counts), prior),
            slope).astype(float)
        except np.linalg.LinAlgError:
            return None
        step *= min(1.0, MAX_STEP / max(float(np.abs(step).max()), 1e-300))
        length = float(np.abs(step).max())
        at, value = _step_uphill(choices, at, step, value, prior)
        if length < 1e-9:
            break
    return at if length < 1e-6 else None


def _step_uphill(choices: Choices, at: Floats, step: Floats, value: float, prior: float) -> tuple[Floats, float]:
    """Go a step, halved until it does not lead down."""
    for _ in range(40):
        ahead = at + step
        there = choices.log_likelihood(ahead, choices.counts) - prior * float(ahead @ ahead) / 2
        if there >= value - 1e-9 * (1 + abs(value)):
            return ahead, there
        step = step / 2
    return at, value
