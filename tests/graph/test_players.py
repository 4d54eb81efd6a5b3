"""The players do what their sentence says: the paper's against plain Python, the others against trying every move."""

from fractions import Fraction

import numpy as np
import pytest

from hinterland.contract import Clock
from hinterland.graph import boards
from hinterland.graph.players import PLAYERS, Gain, Greedy, MonteCarlo, Neighbour, Neighbour2, Rollout
from hinterland.graph.rules import Rules

BOARDS = [
    boards.random(vertices=14, seed=1, tokens=3),
    boards.sparse(vertices=14, density=0.2, seed=2, tokens=3),
    boards.grid(rows=3, cols=4, seed=3, tokens=3),
    boards.tree(vertices=13, seed=4, tokens=3),
    boards.sparse(vertices=12, density=0.05, seed=5, players=3, tokens=2),
    Rules(edges=((0, 1, 1.1), (1, 2, 1.1000000000000003), (2, 3, 1.0)), values=(5, 7, 9, 9), tokens=2),
]


def positions(rules):
    """Return the positions of a random game that have a move left."""
    position, rng = rules.start(), np.random.default_rng(7)
    while position.to_move is not None:
        yield position
        position = position.play(position.legal_moves.sample(rng))


def first_best(position, worth):
    """Return the free vertex of greatest worth, the first of equals."""
    return max((move.vertex for move in position.legal_moves), key=lambda vertex: (worth(vertex), -vertex))


def neighbours(rules, vertex):
    """List (neighbour, length of the edge) in order of numbers."""
    there = [(v if u == vertex else u, Fraction(far)) for u, v, far in rules.edges if vertex in (u, v)]
    return sorted(there)


def choose(player, position, seed=0):
    return player.choose(position, Clock(), np.random.default_rng(seed)).vertex


@pytest.mark.parametrize("rules", BOARDS)
def test_greedy_takes_the_greatest_value(rules):
    for position in positions(rules):
        assert choose(Greedy(), position) == first_best(position, rules.values.__getitem__)


@pytest.mark.parametrize("rules", BOARDS)
def test_neighbour_adds_free_neighbours_that_are_close(rules):
    def worth(vertex):
        close = (other for other, far in neighbours(rules, vertex) if far <= Fraction(1.1))
        return rules.values[vertex] + sum(rules.values[other] for other in close if other not in position.taken)

    for position in positions(rules):
        assert choose(Neighbour(), position) == first_best(position, worth)


@pytest.mark.parametrize("kept", [True, False])
@pytest.mark.parametrize("rules", BOARDS)
def test_neighbour2_adds_shares_of_those_not_nearer_to_a_token(rules, kept):
    unit = Fraction(2) ** -rules.network.scale

    def worth(vertex):
        total = 0.0
        for other, far in neighbours(rules, vertex):
            nearest = min((int(rules.distances[t, other]) for t in position.taken), default=None)
            if other in position.taken or (nearest is not None and nearest * unit < far):
                continue
            total += rules.values[other] / float(int(rules.distances[vertex, other]) * unit if kept else far)
        return total + rules.values[vertex]

    for position in positions(rules):
        if not kept:
            position.board.distances = None
        assert choose(Neighbour2(), position) == first_best(position, worth)


@pytest.mark.parametrize("rules", BOARDS)
def test_gain_takes_the_greatest_change_of_the_difference(rules):
    def lead(of, seat):
        return 2 * of.scores[seat] - sum(of.scores)

    for position in positions(rules):
        token = position.move_type
        best = first_best(position, lambda v, p=position, t=token: lead(p.play(t(v)), p.to_move))
        assert choose(Gain(), position) == best


def by_gain(position):
    while position.to_move is not None:
        position = position.play(position.move_type(choose(Gain(), position)))
    return position


@pytest.mark.parametrize("rules", BOARDS)
def test_rollout_plays_out_by_gain_after_every_move(rules):
    def worth(vertex):
        scores = by_gain(position.play(position.move_type(vertex))).scores
        return 2 * scores[position.to_move] - sum(scores)

    position = next(position for position in positions(rules) if len(position.moves) == 1)
    assert choose(Rollout(), position) == first_best(position, worth)


@pytest.mark.parametrize("rules", BOARDS)
def test_montecarlo_is_the_mean_of_random_games(rules):
    """With the same chances, plain Python draws the same games."""
    position = next(position for position in positions(rules) if len(position.moves) == 1)
    rng = np.random.default_rng(3)
    plies = rules.players * rules.tokens - 1

    def worth(vertex):
        others = [move.vertex for move in position.legal_moves if move.vertex != vertex]
        total = 0
        for chances in rng.random((6, plies - 1)):
            then = position.play(position.move_type(vertex))
            for turn, chance in enumerate(chances):
                drawn = turn + int(chance * (len(others) - turn))
                others[turn], others[drawn] = others[drawn], others[turn]
                then = then.play(position.move_type(others[turn]))
            total += 2 * then.scores[position.to_move] - sum(then.scores)
        return total

    worths = {move.vertex: worth(move.vertex) for move in position.legal_moves}
    assert choose(MonteCarlo(playouts=6), position, seed=3) == first_best(position, worths.__getitem__)


def test_montecarlo_takes_the_best_last_move():
    for rules in BOARDS:
        *_, last = positions(rules)
        assert choose(MonteCarlo(playouts=1), last) == choose(Gain(), last)


@pytest.mark.parametrize("name", PLAYERS)
def test_every_player_plays_every_board_to_the_end(name):
    player = PLAYERS[name](playouts=5) if name in ("search", "montecarlo") else PLAYERS[name]()
    for rules in BOARDS:
        position, rng = rules.start(), np.random.default_rng(1)
        while position.to_move is not None:
            position = position.play(player.choose(position, Clock(), rng))


def test_large_boards_are_played_like_gain(monkeypatch):
    monkeypatch.setattr("hinterland.graph.players.MAX_RANKED_VERTICES", 5)
    position = next(iter(positions(BOARDS[0])))
    assert choose(Rollout(), position) == choose(Gain(), position)
    position.board.distances = None
    assert choose(MonteCarlo(), position) == int(position.swings().argmax())
