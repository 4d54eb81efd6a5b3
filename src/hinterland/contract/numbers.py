"""Whole numbers as other libraries have them, NumPy's among them: taken at every door, and kept as Python's."""

from __future__ import annotations

import operator
from typing import Any


def whole(value: Any) -> Any:
    """Return whatever ``operator.index`` takes as a number of Python; all else, truths included, as it is."""
    if type(value) is int or isinstance(value, bool):
        return value
    try:
        return operator.index(value)
    except TypeError:
        return value


def plain_json(value: Any) -> Any:
    """Return an array or a number of NumPy as JSON has it, and a whole number of any library as one of Python."""
    return value.tolist() if hasattr(value, "tolist") else whole(value)
