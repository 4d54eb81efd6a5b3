"""Whole numbers of other libraries, such as NumPy's, are accepted everywhere, and stored as Python's."""

from __future__ import annotations

import operator
from typing import Any


def as_int(value: Any) -> Any:
    """Convert whatever ``operator.index`` accepts to a Python int; return booleans and everything else unchanged."""
    if type(value) is int or isinstance(value, bool):
        return value
    try:
        return operator.index(value)
    except TypeError:
        return value


def to_plain_json(value: Any) -> Any:
    """Convert an array or number of NumPy to its JSON form, and a whole number of any library to a Python int."""
    return value.tolist() if hasattr(value, "tolist") else as_int(value)
