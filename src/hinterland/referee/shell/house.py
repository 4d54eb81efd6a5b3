"""The chair of a player of the house: it thinks on a thread, so that the flag falls whether it is done or not.

A thread cannot be interrupted. One that is late goes on until it is done; its answer carries an old turn and is
discarded, and the next game gets a player of its own.
"""

from __future__ import annotations

import asyncio
import threading
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from hinterland import catalog
from hinterland.referee.judge import Illegal
from hinterland.referee.shell import local

if TYPE_CHECKING:
    from collections.abc import Callable

    from hinterland.contract import Game, Player, Position
    from hinterland.referee import judge
    from hinterland.referee.shell.chair import Absence, HandIn
    from hinterland.referee.wire import talk

__all__ = ["HouseChair"]


class HouseChair:
    """A player of the catalogue in this process."""

    grace_ms = 0
    illegal = Illegal.FORFEIT
    absent_since_ns = 0
    absence: Absence | None = None

    def __init__(self, kind: Game, number: int, name: str, spec: str, seed: int) -> None:
        """Seat a player. Raises HinterlandError where there is none of this spec."""
        self.number = number
        self.name = name
        self._make: Callable[[], Player] = lambda: catalog.player(kind, spec)
        self._player = self._make()
        self._seed = seed
        self._rng = np.random.default_rng([seed, 0, number])
        self._hand_in: HandIn | None = None

    async def open(self) -> None:
        """Nothing is to be done."""

    async def close(self) -> None:
        """Nothing is to be done."""

    async def prepare(self) -> None:
        """Take a fresh player: the old one may still be thinking."""
        self._player = self._make()

    def start(self, start: talk.Start, hand_in: HandIn) -> None:
        """Begin a game."""
        self._hand_in = hand_in
        self._rng = np.random.default_rng([self._seed, start.number - 1, self.number])

    def ask(self, ask: judge.Ask, question: talk.Question, position: Position[Any, Any]) -> None:  # noqa: ARG002
        """Let the player think."""
        loop = asyncio.get_running_loop()
        hand_in, player, rng = self._hand_in, self._player, self._rng
        assert hand_in is not None

        def think() -> None:
            event = local.choose(player, position, ask, rng)
            stamp_ns = time.monotonic_ns()
            if not loop.is_closed():
                loop.call_soon_threadsafe(hand_in, event, stamp_ns)

        threading.Thread(target=think, name=f"player {self.name}", daemon=True).start()

    def ask_again(self, code: str, detail: str) -> None:
        """Players of the house do not repeat themselves: the clock decides."""

    def settle(self) -> None:
        """Nothing stands unfinished."""

    def depart(self, departed: judge.Departed) -> None:
        """Nothing is left to do."""

    def over(self, over: talk.Over) -> None:  # noqa: ARG002
        """Forget the game."""
        self._hand_in = None

    def farewell(self, farewell: talk.Farewell) -> None:
        """Nobody is there to be told."""
