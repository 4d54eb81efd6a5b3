"""Expectations of the strongest players: exact at the end, a whole board before it, and equal to a solver's values."""

import pytest

from hinterland import catalog, dots, gravity
from hinterland.jit import JIT_ON

BOARDS = {
    "gravity": {"size": 60 if JIT_ON else 24, "stones": 2, "spacing": 5},
    "graph": {"vertices": 16, "tokens": 3},
    "dots": {"board": "random", "dots": 7},
}


@pytest.mark.parametrize("name", catalog.GAMES)
def test_expectations_come_true_at_the_end(name):
    game = catalog.game(name)
    position = game.rules.from_options(BOARDS[name]).start()
    while position.to_move is not None:
        found = game.expectation(position)
        assert len(found.scores) == 2
        assert all(score >= -1e-6 for score in found.scores)
        position = position.play(game.pictures.best(position, {})[0])
    assert game.expectation(position).scores == position.scores
    assert game.expectation(position).is_exact


def test_the_last_stone_is_known_exactly():
    position = gravity.Rules(size=60, stones=1, spacing=5).start().play(gravity.Stone(20, 20))
    found = catalog.game("gravity").expectation(position)
    assert found.is_exact
    best = max(position.play(stone).scores[1] for stone in list(position.legal_moves)[::7])
    assert found.scores[1] >= best


def test_the_exact_value_of_dots_is_the_solvers():
    game = catalog.game("dots")
    position = dots.boards.random(7, seed=2).start()
    for _ in range(3):
        position = position.play(game.pictures.best(position, {})[0])
    value = game.analysis(position)["value"]
    found = game.expectation(position)
    assert found.is_exact
    first, second = position.scores
    lead = (found.scores[0] - found.scores[1]) - (first - second)
    assert lead == (value if position.to_move == 0 else -value)
    assert sum(found.scores) == 7


@pytest.mark.jit
def test_three_players_share_the_board():
    position = gravity.Rules(size=100, stones=2, spacing=8, players=3).start().play(gravity.Stone(50, 50))
    found = catalog.game("gravity").expectation(position)
    assert sum(found.scores) == pytest.approx(100**2, rel=0.1)
    assert found == catalog.game("gravity").expectation(position)


@pytest.mark.jit
def test_the_last_plies_of_a_graph_are_solved():
    game = catalog.game("graph")
    position = game.rules.from_options({"vertices": 12, "tokens": 2}).start()
    position = position.play(game.pictures.best(position, {})[0])
    # On a busy machine the first try may be too slow.
    found = next(found for _ in range(30) if (found := game.expectation(position)).is_exact)

    def best(at):
        if at.to_move is None:
            return at.scores
        ends = [best(at.play(move)) for move in at.legal_moves]
        return max(ends, key=lambda scores: scores[at.to_move] - scores[1 - at.to_move])

    truth = best(position)
    assert found.scores[0] - found.scores[1] == truth[0] - truth[1]
