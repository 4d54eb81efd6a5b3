"""The canonical forms of sets of dots, so that what is left of one board is known again on another.

The dots of a position are labelled canonically by their order type (see ``order_types/canonical.py``). Where a board is
symmetric, it has several such labellings: a position is then looked up under the least of its keys. Any subset of the
dots on a circle is a circle again.

A form is worked out for a set of dots when it is first met, and kept by the set: one labelling, and what symmetries
make of its labels. Of dots in convex position those are the same whatever the dots, and are there from the start.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from hinterland.dots.order_types.bitsets import count, members
from hinterland.dots.order_types.canonical import labellings
from hinterland.dots.solver.board_tables import BoardTables, Record
from hinterland.dots.solver.transpositions import OF_SIZE, OF_TURN, ZOBRIST
from hinterland.jit import inlined, kernel

FORM = np.dtype((np.record, [
    ("number", np.int64),  # the number of the form
    ("first", np.int64),  # the first of its symmetries
    ("rows", np.int64),  # how many it has, and so how many labellings
    ("turned", np.int64),  # where the numbers of its lines begin, in ``turned``; NOT_CONVEX of other sets
    ("key", np.int64),  # the two keys of its order type
    ("check", np.int64),
]))  # fmt: skip
NOT_CONVEX = -1
MOST_SETS = 2**20
ROOM = 2**18
"""How many sets of dots and how many symmetries are kept at a time."""


class CanonicalForms(NamedTuple):
    """Canonical labellings of sets of dots. Kernels overwrite the arrays, but for the first symmetries."""

    number: np.ndarray
    """int32[2 ** n]: for each set of dots the number of its form and 1, or 0."""
    labels: np.ndarray
    """uint8 (forms, n): a canonical label of each dot."""
    images: np.ndarray
    """uint8 (room, n): what symmetries make of labels; those of convex sets of 1, 2, … n dots come first."""
    turned: np.ndarray
    """int64 (lines and symmetries of convex sets, 2): the random numbers of each line, as each symmetry turns it."""
    found: np.ndarray
    """FORM[forms]."""
    used: np.ndarray
    """int64[2]: how many forms and how many symmetries are in use."""


def new_forms(dots: int) -> CanonicalForms:
    """Return a store that is empty."""
    sets = min(2**dots, MOST_SETS)
    convex, turned = _convex(dots)
    images = np.zeros((len(convex) + min(2**dots, ROOM), dots), dtype=np.uint8)
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
    """Return ``images`` and ``turned`` of convex sets of up to so many dots."""
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
    return number if number >= 0 else _new_form(tables, forms, dots)


@inlined
def label_of(forms: CanonicalForms, form: Record, image: int, dot: int) -> int:
    """Return a dot's label in one of the labellings of a form: that of the symmetry in this row of ``images``."""
    return int(forms.images[image, forms.labels[form.number, dot]])


@kernel(allocates=True)
def _new_form(tables: BoardTables, forms: CanonicalForms, dots: int) -> int:
    """Work out the form of a set of dots; when there is no room for it, all others are forgotten first."""
    size = count(dots)
    if forms.used[0] == len(forms.found) or forms.used[1] + 2 * size > len(forms.images):
        forms.number[:] = 0
        forms.used[0], forms.used[1] = 0, tables.dots * (tables.dots + 1)
    number = forms.used[0]
    labelled, senses = labellings(tables.sides, members(dots))
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
