"""Orientation is exact: near-degenerate triples against fractions; order types are recognised, others refused."""

import math
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dots.oracle_dots import cross, turn
from dots.some_boards import AROUND, circle, small_boards
from hinterland.dots import Rules
from hinterland.dots.points.orientation import orientation, signs
from hinterland.errors import RulesError

TRIPLES = 50_000


def near_degenerate(rng):
    """Yield triples that are on one line but for a few last bits, at all sizes a float can have."""
    starts = rng.random((TRIPLES, 1, 2)) - 0.5
    ways = rng.random((TRIPLES, 1, 2)) - 0.5
    points = starts + rng.choice([0.0, 0.25, 0.5, 1.0, 1.5, 3.0], (TRIPLES, 3, 1)) * ways
    shaken = points.view(np.int64) + rng.integers(-2, 3, points.shape)
    yield from np.ldexp(shaken.view(np.float64), rng.integers(-1070, 1020, (TRIPLES, 1, 1))).tolist()


@pytest.mark.once
def test_near_degenerate_triples_have_the_right_sign(rng):
    seen = {-1: 0, 0: 0, 1: 0}
    for points in near_degenerate(rng):
        sign = turn(*points)
        seen[sign] += 1
        assert orientation(*points) == sign, points
    assert min(seen.values()) > TRIPLES // 100, "lines and both turns were among them"


@pytest.mark.parametrize(
    "points",
    [
        [(1e308, 1e308), (-1e308, -1e308), (1e308, -1e308)],
        [(1e308, 1e308), (-1e308, -1e308), (math.nextafter(1e308, 0), 1e308)],
        [(5e-324, 0.0), (0.0, 5e-324), (0.0, 0.0)],
        [(0.0, 0.0), (5e-324, 5e-324), (1e308, math.nextafter(1e308, 0))],
        [(0.1, 0.1), (0.2, 0.2), (0.3, 0.3)],
        [(0.0, 0.0), (1.0, 1.0), (2.0, math.nextafter(2.0, 3.0))],
    ],
)
def test_the_ends_of_what_a_float_can_be(points):
    for turned in permutations(points):
        assert orientation(*turned) == turn(*turned)


coordinates = st.floats(allow_nan=False, allow_infinity=False)


@given(st.tuples(*[st.tuples(coordinates, coordinates)] * 3))
def test_any_three_dots(points):
    assert orientation(*points) == turn(*points)


@pytest.mark.parametrize("rules", [AROUND, circle(6), *small_boards(8)], ids=lambda rules: str(rules.dots))
def test_crossing_lines_cross(rules):
    lines = list(combinations(range(rules.dots), 2))
    assert list(rules.segments.ends) == lines
    for line, ends in enumerate(lines):
        crossed = {other for number, other in enumerate(lines) if rules.segments.crossed[line] >> number & 1}
        assert crossed == {other for other in lines if cross(rules.points, ends, other)}


@pytest.mark.parametrize("rules", [AROUND, *small_boards(16, least=3, most=9)], ids=lambda rules: str(rules.dots))
def test_a_board_is_given_by_its_orientations(rules):
    twin = Rules(orientations=rules.signs)
    assert twin.dots == rules.dots
    assert twin.segments == rules.segments
    assert Rules.parse(str(twin)) == twin
    assert eval(repr(twin)) == twin


def drawn(rng, dots):
    """Return random points."""
    return [tuple(point) for point in rng.random((dots, 2)).tolist()]


def realisable(wanted, rng, tries=4000):
    """Say whether random dots were found that turn like this."""
    return any(signs(drawn(rng, 4)) == wanted for _ in range(tries))


def test_the_axioms_refuse_what_no_four_dots_do(rng):
    """Of the 16 patterns of four dots two cannot be; the others are found by drawing."""
    refused = []
    for bits in range(16):
        chosen = "".join("+-"[bits >> k & 1] for k in range(4))
        try:
            Rules(orientations=chosen)
        except RulesError as error:
            assert str(error).startswith("no dots have these orientations")
            refused.append(chosen)
        else:
            assert realisable(chosen, rng)
    assert sorted(refused) == ["+-+-", "-+-+"]


def test_the_axioms_on_five_dots_are_those_of_all_fours_and_of_counting():
    """264 of the 1024 patterns of five dots are those of dots (Knuth, Axioms and Hulls, 1992: 14, 264, 13,496)."""
    accepted = 0
    for bits in range(1024):
        try:
            Rules(orientations="".join("+-"[bits >> k & 1] for k in range(10)))
            accepted += 1
        except RulesError:
            pass
    assert accepted == 264


def test_a_turned_triple_is_refused_unless_its_dots_can_pass_one_another():
    rules = small_boards(1, least=9, most=9)[0]
    outcomes = set()
    for k, sign in enumerate(rules.signs):
        turned = rules.signs[:k] + {"+": "-", "-": "+"}[sign] + rules.signs[k + 1 :]
        try:
            assert Rules(orientations=turned).segments != rules.segments
            outcomes.add("allowed")
        except RulesError:
            outcomes.add("refused")
    assert outcomes == {"allowed", "refused"}


def test_the_signs_are_in_lexicographic_order(rng):
    points = drawn(rng, 6)
    told = signs(points)
    assert told == "".join("+" if turn(*triple) > 0 else "-" for triple in combinations(points, 3))
