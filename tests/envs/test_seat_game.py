"""Gymnasium's own test, on every game and on odd rules, against built-in players; and what it leaves out."""

import re

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from envs.env_cases import RULES
from hinterland import envs
from hinterland.envs.seat_game import SeatGame
from hinterland.errors import BadText, IllegalMove, RulesError, UnknownName


@pytest.mark.parametrize("seat", [0, 1, "each"])
@pytest.mark.parametrize("name", RULES)
def test_gymnasium_finds_no_fault(name, seat):
    check_env(SeatGame(RULES[name], opponent="random", seat=seat, render_mode="ansi"), skip_render_check=True)


MADE = [("Gravity", {"size": 10, "stones": 3, "spacing": 2}), ("Graph", {"vertices": 25}), ("Dots", {"dots": 8})]


@pytest.mark.parametrize(("name", "options"), MADE)
def test_the_games_are_registered(name, options):
    envs.register()
    envs.register()
    env = gymnasium.make(f"hinterland/{name}-v0", **options)
    check_env(env.unwrapped, skip_render_check=True)
    seen, info = env.reset(seed=1)
    done = False
    while not done:
        action = env.action_space.sample(info["action_mask"])
        seen, reward, done, _, info = env.step(action)
    assert env.observation_space.contains(seen)
    assert -1 <= reward <= 1
    assert "illegal" not in info
    assert env.unwrapped.opponent.name == {"Gravity": "reply", "Graph": "gain", "Dots": "careful"}[name]


def play(env, seed, **options):
    """Return the rewards, seats and last position of a random game."""
    rng = np.random.default_rng(seed)
    _, info = env.reset(seed=seed, **options)
    done, rewards = False, []
    while not done:
        mask = info["action_mask"]
        picked = [int(rng.choice(np.flatnonzero(factor))) for factor in (mask if isinstance(mask, tuple) else (mask,))]
        _, reward, done, _, info = env.step(np.array(picked) if len(picked) > 1 else picked[0])
        rewards.append(reward)
    return rewards, info["seat"], env.position


@pytest.mark.parametrize("name", ["gravity", "melee", "graph", "dots"])
def test_rewards_are_those_of_the_seat_and_seeds_repeat(name):
    env = SeatGame(RULES[name], opponent="random", seat="each")
    seats = set()
    for seed in range(14):
        rewards, seat, position = play(env, seed)
        assert not any(rewards[:-1])
        total = sum(position.scores)
        assert rewards[-1] == pytest.approx(position.scores[seat] / total - 1 / len(position.scores) if total else 0)
        assert play(env, seed) == (rewards, seat, position)
        seats.add(seat)
    assert seats == set(range(RULES[name].players))


def test_each_seat_has_its_turn():
    env = SeatGame(RULES["melee"], opponent="random", seat="each")
    first = env.reset(seed=3)[1]["seat"]
    assert [env.reset()[1]["seat"] for _ in range(3)] == [(first + ahead) % 3 for ahead in (1, 2, 3)]
    assert env.reset(options={"seat": 2})[1]["seat"] == 2


def test_the_opponent_is_the_player_that_is_named():
    """With one stone each and the second word, ``reply`` takes what it can: no stone would have taken more."""
    env = SeatGame("gravity", size=12, stones=1, spacing=2, opponent="reply")
    env.reset(seed=0)
    env.step(0)
    first = env.position.after(1)
    assert env.position.scores[1] == first.reply_map().max()


@pytest.mark.parametrize(("reward", "worst"), [("share", -0.5), ("win", -1)])
def test_an_illegal_action_loses_or_raises(reward, worst):
    env = SeatGame(RULES["gravity"], opponent="random", reward=reward)
    env.reset(seed=0)
    env.step(55)
    before = env.position
    _, paid, over, cut, info = env.step(55)
    assert (paid, over, cut) == (worst, True, False)
    assert info["illegal"] == "stone 1 stands on 5,5 already"
    assert env.position == before
    with pytest.raises(IllegalMove, match="the game is over, or none has begun; reset begins one"):
        env.step(0)
    strict = SeatGame(RULES["gravity"], opponent="random", illegal="raise")
    strict.reset(seed=0)
    strict.step(55)
    with pytest.raises(IllegalMove, match="stone 1 stands on 5,5 already"):
        strict.step(55)
    strict.step(0)


@pytest.mark.parametrize(
    ("make", "error", "said"),
    [
        (lambda: SeatGame("gravity", opponent="best"), UnknownName, "unknown player of gravity 'best'; known: random"),
        (lambda: SeatGame("gravity", opponent="search:seconds=x"), BadText, "options of player search"),
        (lambda: SeatGame("gravity", seat=2), RulesError, "a seat goes from 0 to 1, or is 'each', not 2"),
        (lambda: SeatGame("gravity", seat="first"), RulesError, "not 'first'"),
        (lambda: SeatGame("gravity", illegal="ignore"), UnknownName, "known: lose, raise"),
        (lambda: SeatGame("gravity", render_mode="human"), UnknownName, "known: ansi"),
        (lambda: SeatGame("gravity").step(0), IllegalMove, "none has begun; reset begins one"),
        (lambda: SeatGame("gravity").reset(options={"seat": -1}), RulesError, "not -1"),
    ],
)
def test_bad_arguments_are_refused_in_one_line(make, error, said):
    with pytest.raises(error, match=re.escape(said)):
        make()


@pytest.mark.parametrize("action", [100, -1, 0.5, None, np.array([1, 2]), "12"])
def test_a_value_that_is_no_action_raises_and_changes_nothing(action):
    env = SeatGame(RULES["gravity"], opponent="random")
    env.reset(seed=0)
    with pytest.raises(IllegalMove):
        env.step(action)
    env.step(55)
    assert env.render() is None
