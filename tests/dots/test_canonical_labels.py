"""Canonical labels: those whose turns of triples, one after the other, are the greatest of all."""

from itertools import combinations, permutations

import numpy as np
import pytest

from dots.some_boards import AROUND, circle, small_boards
from hinterland.dots import boards
from hinterland.dots.order_types.canonical import find_labellings
from hinterland.dots.solver.board_tables import tables_of
from hinterland.dots.solver.canonical_forms import form_of, label_of, new_forms
from hinterland.jit import JIT_ON

LARGEST = 6 if JIT_ON else 5


def turns(sides, order, sense):
    return tuple(sides[triple] * sense for triple in combinations(order, 3))


def greatest(sides, present):
    """Return every order of some dots, with its sense, in which their turns are the greatest: all orders are tried."""
    tried = [(order, sense) for order in permutations(present) for sense in (1, -1)]
    most = max(turns(sides, *one) for one in tried)
    return {one for one in tried if turns(sides, *one) == most}


def chosen(rules, rng, count):
    """Return some of a board's dots, in order."""
    return np.sort(rng.choice(rules.dots, min(count, rules.dots), replace=False))


BOARDS = [AROUND, circle(5), circle(8), boards.double_circle(8), *small_boards(24, least=4, most=8, seed=70)]


@pytest.mark.parametrize("rules", BOARDS, ids=lambda rules: str(rules.dots))
def test_labellings_are_those_with_the_greatest_turns(rules, rng):
    for count in range(3, LARGEST + 1):
        present = chosen(rules, rng, count)
        found, senses = find_labellings(rules.sides, present)
        told = {(tuple(order), sense) for order, sense in zip(found.tolist(), senses.tolist(), strict=True)}
        assert told == greatest(rules.sides, present.tolist())


@pytest.mark.parametrize("rules", BOARDS, ids=lambda rules: str(rules.dots))
def test_a_form_has_the_labels_of_all_labellings(rules, rng):
    """A form keeps one labelling and what symmetries make of it: together they are all."""
    tables, forms = tables_of(rules.sides), new_forms(rules.dots)
    for count in range(3, rules.dots + 1):
        present = chosen(rules, rng, count)
        form = forms.found[form_of(tables, forms, int((1 << present).sum()))]
        images = range(form.first, form.first + form.rows)
        found = {tuple(label_of(forms, form, image, dot) for dot in present) for image in images}
        orders, _ = find_labellings(rules.sides, present)
        assert found == {tuple(np.flatnonzero(order == dot)[0] for dot in present) for order in orders}
