"""An environment of PettingZoo: agents ``player_0``, ``player_1`` … step in turn, and get rewards at the end.

A value that is no action, or an illegal action, raises IllegalMove and changes nothing: a learner must follow
``action_mask``. PettingZoo's ``TerminateIllegalWrapper`` makes an illegal action end the game instead.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Space
from pettingzoo import AECEnv

from hinterland.contract.position import Position
from hinterland.contract.rules import Rules
from hinterland.envs import rewards, spaces
from hinterland.errors import IllegalMove, UnknownName

RENDER_MODES = ("ansi",)


class TurnGame(AECEnv[str, spaces.Observation, Any]):  # type: ignore[misc]
    """One game, for ``envs.aec``."""

    def __init__(self, rules: Rules, *, reward: str = "share", render_mode: str | None = None) -> None:
        super().__init__()
        if render_mode not in (None, *RENDER_MODES):
            raise UnknownName("render mode", str(render_mode), RENDER_MODES)
        self.rules = rules
        self.render_mode = render_mode
        name = f"hinterland_{rules.game}_v0"
        self.metadata = {"name": name, "render_modes": [*RENDER_MODES], "is_parallelizable": True}
        self.possible_agents = [f"player_{seat}" for seat in range(rules.players)]
        self.agents: list[str] = []
        self.action_spaces = {agent: spaces.action_space(rules) for agent in self.possible_agents}
        self.observation_spaces = {agent: spaces.observation_space(rules) for agent in self.possible_agents}
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._worth = rewards.find_reward(reward)
        self.position: Position[Any, Any] = rules.start()

    def observation_space(self, agent: str) -> Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Begin a new game. Games have no randomness, so the seed changes nothing."""
        self.position = self.rules.start()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def step(self, action: Any) -> None:
        """Play the action of the agent to move; after the end, each ``step(None)`` removes an agent.

        Raises IllegalMove for a value that is no action, for an illegal action, and for any action after the end.
        """
        if not self.agents:
            raise IllegalMove("game_over", "the game is over and has no agents any more; reset begins a new one")
        agent = self.agent_selection
        if self.terminations[agent]:
            if action is not None:
                raise IllegalMove("game_over", f"the game is over; step(None) removes {agent}")
            self._was_dead_step(None)
            return
        self.position = self.position.play(self.rules.move_of(action))
        self._clear_rewards()
        self._cumulative_rewards[agent] = 0.0
        if self.position.to_move is None:
            self._finish()
        self._accumulate_rewards()
        self._select()

    def observe(self, agent: str) -> spaces.Observation:
        return spaces.observe(self.position, self._seats[agent])

    def state(self) -> np.ndarray:
        """Return the planes as the first seat sees them; they show the whole state of the game."""
        return self.position.planes(0)

    def render(self) -> str | None:
        """In mode ``ansi``, return the position as a line of text; else None."""
        return str(self.position) if self.render_mode else None

    def close(self) -> None:
        """Do nothing: an environment holds no resources."""

    def _select(self) -> None:
        to_move = self.position.to_move
        self.agent_selection = self.agents[0] if to_move is None else self.possible_agents[to_move]

    def _finish(self) -> None:
        scores = np.array([self.position.scores], dtype=np.int64)
        for agent, reward in zip(self.possible_agents, self._worth(scores)[0].tolist(), strict=True):
            self.rewards[agent] = reward
            self.terminations[agent] = True
            self.infos[agent] = {"score": self.position.scores[self._seats[agent]]}
