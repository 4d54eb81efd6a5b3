"""Canonical forms of sets of dots, by which the same remaining position is recognised on different boards.

The dots of a position are labelled canonically by their order type (see ``order_types/canonical.py``). Symmetric dots
have several such labellings, each of which gives the position a key; the position is looked up under the least key.

The *form* of a set of dots is one labelling, and the images of its labels under all symmetries. It is computed when the
set first occurs, and stored under the set. For dots in convex position, and so for all subsets of dots on a circle, the
images depend only on the number of dots, and are computed in advance.
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
    ("first", np.int64),  # where the form's symmetries begin in ``images``
    ("rows", np.int64),  # number of the form's symmetries, and so of its labellings
    ("turned", np.int64),  # convex dots: where their lines begin in ``turned``; other dots: NOT_CONVEX
    ("key", np.int64),  # the first and the second key of the order type
    ("check", np.int64),
]))  # fmt: skip
NOT_CONVEX = -1
MAX_FORMS = 2**20
"""Largest number of forms kept at a time."""
MAX_SYMMETRIES = 2**18
"""Largest number of symmetries kept at a time, not counting those of convex sets."""


class CanonicalForms(NamedTuple):
    """Canonical labellings of sets of dots. Kernels overwrite the arrays, except the symmetries of convex sets."""

    number: np.ndarray
    """int32[2 ** n]: for each set of dots, the number of its form plus 1, or 0 if it has no form yet."""
    labels: np.ndarray
    """uint8 (forms, n): for each form, the canonical label of each dot."""
    images: np.ndarray
    """uint8 (symmetries, n): for each symmetry, the image of each label; the symmetries of convex sets of 1, 2, … n
    dots come first."""
    turned: np.ndarray
    """int64 (rows, 2): for each number of dots in convex position, each line and each symmetry, the two random numbers
    of the line's image (see ``transpositions.py``)."""
    found: np.ndarray
    """FORM[forms]."""
    used: np.ndarray
    """int64[2]: number of forms in use, number of rows of ``images`` in use."""


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
    """Return the rows of ``images`` and ``turned`` for convex sets of up to ``dots`` dots."""
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
    """Return a dot's label in one of a form's labellings; ``image``: the row of ``images`` that gives the labelling."""
    return int(forms.images[image, forms.labels[form.number, dot]])


@part(allocates=True)
def _add_form(tables: BoardTables, forms: CanonicalForms, dots: int) -> int:
    """Compute the form of a set of dots; if there is no room for it, all other forms are forgotten first."""
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
    """Set ``key`` and ``check`` of a form: sums of random numbers for the number of dots and for each left turn."""
    form.key, form.check = ZOBRIST[SIZE_ROW + labelled.size, 0], ZOBRIST[SIZE_ROW + labelled.size, 1]
    turn = TURN_ROW
    for i in range(labelled.size):
        for j in range(i + 1, labelled.size):
            for k in range(j + 1, labelled.size):
                if sides[labelled[i], labelled[j], labelled[k]] * sense > 0:
                    form.key ^= ZOBRIST[turn, 0]
                    form.check ^= ZOBRIST[turn, 1]
                turn += 1
