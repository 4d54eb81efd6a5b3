"""The frozen parameters of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Self

import msgspec

from hinterland.contract.actions import Action, factors_of
from hinterland.contract.numbers import plain_json
from hinterland.contract.text import plain, read_value
from hinterland.errors import BadText, IllegalMove, RulesError, UnknownName, quote

if TYPE_CHECKING:
    from hinterland.contract.batch import Batch
    from hinterland.contract.moves import Move
    from hinterland.contract.position import Position


def silent(_: str) -> None:
    """Tell nobody."""


class Rules(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The frozen parameters of one game; making impossible ones raises RulesError."""

    game: ClassVar[str]
    """The game's name in the catalogue."""
    drawn_by: ClassVar[str | None] = None
    """The option that draws another board of the same kind, in games with many boards."""
    players: int = 2
    """How many seats there are."""

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return same_rules, (type(self), msgspec.msgpack.encode(self))

    def start(self) -> Position[Any, Any]:
        """Return the position before the first move."""
        raise NotImplementedError

    @classmethod
    def from_json(cls, values: Mapping[str, object]) -> Self:
        """Read decoded JSON. Raises UnknownName for a name that is no rule, RulesError for a value that cannot be."""
        values = {name: plain_json(value) for name, value in values.items()}
        for name in values:
            if name not in cls.__struct_fields__:
                raise UnknownName(f"rule of {cls.game}", name, cls.__struct_fields__)
        try:
            return msgspec.convert(values, cls)
        except msgspec.ValidationError as error:
            cls(**values)  # type: ignore[arg-type]  # says it better where it can
            raise RulesError(f"rules of {cls.game}: {error}") from None

    @classmethod
    def from_options(
        cls,
        options: Mapping[str, object],
        *,
        may_read: bool = False,  # noqa: ARG003
        note: Callable[[str], None] = silent,  # noqa: ARG003
    ) -> Self:
        """Make rules from what people type or choose in a form; see ``options``.

        ``may_read``: whether an option may name a file of this machine. ``note`` gets what people should know of how
        it was read, in lines. Raises what ``from_json`` does, or BadText.
        """
        return cls.from_json(options)

    @classmethod
    def options(cls) -> dict[str, Any]:
        """List what people may choose, but for the number of players, and what they get if they do not."""
        fields = msgspec.structs.fields(cls)
        return {field.name: field.default for field in fields if field.name != "players" and not field.required}

    @classmethod
    def choices(cls) -> dict[str, tuple[str, ...]]:
        """List the words that an option can be, for options that are words."""
        return {}

    @property
    def summary(self) -> str:
        """The rules in a line for people."""
        return str(self)

    @property
    def total_score(self) -> int:
        """What the whole board is worth, to somebody who would have all of it."""
        raise NotImplementedError

    @property
    def most_moves(self) -> int:
        """More moves than this a game cannot have."""
        raise NotImplementedError

    @property
    def actions(self) -> tuple[int, ...]:
        """How many numbered actions there are; where a move has several factors, how many of each."""
        raise NotImplementedError

    def number_of(self, move: Move) -> Action:
        """Return the number of a move that a game with these rules can have.

        Raises IllegalMove ``not_an_action`` for a move of another game, ``no_such_action`` for one beyond the board.
        """
        factors = self._factors_of(move)
        if factors is None:
            raise IllegalMove("not_an_action", f"{quote(move)} is no move of {self.game}")
        counted = zip(factors, self.actions, strict=True)
        if not all(type(number) is int and 0 <= number < count for number, count in counted):
            raise IllegalMove("no_such_action", f"with these rules there is no move {move}")
        return factors if len(factors) > 1 else factors[0]

    def move_of(self, action: Action) -> Move:
        """Return the move with this number, whether or not it may be played now.

        ``action``: a whole number of Python or NumPy; an array or tuple of them where there are several factors.
        Raises IllegalMove ``not_an_action`` for another type or shape, ``no_such_action`` for a number out of range.
        """
        return self._move_of(*factors_of(action, self.actions))

    def _factors_of(self, move: Move) -> tuple[int, ...] | None:
        """Return the factors of a move, any numbers where it is beyond the board; None for a move of another game."""
        raise NotImplementedError

    def _move_of(self, *factors: int) -> Move:
        """Return the move with these factors, which are in range."""
        raise NotImplementedError

    def batch(self, count: int) -> Batch:
        """Return so many boards with these rules, to be played on side by side."""
        from hinterland.contract.batch import Batch  # noqa: PLC0415

        return Batch(self, count)

    @property
    def planes(self) -> tuple[str, ...]:
        """What each plane shows of those that ``Position.planes`` returns."""
        raise NotImplementedError

    def told(self, move: Move) -> str:
        """Write a move of a game with these rules for people."""
        return str(move)

    def __str__(self) -> str:
        return " ".join([self.game, *(f"{name}={plain(value)}" for name, value in self._told())])

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
            raise BadText(f"rules begin with the word {cls.game!r}, not {quote(head)}")
        values = {}
        for pair in pairs:
            name, equals, value = pair.partition("=")
            if not equals:
                raise BadText(f"a rule is written name=value, not {quote(pair)}")
            values[name] = read_value(value)
        return cls.from_json(values)


@lru_cache(maxsize=8)
def same_rules(kind: type[Rules], encoded: bytes) -> Rules:
    """Return rules that came from another process: the same ones each time, with all that was derived from them."""
    return msgspec.msgpack.decode(encoded, type=kind)


class StoneRules(Rules, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Rules of a game in which players place stones on a square grid; protocol hps has words for these.

    A move has a row, a column and, where stones have weights, one of these.
    """

    size: int
    """Cells a side."""
    stones: int
    """How many stones a player may place."""
    spacing: int
    """The least distance between two stones."""
    weight: int | None = None
    """What a player's stones weigh together; None where they have no weights."""
