"""The canonical forms of sets of dots, so that what is left of one board is known again on another.

The dots of a position are labelled canonically by their order type (see ``order_types/canonical.py``). Where a board is
symmetric, all of its canonical labellings are kept: a position is then looked up under the least of its keys. Any
subset of the dots on a circle is a circle again.

A form is worked out for a set of dots when it is first met, and kept by the set.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hinterland.dots.order_types.bitsets import count, lowest
from hinterland.dots.order_types.canonical import labellings
from hinterland.dots.solver.board_tables import BoardTables, Record
from hinterland.dots.solver.transpositions import OF_SIZE, OF_TURN, ZOBRIST
from hinterland.jit import inlined, kernel

FORM = np.dtype((np.record, [
    ("first", np.int64),  # its first labelling
    ("rows", np.int64),  # how many labellings it has
    ("key", np.int64),  # the two keys of its order type
    ("check", np.int64),
]))  # fmt: skip
MOST_SETS = 2**18
ROOM = 2**20
"""How many sets of dots and how many labellings are kept at a time."""


class CanonicalForms(NamedTuple):
    """Canonical labellings of sets of dots. Kernels overwrite the arrays."""

    number: np.ndarray
    """int32[2 ** n]: for each set of dots the number of its form and 1, or 0."""
    labels: np.ndarray
    """uint8 (room, n): canonical labels of dots, one labelling a row."""
    found: np.ndarray
    """FORM[forms]."""
    used: np.ndarray
    """int64[2]: how many forms and how many labellings are in use."""


def new_forms(dots: int) -> CanonicalForms:
    """Return a store that is empty."""
    sets = min(2**dots, MOST_SETS)
    room = min(2**dots * 2 * dots, ROOM)
    return CanonicalForms(
        np.zeros(2**dots, dtype=np.int32),
        np.zeros((room, dots), dtype=np.uint8),
        np.zeros(sets, FORM),
        np.zeros(2, dtype=np.int64),
    )


@inlined
def form_of(tables: BoardTables, forms: CanonicalForms, dots: int) -> int:
    """Return the number of the form of a set of at least three dots."""
    number = forms.number[dots] - 1
    return number if number >= 0 else _new_form(tables, forms, dots)


@kernel(allocates=True)
def _new_form(tables: BoardTables, forms: CanonicalForms, dots: int) -> int:
    """Work out the form of a set of dots; when there is no room for it, all others are forgotten first."""
    size = count(dots)
    if forms.used[0] == len(forms.found) or forms.used[1] + 2 * size > len(forms.labels):
        forms.number[:] = 0
        forms.used[:] = 0
    number, first = forms.used[0], forms.used[1]
    labelled, senses = labellings(tables.sides, _members(dots, size))
    for row in range(len(labelled)):
        for label in range(size):
            forms.labels[first + row, labelled[row, label]] = label
    form = forms.found[number]
    form.first = first
    form.rows = len(labelled)
    forms.used[0] += 1
    forms.used[1] += len(labelled)
    forms.number[dots] = number + 1
    _write_keys(form, tables.sides, labelled[0], senses[0])
    return int(number)


@inlined(allocates=True)
def _members(dots: int, size: int) -> np.ndarray:
    present = np.empty(size, dtype=np.int64)
    for place in range(size):
        present[place] = lowest(dots)
        dots &= dots - 1
    return present


@inlined
def _write_keys(form: Record, sides: np.ndarray, labelled: np.ndarray, sense: int) -> None:
    """Give a form the keys of its order type."""
    form.key, form.check = ZOBRIST[OF_SIZE + labelled.size, 0], ZOBRIST[OF_SIZE + labelled.size, 1]
    turn = OF_TURN
    for i in range(labelled.size):
        for j in range(i + 1, labelled.size):
            for k in range(j + 1, labelled.size):
                if sides[labelled[i], labelled[j], labelled[k]] * sense > 0:
                    form.key ^= ZOBRIST[turn, 0]
                    form.check ^= ZOBRIST[turn, 1]
                turn += 1
