"""The covariance matrix adaptation evolution strategy (CMA-ES), which minimises a function of several numbers.

Names and constants are those of Hansen, "The CMA Evolution Strategy: A Tutorial" (2016, arXiv:1604.00772), figure 6 and
table 1, with weights of 0 for the worse half of the samples.
"""

from __future__ import annotations

import math

import numpy as np


class CmaEs:
    """A normal distribution that moves to where the function is small. ``ask`` for samples, ``tell`` their values."""

    def __init__(self, mean: np.ndarray, step: float, rng: np.random.Generator) -> None:
        n = mean.size
        self.mean, self.step, self._rng = mean, step, rng
        self.samples = 4 + int(3 * math.log(n))
        weights = np.log((self.samples + 1) / 2) - np.log(np.arange(1, self.samples // 2 + 1))
        self._weights = weights / weights.sum()
        self._mass = 1 / float((self._weights**2).sum())
        mass = self._mass
        self._c_step = (mass + 2) / (n + mass + 5)
        self._damping = 1 + 2 * max(0.0, math.sqrt((mass - 1) / (n + 1)) - 1) + self._c_step
        self._c_path = (4 + mass / n) / (n + 4 + 2 * mass / n)
        self._c_one = 2 / ((n + 1.3) ** 2 + mass)
        self._c_mass = min(1 - self._c_one, 2 * (mass - 2 + 1 / mass) / ((n + 2) ** 2 + mass))
        self._length = math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n))
        self._step_path, self._path = np.zeros(n), np.zeros(n)
        self._covariance, self._axes, self._lengths = np.eye(n), np.eye(n), np.ones(n)
        self._generation = 0

    def ask(self) -> np.ndarray:
        """Draw samples: float64 (samples, n)."""
        drawn = self._rng.standard_normal((self.samples, self.mean.size))
        return np.asarray(self.mean + self.step * (drawn * self._lengths) @ self._axes.T)

    def tell(self, samples: np.ndarray, values: np.ndarray) -> None:
        """Move the distribution towards the samples of least value."""
        n, mass = self.mean.size, self._mass
        self._generation += 1
        chosen = (samples[np.argsort(values)[: self._weights.size]] - self.mean) / self.step
        moved = self._weights @ chosen
        self.mean = self.mean + self.step * moved
        whitened = self._axes @ ((self._axes.T @ moved) / self._lengths)
        kept = 1 - self._c_step
        self._step_path = kept * self._step_path + math.sqrt(self._c_step * (2 - self._c_step) * mass) * whitened
        length = float(np.linalg.norm(self._step_path))
        settled = math.sqrt(1 - kept ** (2 * self._generation))
        is_steady = length / settled < (1.4 + 2 / (n + 1)) * self._length
        grown = math.sqrt(self._c_path * (2 - self._c_path) * mass) * moved if is_steady else 0.0
        self._path = (1 - self._c_path) * self._path + grown
        lost = 0.0 if is_steady else self._c_path * (2 - self._c_path)
        self._covariance = (
            (1 - self._c_one * (1 - lost) - self._c_mass) * self._covariance
            + self._c_one * np.outer(self._path, self._path)
            + self._c_mass * (chosen.T * self._weights) @ chosen
        )
        self.step *= math.exp(min((self._c_step / self._damping) * (length / self._length - 1), 1.0))
        squares, self._axes = np.linalg.eigh((self._covariance + self._covariance.T) / 2)
        self._lengths = np.sqrt(np.maximum(squares, 1e-20))
