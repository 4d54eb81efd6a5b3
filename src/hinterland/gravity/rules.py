"""The rules of gravity: stones on a grid pull at every cell with weight / distance^2; the strongest colour owns it.

The game comes from a course's contest, "Gravitational Voronoi". A position is its rules and its stones; areas, owners
and reply maps are computed from these when asked for.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Literal, get_args

import msgspec

from hinterland import contract
from hinterland.contract.numbers import as_int
from hinterland.errors import IllegalMove, RulesError, UnknownName, quote

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np

    from hinterland.gravity.area.stones import NewStone, Stones

Law = Literal["gravity", "nearest"]
LAWS: tuple[Law, ...] = get_args(Law)
RANGES = {
    "size": (2, 10_000),
    "players": (2, 12),
    "stones": (1, 1000),
    "spacing": (1, 10_000),
    "weight": (1, 1_000_000),
}
"""Least and greatest values. Larger boards and weights could overflow the exact arithmetic; see area/exact_sums.py."""


class Stone(contract.Move, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A stone of a whole weight on the cell (row, col), counted from 0; in JSON [row, col] or [row, col, weight]."""

    row: int
    """From the top, 0 first."""
    col: int
    """From the left, 0 first."""
    weight: int = 1
    """Whole units; 1 in a game without weights."""

    def __post_init__(self) -> None:
        if type(self.row) is not int or type(self.col) is not int or type(self.weight) is not int:
            self._make_whole()

    @property
    def numbers(self) -> tuple[int, ...]:
        """The JSON form: the weight is left out where it is 1."""
        return (self.row, self.col) if self.weight == 1 else (self.row, self.col, self.weight)


