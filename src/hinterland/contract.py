"""What every game keeps, so that the arena can stand on it without knowing any game by name.

A game is a folder with a subclass of each of the four bases below (``Rules``, ``Move``, ``Position``,
``LegalMoves``), its players, its pictures, and one ``Game`` that names them. Rules, moves and positions are
immutable values; everything about a position is derived from its rules and moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

import msgspec

from hinterland.errors import BadText, IllegalMove, RulesError, UnknownName, shown

if TYPE_CHECKING:
    from typing import Self

    import numpy as np
    from PIL.Image import Image

__all__ = [
    "Clock",
    "EndReason",
    "Game",
    "LegalMoves",
    "Move",
    "Outcome",
    "Pictures",
    "Player",
    "Position",
    "Preset",
    "Rules",
    "Scratch",
    "leaders",
    "read_json",
    "read_value",
]


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


class Move(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One move. In JSON a move is an array of whole numbers."""

    @property
    def numbers(self) -> tuple[int, ...]:
        """The whole numbers that stand for this move in JSON."""
        values: tuple[int, ...] = msgspec.structs.astuple(self)
        return values

    def __str__(self) -> str:
        return ",".join(map(str, self.numbers))

    @classmethod
    def from_numbers(cls, numbers: object) -> Self:
        """Read the JSON form. Raises BadText when it is not an array of as many whole numbers as the move has."""
        try:
            return msgspec.convert(numbers, cls)
        except msgspec.ValidationError as error:
            fields = ", ".join(cls.__struct_fields__)
            raise BadText(f"a move is an array of whole numbers [{fields}], not {shown(numbers)}: {error}") from None


M = TypeVar("M", bound=Move)
M_contra = TypeVar("M_contra", bound=Move, contravariant=True)
M_co = TypeVar("M_co", bound=Move, covariant=True)
R = TypeVar("R", bound="Rules")


