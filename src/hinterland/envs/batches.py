"""Thousands of games at once for learners: each step plays one move on every board, and finished games begin anew.

A board whose game ends is scored, rewarded and cleared in the same step, so that every board always has a seat to move.
With ``restarts=False`` it stays as it is until ``reset`` clears it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hinterland.contract.batch import OVER, Batch, Masks, action_of
from hinterland.contract.numbers import as_int
from hinterland.contract.rules import Rules
from hinterland.envs import rewards
from hinterland.errors import IllegalMove, RulesError, quote

MOST_BOARDS = 1 << 20
"""Most boards of a batch."""


class Step(NamedTuple):
    """The results of a step on each board."""

    rewards: np.ndarray
    """float32 (boards, seats): rewards of games that ended in this step, 0 elsewhere."""
    over: np.ndarray
    """bool[boards]: whether a game ended in this step."""
    scores: np.ndarray
    """int64 (boards, seats): scores of games that ended in this step, 0 elsewhere."""


class Saved(NamedTuple):
    """A copy of all boards, for an environment with the same rules and number of boards."""

    rules: Rules
    boards: int
    state: Any
    random: np.ndarray


class BatchEnv:
    """Boards of one game with the same rules, for ``envs.batch``. Seats move in turn, each board at its own pace."""

    def __init__(self, rules: Rules, envs: int, *, reward: str = "share", seed: int = 0, restarts: bool = True) -> None:
        envs = as_int(envs)
        if type(envs) is not int or not 1 <= envs <= MOST_BOARDS:
            raise RulesError(f"envs must be a whole number from 1 to {MOST_BOARDS}, not {quote(envs)}")
        self.rules = rules
        self.envs = envs
        self.restarts = restarts
        self.factors = len(rules.actions)
        self._reward = rewards.find_reward(reward)
        self._boards: Batch = rules.batch(envs)
        self._random = _random_states(seed, envs)
        if self._boards.to_move[0] == OVER:
            raise RulesError("no seat can move at the start of a game with these rules")

    @property
    def to_move(self) -> np.ndarray:
        """The seat to move on each board, int64[boards]; -1 where a game is over and not begun anew. A copy."""
        return self._boards.to_move.copy()

    def reset(self, boards: object = None, *, seed: int | None = None) -> None:
        """Begin new games on all boards, or on some; with a seed, ``sample`` begins anew, too.

        ``boards``: numbers of boards, or bool[boards]. Raises RulesError for a board that does not exist.
        """
        if seed is not None:
            self._random = _random_states(seed, self.envs)
        numbers = np.arange(self.envs) if boards is None else np.atleast_1d(np.asarray(boards))
        if numbers.dtype == np.bool_ and numbers.shape == (self.envs,):
            numbers = np.flatnonzero(numbers)
        if numbers.size == 0:
            return
        if numbers.dtype.kind not in "iu" or numbers.ndim != 1 or numbers.min() < 0 or numbers.max() >= self.envs:
            raise RulesError(f"boards are numbered from 0 to {self.envs - 1}, not {quote(boards)}")
        self._boards.clear(numbers.astype(np.int64))

    def step(self, actions: np.ndarray) -> Step:
        """Play an action on each board: whole numbers [boards], or (boards, factors) where actions have several.

        Raises IllegalMove for another type or shape, for an action out of range or illegal, and where a game is over.
        The error names the first board at fault, and nothing is played then.
        """
        played = self._check_actions(actions)
        self._boards.play_unchecked(played)
        over = self._boards.to_move == OVER
        paid = np.zeros((self.envs, self.rules.players), dtype=np.float32)
        scores = np.zeros((self.envs, self.rules.players), dtype=np.int64)
        ended = np.flatnonzero(over)
        if ended.size:
            scores[ended] = self._boards.scores(ended)
            paid[ended] = self._reward(scores[ended])
            if self.restarts:
                self._boards.clear(ended)
        return Step(paid, over, scores)

    def sample(self) -> np.ndarray:
        """Draw a legal action for each board, each equally likely, for ``step``; 0 where a game is over."""
        actions = np.empty((self.envs, self.factors), dtype=np.int64)
        self._boards.write_random(self._random, actions)
        return actions if self.factors > 1 else actions[:, 0]

    def masks(self, out: np.ndarray | Masks | None = None) -> np.ndarray | Masks:
        """Return which actions are legal: bool (boards, actions), or a tuple of one array for each factor of an action.

        ``out``: arrays to write to instead of new ones. No action is legal where a game is over. Raises RulesError for
        arrays of another type or shape.
        """
        shapes = [(self.envs, count) for count in self.rules.actions]
        if out is None:
            out = tuple(np.empty(shape, dtype=np.bool_) for shape in shapes)
        masks = out if isinstance(out, tuple) else (out,)
        if len(masks) != len(shapes):
            raise RulesError(f"masks need {len(shapes)} arrays here, one a factor, not {len(masks)}")
        for mask, shape in zip(masks, shapes, strict=True):
            _check_array("masks", mask, np.bool_, shape)
        self._boards.write_masks(masks)
        return masks if self.factors > 1 else masks[0]

    def observations(self, out: np.ndarray | None = None) -> np.ndarray:
        """Return the planes of the seat to move on each board: float32 (boards, planes, …); see ``rules.planes``.

        ``out``: an array to write to instead of a new one. Raises RulesError for an array of another type or shape.
        """
        if out is None:
            out = np.empty(self.observation_shape, dtype=np.float32)
        _check_array("observations", out, np.float32, self.observation_shape)
        self._boards.write_planes(out)
        return out

    @property
    def observation_shape(self) -> tuple[int, ...]:
        """The shape of ``observations``: (boards, planes, …)."""
        return (self.envs, *self.rules.start().planes().shape)

    def position(self, board: int) -> Any:
        """Return one board as a position. Raises RulesError for a board that does not exist."""
        board = as_int(board)
        if type(board) is not int or not 0 <= board < self.envs:
            raise RulesError(f"boards are numbered from 0 to {self.envs - 1}, not {quote(board)}")
        return self._boards.position(board)

    def save(self) -> Saved:
        """Return a copy of all boards and of the state of ``sample``, for ``restore``."""
        return Saved(self.rules, self.envs, self._boards.state(), self._random.copy())

    def restore(self, saved: Saved) -> None:
        """Restore a saved state. Raises RulesError for a state of other rules or of another number of boards."""
        if not isinstance(saved, Saved):
            raise RulesError(f"restore takes a state from save, not {quote(saved)}")
        if (saved.rules, saved.boards) != (self.rules, self.envs):
            here = f"{self.envs} of {self.rules}"
            raise RulesError(f"the state is of {saved.boards} boards of {saved.rules}, not of {here}")
        self._boards.restore(saved.state)
        self._random = saved.random.copy()

    def _check_actions(self, actions: object) -> np.ndarray:
        """Return actions as int64 (boards, factors). Raises IllegalMove as ``step`` does."""
        found = np.asarray(actions)
        shape = (self.envs,) if self.factors == 1 else (self.envs, self.factors)
        if found.dtype.kind not in "iu" or found.shape != shape:
            given = f"{found.dtype} of shape {found.shape}"
            raise IllegalMove("not_an_action", f"actions are whole numbers of shape {shape} here, not {given}")
        if found.dtype == np.uint64:
            found = np.minimum(found, np.iinfo(np.int64).max)
        played = np.ascontiguousarray(found.reshape(self.envs, self.factors), dtype=np.int64)
        board = self._boards.first_illegal(played)
        if board >= 0:
            self._refuse(board, action_of(played[board]))
        return played

    def _refuse(self, board: int, action: Any) -> None:
        """Raise IllegalMove for an illegal action on a board."""
        position = self._boards.position(board)
        try:
            if position.to_move is None:
                raise IllegalMove("game_over", "the game is over; reset begins it anew")
            position.check(self.rules.move_of(action))
        except IllegalMove as error:
            raise IllegalMove(error.code, f"board {board}, action {action}: {error.detail}") from None
        raise AssertionError("an action was refused that may be played")


def shared_rules(given: list[Rules]) -> Rules:
    """Return the rules of all boards. Raises RulesError for an empty list, or where rules differ."""
    if not given:
        raise RulesError("no rules are given for a batch")
    for board, rules in enumerate(given):
        if rules != given[0]:
            raise RulesError(f"all boards of a batch need the same rules; board {board} has other rules")
    return given[0]


def _random_states(seed: object, envs: int) -> np.ndarray:
    """Return a state of the random generator for each board, none 0."""
    number = as_int(seed)
    if type(number) is not int or number < 0:
        raise RulesError(f"a seed is a whole number from 0, not {quote(seed)}")
    return np.random.SeedSequence(number).generate_state(envs, np.uint64) | np.uint64(1)


def _check_array(what: str, array: object, dtype: type, shape: tuple[int, ...]) -> None:
    if not isinstance(array, np.ndarray):
        given = quote(array)
    elif array.dtype == dtype and array.shape == shape and array.flags.c_contiguous and array.flags.writeable:
        return
    else:
        given = f"one of {array.dtype} of shape {array.shape}"
        given += "" if array.flags.c_contiguous and array.flags.writeable else " that is a view or cannot be written"
    raise RulesError(f"{what} need an array of {np.dtype(dtype)} of shape {shape}, not {given}")
