"""Boards played by kernels equal positions, move by move; bad input is refused and changes nothing."""

import re

import numpy as np
import pytest

from hinterland import dots, envs, graph, gravity
from hinterland.contract.batch import Batch
from hinterland.errors import HinterlandError, IllegalMove, RulesError, UnknownName
from hinterland.jit import JIT_ON

PATH = graph.Rules(edges=[(0, 1, 1), (1, 2, 2), (3, 4, 1)], values=(3, 1, 4, 1, 5), tokens=2)
SQUARE = dots.Rules(points=[(0, 0), (3, 0), (0, 3), (4, 5), (1, 1.5)])
STONES = [
    {"size": 10, "stones": 3, "spacing": 2},
    {"size": 10, "stones": 3, "spacing": 2, "law": "nearest"},
    {"size": 7, "stones": 3, "spacing": 1, "weight": 5},
    {"size": 9, "stones": 2, "spacing": 3, "weight": 2, "law": "nearest"},
    {"size": 2, "stones": 5, "spacing": 1},
    {"size": 5, "stones": 4, "spacing": 4},
    {"size": 11, "stones": 2, "spacing": 3, "players": 5},
    {"size": 8, "stones": 2, "spacing": 2, "players": 3, "weight": 3},
    {"size": 40, "stones": 2, "spacing": 9},
    {"size": 35, "stones": 2, "spacing": 9, "weight": 4, "law": "nearest"},
]
pytestmark = pytest.mark.compiles
RULES = [*(gravity.Rules(**options) for options in STONES), PATH, SQUARE]
BOARDS = 30 if JIT_ON else 3


@pytest.mark.parametrize("reward", ["share", "win"])
@pytest.mark.parametrize("rules", RULES, ids=lambda rules: str(rules)[:70])
def test_boards_are_positions(rules, reward):
    """Both are given the same moves; the positions of the contract know nothing of batches."""
    env = envs.batch(rules, envs=BOARDS, seed=5, reward=reward)
    twins = [rules.start()] * BOARDS
    ended = 0
    for _ in range(3 * 12):
        check_boards(env, twins)
        actions = env.sample()
        step = env.step(actions)
        twins = [twin.play(rules.move_of(action)) for twin, action in zip(twins, actions, strict=True)]
        for board, twin in enumerate(twins):
            assert step.over[board] == (twin.to_move is None)
            if step.over[board]:
                assert tuple(step.scores[board]) == twin.scores
                np.testing.assert_allclose(step.rewards[board], worth(twin.outcome, reward), atol=1e-6)
                twins[board] = rules.start()
                ended += 1
            else:
                assert not step.rewards[board].any()
                assert not step.scores[board].any()
    assert ended >= BOARDS


def worth(outcome, reward):
    """Return what an outcome is worth to each seat."""
    scores = outcome.scores
    if reward == "share":
        return [score / sum(scores) - 1 / len(scores) if sum(scores) else 0 for score in scores]
    alone = len(outcome.winners) == 1
    return [(1 if alone else 0) if seat in outcome.winners else -1 for seat in range(len(scores))]


def as_factors(masks):
    return masks if isinstance(masks, tuple) else (masks,)


def check_boards(env, twins):
    masks, seen, to_move = env.masks(), env.observations(), env.to_move
    assert [env.position(board) for board in range(env.envs)] == twins
    assert to_move.tolist() == [twin.to_move for twin in twins]
    for board, twin in enumerate(twins):
        np.testing.assert_array_equal(seen[board], twin.planes())
        for mask, factor in zip(as_factors(masks), as_factors(twin.legal_moves.mask()), strict=True):
            np.testing.assert_array_equal(mask[board], factor)


@pytest.mark.parametrize("rules", RULES[::2], ids=lambda rules: str(rules)[:70])
def test_kernels_draw_and_play_as_position_by_position(rules):
    env, plain = (envs.batch(rules, envs=5, seed=3) for _ in range(2))
    plain._boards = Batch(rules, 5)
    for _ in range(14):
        actions = env.sample()
        np.testing.assert_array_equal(actions, plain.sample())
        for one, other in zip(env.step(actions), plain.step(actions), strict=True):
            np.testing.assert_array_equal(one, other)


def test_every_legal_action_is_drawn_equally_often():
    env = envs.batch("gravity", envs=4000 if JIT_ON else 300, size=3, stones=2, spacing=2, seed=1)
    drawn = np.bincount(env.sample(), minlength=9)
    even = env.envs / 9
    assert ((drawn - even) ** 2 / even).sum() < 27  # chi-square with 8 degrees of freedom: one in a thousand


def test_saved_boards_come_back_and_play_on_as_before():
    env = envs.batch("gravity", envs=7, size=9, stones=3, spacing=2, weight=6, seed=2)
    for _ in range(4):
        env.step(env.sample())
    saved = env.save()
    played = [env.sample() for _ in range(1)]
    first = [env.step(played[0]), *(env.step(env.sample()) for _ in range(5))]
    for _ in range(2):
        env.restore(saved)
        again = [env.step(env.sample()) for _ in range(6)]
        for one, other in zip(first, again, strict=True):
            for before, after in zip(one, other, strict=True):
                np.testing.assert_array_equal(before, after)


def test_finished_boards_wait_where_they_are_not_begun_anew():
    env = envs.batch("gravity", envs=3, size=9, stones=1, spacing=2, restarts=False)
    for _ in range(2):
        step = env.step(env.sample())
    assert step.over.all()
    assert (env.to_move == -1).all()
    assert not env.masks().any()
    assert not env.observations()[:, -1].any()
    with pytest.raises(IllegalMove, match="board 0, action 0: the game is over; reset begins it anew") as caught:
        env.step(env.sample())
    assert caught.value.code == "game_over"
    env.reset([1])
    assert env.to_move.tolist() == [-1, 0, -1]
    env.reset()
    assert env.to_move.tolist() == [0, 0, 0]


