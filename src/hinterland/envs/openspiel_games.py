"""The games for OpenSpiel: ``hinterland_gravity``, ``hinterland_graph``, ``hinterland_dots``.

OpenSpiel loads a game by its name and parameters. The parameter ``rules`` holds all rules of a game, encoded in
characters that OpenSpiel's notation of games allows. So these games can be serialised like any other game of OpenSpiel.
OpenSpiel's actions are single numbers: if an action has several factors (in gravity with weights: cell and weight),
they become one number, in which the last factor varies fastest.
"""

from __future__ import annotations

import base64
import math
from functools import cache
from typing import Any, ClassVar

import msgspec
import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from hinterland import catalog
from hinterland.contract.position import Position
from hinterland.contract.rules import Rules
from hinterland.envs import rewards
from hinterland.errors import BadText, IllegalMove, RulesError, quote

PREFIX = "hinterland_"


def load(rules: Rules, reward: str) -> pyspiel.Game:
    """Return a game with these rules."""
    rewards.find_reward(reward)
    register()
    return pyspiel.load_game(PREFIX + rules.game, {"rules": encode_rules(rules), "reward": reward})


@cache
def register() -> None:
    """Register the games with OpenSpiel; a second call does nothing."""
    for name in catalog.GAMES:
        kind = type(f"{name.title()}Game", (TerritoryGame,), {"game": name})
        pyspiel.register_game(_game_type(name, 2, "share", default_loadable=False), kind)


def encode_rules(rules: Rules) -> str:
    """Encode rules in letters, digits, ``-`` and ``_``."""
    return "r" + base64.urlsafe_b64encode(msgspec.json.encode(rules)).decode().rstrip("=")


def decode_rules(game: str, text: str) -> Rules:
    """Decode a text of ``encode_rules``. Raises BadText for any other text, RulesError for impossible rules."""
    padded = text[1:] + "=" * (-len(text[1:]) % 4)
    try:
        values = msgspec.json.decode(base64.urlsafe_b64decode(padded))
    except ValueError:
        raise BadText(f"the rules of {PREFIX}{game} are what envs.openspiel writes, not {quote(text)}") from None
    return catalog.game(game).rules.from_json(values)


def _game_type(game: str, players: int, reward: str, *, default_loadable: bool) -> pyspiel.GameType:
    is_zero_sum = players == 2 or reward == "share"
    return pyspiel.GameType(
        short_name=PREFIX + game,
        long_name=catalog.game(game).title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM if is_zero_sum else pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=12,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"rules": "", "reward": "share"},
        default_loadable=default_loadable,
    )


class TerritoryGame(pyspiel.Game):  # type: ignore[misc]
    """A game with its rules, as ``pyspiel.load_game`` makes it."""

    game: ClassVar[str]

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = params or {}
        if not given.get("rules"):
            raise RulesError(f"{PREFIX}{self.game} needs its rules: envs.openspiel({self.game!r}, …) gives them")
        self.rules = decode_rules(self.game, given["rules"])
        self.reward = given.get("reward", "share")
        self.worth = rewards.find_reward(self.reward)
        players = self.rules.players
        kind = _game_type(self.game, players, self.reward, default_loadable=False)
        best = 1.0 if self.reward == "win" else 1.0 - 1.0 / players
        worst = -1.0 if self.reward == "win" else -1.0 / players
        utility_sum = {"utility_sum": 0.0} if kind.utility == pyspiel.GameType.Utility.ZERO_SUM else {}
        info = pyspiel.GameInfo(
            num_distinct_actions=int(np.prod(self.rules.actions)),
            max_chance_outcomes=0,
            num_players=players,
            min_utility=worst,
            max_utility=best,
            max_game_length=self.rules.most_moves,
            **utility_sum,
        )
        super().__init__(kind, info, given)

    def new_initial_state(self) -> TerritoryState:
        return TerritoryState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> Any:
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return PlanesObserver(self.rules)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class TerritoryState(pyspiel.State):  # type: ignore[misc]
    """A position as a state of OpenSpiel."""

    def __init__(self, game: TerritoryGame) -> None:
        super().__init__(game)
        self.rules = game.rules
        self.worth = game.worth
        self.position: Position[Any, Any] = game.rules.start()

    def current_player(self) -> int:
        to_move = self.position.to_move
        return int(pyspiel.PlayerId.TERMINAL) if to_move is None else to_move

    def _legal_actions(self, player: int) -> list[int]:
        if player != self.position.to_move:
            return []
        mask = self.position.legal_moves.mask()
        if isinstance(mask, tuple):
            mask = np.logical_and.outer(*mask).ravel()
        found: list[int] = np.flatnonzero(mask).tolist()
        return found

    def _apply_action(self, action: int) -> None:
        self.position = self.position.play(self._move(action))

    def _move(self, action: int) -> Any:
        shape = self.rules.actions
        if not 0 <= action < math.prod(shape):
            raise IllegalMove("no_such_action", f"actions go from 0 to {math.prod(shape) - 1} here, {action} is none")
        factors = tuple(int(factor) for factor in np.unravel_index(action, shape))
        return self.rules.move_of(factors if len(shape) > 1 else factors[0])

    def _action_to_string(self, player: int, action: int) -> str:
        return f"{player}:{self._move(action)}"

    def is_terminal(self) -> bool:
        return self.position.to_move is None

    def returns(self) -> list[float]:
        if self.position.to_move is not None:
            return [0.0] * self.rules.players
        worth: list[float] = self.worth(np.array([self.position.scores], dtype=np.int64))[0].tolist()
        return worth

    def __str__(self) -> str:
        return " ".join(f"{seat}:{move}" for seat, move in self.position.moves)


class PlanesObserver:
    """Observes a position as the planes that a player sees: see ``Position.planes``."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        planes = rules.start().planes()
        self.tensor = planes.ravel()
        self.dict = {"observation": self.tensor.reshape(planes.shape)}

    def set_from(self, state: TerritoryState, player: int) -> None:
        self.dict["observation"][...] = state.position.planes(player)

    def string_from(self, state: TerritoryState, player: int) -> str:  # noqa: ARG002
        """Return all moves so far; every player may see them."""
        return str(state)
