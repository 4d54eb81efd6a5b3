"""Intervals against printed tables, exact fractions, and integrals that do not import the code under test."""

import math
from fractions import Fraction

import pytest

from hinterland.evidence.intervals import newcombe, student, wilson


@pytest.mark.parametrize(("won", "played"), [(0, 1), (3, 5), (14, 20), (20, 20), (999, 1000)])
def test_wilsons_bounds_are_the_shares_that_lie_just_so_far_off(won, played):
    z = Fraction(1959964, 10**6)
    for bound, trivial in zip(wilson(won, played), (won == 0, won == played), strict=True):
        share = Fraction(bound)
        off = (Fraction(won, played) - share) ** 2 - z**2 * share * (1 - share) / played
        assert bound == round(bound) if trivial else abs(off) < 1e-12


@pytest.mark.parametrize(
    ("won", "played", "low", "high"),
    [
        (0, 0, 0.0, 1.0),
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (84, 100, 0.7558, 0.8990),
        (500, 1000, 0.4691, 0.5309),
    ],
)
def test_wilsons_bounds_are_the_printed_ones(won, played, low, high):
    assert wilson(won, played) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize(
    ("won", "played", "other_won", "other_played", "low", "high"),
    [
        (56, 70, 48, 80, 0.0524, 0.3339),  # as printed by Newcombe (1998), table II, method 10
        (9, 10, 3, 10, 0.1705, 0.8090),
        (6, 7, 2, 7, 0.0582, 0.8062),
        (5, 56, 0, 29, -0.0381, 0.1926),
        (0, 10, 0, 20, -0.1611, 0.2775),
        (10, 10, 0, 20, 0.6791, 1.0),
        (1, 2, 0, 0, -1.0, 1.0),
    ],
)
def test_newcombes_bounds_are_the_printed_ones(won, played, other_won, other_played, low, high):
    assert newcombe(won, played, other_won, other_played) == pytest.approx((low, high), abs=5e-5)


def quantile(freedom):
    """Derive Student's t from the interval of shares with a known spread."""
    shares = [0.25, 0.75] * ((freedom + 1) // 2) + [0.5] * ((freedom + 1) % 2)
    low, high = student(shares)
    spread = math.sqrt(sum((share - 0.5) ** 2 for share in shares) / freedom / len(shares))
    return (high - low) / 2 / spread


@pytest.mark.parametrize(
    ("freedom", "t"), [(3, 3.182), (4, 2.776), (9, 2.262), (19, 2.093), (20, 2.086), (60, 2.000), (1000, 1.962)]
)
def test_students_quantiles_are_those_of_the_printed_tables(freedom, t):
    assert quantile(freedom) == pytest.approx(t, abs=6e-4)


@pytest.mark.parametrize("freedom", [4, 7, 30, 301])
def test_student_holds_95_percent_of_his_distribution(freedom):
    """Simpson's rule over the density, in plain Python."""
    t, steps = quantile(freedom), 2000
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(freedom * math.pi)
    density = [scale * (1 + (t * k / steps) ** 2 / freedom) ** (-(freedom + 1) / 2) for k in range(steps + 1)]
    inner = 4 * sum(density[1:-1:2]) + 2 * sum(density[2:-1:2])
    assert 2 * t / steps / 3 * (density[0] + inner + density[-1]) == pytest.approx(0.95, abs=1e-9)


def test_the_interval_of_a_mean_is_students():
    # Student's sleep data of 1908, soporific 2 less 1, divided by ten: mean 0.158, interval 0.0700 to 0.2460.
    shares = [0.12, 0.24, 0.13, 0.13, 0.0, 0.1, 0.18, 0.08, 0.46, 0.14]
    assert student(shares) == pytest.approx((0.0700, 0.2460), abs=5e-5)
    assert student(shares[:1]) is None
    assert student([0.0, 1.0]) == (0.0, 1.0)
    assert student([0.5] * 4) == (0.5, 0.5)
