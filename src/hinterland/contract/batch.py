"""Many boards of one game at once, for learners that play thousands of games: arrays in, arrays out.

All boards have the same rules, and each advances at its own pace. An action is a row with one number for each factor of
a move (see ``moves.py``).

A game may have kernels that play many boards. The class here needs no kernels: it plays position by position, which is
slower. The tests compare a game's kernels with this class.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hinterland.contract.moves import Action
from hinterland.contract.position import Position
from hinterland.contract.rules import Rules

OVER = -1
"""The seat to move on a board whose game is over."""
MASK_64 = (1 << 64) - 1
Masks = tuple[np.ndarray, ...]
"""For each factor, which of its numbers are legal on each board: bool (boards, numbers of this factor)."""


class Batch:
    """Boards numbered from 0, each a game with the same rules. Actions are not checked here, but in ``envs.batch``."""

    def __init__(self, rules: Rules, count: int) -> None:
        self.rules = rules
        self.count = count
        self._positions: list[Position[Any, Any]] = [rules.start()] * count

    @property
    def to_move(self) -> np.ndarray:
        """The seat to move on each board, OVER where the game is over: int64[boards]; do not change it."""
        return np.array([self._seat(position) for position in self._positions], dtype=np.int64)

    @staticmethod
    def _seat(position: Position[Any, Any]) -> int:
        return OVER if position.to_move is None else position.to_move

    def position(self, board: int) -> Position[Any, Any]:
        return self._positions[board]

    def first_illegal(self, actions: np.ndarray) -> int:
        """Return the first board whose action is illegal, -1 if there is none; ``actions``: int64 (boards, factors)."""
        for board, position in enumerate(self._positions):
            if position.to_move is None or not _is_legal(position, actions[board]):
                return board
        return -1

    def play_unchecked(self, actions: np.ndarray) -> None:
        """Play one action on each board; ``actions``: int64 (boards, factors), all of them legal."""
        self._positions = [
            position.play_unchecked(self.rules.move_of(action_of(action)))
            for position, action in zip(self._positions, actions, strict=True)
        ]

    def clear(self, boards: np.ndarray) -> None:
        """Start a new game on the boards with these numbers."""
        for board in boards:
            self._positions[board] = self.rules.start()

    def scores(self, boards: np.ndarray) -> np.ndarray:
        """Return the scores on the boards with these numbers: int64 (boards, seats)."""
        found = [self._positions[board].scores for board in boards]
        return np.array(found, dtype=np.int64).reshape(len(boards), self.rules.players)

    def write_masks(self, masks: Masks) -> None:
        """Write to ``masks`` which actions are legal; none is legal where a game is over."""
        for board, position in enumerate(self._positions):
            found: Any = position.legal_moves.mask() if position.to_move is not None else False
            for factor, mask in enumerate(masks):
                mask[board] = found[factor] if isinstance(found, tuple) else found

    def write_planes(self, planes: np.ndarray) -> None:
        """Write to ``planes``, float32 (boards, planes, …), what the seat to move on each board sees."""
        for board, position in enumerate(self._positions):
            planes[board] = position.planes()

    def write_random(self, state: np.ndarray, actions: np.ndarray) -> None:
        """Write a random legal action for each board, and 0 where the game is over.

        All legal actions of a board are equally likely. ``state``: uint64[boards], the states of the boards' random
        numbers, none of them 0; the draws advance them. ``actions``: int64 (boards, factors), overwritten.
        """
        for board, position in enumerate(self._positions):
            actions[board] = 0
            if position.to_move is not None:
                found = position.legal_moves.mask()
                for factor, mask in enumerate(found if isinstance(found, tuple) else (found,)):
                    free = np.flatnonzero(mask)
                    state[board] = advance_xorshift(int(state[board]))
                    actions[board, factor] = free[int((int(state[board]) >> 11) * 2.0**-53 * len(free))]

    def state(self) -> Any:
        """Return a copy of all boards for ``restore``."""
        return list(self._positions)

    def restore(self, state: Any) -> None:
        """Put all boards back as they were when ``state`` was called."""
        self._positions = list(state)


def action_of(factors: np.ndarray) -> Action:
    """Turn one board's row of numbers, int64[factors], into an action for ``Rules.move_of``."""
    return int(factors[0]) if len(factors) == 1 else tuple(factors.tolist())


def advance_xorshift(state: int) -> int:
    """Return the next state of a xorshift generator (Marsaglia, 2003); states are whole numbers of 64 bits, never 0."""
    state ^= (state << 13) & MASK_64
    state ^= state >> 7
    return state ^ ((state << 17) & MASK_64)


def _is_legal(position: Position[Any, Any], factors: np.ndarray) -> bool:
    actions = position.rules.actions
    in_range = all(0 <= number < count for number, count in zip(factors, actions, strict=True))
    return in_range and position.rules.move_of(action_of(factors)) in position.legal_moves
