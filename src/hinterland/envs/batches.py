"""Plays thousands of games at once, for learners: each step plays one move on every board.

If a game ends in a step, the step also scores it, gives the rewards, and clears the board for a new game. So every
board always has a seat to move. With ``restarts=False`` a finished board stays as it is until ``reset`` clears it.

An action that consists of several numbers has a *factor* for each: in gravity with weights, the cell and the weight.
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
    """float32 (boards, seats): the reward of each seat if the board's game ended in this step, else 0."""
    over: np.ndarray
    """bool[boards]: whether the board's game ended in this step."""
    scores: np.ndarray
    """int64 (boards, seats): the score of each seat if the board's game ended in this step, else 0."""


class Saved(NamedTuple):
    """A copy of all boards, which an environment with the same rules and number of boards can restore."""

    rules: Rules
    boards: int
    state: Any
    random: np.ndarray


class BatchEnv:
    """Boards of one game with the same rules, as ``envs.batch`` makes them. Seats move in turn on each board."""

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
        """The seat to move on each board, int64[boards]; -1 if the board's game is over. A copy."""
        return self._boards.to_move.copy()

    def reset(self, boards: object = None, *, seed: int | None = None) -> None:
        """Begin new games on all boards, or only on ``boards``; with ``seed``, seed the generators of ``sample`` anew.

        ``boards``: the numbers of some boards, or bool[boards]. Raises RulesError for a board that does not exist.
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
        """Play an action on each board.

        ``actions``: whole numbers, [boards], or (boards, factors) if actions have several factors. Raises IllegalMove
        if the type or shape of ``actions`` is wrong, if an action is out of range or illegal, or if a board's game is
        over. If one action is refused, none is played; the error names the first board at fault.
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
        """Draw actions for ``step``: on each board all legal ones are equally likely; 0 if the board's game is over."""
        actions = np.empty((self.envs, self.factors), dtype=np.int64)
        self._boards.write_random(self._random, actions)
        return actions if self.factors > 1 else actions[:, 0]

    def masks(self, out: np.ndarray | Masks | None = None) -> np.ndarray | Masks:
        """Return which actions are legal: bool (boards, actions), or a tuple with such an array for each factor.

        ``out``: arrays to write to instead of new ones. No action is legal if the board's game is over. Raises
        RulesError for arrays of another type or shape.
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
        """Return on each board what the seat to move sees: float32 (boards, planes, …).

        For each board the result is that of ``Position.planes``. ``out``: an array to write to instead of a new one.
        Raises RulesError for an array of another type or shape.
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
        """Return a copy of all boards and of the random generators of ``sample``, for ``restore``."""
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
    """Return the rules that all boards share. Raises RulesError if the list is empty or rules differ."""
    if not given:
        raise RulesError("no rules are given for a batch")
    for board, rules in enumerate(given):
        if rules != given[0]:
            raise RulesError(f"all boards of a batch need the same rules; board {board} has other rules")
    return given[0]


def _random_states(seed: object, envs: int) -> np.ndarray:
    """Return for each board the state of its random generator, which is never 0."""
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
