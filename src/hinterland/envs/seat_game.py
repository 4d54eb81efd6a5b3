"""A game as Gymnasium has it: the learner has one seat, players of the house have all others."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from hinterland import catalog
from hinterland.contract.game import Clock
from hinterland.contract.numbers import as_int
from hinterland.contract.position import Position
from hinterland.envs import rewards, spaces
from hinterland.envs.asked_rules import rules_of
from hinterland.errors import IllegalMove, RulesError, UnknownName, quote

RENDER_MODES = ("ansi",)
ILLEGAL = ("lose", "raise")
EACH = "each"
"""Instead of a seat: they take turns, from game to game."""


class SeatGame(gymnasium.Env[spaces.Observation, Any]):
    """One game against players of the house, for ``gymnasium.make("hinterland/Gravity-v0")`` and the others.

    ``game``: a name, with ``options`` as for its rules, or rules. ``opponent``: who has the other seats, as in
    ``reply`` or ``search:playouts=50``. ``seat``: the learner's, from 0, or ``each``: another from game to game.
    ``reward``: ``share`` or ``win``, paid when the game is over. ``illegal``: what becomes of an action that the rules
    forbid: with ``lose`` it ends the game, worth the least there is, and ``info["illegal"]`` says why; with ``raise``
    it raises and changes nothing. ``reset(options={"seat": 1})`` sets a seat for one game.
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
            raise UnknownName("way with what is illegal", illegal, ILLEGAL)
        self.render_mode = render_mode
        self.rules = rules_of(game, options)
        self.opponent = catalog.player(catalog.game(self.rules.game), opponent)
        self.action_space = spaces.action_space(self.rules)
        self.observation_space = spaces.observation_space(self.rules)
        self.seat = 0 if seat == EACH else self._checked(seat)
        self._each = seat == EACH
        self._worth = rewards.named(reward)
        self._forfeit = rewards.forfeited(reward, self.rules.players) if illegal == "lose" else None
        self._is_over = True
        self.position: Position[Any, Any] = self.rules.start()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[spaces.Observation, dict[str, Any]]:
        """Begin a game, and go on to the learner's first turn. A seed is the opponent's, and the first seat's."""
        super().reset(seed=as_int(seed))
        asked = dict(options or {})
        if "seat" in asked:
            self.seat = self._checked(asked["seat"])
        elif self._each and seed is not None:
            self.seat = int(self.np_random.integers(self.rules.players))
        elif self._each:
            self.seat = (self.seat + 1) % self.rules.players
        self.position = self.rules.start()
        self._is_over = False
        self._answer()
        return self._seen(), self._told()

    def step(self, action: Any) -> tuple[spaces.Observation, float, bool, bool, dict[str, Any]]:
        """Play for the learner, and go on to its next turn or to the end.

        Raises IllegalMove for an action that is none, before a reset, and after the end; for one that the rules forbid
        where it does not lose the game.
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
            return self._seen(), self._forfeit, True, False, {**self._told(), "illegal": str(error)}
        self._answer()
        reward = 0.0
        if self.position.to_move is None:
            self._is_over = True
            reward = float(self._worth(np.array([self.position.scores], dtype=np.int64))[0, self.seat])
        return self._seen(), reward, self._is_over, False, self._told()

    def render(self) -> str | None:
        """Return the position in a line, where the mode is ``ansi``."""
        return str(self.position) if self.render_mode else None

    def _answer(self) -> None:
        """Let the opponents move until it is the learner's turn or the game is over."""
        while self.position.to_move not in (None, self.seat):
            move = self.opponent.choose(self.position, Clock(), self.np_random)
            self.position = self.position.play(move)

    def _seen(self) -> spaces.Observation:
        return spaces.observe(self.position, self.seat)

    def _told(self) -> dict[str, Any]:
        mask = spaces.action_mask(self.position, self.seat)
        return {"seat": self.seat, "scores": self.position.scores, "action_mask": mask}

    def _checked(self, seat: object) -> int:
        number = as_int(seat)
        if type(number) is not int or not 0 <= number < self.rules.players:
            raise RulesError(f"a seat goes from 0 to {self.rules.players - 1}, or is {EACH!r}, not {quote(seat)}")
        return number
