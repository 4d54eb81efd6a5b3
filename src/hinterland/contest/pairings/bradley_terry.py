"""Estimates of strengths from results, with their covariance.

R. Bradley and M. Terry, "Rank analysis of incomplete block designs" (1952): player i beats j with the probability
1 / (1 + exp(s_j - s_i)). A draw is half a win and half a loss. With a normal prior of mean 0 the most probable
strengths are unique, even if a player won everything; the curvature there gives the covariance (Laplace).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

PRIOR_SPREAD = 1.5
"""Prior standard deviation of strengths; a player 1.5 stronger than another wins four times of five."""
MAX_STEP = 2.0
STEP_TOLERANCE = 1e-9


class Strengths(NamedTuple):
    """A normal distribution of strengths."""

    mean: np.ndarray
    """float64[players]; the sum is 0."""
    covariance: np.ndarray
    """float64[players, players]."""


def fit(wins: np.ndarray) -> Strengths:
    """Estimate strengths. ``wins``: float64[players, players], the row's wins against the column, draws as halves."""
    played = wins + wins.T
    mean = np.zeros(len(wins))
    step = np.ones(1)
    while np.abs(step).max() > STEP_TOLERANCE:
        chances = win_chances(mean)
        slope = (wins - played * chances).sum(axis=1) - mean / PRIOR_SPREAD**2
        step = np.linalg.solve(_curvature(played, chances), slope)
        mean = mean + step * min(1.0, MAX_STEP / max(np.abs(step).max(), STEP_TOLERANCE))
    return Strengths(mean, np.linalg.inv(_curvature(played, win_chances(mean))))


def win_chances(strengths: np.ndarray) -> np.ndarray:
    """Return the probability that the row's player beats the column's: float64[players, players]."""
    chances: np.ndarray = 1 / (1 + np.exp(strengths - strengths[:, None]))
    return chances


def _curvature(played: np.ndarray, chances: np.ndarray) -> np.ndarray:
    information = played * chances * (1 - chances)
    curvature: np.ndarray = np.diag(information.sum(axis=1) + PRIOR_SPREAD**-2) - information
    return curvature
