"""Canonical forms of sets of dots, by which the rest of one board is recognised on another.

The dots of a position are labelled canonically by their order type (see ``order_types/canonical.py``). A symmetric
board has several such labellings; a position is then looked up under the least of its keys. Any subset of the dots on
a circle is a circle again.

The form of a set of dots is computed when the set first occurs, and stored under the set: one labelling, and the images
of its labels under all symmetries. For dots in convex position the images do not depend on the dots and are computed
in advance.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from hinterland.dots.order_types.bitsets import count, members
from hinterland.dots.order_types.canonical import find_labellings
from hinterland.dots.solver.board_tables import BoardTables, NumpyRecord
from hinterland.dots.solver.transpositions import SIZE_ROW, TURN_ROW, ZOBRIST
from hinterland.jit import inlined, part

FORM = np.dtype((np.record, [
    ("number", np.int64),  # the number of the form
    ("first", np.int64),  # the first of its symmetries in ``images``
    ("rows", np.int64),  # the number of its symmetries, and so of its labellings
    ("turned", np.int64),  # where the numbers of its lines begin in ``turned``; NOT_CONVEX for other sets
    ("key", np.int64),  # the two keys of its order type
    ("check", np.int64),
]))  # fmt: skip
NOT_CONVEX = -1
MAX_FORMS = 2**20
"""Number of forms kept at a time."""
MAX_SYMMETRIES = 2**18
"""Number of symmetries kept at a time."""


class CanonicalForms(NamedTuple):
    """Canonical labellings of sets of dots. Kernels overwrite the arrays, except the symmetries of convex sets."""

    number: np.ndarray
    """int32[2 ** n]: for each set of dots the number of its form plus 1, or 0."""
    labels: np.ndarray
    """uint8 (forms, n): a canonical label of each dot."""
    images: np.ndarray
    """uint8 (room, n): images of labels under symmetries; those of convex sets of 1, 2, … n dots come first."""
    turned: np.ndarray
    """int64 (lines and symmetries of convex sets, 2): the random numbers of each line's image under each symmetry."""
    found: np.ndarray
    """FORM[forms]."""
    used: np.ndarray
    """int64[2]: numbers of forms and of symmetries in use."""


def new_forms(dots: int) -> CanonicalForms:
    """Return an empty store."""
    sets = min(2**dots, MAX_FORMS)
    convex, turned = _convex(dots)
    images = np.zeros((len(convex) + min(2**dots, MAX_SYMMETRIES), dots), dtype=np.uint8)
    images[: len(convex)] = convex
    return CanonicalForms(
        np.zeros(2**dots, dtype=np.int32),
        np.zeros((sets, dots), dtype=np.uint8),
        images,
        turned,
        np.zeros(sets, FORM),
        np.array([0, len(convex)], dtype=np.int64),
    )


@cache
def _convex(dots: int) -> tuple[np.ndarray, np.ndarray]:
    """Return ``images`` and ``turned`` of convex sets of up to ``dots`` dots."""
    images, turned = np.zeros((dots * (dots + 1), dots), dtype=np.uint8), []
    for size in range(1, dots + 1):
        shift, label = np.mgrid[:size, :size]
        own = images[size * (size - 1) : size * (size + 1), :size]
        own[::2], own[1::2] = (label - shift) % size, (shift - label) % size
        second, first = np.tril_indices(size, -1)
        ends = own[:, [first, second]].astype(np.int64)
        most = ends.max(axis=1)
        turned.append(ZOBRIST[most * (most - 1) // 2 + ends.min(axis=1)].swapaxes(0, 1).reshape(-1, 2))
    return images, np.concatenate(turned)


@inlined
def form_of(tables: BoardTables, forms: CanonicalForms, dots: int) -> int:
    """Return the number of the form of a set of at least three dots."""
    number = forms.number[dots] - 1
    return number if number >= 0 else _add_form(tables, forms, dots)


@inlined
def label_of(forms: CanonicalForms, form: NumpyRecord, image: int, dot: int) -> int:
    """Return a dot's label in one labelling of a form: that of the symmetry in this row of ``images``."""
    return int(forms.images[image, forms.labels[form.number, dot]])


@part(allocates=True)
def _add_form(tables: BoardTables, forms: CanonicalForms, dots: int) -> int:
    """Compute the form of a set of dots; if there is no room, all others are forgotten first."""
    size = count(dots)
    if forms.used[0] == len(forms.found) or forms.used[1] + 2 * size > len(forms.images):
        forms.number[:] = 0
        forms.used[0], forms.used[1] = 0, tables.dots * (tables.dots + 1)
    number = forms.used[0]
    labelled, senses = find_labellings(tables.sides, members(dots))
    for label in range(size):
        forms.labels[number, labelled[0, label]] = label
    form = forms.found[number]
    form.number = number
    form.rows = len(labelled)
    form.first = size * (size - 1)
    form.turned = NOT_CONVEX
    if form.rows == 2 * size:
        form.turned = size * (size - 1) * (size - 2) * (3 * size - 1) // 12
    elif form.rows > 1:
        form.first = forms.used[1]
        forms.used[1] += form.rows
        for row in range(form.rows):
            for label in range(size):
                forms.images[form.first + row, forms.labels[number, labelled[row, label]]] = label
    forms.used[0] += 1
    forms.number[dots] = number + 1
    _write_keys(form, tables.sides, labelled[0], senses[0])
    return int(number)


@inlined
def _write_keys(form: NumpyRecord, sides: np.ndarray, labelled: np.ndarray, sense: int) -> None:
    """Set the keys of a form's order type."""
    form.key, form.check = ZOBRIST[SIZE_ROW + labelled.size, 0], ZOBRIST[SIZE_ROW + labelled.size, 1]
    turn = TURN_ROW
    for i in range(labelled.size):
        for j in range(i + 1, labelled.size):
            for k in range(j + 1, labelled.size):
                if sides[labelled[i], labelled[j], labelled[k]] * sense > 0:
                    form.key ^= ZOBRIST[turn, 0]
                    form.check ^= ZOBRIST[turn, 1]
                turn += 1
