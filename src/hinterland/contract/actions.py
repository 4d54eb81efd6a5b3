"""Moves as numbers, for learners: an action is a whole number, or a tuple of them where a move has several factors.

The numbers depend on the rules alone, not on what has been played; ``LegalMoves.mask`` says which may be played now.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeAlias, Union

from hinterland.errors import IllegalMove, quote

if TYPE_CHECKING:
    import numpy as np

Action: TypeAlias = int | tuple[int, ...]
"""The number of a move; a tuple with one number for each factor where ``Rules.actions`` has several."""
Mask: TypeAlias = Union["np.ndarray", tuple["np.ndarray", ...]]
"""Which actions may be played: bool[n]; a tuple with one array for each factor where ``Rules.actions`` has several."""


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
