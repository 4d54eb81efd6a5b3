"""An environment of Gymnasium: the learner has one seat, built-in players have all others."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from hinterland import catalog
from hinterland.contract.game import Clock
from hinterland.contract.numbers import as_int
from hinterland.contract.position import Position
from hinterland.envs import rewards, spaces
from hinterland.envs.rules_argument import rules_of
from hinterland.errors import IllegalMove, RulesError, UnknownName, quote

RENDER_MODES = ("ansi",)
ILLEGAL = ("lose", "raise")
EACH = "each"
"""Value of ``seat`` for a seat that changes from game to game."""


class SeatGame(gymnasium.Env[spaces.Observation, Any]):
    """One game against built-in players, for ``gymnasium.make("hinterland/Gravity-v0")`` and the other games.

    ``game`` is a game's name, with ``options`` for its rules, or rules. ``opponent``: the player of the other seats,
    such as ``reply`` or ``search:playouts=50``. ``seat``: the learner's seat, 0 or more, or ``each``: it changes with
    each game. ``reward``: ``share`` or ``win``, given when the game is over. ``illegal``: what an illegal action does.
    With ``lose`` it ends the game with the least reward, and ``info["illegal"]`` says why; with ``raise`` it raises
    IllegalMove and changes nothing. ``reset(options={"seat": 1})`` sets the learner's seat for one game.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  (as the base has it)
        "render_modes": [*RENDER_MODES],
        "render_fps": 1,
    }

    def __init__(
        self,
        game: object,
        *,
        opponent: str = "random",
        seat: int | str = 0,
        reward: str = "share",
        illegal: str = "lose",
        render_mode: str | None = None,
        **options: object,
    ) -> None:
        if render_mode not in (None, *RENDER_MODES):
            raise UnknownName("render mode", str(render_mode), RENDER_MODES)
        if illegal not in ILLEGAL:
            raise UnknownName("way to treat illegal actions", illegal, ILLEGAL)
        self.render_mode = render_mode
        self.rules = rules_of(game, options)
        self.opponent = catalog.player(catalog.game(self.rules.game), opponent)
        self.action_space = spaces.action_space(self.rules)
        self.observation_space = spaces.observation_space(self.rules)
        self.seat = 0 if seat == EACH else self._check_seat(seat)
        self._each = seat == EACH
        self._worth = rewards.find_reward(reward)
        self._forfeit = rewards.worst_reward(reward, self.rules.players) if illegal == "lose" else None
        self._is_over = True
        self.position: Position[Any, Any] = self.rules.start()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[spaces.Observation, dict[str, Any]]:
        """Begin a game, and let the opponents move until the learner's first turn.

        ``seed`` is for the opponents' random numbers; with ``each`` it also draws the learner's seat.
        """
        super().reset(seed=as_int(seed))
        given = dict(options or {})
        if "seat" in given:
            self.seat = self._check_seat(given["seat"])
        elif self._each and seed is not None:
            self.seat = int(self.np_random.integers(self.rules.players))
        elif self._each:
            self.seat = (self.seat + 1) % self.rules.players
        self.position = self.rules.start()
        self._is_over = False
        self._play_opponents()
        return self._observe(), self._info()

    def step(self, action: Any) -> tuple[spaces.Observation, float, bool, bool, dict[str, Any]]:
        """Play the learner's action, and let the opponents move until the learner's next turn or the end.

        Raises IllegalMove for a value that is no action, before the first reset, and after the end. An illegal action
        raises IllegalMove, too, unless ``illegal`` is ``lose``.
        """
        if self._is_over:
            raise IllegalMove("game_over", "the game is over, or none has begun; reset begins one")
        move = self.rules.move_of(action)
        try:
            self.position = self.position.play(move)
        except IllegalMove as error:
            if self._forfeit is None:
                raise
            self._is_over = True
            return self._observe(), self._forfeit, True, False, {**self._info(), "illegal": str(error)}
        self._play_opponents()
        reward = 0.0
        if self.position.to_move is None:
            self._is_over = True
            reward = float(self._worth(np.array([self.position.scores], dtype=np.int64))[0, self.seat])
        return self._observe(), reward, self._is_over, False, self._info()

    def render(self) -> str | None:
        """In mode ``ansi``, return the position as a line of text; else None."""
        return str(self.position) if self.render_mode else None

    def _play_opponents(self) -> None:
        """Let the opponents move until it is the learner's turn or the game is over."""
        while self.position.to_move not in (None, self.seat):
            move = self.opponent.choose(self.position, Clock(), self.np_random)
            self.position = self.position.play(move)

    def _observe(self) -> spaces.Observation:
        return spaces.observe(self.position, self.seat)

    def _info(self) -> dict[str, Any]:
        mask = spaces.action_mask(self.position, self.seat)
        return {"seat": self.seat, "scores": self.position.scores, "action_mask": mask}

    def _check_seat(self, seat: object) -> int:
        number = as_int(seat)
        if type(number) is not int or not 0 <= number < self.rules.players:
            raise RulesError(f"a seat goes from 0 to {self.rules.players - 1}, or is {EACH!r}, not {quote(seat)}")
        return number
