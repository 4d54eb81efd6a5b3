"""OpenSpiel's own simulation with serialisation, and its tree search, on every game and on odd rules."""

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import mcts

from envs.env_cases import RULES
from hinterland import envs
from hinterland.errors import HinterlandError


@pytest.mark.parametrize("reward", ["share", "win"])
@pytest.mark.parametrize("name", RULES)
def test_openspiel_finds_no_fault(name, reward, capfd):
    pyspiel.random_sim_test(envs.openspiel(RULES[name], reward=reward), 3, True, False)


@pytest.mark.parametrize("name", RULES)
def test_its_search_plays_to_the_end(name):
    game = envs.openspiel(RULES[name])
    bot = mcts.MCTSBot(game, 2, 6, mcts.RandomRolloutEvaluator(1, np.random.RandomState(0)))
    state, position = game.new_initial_state(), RULES[name].start()
    while not state.is_terminal():
        action = bot.step(state)
        assert state.legal_actions() == sorted(flat(position, move) for move in position.legal_moves)
        position = position.play(next(move for move in position.legal_moves if flat(position, move) == action))
        state.apply_action(action)
    total = sum(position.scores)
    even = 1 / len(position.scores)
    assert state.returns() == pytest.approx([score / total - even if total else 0 for score in position.scores])


def flat(position, move):
    """Return the one number of a move, the last factor the fastest."""
    number = position.rules.number_of(move)
    return number if isinstance(number, int) else number[0] * position.rules.actions[1] + number[1]


@pytest.mark.parametrize("name", RULES)
def test_a_game_in_the_middle_comes_back_from_its_text(name, rng):
    game = envs.openspiel(RULES[name])
    state = game.new_initial_state()
    for _ in range(2):
        state.apply_action(int(rng.choice(state.legal_actions())))
        again, copy = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
        assert str(copy) == str(state)
        assert copy.returns() == state.returns()
        assert again.rules == RULES[name]
        assert state.clone().history() == state.history()
        if state.is_terminal():
            return


def test_what_a_player_observes_are_the_planes():
    game = envs.openspiel(RULES["weights"])
    state = game.new_initial_state()
    state.apply_action(7)
    observer = game.make_py_observer()
    for player in (0, 1):
        observer.set_from(state, player)
        np.testing.assert_array_equal(observer.dict["observation"], state.position.planes(player))
        assert observer.tensor.size == state.position.planes(player).size
    assert observer.string_from(state, 0) == str(state) == "0:0,1,4"
    assert state.action_to_string(0, 7) == "0:0,1,4"


def test_a_game_without_its_rules_is_refused():
    envs.openspiel(RULES["dots"])
    with pytest.raises(HinterlandError, match=r"hinterland_dots needs its rules: envs.openspiel\('dots', …"):
        pyspiel.load_game("hinterland_dots")
    with pytest.raises(HinterlandError, match=r"are what envs.openspiel writes, not 'none'"):
        pyspiel.load_game("hinterland_dots", {"rules": "none"})
