"""What the opponents of the league share: the turn in which they think, and the clock that they keep to.

All opponents are for games of two. Where stones have weights, they spread theirs evenly.
"""

from __future__ import annotations

import math
from typing import Annotated, ClassVar

import msgspec
import numpy as np

from hinterland import search_clock
from hinterland.contract import Clock, rehearse
from hinterland.gravity.players import Reply, small_board
from hinterland.gravity.replies.best_reply import find_best_cell
from hinterland.gravity.replies.reply_map import reply_map_in_time
from hinterland.gravity.rules import Position, Rules, Stone
from hinterland.gravity.search import candidates

RESERVE_MS = 3000
"""Milliseconds of the clock that opponents leave unused, or half of what is left of the clock, if that is less."""
MAP_SHARE = 0.4
"""Share of a turn's time after which an exact reply map is given up for a coarse one."""
REHEARSED_S = 0.01
"""Seconds for a move in rehearsals."""
DIRECTIONS = 16
"""Directions in which the nearest legal cell is looked for."""
RADII_PER_SIDE = 64
"""Number of radii at which it is looked for."""


class Turn:
    """A position, the time that is left to choose a stone for it, and what an opponent asks of the position."""

    def __init__(self, position: Position, rng: np.random.Generator, seconds: float) -> None:
        self.position, self.rng = position, rng
        self.size, self.spacing, self.seat = position.rules.size, position.rules.spacing, position.mover
        self.weight = candidates.even_weight(position, self.seat)
        self.legal = position.legal_moves
        self._began_s, self.seconds = search_clock.now_s(), seconds

    @property
    def spent(self) -> float:
        """The share of the time that has passed, 1 when it is over."""
        passed_s = search_clock.now_s() - self._began_s
        return min(passed_s / self.seconds, 1.0) if self.seconds > 0 else 1.0

    @property
    def rival_stones(self) -> list[Stone]:
        """The rival's stones, the last one first."""
        return [stone for seat, stone in reversed(self.position.moves) if seat != self.seat]

    @property
    def is_last(self) -> bool:
        """Whether nobody moves after this stone."""
        rival = 1 - self.seat
        can_answer = self.position.stones_left(rival) > 0 and self.position.weight_left(rival) != 0
        return self.position.stones_left(self.seat) == 1 and not can_answer

    def stone(self, row: int, col: int) -> Stone:
        """Return a stone of this turn's weight; it may be illegal."""
        return Stone(row, col, self.weight)

    def gains(self) -> np.ndarray:
        """Return what a stone on each cell gains, -1 where none may go: exactly, or if time is short, roughly."""
        exact = reply_map_in_time(self.position.new_stone(self.weight), lambda: self.spent < MAP_SHARE)
        return candidates.map_coarsely(self.position, self.weight) if exact is None else exact

    def best(self) -> Stone:
        """Return the stone that gains the most at once."""
        return self.position.best_reply(self.weight)[0]

    def best_of_rival(self) -> Stone:
        """Return the cell on which the rival, were it to move, would gain the most, as a stone of this turn."""
        weight = candidates.even_weight(self.position, 1 - self.seat)
        as_rival = self.position.new_stone(self.weight)._replace(seat=1 - self.seat, weight=weight)
        row, col, _ = find_best_cell(as_rival)
        return self.stone(int(row), int(col))

    def score(self, stone: Stone) -> int:
        """Return this seat's area after a stone."""
        return self.position.play(stone).scores[self.seat]

    def lead_after(self, stone: Stone, answers: int) -> int:
        """Return this seat's lead after a stone and a number of greedy answers, its own among them."""
        position = self.position.play(stone)
        for _ in range(answers):
            if position.to_move is None:
                break
            position = position.play(position.best_reply(candidates.even_weight(position, position.to_move))[0])
        return 2 * position.scores[self.seat] - sum(position.scores)

    def nearest_legal(self, row: float, col: float) -> Stone:
        """Return a legal stone near a place: on its cell, or on the first free cell of growing circles around it."""
        step = max(self.size // RADII_PER_SIDE, 1)
        for radius in (0, 1, 2, *range(3, 2 * self.size, step)):
            for angle in np.arange(DIRECTIONS if radius else 1) * (2 * math.pi / DIRECTIONS):
                stone = self.stone(round(row + radius * math.sin(angle)), round(col + radius * math.cos(angle)))
                if stone in self.legal:
                    return stone
        first = candidates.first_free(self.position)
        return self.stone(first.row, first.col)


def shrink(position: Position, side: int) -> Position:
    """Return a position on a board of ``side`` cells a side, with its stones moved to the nearest cells.

    The position is over, perhaps early, if the smaller board has no room.
    """
    rules = position.rules
    scale = side / rules.size
    small = msgspec.structs.replace(rules, size=side, spacing=max(int(rules.spacing * scale), 1)).start()
    for _, stone in position.moves:
        if small.to_move is None:
            break
        row, col = (min(int((line + 0.5) * scale), side - 1) for line in (stone.row, stone.col))
        small = small.play_unchecked(Stone(row, col, stone.weight))
    return small


class Opponent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An opponent of the league: places its last stone exactly, any other by its idea."""

    name: ClassVar[str]
    largest_side: ClassVar[int] = 10_000
    """Cells a side of the largest board on which the idea is worked out; a larger board is shrunk to this one."""
    seconds: Annotated[float, msgspec.Meta(gt=0, le=3600)] = 1.0
    """Most seconds for a move."""

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Stone:
        """Think for an even share of the clock, but no longer than ``seconds``."""
        if clock.left_ms is not None:
            reserve_ms = min(RESERVE_MS, clock.left_ms // 2)
            clock = msgspec.structs.replace(clock, left_ms=clock.left_ms - reserve_ms)
        seconds = clock.thinking_s(position.stones_left(position.mover), self.seconds)
        turn = Turn(position, rng, seconds)
        if turn.is_last:
            return turn.best()
        if turn.size <= self.largest_side:
            return self.pick(turn)
        small = shrink(position, self.largest_side)
        if small.to_move is None:
            return turn.best()
        found, scale = self.pick(Turn(small, rng, seconds)), turn.size / self.largest_side
        return turn.nearest_legal((found.row + 0.5) * scale - 0.5, (found.col + 0.5) * scale - 0.5)

    def pick(self, turn: Turn) -> Stone:
        """Return a legal stone; a rival's stone follows."""
        raise NotImplementedError

    def warm_up(self, rules: Rules) -> None:
        """Compile, by running them, the kernels that this opponent calls."""
        rehearse(Reply(), small_board(rules))
        rehearse(msgspec.structs.replace(self, seconds=REHEARSED_S), small_board(rules))
