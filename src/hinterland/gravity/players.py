"""The house's players of gravity. Each class is a player; its fields are its options."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ClassVar

import msgspec
import numpy as np

from hinterland import stopwatch
from hinterland.gravity import places
from hinterland.gravity.layout import layout
from hinterland.gravity.opening import first_stone
from hinterland.gravity.reply import reply_map_in_time
from hinterland.gravity.rules import Position, Stone
from hinterland.gravity.search import Search

if TYPE_CHECKING:
    from hinterland.contract import Clock, Player

__all__ = ["PLAYERS", "Hug", "Lloyd", "Mirror", "Random", "Reply"]

EXACT = 0.6
"""The share of its time for a move in which ``reply`` begins no more of the exact map."""


class Random(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Places a stone of random weight on a random free cell."""

    name: ClassVar[str] = "random"

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Stone:  # noqa: ARG002
        """Draw a legal stone, each equally likely."""
        return position.legal_moves.sample(rng)


class Reply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Places its stone where it gains the most cells at once, by the exact reply map."""

    name: ClassVar[str] = "reply"

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Stone:
        """Take the best cell, with an even share of the weight that is left; ties fall to the generator.

        It opens where the best reply leaves it the most, and where its clock leaves no time for the exact map it takes
        the best cell of a sketch.
        """
        weight = _fitting_weight(position)
        seat = position.to_move or 0
        until_s = stopwatch.now_s() + EXACT * clock.thinking_s(position.stones_left(seat), math.inf)

        def has_time() -> bool:
            return stopwatch.now_s() < until_s

        if not position.moves:
            return first_stone(position.rules, weight, has_time, rng)
        gains = reply_map_in_time(position._stones, position.rules, seat, weight, has_time)
        return places.best_sketched(position, weight) if gains is None else _best_of(gains, weight, rng)


class Hug(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Places its stone close by one of its opponents' stones, where that gains the most."""

    name: ClassVar[str] = "hug"

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Stone:  # noqa: ARG002
        """Take the best cell of the rings around the opponents' stones; of the board, where none is free."""
        weight = _fitting_weight(position)
        gains = position.reply_map(weight)
        on_rings = np.full_like(gains, -1)
        for seat, stone in position.moves:
            if seat != position.to_move:
                rows, cols = _ring(stone, position.rules.spacing, position.rules.size)
                on_rings[rows, cols] = gains[rows, cols]
        return _best_of(on_rings if on_rings.max() >= 0 else gains, weight, rng)


class Mirror(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Answers with the point reflection of the last opposing stone through the centre; where it may not, like reply."""

    name: ClassVar[str] = "mirror"

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Stone:
        """Reflect the last opposing stone, weight and all."""
        last = position.rules.size - 1
        for seat, stone in reversed(position.moves):
            if seat != position.to_move:
                image = Stone(last - stone.row, last - stone.col, stone.weight)
                if image in position.legal_moves:
                    return image
                break
        return Reply().choose(position, clock, rng)


class Lloyd(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Spreads its stones evenly: the cell centres of a Lloyd layout of the board for its number of stones."""

    name: ClassVar[str] = "lloyd"

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Stone:
        """Take the free place of the layout that gains the most; like reply where none is free."""
        rules = position.rules
        weight = _fitting_weight(position)
        gains = position.reply_map(weight)
        places = [Stone(row, col, weight) for row, col in layout(rules.size, rules.stones)]
        free = [place for place in places if gains[place.row, place.col] >= 0]
        if not free:
            return Reply().choose(position, clock, rng)
        return max(free, key=lambda place: int(gains[place.row, place.col]))


def _ring(stone: Stone, spacing: int, size: int) -> tuple[np.ndarray, np.ndarray]:
    """List the cells on the board that are from ``spacing`` to less than ``spacing + 1`` away from a stone."""
    offsets = np.arange(-spacing - 1, spacing + 2)
    squares = offsets[:, None] ** 2 + offsets[None, :] ** 2
    down, right = np.nonzero((squares >= spacing**2) & (squares < (spacing + 1) ** 2))
    rows = stone.row + offsets[down]
    cols = stone.col + offsets[right]
    on_board = (rows >= 0) & (rows < size) & (cols >= 0) & (cols < size)
    return rows[on_board], cols[on_board]


def _best_of(gains: np.ndarray, weight: int, rng: np.random.Generator) -> Stone:
    """Return the stone of greatest gain; ties fall to the generator."""
    best = np.flatnonzero(gains == gains.max())
    row, col = divmod(int(best[rng.integers(best.size)]), gains.shape[1])
    return Stone(row, col, weight)


def _fitting_weight(position: Position) -> int:
    """Choose a stone's weight: 1 without weights, else an even share of what is left (all of it for the last stone)."""
    seat = position.to_move
    left = None if seat is None else position.weight_left(seat)
    if seat is None or left is None:
        return 1
    return max(1, left // position.stones_left(seat))


PLAYERS: dict[str, type[Player]] = {player.name: player for player in (Random, Mirror, Hug, Lloyd, Reply, Search)}
