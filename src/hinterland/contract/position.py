"""A position: rules and the moves so far. Positions can be checked, replayed, written and read back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, Self, TypeVar

import msgspec

from hinterland.contract.moves import LegalMoves, Move
from hinterland.contract.numbers import as_int
from hinterland.contract.rules import Rules, load_game
from hinterland.contract.text import read_int, read_json
from hinterland.errors import BadText, GameOver, IllegalMove, RulesError, quote

if TYPE_CHECKING:
    import numpy as np

M = TypeVar("M", bound=Move)
R = TypeVar("R", bound=Rules)


class EndReason(StrEnum):
    """Reasons for which the rules end a game. The referee has other reasons."""

    COMPLETE = "complete"
    """The game was played to its end, for example until every seat has made all its moves."""
    STUCK = "stuck"
    """The game stopped early, for example because no seat has a legal move left."""


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended: the scores, the seats with the greatest score, and the rules' reason."""

    scores: tuple[int, ...]
    """The score of each seat."""
    winners: tuple[int, ...]
    """The seats with the greatest score."""
    reason: EndReason


LOST, LEFT = "lost", "left"
"""Words that stand in a history where a move could stand: the seat lost its turn; the seat left the game."""


class Position(msgspec.Struct, Generic[R, M], frozen=True, dict=True):
    """Rules and what has happened so far: an immutable value from which everything else is derived.

    ``history`` holds what happened, in order. ``(seat, move)`` is a move. ``(seat, "lost")``: the referee took a turn
    from the seat to move; the turn counts as used up. ``(seat, "left")``: the seat left the game; it is skipped from
    then on, and what it placed stays. The constructor trusts its arguments; ``replay``, ``parse`` and ``from_json``
    check them.
    """

    rules: R
    history: tuple[tuple[int, M | str], ...] = ()
    """(seat, move or ``LOST`` or ``LEFT``), in order."""

    move_type: ClassVar[type[Move]]
    rules_type: ClassVar[type[Rules]]

    def __deepcopy__(self, memo: object) -> Self:
        return self  # immutable, and everything cached on it is derived from it

    @cached_property
    def moves(self) -> tuple[tuple[int, M], ...]:
        """(seat, move) in order of play."""
        if any(type(what) is str for _, what in self.history):
            return tuple((seat, what) for seat, what in self.history if type(what) is not str)  # type: ignore[misc]
        return self.history  # type: ignore[return-value]

    @property
    def withdrawn(self) -> tuple[int, ...]:
        """Seats that have left, in the order in which they left."""
        return () if self.moves is self.history else tuple(seat for seat, what in self.history if what == LEFT)

    @property
    def skipped(self) -> tuple[tuple[int, int], ...]:
        """Each lost turn as (number of moves made before it, seat)."""
        return tuple((plies, seat) for plies, seat, what in self.between if what == LOST)

    @property
    def between(self) -> Iterator[tuple[int, int, str]]:
        """Lost turns and departures in order, each as (number of moves made before it, seat, ``LOST`` or ``LEFT``)."""
        if self.moves is self.history:
            return
        plies = 0
        for seat, what in self.history:
            if isinstance(what, str):
                yield plies, seat, what
            else:
                plies += 1

    @property
    def to_move(self) -> int | None:
        """The seat whose turn it is, None when the game is over."""
        raise NotImplementedError

    @property
    def mover(self) -> int:
        """The seat whose turn it is. Raises GameOver if no seat is to move."""
        seat = self.to_move
        if seat is None:
            raise GameOver
        return seat

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of each seat."""
        raise NotImplementedError

    @property
    def legal_moves(self) -> LegalMoves[M]:
        """What the seat to move may play; empty when the game is over."""
        raise NotImplementedError

    @property
    def end_reason(self) -> EndReason:
        """Why the rules ended the game; meaningful only once the game is over."""
        raise NotImplementedError

    def planes(self, seat: int | None = None) -> np.ndarray:
        """Return what a seat sees (by default the seat to move) as arrays for a neural net: float32 (planes, …).

        ``Rules.planes`` names the planes. Planes that show one seat each are in turn order, beginning with ``seat``. In
        a finished game ``seat`` is 0 by default. Raises RulesError for a seat that this game does not have.
        """
        if seat is None:
            seat = self.to_move or 0
        seat = as_int(seat)
        if type(seat) is not int or not 0 <= seat < self.rules.players:
            raise RulesError(f"seats go from 0 to {self.rules.players - 1}, {quote(seat)} is none of them")
        planes: np.ndarray = load_game(type(self.rules)).planes.compute_planes(self, seat)
        return planes

    def _repr_html_(self) -> str:
        return str(load_game(type(self.rules)).make_figure(self))

    def _repr_svg_(self) -> str:
        return str(load_game(type(self.rules)).pictures.svg(self))

    def check(self, move: M) -> None:
        """Raise IllegalMove(code, detail) unless the seat to move may make this move."""
        raise NotImplementedError

    def read_move(self, text: str) -> M:
        """Read a move that a person typed: its numbers with commas, or a word that names it. Raises BadText."""
        numbers = [read_int(number.strip()) for number in text.split(",")]
        return self.move_type.from_numbers(numbers)  # type: ignore[return-value]

    def scratch(self) -> Scratch[M]:
        """Return an unchecked, mutable copy for search."""
        return Scratch(self)

    def play(self, move: M) -> Self:
        """Return the position after a move. Raises IllegalMove(code, detail)."""
        self.check(move)
        return self.play_unchecked(move)

    def play_unchecked(self, move: M) -> Self:
        """Return the position after a move that is known to be legal."""
        after = self._with(self.to_move, move)
        after.__dict__["moves"] = after.history if self.moves is self.history else (*self.moves, after.history[-1])
        return after

    def happen_unchecked(self, seat: int, what: M | str) -> Self:
        """Return the position after a move, a lost turn or a departure that is known to be possible."""
        return self._with(seat, what) if isinstance(what, str) else self.play_unchecked(what)

    def withdraw(self, seat: int) -> Self:
        """Return the position after a seat has left the game; the seat is skipped from now on. Raises RulesError."""
        seat = as_int(seat)
        if type(seat) is not int or seat not in self.staying:
            raise RulesError(f"seat {seat} cannot withdraw: seats still in are {list(self.staying)}")
        return self._with(seat, LEFT)

    def skip(self) -> Self:
        """Return the position after the seat to move lost its turn. Raises GameOver."""
        return self._with(self.mover, LOST)

    def after(self, plies: int) -> Self:
        """Return the position right after the first ``plies`` moves."""
        return type(self)(self.rules, self.history[: self._index(plies)])

    def before(self, ply: int) -> Self:
        """Return the position before move ``ply``, counted from 0.

        If ``ply`` equals the number of moves, return the last position.
        """
        end = self._index(ply + 1) - 1 if ply < len(self.moves) else len(self.history)
        return type(self)(self.rules, self.history[:end])

    def _index(self, plies: int) -> int:
        """Return the length of the history right after the first ``plies`` moves."""
        made = [at for at, (_, what) in enumerate(self.history, start=1) if type(what) is not str]
        return made[plies - 1] if plies else 0

    def _with(self, seat: int | None, what: M | str) -> Self:
        return type(self)(self.rules, (*self.history, (seat, what)))  # type: ignore[arg-type]

    @property
    def staying(self) -> tuple[int, ...]:
        """The seats that have not left."""
        gone = self.withdrawn
        return tuple(seat for seat in range(self.rules.players) if seat not in gone)

    def turns_of(self, seat: int) -> int:
        """Count the turns a seat has used: its moves and its lost turns."""
        return sum(1 for who, what in self.history if who == seat and what != LEFT)

    def weight_left(self, seat: int) -> int | None:  # noqa: ARG002
        """Return the weight that a seat may still spread over its moves; None where moves have no weight."""
        return None

    def _find_next_seat(self, can_move: Callable[[int], bool]) -> int | None:
        """Return the first seat after ``last_turn`` that has not left and can move; None if there is none."""
        players, last, withdrawn = self.rules.players, self.last_turn, self.withdrawn
        first = 0 if last is None else last + 1
        for turn in range(first, first + players):
            seat = turn % players
            if seat not in withdrawn and can_move(seat):
                return seat
        return None

    @property
    def last_turn(self) -> int | None:
        """The seat that had the last turn, whether it moved or lost it; None at the start."""
        return next((seat for seat, what in reversed(self.history) if what != LEFT), None)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, None while it goes on."""
        if self.to_move is not None:
            return None
        return Outcome(self.scores, leaders(self.scores), self.end_reason)

    @classmethod
    def unfold(cls, rules: R, history: Iterable[tuple[int, M | str]]) -> Iterator[Self]:
        """Yield the position at the start, then the position after each entry of a history, checking each entry.

        Raises IllegalMove, or RulesError for a departure that is impossible; the message of either names the number of
        the move.
        """
        position: Self = rules.start()
        yield position
        for seat, what in history:
            plies = len(position.moves)
            try:
                position = position.happen(seat, what)
            except IllegalMove as error:
                where = f"a turn lost after {plies} moves" if what == LOST else f"move {plies + 1}"
                raise IllegalMove(error.code, f"{where}: {error.detail}") from None
            except RulesError as error:
                raise RulesError(f"after {plies} moves: {error}") from None
            yield position

    @classmethod
    def replay(cls, rules: R, history: Iterable[tuple[int, M | str]]) -> Self:
        """Return the position at the end of a history, checking everything. Raises as ``unfold`` does."""
        *_, last = cls.unfold(rules, history)
        return last

    def happen(self, seat: int, what: M | str) -> Self:
        """Return the position after a move, a lost turn or a departure of a seat. Raises IllegalMove or RulesError."""
        if what == LEFT:
            return self.withdraw(seat)
        if seat != self.mover:
            raise IllegalMove("out_of_turn", f"seat {self.mover} is to move, not seat {seat}")
        return self.skip() if what == LOST else self.play(what)  # type: ignore[arg-type]

    def __str__(self) -> str:
        return f"{self.rules} ; {' '.join(f'{seat}:{what}' for seat, what in self.history)}".rstrip()

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read back what ``str`` wrote, checking everything. Raises BadText, RulesError or IllegalMove."""
        rules_text, _, words = text.partition(";")
        history = [cls._parse_word(word) for word in words.split()]
        return cls.replay(cls.rules_type.parse(rules_text.strip()), history)  # type: ignore[arg-type]

    @classmethod
    def _parse_word(cls, word: str) -> tuple[int, Move | str]:
        seat, colon, what = word.partition(":")
        if not colon:
            raise BadText(f"a move is written seat:number,number…, not {quote(word)}; instead of numbers, lost or left")
        if what in (LOST, LEFT):
            return read_int(seat), what
        return read_int(seat), cls.move_type.from_numbers([read_int(number) for number in what.split(",")])

    def to_json(self) -> bytes:
        """Write the position as a JSON object. In its ``history``, an entry is [seat, [numbers]] or [seat, word]."""
        history = [(seat, what if isinstance(what, str) else what.numbers) for seat, what in self.history]
        return msgspec.json.encode({"rules": self.rules, "history": history})

    @classmethod
    def from_json(cls, text: bytes | str) -> Self:
        """Read back what ``to_json`` wrote, checking everything. Raises BadText, RulesError or IllegalMove."""
        try:
            form = msgspec.convert(read_json(text), _PositionForm)
        except (msgspec.ValidationError, BadText) as error:
            raise BadText(f"not the JSON of a position: {error}") from None
        history = [
            (seat, what if isinstance(what, str) else cls.move_type.from_numbers(what)) for seat, what in form.history
        ]
        return cls.replay(cls.rules_type.from_json(form.rules), history)  # type: ignore[arg-type]


class Scratch(Generic[M]):
    """A mutable board for search: a stack of positions.

    ``play`` pushes a position, ``undo`` pops it; nothing is checked. Positions are immutable, so ``undo`` restores
    everything exactly. A game whose kernels keep a mutable board has a subclass of this class.
    """

    def __init__(self, position: Any) -> None:
        self._positions = [position]

    @property
    def position(self) -> Any:
        """The current position."""
        return self._positions[-1]

    @property
    def to_move(self) -> int | None:
        """The seat to move, None when the game is over."""
        seat: int | None = self.position.to_move
        return seat

    @property
    def scores(self) -> tuple[int, ...]:
        """The current score of each seat."""
        scores: tuple[int, ...] = self.position.scores
        return scores

    def play(self, move: M) -> None:
        """Make a legal move for the seat to move."""
        self._positions.append(self.position.play_unchecked(move))

    def undo(self) -> None:
        """Take the last move back."""
        self._positions.pop()


class _PositionForm(msgspec.Struct, forbid_unknown_fields=True):
    rules: dict[str, Any]
    history: list[tuple[int, list[int] | Literal["lost", "left"]]]


def leaders(scores: tuple[int, ...]) -> tuple[int, ...]:
    """Return the seats with the greatest score: one winner, or several that share the win."""
    best = max(scores)
    return tuple(seat for seat, score in enumerate(scores) if score == best)
