"""Areas differ from those of the course's servers by their ties and the cells under stones, and never the winner."""

import numpy as np
import pytest

from hinterland.gravity import Rules, Stone
from oracle_course_areas import TIE, replayed

MOST_CELLS = 150


def played(rules, rng, *, mirrored):
    """Play a game at random; mirrored: every other seat answers on the other side of the middle, where it may."""
    position = rules.start()
    while position.to_move is not None:
        stone = position.legal_moves.sample(rng)
        if mirrored and position.to_move % 2:
            _, last = position.moves[-1]
            opposite = Stone(rules.size - 1 - last.row, rules.size - 1 - last.col)
            stone = opposite if opposite in position.legal_moves else stone
        position = position.play(stone)
    return position


@pytest.mark.jit
@pytest.mark.parametrize("mirrored", [False, True], ids=["random", "mirrored"])
@pytest.mark.parametrize(("players", "stones"), [(2, 3), (2, 10), (4, 4)])
def test_areas_are_those_of_the_course_but_for_its_ties_and_its_stones(players, stones, mirrored):
    rules = Rules(players=players, stones=stones)
    position = played(rules, np.random.default_rng(stones), mirrored=mirrored)
    moves = [(seat, stone.row, stone.col) for seat, stone in position.moves]
    theirs, pulls = replayed(moves, rules.size, players)
    differ = theirs != position.owners
    best, second = np.sort(pulls, axis=0)[[-1, -2]]
    explained = best - second <= TIE * (1 + 1e-6)
    for _, row, col in moves:
        explained[row, col] = True
    assert not (differ & ~explained).any()
    assert differ.sum() <= MOST_CELLS
    scores = [int((theirs == seat).sum()) for seat in range(players)]
    leaders = [[seat for seat, score in enumerate(of) if score == max(of)] for of in (scores, position.scores)]
    assert leaders[0] == leaders[1]
