"""The frozen parameters of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from importlib import import_module
from typing import Any, ClassVar, Self

import msgspec

from hinterland.contract.moves import Action, Move, factors_of
from hinterland.contract.numbers import to_plain_json
from hinterland.contract.text import read_value, write_value
from hinterland.errors import BadText, IllegalMove, RulesError, UnknownName, quote


def silent(_: str) -> None:
    """Ignore a note."""


class Rules(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The frozen parameters of one game. Impossible parameters raise RulesError."""

    game: ClassVar[str]
    """The game's name in the catalogue."""
    drawn_by: ClassVar[str | None] = None
    """Name of the option that seeds the drawing of a random board; None in games with a single board."""
    players: int = 2
    """The number of seats."""

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return decode_rules, (type(self), msgspec.msgpack.encode(self))

    def start(self) -> Any:
        """Return the position before the first move: a ``Position``."""
        raise NotImplementedError

    @classmethod
    def from_json(cls, values: Mapping[str, object]) -> Self:
        """Read decoded JSON. Raises UnknownName for an unknown name, RulesError for a value that is not allowed."""
        values = {name: to_plain_json(value) for name, value in values.items()}
        for name in values:
            if name not in cls.__struct_fields__:
                raise UnknownName(f"rule of {cls.game}", name, cls.__struct_fields__)
        try:
            return msgspec.convert(values, cls)
        except msgspec.ValidationError as error:
            cls(**values)  # type: ignore[arg-type]  # raises a clearer message where it can
            raise RulesError(f"rules of {cls.game}: {error}") from None

    @classmethod
    def from_options(
        cls,
        options: Mapping[str, object],
        *,
        may_read: bool = False,  # noqa: ARG003
        note: Callable[[str], None] = silent,  # noqa: ARG003
    ) -> Self:
        """Make rules from options that people type or choose in a form; ``Rules.options`` lists them.

        ``may_read``: whether an option may name a file on this machine. ``note`` is called with each line of remarks on
        how the file was read. Raises as ``from_json`` does, or BadText.
        """
        return cls.from_json(options)

    @classmethod
    def options(cls) -> dict[str, Any]:
        """List the options that people may choose and their defaults, without the number of players."""
        fields = msgspec.structs.fields(cls)
        return {field.name: field.default for field in fields if field.name != "players" and not field.required}

    @classmethod
    def choices(cls) -> dict[str, tuple[str, ...]]:
        """List the allowed words of each option whose value is a word."""
        return {}

    @property
    def summary(self) -> str:
        """The rules in a line for people."""
        return str(self)

    @property
    def place_ranges(self) -> dict[str, int]:
        """Which places players can mark: how many values each number of a place has, by the number's name.

        Values begin at 0: ``{"row": 12, "col": 12}``. Empty if the game has no such places.
        """
        return {}

    @property
    def total_score(self) -> int:
        """The score of a seat that owned the whole board."""
        raise NotImplementedError

    @property
    def most_moves(self) -> int:
        """An upper bound on the number of moves of a game."""
        raise NotImplementedError

    @property
    def actions(self) -> tuple[int, ...]:
        """How many actions there are; if moves have several factors (see ``moves.py``), how many numbers each has."""
        raise NotImplementedError

    def number_of(self, move: Move) -> Action:
        """Return the action that stands for a move.

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
        """Return the move that ``action`` stands for, whether or not it is legal now.

        ``action``: a whole number of Python or NumPy; if moves have several factors, an array or tuple of them. Raises
        IllegalMove ``not_an_action`` for another type or shape, ``no_such_action`` for a number out of range.
        """
        return self._move_of(*factors_of(action, self.actions))

    def _factors_of(self, move: Move) -> tuple[int, ...] | None:
        """Return the number of each factor of a move without checking its range; None for a move of another game."""
        raise NotImplementedError

    def _move_of(self, *factors: int) -> Move:
        """Return the move with these numbers of its factors, which are in range."""
        raise NotImplementedError

    def batch(self, count: int) -> Any:
        """Return ``count`` boards with these rules, to be played side by side: a ``Batch``."""
        return load_game(type(self)).batch(self, count)

    @property
    def planes(self) -> tuple[str, ...]:
        """What each plane of ``Position.planes`` shows."""
        names: tuple[str, ...] = load_game(type(self)).planes.name_planes(self)
        return names

    def told(self, move: Move) -> str:
        """Write a move of a game with these rules as text for people."""
        return str(move)

    def __str__(self) -> str:
        return " ".join([self.game, *(f"{name}={write_value(value)}" for name, value in self._written_fields())])

    def _written_fields(self) -> Iterator[tuple[str, object]]:
        """Yield the names and values that ``str`` writes: all fields except those that are None."""
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


@cache
def load_game(rules: type[Rules]) -> Any:
    """Return the ``Game`` of some rules: ``GAME`` in the module ``game`` of the same package.

    Rules and positions do not import the code for drawing or learning. They call this function when they first need
    that code.
    """
    return import_module(rules.__module__.rpartition(".")[0] + ".game").GAME


@lru_cache(maxsize=8)
def decode_rules(kind: type[Rules], encoded: bytes) -> Rules:
    """Decode rules from another process. The same bytes give the same object, with everything cached on it."""
    return msgspec.msgpack.decode(encoded, type=kind)


class StoneRules(Rules, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Rules of a game in which players place stones on a square grid.

    The protocol ``hps`` can express only such rules.

    A move has a row, a column and, where stones have weights, a weight.
    """

    size: int
    """Cells along a side."""
    stones: int
    """Number of stones that a player may place."""
    spacing: int
    """The least distance between two stones."""
    weight: int | None = None
    """Total weight of a player's stones; None where stones have no weights."""

    @property
    def place_ranges(self) -> dict[str, int]:
        return {"row": self.size, "col": self.size}
