"""The sign of sums of fractions, against fractions."""

from fractions import Fraction

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from hinterland.gravity.area.exact_sums import LARGEST_SQUARE, sign_of_sum

terms = st.lists(st.tuples(st.integers(-1_000_000, 1_000_000), st.integers(1, LARGEST_SQUARE)), max_size=24)
small_terms = st.lists(st.tuples(st.integers(-6, 6), st.integers(1, 12)), max_size=8)


def sign(found):
    total = sum((Fraction(top, bottom) for top, bottom in found), Fraction(0))
    return (total > 0) - (total < 0)


def computed(found):
    tops = np.array([top for top, _ in found], dtype=np.int64)
    bottoms = np.array([bottom for _, bottom in found], dtype=np.int64)
    return sign_of_sum(tops, bottoms, len(found))


@given(terms)
@example([(1_000_000, LARGEST_SQUARE)] * 12 + [(-999_999, LARGEST_SQUARE - 1)] * 12)
def test_any_terms(found):
    assert computed(found) == sign(found)


@given(small_terms)
@example([(1, 4), (-1, 8), (-1, 8)])
@example([(1, 2), (1, 3), (1, 6), (-1, 1)])
def test_small_terms_which_often_cancel(found):
    assert computed(found) == sign(found)


@given(terms.filter(bool))
def test_a_sum_and_its_negative_cancel_but_for_the_least_unit(found):
    mirrored = found + [(-top, bottom) for top, bottom in reversed(found)]
    assert computed(mirrored) == 0
    assert computed([*mirrored, (1, LARGEST_SQUARE)]) == 1
    assert computed([*mirrored, (-1, LARGEST_SQUARE)]) == -1
