"""PettingZoo's own tests, on every game and on odd rules; and what they leave out."""

import re
import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, seed_test

from envs.env_cases import RULES
from hinterland import envs
from hinterland.errors import HinterlandError, IllegalMove, RulesError, UnknownName


@pytest.fixture
def lenient():
    """Let PettingZoo advise against dictionaries and factored actions, which are its own way with masks."""
    with warnings.catch_warnings():
        for said in ("Observation space for each agent", "Action space for each agent", "Observation is not a NumPy"):
            warnings.filterwarnings("ignore", message=said)
        warnings.filterwarnings("ignore", message="Action mask is not a NumPy array")
        yield


@pytest.mark.parametrize("name", RULES)
def test_pettingzoo_finds_no_fault(name, lenient, capsys):
    api_test(envs.aec(RULES[name], render_mode="ansi"), num_cycles=60)
    seed_test(lambda: envs.aec(RULES[name], reward="win"), num_cycles=20)
    parallel_api_test(envs.parallel(RULES[name]), num_cycles=60)


@pytest.mark.parametrize("name", RULES)
def test_a_game_is_that_of_the_rules(name, rng):
    env, position = envs.aec(RULES[name]), RULES[name].start()
    env.reset()
    while position.to_move is not None:
        seat = position.to_move
        assert env.agent_selection == f"player_{seat}"
        seen = env.observe(env.agent_selection)
        np.testing.assert_array_equal(seen["observation"], position.planes(seat))
        assert not np.any(np.concatenate([np.ravel(mask) for mask in factors(env, 1 - min(seat, 1))]))
        action = position.rules.number_of(position.legal_moves.sample(rng))
        assert all(mask[number] for mask, number in zip(factors(env, seat), np.ravel(action), strict=True))
        env.step(action)
        position = position.play(position.rules.move_of(action))
    assert env.position == position
    assert all(env.terminations.values())
    assert [env.infos[agent]["score"] for agent in env.agents] == list(position.scores)
    total = sum(position.scores)
    for agent, score in zip(env.possible_agents, position.scores, strict=True):
        assert env.rewards[agent] == pytest.approx(score / total - 1 / len(position.scores) if total else 0)


def factors(env, seat):
    mask = env.observe(f"player_{seat}")["action_mask"]
    return mask if isinstance(mask, tuple) else (mask,)


def test_after_the_end_agents_can_only_be_removed():
    env = envs.aec(RULES["triangle"])
    env.reset()
    for action in (0, 1, 2):
        env.step(action)
    with pytest.raises(IllegalMove, match=r"the game is over; step\(None\) removes player_0"):
        env.step(0)
    env.step(None)
    env.step(None)
    with pytest.raises(IllegalMove, match="the game is over and has no agents any more; reset begins a new one"):
        env.step(None)


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (100, "actions go from 0 to 99 here, 100 is none"),
        (0.5, "an action is a whole number here, not 0.5"),
        (None, "an action is a whole number here, not None"),
        (np.array([3]), "an action is a whole number here, not array([3])"),
        (55, "stone 1 stands on 5,5 already"),
        (56, "5,6 is too close to stone 1: 1.0 away, 2 needed"),
    ],
)
def test_an_action_that_cannot_be_changes_nothing(action, said):
    env = envs.aec("gravity", size=10, stones=3, spacing=2)
    env.reset()
    env.step(55)
    before = env.position
    with pytest.raises(IllegalMove, match=re.escape(said)):
        env.step(action)
    assert env.position == before
    assert env.agent_selection == "player_1"


@pytest.mark.parametrize(
    ("make", "error", "said"),
    [
        (lambda: envs.aec("go"), UnknownName, "unknown game 'go'; known: gravity, graph, dots"),
        (lambda: envs.aec("gravity", sizes=9), UnknownName, "unknown rule of gravity 'sizes'"),
        (lambda: envs.aec("gravity", size=1), RulesError, "size must be a whole number from 2"),
        (lambda: envs.aec("dots", reward="x"), UnknownName, "unknown reward 'x'; known: share, win"),
        (lambda: envs.aec("dots", render_mode="human"), UnknownName, "unknown render mode 'human'; known: ansi"),
        (lambda: envs.aec(RULES["dots"], dots=9), RulesError, "options cannot be combined with rules; leave out dots"),
    ],
)
def test_bad_arguments_are_refused_in_one_line(make, error, said):
    with pytest.raises(error) as caught:
        make()
    assert isinstance(caught.value, HinterlandError)
    assert said in str(caught.value)


def test_a_game_is_drawn_as_a_line():
    env = envs.aec(RULES["triangle"], render_mode="ansi")
    env.reset()
    env.step(0)
    assert env.render().endswith("; 0:0,1")
    assert envs.aec(RULES["triangle"]).render() is None
    assert env.state().shape == (6, 3)
    env.close()