class Rules(contract.StoneRules, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The frozen parameters of one game of gravity; impossible ones raise RulesError.

    Cells are the integer points 0 .. size - 1 in both directions. With ``weight=None`` every stone weighs 1; with
    ``weight=W`` each player spreads W whole units over at most ``stones`` stones. Any two stones are at least
    ``spacing`` apart (Euclidean). Under the law "gravity" a colour's pull on a cell is the sum of weight / distance^2
    over its stones, under "nearest" the pull of its strongest single stone. The colour with the greatest pull owns the
    cell; if several colours share the greatest pull, nobody does.
    """

    game: ClassVar[str] = "gravity"

    size: int = 1000
    """Cells a side."""
    players: int = 2
    """Seats."""
    stones: int = 10
    """Most stones of a player."""
    spacing: int = 66
    """The least distance between two stones."""
    weight: int | None = None
    """Weight that a player spreads over its stones; None if each stone weighs 1."""
    law: Law = "gravity"
    """How the pulls of a colour's stones combine: by their sum ("gravity") or their greatest ("nearest")."""

    def __post_init__(self) -> None:
        for name, (least, most) in RANGES.items():
            value = as_int(getattr(self, name))
            if name == "weight" and value is None:
                continue
            if type(value) is not int or not least <= value <= most:
                raise RulesError(f"{name} must be a whole number from {least} to {most}, not {quote(value)}")
            msgspec.structs.force_setattr(self, name, value)
        if self.law not in LAWS:
            raise UnknownName("law", self.law, LAWS)
        if self.spacing**2 > 2 * (self.size - 1) ** 2:
            widest = math.isqrt(2 * (self.size - 1) ** 2)
            raise RulesError(
                f"spacing {self.spacing} leaves no room for a second stone on a board of {self.size} x {self.size}; "
                f"it can be at most {widest} there"
            )

    @property
    def total_score(self) -> int:
        return self.size * self.size

    @property
    def most_moves(self) -> int:
        """The most stones that all players together can place, each of weight 1 at least."""
        return self.players * min(self.stones, self.weight or self.stones)

    @property
    def actions(self) -> tuple[int, ...]:
        """The number of cells, numbered row by row; in a game with weights also the number of weights.

        Weights are numbered from 0, which stands for weight 1.
        """
        cells = self.size * self.size
        return (cells,) if self.weight is None else (cells, self.weight)

    def _factors_of(self, move: contract.Move) -> tuple[int, ...] | None:
        if not isinstance(move, Stone):
            return None
        cell = move.row * self.size + move.col if 0 <= move.col < self.size else -1
        if self.weight is None:
            return (cell if move.weight == 1 else -1,)
        return cell, move.weight - 1

    def _move_of(self, *factors: int) -> Stone:
        row, col = divmod(factors[0], self.size)
        return Stone(row, col, 1 + sum(factors[1:]))

    @classmethod
    def choices(cls) -> dict[str, tuple[str, ...]]:
        return {"law": LAWS}

    def start(self) -> Position:
        return Position(self)


class Position(contract.Position[Rules, Stone], frozen=True, dict=True):
    """Rules and the stones so far. Build one with ``Rules.start()`` and ``play``."""

    rules_type: ClassVar[type[Rules]] = Rules
    move_type: ClassVar[type[Stone]] = Stone

    @cached_property
    def to_move(self) -> int | None:
        seat = self._find_next_seat(lambda seat: self.stones_left(seat) > 0 and self.weight_left(seat) != 0)
        return seat if seat is not None and self._has_room else None

    @cached_property
    def _has_room(self) -> bool:
        from hinterland.gravity.spacing import first_free  # noqa: PLC0415

        return first_free(self._stones) >= 0

    @cached_property
    def _stones(self) -> Stones:
        from hinterland.gravity.area.stones import lay_out  # noqa: PLC0415

        rules = self.rules
        placed = [(seat, stone.row, stone.col, stone.weight) for seat, stone in self.moves]
        return lay_out(placed, rules.players, rules.size, rules.spacing, nearest=rules.law == "nearest")

    def new_stone(self, weight: int) -> NewStone:
        """Return a stone of the seat to move, for kernels.

        Raises IllegalMove unless this seat may place a stone of this weight.
        """
        from hinterland.gravity.area import stones  # noqa: PLC0415

        return stones.NewStone(self._stones, self._check_weight(weight), weight)

    @cached_property
    def scores(self) -> tuple[int, ...]:
        """The area of each seat in cells, exactly."""
        from hinterland.gravity.area.ownership import areas  # noqa: PLC0415

        return areas(self._stones)

    @property
    def owners(self) -> np.ndarray:
        """The owner of each cell: int8 (size, size), the seat or -1 for nobody."""
        from hinterland.gravity.area import ownership  # noqa: PLC0415

        return ownership.owners(self._stones)

    def reply_map(self, weight: int = 1) -> np.ndarray:
        """Return what a stone on each cell would add to the area of the seat to move.

        int32 (size, size); -1 where a stone may not go. Raises IllegalMove if the game is over, or if the seat to move
        has less than ``weight`` left.
        """
        from hinterland.gravity.replies import reply_map  # noqa: PLC0415

        return reply_map.reply_map(self.new_stone(weight))

    def best_reply(self, weight: int = 1) -> tuple[Stone, int]:
        """Return the best stone of this weight for the seat to move, and how many cells it gains.

        Of equally good stones, return the first in reading order. Raises IllegalMove if the game is over, or if the
        seat to move has less than ``weight`` left.
        """
        from hinterland.gravity.replies import best_reply  # noqa: PLC0415

        row, col, gain = best_reply.find_best_cell(self.new_stone(weight))
        return Stone(row, col, weight), int(gain)

    def stones_left(self, seat: int) -> int:
        """Return the number of stones that a seat may still place; a lost turn costs one."""
        return self.rules.stones - self.turns_of(seat)

    def weight_left(self, seat: int) -> int | None:
        """Return the weight that a seat may still place, None in a game without weights."""
        if self.rules.weight is None:
            return None
        return self.rules.weight - sum(stone.weight for mover, stone in self.moves if mover == seat)

    @property
    def legal_moves(self) -> LegalStones:
        return LegalStones(self)

    @property
    def end_reason(self) -> contract.EndReason:
        out_of_stones = all(
            self.stones_left(seat) == 0 or self.weight_left(seat) == 0
            for seat in range(self.rules.players)
            if seat not in self.withdrawn
        )
        return contract.EndReason.COMPLETE if out_of_stones else contract.EndReason.STUCK

    def check(self, move: Stone) -> None:
        """Raise IllegalMove unless the seat to move may place this stone.

        Codes: not_a_stone, game_over, not_whole, too_heavy, too_light, outside, occupied, too_near.
        """
        if not isinstance(move, Stone):
            raise IllegalMove("not_a_stone", f"a move of gravity is Stone(row, col, weight), not {quote(move)}")
        for name in ("row", "col", "weight"):
            value = getattr(move, name)
            if type(value) is not int:
                raise IllegalMove("not_whole", f"{name} must be a whole number, not {quote(value)}")
        self._check_weight(move.weight)
        self._check_cell(move)

    def _check_weight(self, weight: int) -> int:
        """Return the seat to move. Raises IllegalMove unless this seat may place a stone of this weight."""
        seat = self.mover
        left = self.weight_left(seat)
        if weight < 1:
            raise IllegalMove("too_light", f"a stone weighs at least 1, not {weight}")
        if left is None and weight != 1:
            raise IllegalMove("too_heavy", f"every stone weighs 1 in this game, not {weight}")
        if left is not None and weight > left:
            raise IllegalMove("too_heavy", f"seat {seat} has only {left} weight left, not {weight}")
        return seat

    def _check_cell(self, stone: Stone) -> None:
        last = self.rules.size - 1
        if not (0 <= stone.row <= last and 0 <= stone.col <= last):
            raise IllegalMove(
                "outside", f"{stone.row},{stone.col} is outside the board, rows and columns go from 0 to {last}"
            )
        for number, (_, other) in enumerate(self.moves, start=1):
            square = (stone.row - other.row) ** 2 + (stone.col - other.col) ** 2
            if square == 0:
                raise IllegalMove("occupied", f"stone {number} stands on {stone.row},{stone.col} already")
            if square < self.rules.spacing**2:
                here = math.floor(math.sqrt(square) * 10) / 10
                distances = f"{here:.1f} away, {self.rules.spacing} needed"
                raise IllegalMove("too_near", f"{stone.row},{stone.col} is too close to stone {number}: {distances}")


class LegalStones(contract.LegalMoves[Stone]):
    """The stones that may be placed: ``in`` costs O(stones), iteration goes row by row, ``len`` runs a kernel."""

    _position: Position

    def __iter__(self) -> Iterator[Stone]:
        for row in range(self._position.rules.size if self else 0):
            for col in self._free_cols(row):
                for weight in range(1, self._weights() + 1):
                    yield Stone(row, int(col), weight)

    def __len__(self) -> int:
        return self.cells() * self._weights() if self else 0

    def sample(self, rng: np.random.Generator) -> Stone:
        rules = self._position.rules
        _ = self._position.mover
        weight = int(rng.integers(1, self._weights() + 1))
        for _ in range(100):
            stone = Stone(int(rng.integers(rules.size)), int(rng.integers(rules.size)), weight)
            if stone in self:
                return stone
        number = int(rng.integers(self.cells()))
        for row in range(rules.size):
            cols = self._free_cols(row)
            if number < len(cols):
                return Stone(row, int(cols[number]), weight)
            number -= len(cols)
        raise AssertionError("a free cell was counted but not found")

    def _mask(self) -> contract.Mask:
        import numpy as np  # noqa: PLC0415

        from hinterland.gravity import spacing  # noqa: PLC0415

        rules = self._position.rules
        free = np.empty((rules.size, rules.size), dtype=np.bool_)
        spacing.mark_all_free(self._position._stones, free)
        if rules.weight is None:
            return free.ravel()
        return free.ravel(), np.arange(rules.weight) < self._weights()

    def cells(self) -> int:
        """Count the cells on which a stone may go."""
        from hinterland.gravity import spacing  # noqa: PLC0415

        return int(spacing.count_free(self._position._stones))

    def _free_cols(self, row: int) -> np.ndarray:
        from hinterland.gravity import spacing  # noqa: PLC0415

        return spacing.free_in_row(self._position._stones, row)

    def _weights(self) -> int:
        seat = self._position.to_move
        left = None if seat is None else self._position.weight_left(seat)
        return 1 if left is None else left
