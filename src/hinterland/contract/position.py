"""A position: rules and the moves so far, checked, replayed, written and read back."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

import msgspec

from hinterland.contract.moves import LegalMoves, Move
from hinterland.contract.rules import Rules
from hinterland.contract.scratch import Scratch
from hinterland.contract.text import read_json, read_whole
from hinterland.errors import BadText, IllegalMove, RulesError, shown

if TYPE_CHECKING:
    from typing import Self

__all__ = ["EndReason", "Outcome", "Position", "leaders"]

M = TypeVar("M", bound=Move)
R = TypeVar("R", bound=Rules)


class EndReason(StrEnum):
    """Why the rules end a game; the referee has reasons of its own."""

    COMPLETE = "complete"
    """Every seat has made all its moves."""
    STUCK = "stuck"
    """Moves are left, but no seat has a legal one."""


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended: the scores, the seats that share the greatest, and the rules' reason."""

    scores: tuple[int, ...]
    """One a seat."""
    winners: tuple[int, ...]
    """The seats with the greatest score."""
    reason: EndReason
    """The rules' reason."""


class Position(msgspec.Struct, Generic[R, M], frozen=True, dict=True):
    """Rules and the moves so far: an immutable value from which everything else is derived.

    ``moves`` holds (seat, move) in order of play. ``withdrawn`` lists the seats that have left the game: they are
    passed over, what they placed stays. ``skipped`` lists the turns that the referee took from a seat: each counts as
    used up, but nothing was played. The constructor trusts its arguments; ``replay``, ``parse`` and ``from_json`` check
    them.
    """

    rules: R
    """The game's frozen parameters."""
    moves: tuple[tuple[int, M], ...] = ()
    """(seat, move) in order of play."""
    withdrawn: tuple[int, ...] = ()
    """Seats that have left, in the order in which they left."""
    skipped: tuple[tuple[int, int], ...] = ()
    """(moves made before, seat) of each lost turn."""

    move_type: ClassVar[type[Move]]
    rules_type: ClassVar[type[Rules]]

    @property
    def to_move(self) -> int | None:
        """The seat whose turn it is, None when the game is over."""
        raise NotImplementedError

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
        """Why the rules ended the game; meaningful once nobody is to move."""
        raise NotImplementedError

    def check(self, move: M) -> None:
        """Raise IllegalMove(code, detail) unless the seat to move may make this move."""
        raise NotImplementedError

    def read_move(self, text: str) -> M:
        """Read a move that a person typed: its numbers with commas, or what the game calls it. Raises BadText."""
        numbers = [read_whole(number.strip()) for number in text.split(",")]
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
        moves = (*self.moves, (self.to_move, move))
        return type(self)(self.rules, moves, self.withdrawn, self.skipped)  # type: ignore[arg-type]

    def withdraw(self, seat: int) -> Self:
        """Return the position in which a seat has left the game: it is passed over from now on."""
        if not 0 <= seat < self.rules.players or seat in self.withdrawn:
            raise RulesError(f"seat {seat} cannot withdraw: seats still in are {self._still_in()}")
        return type(self)(self.rules, self.moves, (*self.withdrawn, seat), self.skipped)

    def skip(self) -> Self:
        """Return the position in which the seat to move has lost its turn. Raises IllegalMove when the game is over."""
        if self.to_move is None:
            raise IllegalMove("game_over", "the game is over, no turn is left to skip")
        skipped = (*self.skipped, (len(self.moves), self.to_move))
        return type(self)(self.rules, self.moves, self.withdrawn, skipped)

    def after(self, plies: int) -> Self:
        """Return the position after the first ``plies`` moves, with nobody withdrawn."""
        return type(self)(self.rules, self.moves[:plies], (), tuple(turn for turn in self.skipped if turn[0] < plies))

    def turns_of(self, seat: int) -> int:
        """Count the turns a seat has used up: its moves and those it lost."""
        lost = sum(1 for _, loser in self.skipped if loser == seat) if self.skipped else 0
        return lost + sum(1 for mover, _ in self.moves if mover == seat)

    @property
    def last_turn(self) -> int | None:
        """The seat that had the last turn, whether it moved or lost it; None at the start."""
        if self.skipped and self.skipped[-1][0] == len(self.moves):
            return self.skipped[-1][1]
        return self.moves[-1][0] if self.moves else None

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, None while it goes on."""
        if self.to_move is not None:
            return None
        return Outcome(self.scores, leaders(self.scores), self.end_reason)

    def _still_in(self) -> list[int]:
        return [seat for seat in range(self.rules.players) if seat not in self.withdrawn]

    @classmethod
    def replay(
        cls,
        rules: R,
        moves: Iterable[tuple[int, M]],
        withdrawn: Iterable[int] = (),
        skipped: Iterable[tuple[int, int]] = (),
    ) -> Self:
        """Play (seat, move) pairs from the start, checking each. Raises IllegalMove, with the number of the move."""
        position: Self = rules.start()  # type: ignore[assignment]
        leaving = tuple(withdrawn)
        lost = list(skipped)
        for number, (seat, move) in enumerate(moves, start=1):
            try:
                position = position._skip_turns(lost, leaving)._pass_over(seat, leaving)
                position._check_turn(seat)
                position = position.play(move)
            except IllegalMove as error:
                raise IllegalMove(error.code, f"move {number}: {error.detail}") from None
        position = position._skip_turns(lost, leaving)
        if lost:
            raise IllegalMove("out_of_turn", f"a turn skipped after {lost[0][0]} moves: there is no such turn")
        if len(set(leaving)) < len(leaving):
            raise RulesError(f"a seat leaves once, not twice: {shown(leaving)}")
        for seat in leaving:
            if seat not in position.withdrawn:
                position = position.withdraw(seat)
        return type(position)(rules, position.moves, leaving, position.skipped)

    def _skip_turns(self, lost: list[tuple[int, int]], leaving: tuple[int, ...]) -> Self:
        """Skip the turns that were lost after the moves made so far, and take them off the list."""
        position = self
        while lost and lost[0][0] == len(position.moves):
            plies, seat = lost.pop(0)
            position = position._pass_over(seat, leaving)
            try:
                position._check_turn(seat)
            except IllegalMove as error:
                raise IllegalMove(error.code, f"a turn skipped after {plies} moves: {error.detail}") from None
            position = position.skip()
        return position

    def _pass_over(self, seat: int, leaving: tuple[int, ...]) -> Self:
        """Withdraw seats that are going to leave for as long as it is their turn rather than this seat's."""
        position = self
        while position.to_move != seat and position.to_move in leaving:
            position = position.withdraw(position.to_move)
        return position

    def _check_turn(self, seat: int) -> None:
        if self.to_move is None:
            raise IllegalMove("game_over", "the game is over, no move is left to make")
        if seat != self.to_move:
            raise IllegalMove("out_of_turn", f"seat {self.to_move} is to move, not seat {seat}")

    def __str__(self) -> str:
        parts = [str(self.rules), " ".join(f"{seat}:{move}" for seat, move in self.moves)]
        if self.withdrawn:
            parts.append("out " + ",".join(map(str, self.withdrawn)))
        if self.skipped:
            parts.append("skipped " + " ".join(f"{seat}@{plies}" for plies, seat in self.skipped))
        return " ; ".join(parts).rstrip()

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read back what ``str`` wrote, checking every move. Raises BadText, RulesError or IllegalMove."""
        rules_text, *rest = (part.strip() for part in text.split(";"))
        rules = cls.rules_type.parse(rules_text)
        moves = [cls._parse_move(word) for word in rest[0].split()] if rest else []
        withdrawn: list[int] = []
        skipped: list[tuple[int, int]] = []
        for part in rest[1:]:
            word, *values = part.replace(",", " ").split() or [""]
            match word:
                case "out":
                    withdrawn = [read_whole(value) for value in values]
                case "skipped":
                    skipped = [cls._parse_skip(value) for value in values]
                case _:
                    raise BadText(f"after the moves come the words out or skipped, not {shown(word)}")
        return cls.replay(rules, moves, withdrawn, skipped)  # type: ignore[arg-type]

    @classmethod
    def _parse_skip(cls, word: str) -> tuple[int, int]:
        seat, at, plies = word.partition("@")
        if not at:
            raise BadText(f"a skipped turn is written seat@moves, not {shown(word)}")
        return read_whole(plies), read_whole(seat)

    @classmethod
    def _parse_move(cls, word: str) -> tuple[int, Move]:
        seat, colon, numbers = word.partition(":")
        if not colon:
            raise BadText(f"a move is written seat:number,number…, not {shown(word)}")
        return read_whole(seat), cls.move_type.from_numbers([read_whole(number) for number in numbers.split(",")])

    def to_json(self) -> bytes:
        """Write the position as one JSON object: rules, moves as [seat, [numbers]], withdrawn, and skipped if any."""
        moves = [[seat, move.numbers] for seat, move in self.moves]
        form = {"rules": self.rules, "moves": moves, "withdrawn": self.withdrawn}
        return msgspec.json.encode({**form, "skipped": self.skipped} if self.skipped else form)

    @classmethod
    def from_json(cls, text: bytes | str) -> Self:
        """Read back what ``to_json`` wrote, checking every move. Raises BadText, RulesError or IllegalMove."""
        try:
            form = msgspec.convert(read_json(text), _PositionForm)
        except (msgspec.ValidationError, BadText) as error:
            raise BadText(f"not the JSON of a position: {error}") from None
        moves = [(seat, cls.move_type.from_numbers(numbers)) for seat, numbers in form.moves]
        rules = cls.rules_type.from_json(form.rules)
        return cls.replay(rules, moves, form.withdrawn, form.skipped)  # type: ignore[arg-type]


class _PositionForm(msgspec.Struct, forbid_unknown_fields=True):
    rules: dict[str, Any]
    moves: list[tuple[int, list[int]]]
    withdrawn: tuple[int, ...] = ()
    skipped: tuple[tuple[int, int], ...] = ()


def leaders(scores: tuple[int, ...]) -> tuple[int, ...]:
    """Return the seats that share the greatest score."""
    best = max(scores)
    return tuple(seat for seat, score in enumerate(scores) if score == best)
