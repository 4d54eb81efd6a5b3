"""Moves, their numbers for learners, and the view of those that are legal.

An *action* is a move as learners name it: a whole number. Where a move is a choice of several things (in gravity with
weights: of a cell and of a weight), each of these is a *factor* of the move, and an action is a tuple with one number
for each factor. Which action stands for which move depends on the rules alone, not on what has been played;
``LegalMoves.mask`` says which actions are legal now.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Generic, Self, TypeAlias, TypeVar, Union

import msgspec

from hinterland.contract.numbers import as_int
from hinterland.errors import BadText, IllegalMove, quote

if TYPE_CHECKING:
    import numpy as np

Action: TypeAlias = int | tuple[int, ...]
"""The number of a move; if moves have several factors, a tuple with one number for each."""
Mask: TypeAlias = Union["np.ndarray", tuple["np.ndarray", ...]]
"""Which actions are legal, bool[n]; if moves have several factors, a tuple with one such array for each."""


def factors_of(action: object, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Read an action: a whole number of Python or NumPy, or an array or tuple with one number for each factor.

    Raises IllegalMove ``not_an_action`` for another type or shape, ``no_such_action`` for a number out of range.
    """
    factors = _whole(action, shape)
    for number, count in zip(factors, shape, strict=True):
        if not 0 <= number < count:
            ranges = " and ".join(f"0 to {count - 1}" for count in shape)
            raise IllegalMove("no_such_action", f"actions go from {ranges} here, {quote(action)} is none")
    return factors


def _whole(action: object, shape: tuple[int, ...]) -> tuple[int, ...]:
    numbers = (action,) if len(shape) == 1 else action
    try:
        if isinstance(numbers, Iterable):
            factors = tuple(operator.index(number) for number in numbers if type(number) is not bool)
            if len(factors) == len(shape):
                return factors
    except TypeError:  # not a whole number, or an array without a length
        pass
    wanted = "a whole number" if len(shape) == 1 else f"{len(shape)} whole numbers"
    raise IllegalMove("not_an_action", f"an action is {wanted} here, not {quote(action)}")


class Move(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One move. In JSON a move is an array of whole numbers."""

    def _make_whole(self) -> None:
        """Convert whole numbers of other libraries to Python's.

        Each game's move class calls this if a field is not a Python int.
        """
        for name in self.__struct_fields__:
            msgspec.structs.force_setattr(self, name, as_int(getattr(self, name)))

    @property
    def numbers(self) -> tuple[int, ...]:
        """The whole numbers that represent this move in JSON."""
        values: tuple[int, ...] = msgspec.structs.astuple(self)
        return values

    @property
    def options(self) -> dict[str, int]:
        """The fields of the move that have a default, such as the weight of a stone, with their values."""
        return {field.name: getattr(self, field.name) for field in msgspec.structs.fields(self) if not field.required}

    def __str__(self) -> str:
        return ",".join(map(str, self.numbers))

    @classmethod
    def from_numbers(cls, numbers: object) -> Self:
        """Read the JSON form. Raises BadText unless ``numbers`` is an array with one whole number for each field."""
        try:
            return msgspec.convert(numbers, cls)
        except msgspec.ValidationError as error:
            fields = ", ".join(cls.__struct_fields__)
            raise BadText(f"a move is an array of whole numbers [{fields}], not {quote(numbers)}: {error}") from None


M_co = TypeVar("M_co", bound=Move, covariant=True)


class LegalMoves(Generic[M_co]):
    """The legal moves, made on demand: ``in`` is cheap, iteration makes one at a time, ``len`` may run a kernel."""

    def __init__(self, position: Any) -> None:
        self._position = position

    def __contains__(self, move: object) -> bool:
        try:
            self._position.check(move)
        except IllegalMove:
            return False
        return True

    def __bool__(self) -> bool:
        return self._position.to_move is not None

    def __iter__(self) -> Iterator[M_co]:
        """Yield the legal moves in a fixed order."""
        raise NotImplementedError

    def __len__(self) -> int:
        """Count the legal moves."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{len(self)} legal {type(self).__name__.removeprefix('Legal').lower()}>"

    def sample(self, rng: np.random.Generator) -> M_co:
        """Draw a legal move at random, all equally likely. Raises GameOver."""
        raise NotImplementedError

    def mask(self) -> Mask:
        """Return which of the numbered actions are legal: a new array, bool[n].

        If moves have several factors, the result is a tuple with one array for each factor; every combination of legal
        numbers is a legal move. Raises GameOver.
        """
        _ = self._position.mover
        return self._mask()

    def _mask(self) -> Mask:
        raise NotImplementedError
