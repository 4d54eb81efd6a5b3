"""The rules of Join the dots: draw lines without crossings; closing a cycle of n dots scores n and removes them.

A position is its rules and its lines. As long as three dots are left, there is a legal line: the lines on the board are
a forest, so there are fewer lines than dots. But lines without crossings can be added until they are a triangulation,
which has at least as many lines as dots. So a game ends when fewer than three dots are left, or, if the referee took
turns away, when the seats have used up their turns.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from hinterland import contract
from hinterland.contract.numbers import as_int
from hinterland.dots.order_types.forest import Forest, bits
from hinterland.dots.points import orientation
from hinterland.dots.points.coordinates import MAX_DOTS, MIN_DOTS, Points, check_points
from hinterland.errors import IllegalMove, RulesError, quote

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    import numpy as np

    from hinterland.dots.order_types.segments import Segments


class Line(contract.Move, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A line between two dots, which are numbered from 0; in JSON [dot, dot]. The smaller number is stored first."""

    a: int
    """One end."""
    b: int
    """The other end."""

    def __post_init__(self) -> None:
        if type(self.a) is not int or type(self.b) is not int:
            self._make_whole()
        if type(self.a) is int and type(self.b) is int and self.a > self.b:
            a, b = self.b, self.a
            msgspec.structs.force_setattr(self, "a", a)
            msgspec.structs.force_setattr(self, "b", b)


class Rules(contract.Rules, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """The frozen parameters of one game. Impossible parameters raise RulesError.

    A board is given by its dots or by its order type, not by both. No three dots may be on one line.
    """

    game: ClassVar[str] = "dots"
    drawn_by: ClassVar[str | None] = "board_seed"

    points: Points | None = None
    """The place of each dot: (x, y), any finite numbers."""
    orientations: str | None = None
    """The order type: for each triple of dots i < j < k, in lexicographic order, "+" if the way from i by j to k turns
    left, "-" if it turns right."""
    players: int = 2
    """The number of seats, always two."""

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "players", as_int(self.players))
        if type(self.players) is not int or self.players != 2:
            raise RulesError(f"players must be 2 in this game, not {quote(self.players)}")
        if (self.points is None) == (self.orientations is None):
            raise RulesError("a board is given by points or by orientations, by one of them and not by both")
        if self.points is not None:
            msgspec.structs.force_setattr(self, "points", check_points(self.points))
            self.__dict__["signs"] = orientation.signs(self.points)
        else:
            self.__dict__["dots"] = _check_orientations(self.orientations)

    @cached_property
    def dots(self) -> int:
        """The number of dots at the start."""
        assert self.points is not None
        return len(self.points)

    @property
    def total_score(self) -> int:
        """The number of dots."""
        return self.dots

    @cached_property
    def signs(self) -> str:
        """The order type, in the form of ``orientations``. On boards of one order type the same lines cross."""
        assert self.orientations is not None
        return self.orientations

    @cached_property
    def sides(self) -> np.ndarray:
        """The turn of dots i, j, k at [i, j, k]: 1 left, -1 right, 0 if two are the same; int8 (n, n, n).

        Do not change it.
        """
        from hinterland.dots.order_types import chirotopes  # noqa: PLC0415

        return chirotopes.sides(self.signs, self.dots)

    @cached_property
    def segments(self) -> Segments:
        """All lines that can be drawn, with their numbers, and which of them cross."""
        from hinterland.dots.order_types.segments import segments_of  # noqa: PLC0415

        return segments_of(self.sides)

    @property
    def most_moves(self) -> int:
        """The greatest possible number of lines drawn in a game: see ``turns``."""
        return self.turns

    @property
    def place_ranges(self) -> dict[str, int]:
        return {"dot": self.dots}

    @property
    def actions(self) -> tuple[int, ...]:
        """The number of pairs of dots, which are numbered as in ``segments``: pairs with dot 0 come first."""
        return (math.comb(self.dots, 2),)

    def _factors_of(self, move: contract.Move) -> tuple[int, ...] | None:
        return (self.segments.number.get(move.numbers, -1),) if isinstance(move, Line) else None

    def _move_of(self, *factors: int) -> Line:
        return Line(*self.segments.ends[factors[0]])

    @property
    def turns(self) -> int:
        """The number of turns that each seat has: the greatest possible number of lines drawn in a game.

        So a seat can use up its turns only if turns are lost. Without a cycle, n dots have at most n - 1 lines; the
        next line closes a cycle, and removes at least three dots.
        """
        return sum(range(self.dots, 2, -3))

    @classmethod
    def from_options(
        cls,
        options: Mapping[str, object],
        *,
        may_read: bool = False,
        note: Callable[[str], None] = contract.silent,  # noqa: ARG003
    ) -> Rules:
        """Draw a board by name with its options, read a board from a file, or take points or orientations as they are.

        The method ``options`` lists the options of the default board. Raises UnknownName, RulesError, or BadText for a
        file.
        """
        from hinterland.dots.points import point_options  # noqa: PLC0415

        if "board" not in options and ("points" in options or "orientations" in options):
            return cls.from_json(options)
        return point_options.read(options, lambda points: cls(points=points), may_read=may_read)

    @classmethod
    def options(cls) -> dict[str, Any]:
        """List the options of the default board; other boards have other options."""
        from hinterland.dots.points import point_options  # noqa: PLC0415

        return point_options.default_options()

    @classmethod
    def choices(cls) -> dict[str, tuple[str, ...]]:
        """List the boards by name."""
        from hinterland.dots.points import point_options  # noqa: PLC0415

        return {"board": point_options.boards_and_files(may_read=True)}

    @property
    def summary(self) -> str:
        """The game in a line for people."""
        given = "points" if self.points is not None else "orientations"
        return f"{self.game}: {self.players} players · {self.dots} dots given by their {given}"

    def start(self) -> Position:
        """Return the board without lines."""
        return Position(self)


