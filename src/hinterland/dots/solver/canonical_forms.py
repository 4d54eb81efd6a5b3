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
from hinterland.dots.solver.board_tables import BoardTables
from hinterland.dots.solver.transpositions import ENDGAME, OF_SIZE, OF_TURN, Transpositions
from hinterland.jit import inlined, kernel

__all__ = ["CELL", "FIRST", "KEY", "SIZE", "CanonicalForms", "Lookups", "form_of", "new_forms"]

FIRST, SIZE, KEY, _, CELL = range(5)
"""The columns of ``CanonicalForms.forms``; there are two keys."""
MOST_SETS = 2**18
ROOM = 2**20
"""How many sets of dots and how many labellings are kept at a time."""


class CanonicalForms(NamedTuple):
    """Canonical labellings of sets of dots. Kernels overwrite the arrays."""

    number: np.ndarray
    """int32[2 ** n]: for each set of dots the number of its form and 1, or 0."""
    labels: np.ndarray
    """uint8 (room, n): canonical labels of dots, one labelling a row."""
    forms: np.ndarray
    """int64 (forms, 5): FIRST row, SIZE in rows, both keys of the order type, its first CELL among the endgames."""
    used: np.ndarray
    """int64[2]: how many forms and how many rows are in use."""


class Lookups(NamedTuple):
    """All in which a search looks things up."""

    tables: BoardTables
    """The board."""
    forms: CanonicalForms
    """Of its dots."""
    transpositions: Transpositions
    """What is known of positions, of this board or of others."""


def new_forms(dots: int) -> CanonicalForms:
    """Return a store that is empty."""
    sets = min(2**dots, MOST_SETS)
    room = min(2**dots * 2 * dots, ROOM)
    return CanonicalForms(
        np.zeros(2**dots, dtype=np.int32),
        np.zeros((room, dots), dtype=np.uint8),
        np.zeros((sets, 5), dtype=np.int64),
        np.zeros(2, dtype=np.int64),
    )


@inlined
def form_of(lookups: Lookups, dots: int) -> int:
    """Return the number of the form of a set of at least three dots."""
    number = lookups.forms.number[dots] - 1
    return number if number >= 0 else _new_form(lookups, dots)


@kernel
def _new_form(lookups: Lookups, dots: int) -> int:
    """Work out the form of a set of dots; when there is no room for it, all others are forgotten first."""
    tables, forms, transpositions = lookups
    size = count(dots)
    if forms.used[0] == forms.forms.shape[0] or forms.used[1] + 2 * size > forms.labels.shape[0]:
        forms.number[:] = 0
        forms.used[:] = 0
    form = forms.used[0]
    first = forms.used[1]
    labelled, senses = labellings(tables.sides, _members(dots, size))
    rows = len(labelled)
    for row in range(rows):
        for label in range(size):
            forms.labels[first + row, labelled[row, label]] = label
    forms.forms[form, FIRST] = first
    forms.forms[form, SIZE] = rows
    forms.used[0] = form + 1
    forms.used[1] = first + rows
    forms.number[dots] = form + 1
    _write_keys(forms.forms[form], transpositions.zobrist, tables.sides, labelled[0], senses[0])
    if size <= ENDGAME:
        forms.forms[form, CELL] = _cell_of(transpositions.types, forms.forms[form, KEY], size)
    return int(form)


@inlined
def _members(dots: int, size: int) -> np.ndarray:
    present = np.empty(size, dtype=np.int64)
    for place in range(size):
        present[place] = lowest(dots)
        dots &= dots - 1
    return present


@inlined
def _write_keys(form: np.ndarray, zobrist: np.ndarray, sides: np.ndarray, labelled: np.ndarray, sense: int) -> None:
    """Give a form the keys of its order type."""
    form[KEY] = zobrist[OF_SIZE + labelled.size, 0]
    form[KEY + 1] = zobrist[OF_SIZE + labelled.size, 1]
    turn = OF_TURN
    for i in range(labelled.size):
        for j in range(i + 1, labelled.size):
            for k in range(j + 1, labelled.size):
                if sides[labelled[i], labelled[j], labelled[k]] * sense > 0:
                    form[KEY] ^= zobrist[turn, 0]
                    form[KEY + 1] ^= zobrist[turn, 1]
                turn += 1


@inlined
def _cell_of(types: np.ndarray, key: int, size: int) -> int:
    """Return the first cell of an order type of few dots; a new one takes as many as there are sets of lines."""
    known = types[-1, 0]
    for number in range(known):
        if types[number, 0] == key:
            return int(types[number, 1])
    cell = types[-1, 1]
    types[known, 0] = key
    types[known, 1] = cell
    types[-1, 0] = known + 1
    types[-1, 1] = cell + (1 << (size * (size - 1) // 2))
    return int(cell)