def test_a_seed_repeats_and_another_does_not():
    drawn = [envs.batch("dots", envs=20, dots=8, seed=seed).sample().tolist() for seed in (4, 4, 5)]
    assert drawn[0] == drawn[1] != drawn[2]
    env = envs.batch("dots", envs=20, dots=8, seed=1)
    env.reset(seed=4)
    assert env.sample().tolist() == drawn[0]


SMALL = {"envs": 2, "size": 9, "stones": 2, "spacing": 3}


@pytest.mark.parametrize(
    ("actions", "code", "said"),
    [
        ([81, 0], "no_such_action", "board 0, action 81: actions go from 0 to 80 here, 81 is none"),
        ([5, -1], "no_such_action", "board 1, action -1: actions go from 0 to 80"),
        (np.array([5, 2**63], dtype=np.uint64), "no_such_action", "board 1, action 9223372036854775807: actions"),
        ([40, 41], "occupied", "board 0, action 40: stone 1 stands on 4,4 already"),
        ([0, 41], "too_near", "board 1, action 41: 4,5 is too close to stone 1: 1.0 away, 3 needed"),
        ([0.0, 1.0], "not_an_action", "whole numbers of shape (2,) here, not float64 of shape (2,)"),
        ([0], "not_an_action", "not int64 of shape (1,)"),
        ([[0, 1]], "not_an_action", "not int64 of shape (1, 2)"),
        ([True, False], "not_an_action", "not bool of shape (2,)"),
        (["a", "b"], "not_an_action", "whole numbers of shape (2,) here"),
    ],
)
def test_actions_that_cannot_be_change_nothing(actions, code, said):
    env = envs.batch("gravity", **SMALL)
    env.step(np.array([40, 40]))
    before = env.save()
    with pytest.raises(IllegalMove, match=re.escape(said)) as caught:
        env.step(actions)
    assert caught.value.code == code
    assert "\n" not in str(caught.value)
    for one, other in zip(before.state, env.save().state, strict=True):
        np.testing.assert_array_equal(one, other)


def test_too_heavy_a_stone_is_refused():
    env = envs.batch("gravity", weight=3, **SMALL)
    env.step(np.array([[0, 1], [0, 0]]))
    env.step(np.array([[80, 0], [80, 0]]))
    with pytest.raises(IllegalMove, match=r"action \(40, 1\): seat 0 has only 1 weight left, not 2"):
        env.step(np.array([[40, 1], [40, 1]]))


@pytest.mark.parametrize(
    ("make", "error", "said"),
    [
        (lambda: envs.batch("chess"), UnknownName, "unknown game 'chess'; known: gravity, graph, dots"),
        (lambda: envs.batch("gravity", sise=9), UnknownName, "unknown rule of gravity 'sise'"),
        (lambda: envs.batch("gravity", envs=0), RulesError, "envs must be a whole number from 1 to"),
        (lambda: envs.batch("gravity", envs=2.5), RulesError, "not 2.5"),
        (lambda: envs.batch("gravity", reward="area"), UnknownName, "unknown reward 'area'; known: share, win"),
        (lambda: envs.batch("gravity", seed=-1), RulesError, "a seed is a whole number from 0, not -1"),
        (lambda: envs.batch(7), RulesError, "an environment needs a game's name or rules, not 7"),
        (lambda: envs.batch(PATH, tokens=3), RulesError, "options cannot be combined with rules; leave out tokens"),
        (lambda: envs.batch([]), RulesError, "no rules are given for a batch"),
        (lambda: envs.batch([PATH, PATH, SQUARE]), RulesError, "board 2 has other rules"),
        (lambda: envs.batch("gravity", **SMALL).reset([2]), RulesError, "from 0 to 1, not [2]"),
        (lambda: envs.batch("gravity", **SMALL).reset(0.5), RulesError, "from 0 to 1, not 0.5"),
        (lambda: envs.batch("gravity", **SMALL).position(2), RulesError, "from 0 to 1, not 2"),
        (lambda: envs.batch("gravity", **SMALL).restore("x"), RulesError, "restore takes a state from save, not 'x'"),
        (lambda: envs.batch(PATH).restore(envs.batch(SQUARE).save()), RulesError, "state is of 1024 boards of dots"),
        (lambda: envs.batch(PATH).observations(np.zeros(3)), RulesError, "observations need an array of float32"),
        (lambda: envs.batch(PATH).masks(np.zeros((1024, 5))), RulesError, "not one of float64 of shape (1024, 5)"),
        (lambda: envs.batch(PATH).masks("mask"), RulesError, "not 'mask'"),
        (
            lambda: envs.batch("gravity", weight=2, **SMALL).masks(np.zeros((2, 81), bool)),
            RulesError,
            "masks need 2 arrays here, one a factor, not 1",
        ),
    ],
)
def test_bad_input_is_refused_in_one_line(make, error, said):
    with pytest.raises(error) as caught:
        make()
    assert isinstance(caught.value, HinterlandError)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_list_of_equal_rules_is_a_board_each():
    assert envs.batch([PATH] * 3).envs == 3


def test_arrays_of_the_callers_are_written_to():
    env = envs.batch("gravity", **SMALL)
    seen, mask = np.ones(env.observation_shape, dtype=np.float32), np.zeros((2, 81), dtype=bool)
    assert env.observations(seen) is seen
    assert env.masks(mask) is mask
    assert mask.all()
    np.testing.assert_array_equal(seen, env.observations())
