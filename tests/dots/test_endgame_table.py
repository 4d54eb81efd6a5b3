"""The endgame table knows every position of few dots, whatever board they were left of."""

import pytest

from dots.oracle_dots import Solver as Oracle
from dots.some_boards import plain, random_game, small_boards
from hinterland.dots.solver.board_tables import tables_of
from hinterland.dots.solver.endgame_table import MAX_DOTS, TYPE_COUNT, endgame_table, endgame_value, new_subset_types
from hinterland.jit import JIT_ON

BOARDS, LARGEST = (200, MAX_DOTS) if JIT_ON else (6, MAX_DOTS - 1)


def looked_up(position, tables, types):
    number = {tuple(ends): line for line, ends in enumerate(tables.ends.tolist())}
    dots = sum(1 << dot for dot in position.dots)
    lines = sum(1 << number[line.numbers] for line in position.lines)
    return endgame_value(endgame_table(), types, tables, dots, lines)


@pytest.mark.thorough
def test_what_games_leave_is_worth_what_the_oracle_says(rng):
    """Boards of up to nine dots, each with the positions of a game in which few enough are left."""
    checked = 0
    for rules in small_boards(BOARDS, least=3, most=9, seed=4000):
        oracle, tables, types = Oracle(rules.points), tables_of(rules.sides), new_subset_types(rules.dots)
        for position in random_game(rules, rng):
            if len(position.dots) <= LARGEST and position.lines:
                assert looked_up(position, tables, types) == oracle.value(*plain(position)), position
                checked += 1
    assert checked > 2 * BOARDS
    assert 0 < endgame_table().used[0] <= TYPE_COUNT