def _check_orientations(signs: Any) -> int:
    """Return the number of dots. Raises RulesError unless the signs are an abstract order type."""
    from hinterland.dots.order_types import chirotopes  # noqa: PLC0415

    if not isinstance(signs, str) or set(signs) - {"+", "-"}:
        raise RulesError(f'orientations must be a text of "+" and "-", not {quote(signs)}')
    if len(signs) > math.comb(MAX_DOTS, 3):
        raise RulesError(f"a board has from {MIN_DOTS} to {MAX_DOTS} dots, these orientations are of more")
    dots = chirotopes.dots_of(len(signs))
    if dots is None:
        raise RulesError(f"orientations are one sign for each three dots: 1, 4, 10, 20 …, not {len(signs)}")
    chirotopes.check_axioms(chirotopes.sides(signs, dots))
    return dots


class Position(contract.Position[Rules, Line], frozen=True, dict=True):
    """Rules and the lines so far. Build one with ``Rules.start()`` and ``play``."""

    rules_type: ClassVar[type[Rules]] = Rules
    move_type: ClassVar[type[Line]] = Line

    @cached_property
    def forest(self) -> Forest:
        """The dots and lines on the board."""
        forest = Forest.empty(self.rules.segments)
        for seat, line in self.moves:
            forest = forest.after(forest.segments.number[line.numbers], seat)
        return forest

    @cached_property
    def to_move(self) -> int | None:
        """The seat whose turn it is, None when the game is over."""
        if self.forest.present.bit_count() < MIN_DOTS:
            return None
        return self._find_next_seat(lambda seat: self.turns_of(seat) < self.rules.turns)

    @property
    def scores(self) -> tuple[int, ...]:
        """For each seat, the number of dots in the cycles that it has closed."""
        return self.forest.scores

    @property
    def dots(self) -> tuple[int, ...]:
        """The dots on the board."""
        return tuple(bits(self.forest.present))

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines on the board."""
        return tuple(Line(*self.forest.segments.ends[line]) for line in bits(self.forest.lines))

    def cycle(self, line: Line) -> tuple[int, ...]:
        """Return the dots of the cycle that a legal line closes, in ascending order; empty if it closes none."""
        return tuple(bits(self.forest.cycle(self.forest.segments.number[line.numbers])))

    @property
    def legal_moves(self) -> LegalLines:
        """What the seat to move may draw; empty when the game is over."""
        return LegalLines(self)

    @property
    def end_reason(self) -> contract.EndReason:
        """COMPLETE if fewer than three dots are left; STUCK if turns were lost and no seat has a turn left."""
        over = self.forest.present.bit_count() < MIN_DOTS
        return contract.EndReason.COMPLETE if over else contract.EndReason.STUCK

    def check(self, move: Line) -> None:
        """Raise IllegalMove unless the seat to move may draw this line.

        Codes: game_over, not_a_line, not_whole, outside, same, gone, joined, crossing.
        """
        if not isinstance(move, Line):
            raise IllegalMove("not_a_line", f"a move of this game is Line(dot, dot), not {quote(move)}")
        for dot in move.numbers:
            if type(dot) is not int:
                raise IllegalMove("not_whole", f"a dot is a whole number, not {quote(dot)}")
        _ = self.mover
        self._check_ends(move)
        self._check_way(move)

    def _check_ends(self, move: Line) -> None:
        for dot in move.numbers:
            if not 0 <= dot < self.rules.dots:
                last = self.rules.dots - 1
                raise IllegalMove("outside", f"dot {quote(dot)} is not on the board, they go from 0 to {last}")
        if move.a == move.b:
            raise IllegalMove("same", f"a line joins two dots, not dot {move.a} with itself")
        for dot in move.numbers:
            if not self.forest.present >> dot & 1:
                raise IllegalMove("gone", f"dot {dot} is gone, a cycle took it")

    def _check_way(self, move: Line) -> None:
        forest = self.forest
        line = forest.segments.number[move.numbers]
        if forest.lines >> line & 1:
            raise IllegalMove("joined", f"dots {move.a} and {move.b} are joined already")
        for other in bits(forest.lines & forest.segments.crossed[line]):
            a, b = forest.segments.ends[other]
            raise IllegalMove("crossing", f"the line from {move.a} to {move.b} would cross the line from {a} to {b}")

    def play_unchecked(self, move: Line) -> Position:
        """Return the position after a line that is known to be legal."""
        after = super().play_unchecked(move)
        after.__dict__["forest"] = self.forest.after(self.forest.segments.number[move.numbers], self.mover)
        return after


class LegalLines(contract.LegalMoves[Line]):
    """The lines that may be drawn, in order of their ends."""

    _position: Position

    def _legal(self) -> int:
        return self._position.forest.legal if self else 0

    def __iter__(self) -> Iterator[Line]:
        lines = self._position.forest.segments.ends
        for line in bits(self._legal()):
            yield Line(*lines[line])

    def __len__(self) -> int:
        return self._legal().bit_count()

    def sample(self, rng: np.random.Generator) -> Line:
        """Draw a legal line at random, all equally likely. Raises GameOver."""
        _ = self._position.mover
        legal = list(bits(self._legal()))
        return Line(*self._position.forest.segments.ends[legal[int(rng.integers(len(legal)))]])

    def _mask(self) -> contract.Mask:
        import numpy as np  # noqa: PLC0415

        count = len(self._position.forest.segments.ends)
        packed = self._legal().to_bytes(-(-count // 8), "little")
        return np.unpackbits(np.frombuffer(packed, np.uint8), count=count, bitorder="little").astype(np.bool_)
