"""Planes of every seat equal those that plain Python counts."""

import numpy as np
import pytest

import oracle_gravity
from hinterland import dots, graph, gravity
from hinterland.errors import RulesError


@pytest.mark.parametrize("law", ["gravity", "nearest"])
@pytest.mark.parametrize(("players", "weight"), [(2, None), (3, 5)])
def test_gravity_is_seen_as_it_is(players, weight, law, rng):
    rules = gravity.Rules(size=7, players=players, stones=3, spacing=2, weight=weight, law=law)
    position = rules.start()
    while position.to_move is not None:
        for seat in range(players):
            check_gravity(position, position.planes(seat), seat)
        np.testing.assert_array_equal(position.planes(), position.planes(position.to_move))
        position = position.play(position.legal_moves.sample(rng))
    np.testing.assert_array_equal(position.planes(), position.planes(0))
    assert not position.planes()[-1].any()


def check_gravity(position, planes, seat):
    rules = position.rules
    assert planes.shape == (len(rules.planes), rules.size, rules.size)
    assert planes.dtype == np.float32
    stones = [[(s.row, s.col, s.weight) for who, s in position.moves if who == other] for other in range(rules.players)]
    owners = np.array(oracle_gravity.owners(stones, rules.size, rules.law)) if position.moves else None
    named = dict(zip(rules.planes, planes, strict=True))
    for ahead in range(rules.players):
        who = (seat + ahead) % rules.players
        name = "own" if ahead == 0 else f"seat +{ahead}"
        placed = np.zeros((rules.size, rules.size))
        for row, col, weight in stones[who]:
            placed[row, col] = weight / (rules.weight or 1)
        np.testing.assert_allclose(named[f"{name}: stones"], placed, rtol=1e-6)
        np.testing.assert_array_equal(named[f"{name}: cells"], 0 if owners is None else owners == who)
        np.testing.assert_allclose(named[f"{name}: stones left"], 1 - len(stones[who]) / rules.stones, rtol=1e-6)
        if rules.weight:
            spent = sum(weight for _, _, weight in stones[who])
            np.testing.assert_allclose(named[f"{name}: weight left"], 1 - spent / rules.weight, rtol=1e-6)
    for row in range(rules.size):
        for col in range(rules.size):
            near = any((row - r) ** 2 + (col - c) ** 2 < rules.spacing**2 for side in stones for r, c, _ in side)
            assert named["free"][row, col] == (not near)


def test_a_graph_is_seen_as_it_is():
    rules = graph.Rules(edges=[(0, 1, 1), (1, 2, 2), (3, 4, 1)], values=(3, 1, 4, 1, 5), tokens=2, players=2)
    position = rules.start().play(graph.Token(1)).play(graph.Token(3)).play(graph.Token(2))
    assert dict(zip(rules.planes, position.planes().tolist(), strict=True)) == {
        "own: tokens": [0, 0, 0, 1, 0],
        "own: vertices": [0, 0, 0, 1, 1],
        "own: tokens left": [0.5] * 5,
        "seat +1: tokens": [0, 1, 1, 0, 0],
        "seat +1: vertices": [1, 1, 1, 0, 0],
        "seat +1: tokens left": [0] * 5,
        "free": [1, 0, 0, 0, 1],
        "value": pytest.approx([0.6, 0.2, 0.8, 0.2, 1]),
    }
    other = dict(zip(rules.planes, position.planes(0).tolist(), strict=True))
    assert (other["own: vertices"], other["seat +1: tokens left"]) == ([1, 1, 1, 0, 0], [0.5] * 5)


def test_dots_are_seen_as_they_are():
    """A triangle with a dot inside, which two lines have joined to corners."""
    rules = dots.Rules(points=[(0, 0), (6, 0), (0, 6), (1, 1)])
    position = rules.start().play(dots.Line(0, 1)).play(dots.Line(0, 3))
    assert position.to_move == 0
    seen = dict(zip(rules.planes, position.planes().tolist(), strict=True))
    assert seen == {  # 01 02 03 12 13 23
        "drawn": [1, 0, 1, 0, 0, 0],
        "legal": [0, 1, 0, 1, 1, 1],
        "both dots are there": [1] * 6,
        "dots it would win": [0, 0, 0, 0, 0.75, 0],
        "own: dots won": [0] * 6,
        "seat +1: dots won": [0] * 6,
    }
    after = position.play(dots.Line(1, 3))
    seen = dict(zip(rules.planes, after.planes().tolist(), strict=True))
    assert after.to_move is None
    assert (seen["own: dots won"], seen["seat +1: dots won"]) == ([0.75] * 6, [0] * 6)
    assert after.planes(1)[4].tolist() == [0] * 6
    assert seen["both dots are there"] == [0] * 6


@pytest.mark.parametrize("seat", [-1, 2, "0", True])
def test_a_seat_that_is_not_there_sees_nothing(seat):
    with pytest.raises(RulesError, match=r"seats go from 0 to 1, .* is none of them"):
        gravity.Rules(size=9, spacing=2).start().planes(seat)
