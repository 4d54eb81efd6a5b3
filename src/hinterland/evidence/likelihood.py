"""Maximum likelihood by Newton's method: fits all ratings, also those by which a contest pairs its players.

``fit`` rates players from whole games, with ties and seats. ``fit_pairs`` rates players from the points of each pair,
by the model of Bradley and Terry, "Rank analysis of incomplete block designs" (1952): player i beats player j with the
probability 1 / (1 + exp(s_j - s_i)), where s are the strengths.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

if TYPE_CHECKING:
    from hinterland.evidence.choices import Choices, Floats

ELO = 400 / np.log(10)
"""Number of Elo in a nat: a lead of 400 Elo means odds of ten to one."""
PRIOR_SPREAD = 1000 / ELO
"""Standard deviation, in nats, of the prior that is used if the likelihood has no maximum: 1000 Elo."""
MAX_STEPS = 30
"""Largest number of Newton steps. Each step doubles the number of right digits, so a maximum that is not found by then
does not exist."""
MAX_STEP = 3.0
"""Longest step, in nats."""


class Model(Protocol):
    """A concave log-likelihood of counts, with its gradient and its negative Hessian."""

    @property
    def parameters(self) -> int: ...
    @property
    def held(self) -> Floats: ...
    def log_likelihood(self, parameters: Floats, counts: Floats) -> float: ...
    def slope(self, parameters: Floats, counts: Floats) -> Floats: ...
    def hessian(self, parameters: Floats, counts: Floats) -> Floats: ...


class Fit(NamedTuple):
    """The parameters that fit best."""

    parameters: Floats
    """Parameters in nats, (K,); the strengths in each pool add up to 0."""
    covariance: Floats
    """Covariance of the K parameters, (K, K): the sandwich estimator, from the Hessian and the scores of whole matches.
    This estimator allows games of one match to depend on one another: White, "Maximum likelihood estimation of
    misspecified models" (1982); for clusters, Liang and Zeger, "Longitudinal data analysis using generalized linear
    models" (1986)."""
    hessian: Floats
    """(K, K): the negative Hessian, the prior included, made definite along the free directions (see
    ``Choices.free``)."""
    prior: float
    """Precision of the prior, which is 1 / variance; 0 if no prior was needed."""


def fit(choices: Choices) -> Fit:
    """Return the parameters of maximum likelihood, with a prior if the likelihood has no maximum.

    The likelihood has no maximum if a player won or lost all games: Ford, "Solution of a ranking problem from binary
    comparisons" (1957). Newton's steps then never become short. The prior is normal with a standard deviation of 1000
    Elo.
    """
    found = _maximise(choices, choices.counts, 0.0) if choices.is_bounded else None
    prior = 0.0
    if found is None:
        prior = PRIOR_SPREAD**-2
        found = _maximise(choices, choices.counts, prior)
        assert found is not None  # with a prior the maximum exists
    bent = make_definite(choices, choices.hessian(found, choices.counts), prior)
    inverse = np.linalg.inv(bent)
    moved = inverse @ (choices.scores(found) * np.sqrt(choices.counts)[:, None]).T
    # sums of squares: no variance is rounded to less than 0
    return Fit(found, moved @ moved.T + prior * (inverse @ inverse.T), bent, prior)


class Strengths(NamedTuple):
    """A normal distribution of strengths."""

    mean: Floats
    """Mean strengths in nats, (n,); they add up to 0."""
    covariance: Floats
    """Covariance of the strengths, (n, n)."""


def fit_pairs(wins: Floats, prior_spread: float) -> Strengths:
    """Return the most probable strengths of n players, and their covariance by Laplace's approximation.

    ``wins``: (n, n), wins of the row's player against the column's, where a draw counts half. ``prior_spread``:
    standard deviation, in nats, of a normal prior of mean 0. With the prior, the strengths are unique even if a player
    won everything.
    """
    pairs, prior = _Pairs(len(wins)), prior_spread**-2
    mean = _maximise(pairs, wins, prior)
    assert mean is not None  # with a prior the maximum exists
    return Strengths(mean, np.asarray(np.linalg.inv(make_definite(pairs, pairs.hessian(mean, wins), prior))))


def win_chances(strengths: Floats) -> Floats:
    """Return the probability that the row's player beats the column's, (n, n); ``strengths``: (n,)."""
    return np.asarray(1 / (1 + np.exp(strengths - strengths[:, None])))


class _Pairs(NamedTuple):
    """The model of Bradley and Terry; counts are wins of the row's player against the column's, (n, n)."""

    parameters: int

    @property
    def held(self) -> Floats:
        return np.zeros((self.parameters, self.parameters))

    def log_likelihood(self, parameters: Floats, counts: Floats) -> float:
        return -float((counts * np.logaddexp(0, parameters - parameters[:, None])).sum())

    def slope(self, parameters: Floats, counts: Floats) -> Floats:
        return np.asarray((counts - (counts + counts.T) * win_chances(parameters)).sum(axis=1))

    def hessian(self, parameters: Floats, counts: Floats) -> Floats:
        chances = win_chances(parameters)
        information = (counts + counts.T) * chances * (1 - chances)
        return np.asarray(np.diag(information.sum(axis=1)) - information)


def make_definite(model: Model, hessian: Floats, prior: float) -> Floats:
    """Add the prior to negative Hessians, (..., K, K), and make them definite along the model's free directions."""
    return np.asarray(hessian + model.held + prior * np.eye(model.parameters))


def _maximise(model: Model, counts: Floats, prior: float) -> Floats | None:
    at: Floats = np.zeros(model.parameters)
    value = model.log_likelihood(at, counts)
    length = 1.0
    for _ in range(4 * MAX_STEPS if prior else MAX_STEPS):
        slope = model.slope(at, counts) - prior * at
        try:
            step = np.linalg.solve(make_definite(model, model.hessian(at, counts), prior), slope).astype(float)
        except np.linalg.LinAlgError:
            return None
        step *= min(1.0, MAX_STEP / max(float(np.abs(step).max()), 1e-300))
        length = float(np.abs(step).max())
        at, value = _step_uphill(model, at, counts, step, value, prior)
        if length < 1e-9:
            break
    return at if length < 1e-6 else None


def _step_uphill(
    model: Model, at: Floats, counts: Floats, step: Floats, value: float, prior: float
) -> tuple[Floats, float]:
    """Take a step from ``at``, halving it until the likelihood does not fall; return the new place and its value."""
    for _ in range(40):
        ahead = at + step
        there = model.log_likelihood(ahead, counts) - prior * float(ahead @ ahead) / 2
        if there >= value - 1e-9 * (1 + abs(value)):
            return ahead, there
        step = step / 2
    return at, value