class Rules(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The frozen parameters of one game; making impossible ones raises RulesError."""

    game: ClassVar[str]
    """The game's name in the catalogue."""
    players: int = 2
    """How many seats there are."""

    def start(self) -> Position[Any, Any]:
        """Return the position before the first move."""
        raise NotImplementedError

    @classmethod
    def from_json(cls, values: Mapping[str, object]) -> Self:
        """Read decoded JSON. Raises UnknownName for a name that is no rule, RulesError for a value that cannot be."""
        for name in values:
            if name not in cls.__struct_fields__:
                raise UnknownName(f"rule of {cls.game}", name, cls.__struct_fields__)
        try:
            return msgspec.convert(values, cls)
        except msgspec.ValidationError as error:
            cls(**values)  # type: ignore[arg-type]  # says it better where it can
            raise RulesError(f"rules of {cls.game}: {error}") from None

    def __str__(self) -> str:
        return " ".join([self.game, *(f"{name}={_plain(value)}" for name, value in self._told())])

    def _told(self) -> Iterator[tuple[str, object]]:
        """List the fields worth telling: all but those that hold None, their default."""
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if value is not None:
                yield name, value

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read back what ``str`` wrote. Raises BadText or RulesError."""
        head, *pairs = text.split() or [""]
        if head != cls.game:
            raise BadText(f"rules begin with the word {cls.game!r}, not {shown(head)}")
        values = {}
        for pair in pairs:
            name, equals, value = pair.partition("=")
            if not equals:
                raise BadText(f"a rule is written name=value, not {shown(pair)}")
            values[name] = read_value(value)
        return cls.from_json(values)


class LegalMoves(Generic[M_co]):
    """A lazy view of what may be played: ``in`` is cheap, iteration is lazy, ``len`` may take a kernel."""

    def __init__(self, position: Position[Any, Any]) -> None:
        self._position: Any = position

    def __contains__(self, move: object) -> bool:
        """Say whether ``play`` would accept the move."""
        try:
            self._position.check(move)
        except IllegalMove:
            return False
        return True

    def __bool__(self) -> bool:
        """Say whether there is any."""
        return self._position.to_move is not None

    def __iter__(self) -> Iterator[M_co]:
        """Yield the legal moves in a fixed order."""
        raise NotImplementedError

    def __len__(self) -> int:
        """Count the legal moves."""
        raise NotImplementedError

    def sample(self, rng: np.random.Generator) -> M_co:
        """Draw one at random, each equally likely. Raises IllegalMove when there is none."""
        raise NotImplementedError


class Scratch(Protocol[M_contra]):
    """A mutable board for search: nothing is checked, and undo restores saved values exactly."""

    @property
    def to_move(self) -> int | None:
        """The seat to move, None when the game is over."""

    @property
    def scores(self) -> tuple[int, ...]:
        """The scores now, one a seat."""

    def play(self, move: M_contra) -> None:
        """Make a legal move for the seat to move."""

    def undo(self) -> None:
        """Take the last move back."""


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

    def scratch(self) -> Scratch[M]:
        """Return an unchecked, mutable copy for search."""
        raise NotImplementedError

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
                    withdrawn = [_whole(value) for value in values]
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
        return _whole(plies), _whole(seat)

    @classmethod
    def _parse_move(cls, word: str) -> tuple[int, Move]:
        seat, colon, numbers = word.partition(":")
        if not colon:
            raise BadText(f"a move is written seat:number,number…, not {shown(word)}")
        return _whole(seat), cls.move_type.from_numbers([_whole(number) for number in numbers.split(",")])

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


class Clock(msgspec.Struct, frozen=True):
    """What a player is told of its time, in milliseconds; None means without limit."""

    left_ms: int | None = None
    """What is left of the budget for the whole game."""
    increment_ms: int = 0
    """What each move adds to the budget."""
    move_ms: int | None = None
    """The limit of a single move."""


class Player(Protocol):
    """Anything that chooses moves.

    Its options are the fields of its struct; the first line of its docstring tells people what it does.
    """

    name: ClassVar[str]

    def choose(self, position: Any, clock: Clock, rng: np.random.Generator) -> Any:
        """Return a legal move for the seat to move."""


class Pictures(Protocol):
    """How a game draws its positions."""

    def svg(self, position: Any) -> str:
        """Draw a position as a complete SVG document."""

    def image(self, position: Any, pixels: int) -> Image:
        """Draw a position as a square image."""

    def heat(self, position: Any, weight: int) -> Image:
        """Draw what each move would gain the seat to move as an RGBA image, one pixel a place."""

    def best(self, position: Any, weight: int) -> tuple[Any, int]:
        """Return the move with the greatest gain for the seat to move, and the gain."""


class Preset(msgspec.Struct, frozen=True):
    """Rules under a name, for menus."""

    name: str
    """A word, for programs."""
    title: str
    """For people."""
    summary: str
    """A sentence."""
    rules: Rules
    """The rules it stands for."""


class Game(msgspec.Struct, frozen=True):
    """One game, as the catalogue and the arena see it."""

    name: str
    """The word by which the catalogue, commands and records know it."""
    title: str
    """The same for people."""
    summary: str
    """What it is, in a sentence."""
    rules: type[Rules]
    """Its rules."""
    position: type[Position[Any, Any]]
    """Its positions."""
    move: type[Move]
    """Its moves."""
    players: dict[str, type[Player]]
    """Its players by name."""
    presets: tuple[Preset, ...]
    """Rules for menus; the first is the usual game."""
    max_players: int
    """The most seats it can have."""
    pictures: Pictures
    """How it is drawn."""
    warm_up: Callable[[], None]
    """Compile every kernel of the game, so that no player's clock pays for it."""


def leaders(scores: tuple[int, ...]) -> tuple[int, ...]:
    """Return the seats that share the greatest score."""
    best = max(scores)
    return tuple(seat for seat, score in enumerate(scores) if score == best)


def _plain(value: object) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def read_value(text: str) -> object:
    """Read a value as written in ``str(rules)`` or on a command line: JSON where it is, else the text itself."""
    try:
        value: object = read_json(text)
    except BadText:
        return text
    return value


def read_json(text: bytes | str) -> Any:
    """Decode JSON from outside. Raises BadText for whatever is wrong with it, bottomless nesting included."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadText(str(error)) from None


def _whole(text: str) -> int:
    if not (text.isascii() and text.removeprefix("-").isdigit() and len(text) < 12):
        raise BadText(f"a whole number was expected, not {shown(text)}")
    return int(text)
