"""Positions are known by their keys, in whatever order their lines were drawn."""

import numpy as np

from dots.some_boards import random_game, small_boards
from hinterland.dots import Line, boards
from hinterland.dots.search.playout_policy import crossed_of, draw_line, state_of
from hinterland.dots.search.progressive_widening import SAME, TRIED, LineSearch, find_or_add_node, key_of, new_positions
from hinterland.jit import JIT_ON
from hinterland.search.widening import VISITS


def seen(position):
    """Return all that the rest of a game depends on."""
    forest = position.forest
    return forest.present, tuple(forest.joined), position.to_move, forest.scores[0] - forest.scores[1]


def test_the_same_position_has_the_same_key_and_another_has_another(rng):
    for rules in small_boards(20, least=5, most=9, seed=40):
        keys = {}
        for _ in range(10):
            for position in random_game(rules, rng):
                if position.to_move is not None:
                    keys.setdefault(seen(position), set()).add(key_of(state_of(position)))
        assert all(len(found) == 1 for found in keys.values())
        assert len(set.union(*keys.values())) == len(keys)


def test_the_order_of_lines_does_not_matter(rng):
    rules = boards.circle(8).start().rules
    lines, keys = [Line(0, 1), Line(2, 3), Line(4, 5), Line(6, 7)], set()
    for _ in range(10):
        state = state_of(rules.start())
        for number in rng.permutation(len(lines)):
            draw_line(crossed_of(rules), state, *lines[number].numbers)
        keys.add(key_of(state))
    assert len(keys) == 1


def test_the_first_node_of_a_position_represents_it():
    positions = new_positions(4)
    slots = positions.keys.size
    assert [find_or_add_node(positions, key, node) for node, key in enumerate((5, 5 + slots, 5, 6), 1)] == [1, 2, 1, 4]
    assert [find_or_add_node(positions, key, 9) for key in (5, 5 + slots, 6)] == [1, 2, 4]


def test_a_tree_counts_visits_once_for_all_ways_to_a_position():
    search = LineSearch(boards.circle(7).start(), np.array([5]), 10_000)
    search.grow(2000 if JIT_ON else 100)
    nodes = search.tree.nodes[1 : int(search.tree.size[0])]
    ways = np.bincount(nodes[:, SAME], nodes[:, TRIED], minlength=len(nodes) + 1)[1:]
    assert (ways == nodes[:, VISITS]).all()
    assert (nodes[:, SAME] != np.arange(1, len(nodes) + 1)).any()
