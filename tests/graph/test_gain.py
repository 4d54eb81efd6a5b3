"""Distances, owners and gains against Dijkstra in fractions; undo; large boards against small ones."""

from fractions import Fraction

import numpy as np
import pytest

from graph import oracle_graph as oracle
from graph.graph_cases import PIECES, drawn, random_tokens
from hinterland.errors import IllegalMove, RulesError
from hinterland.graph import Position, Rules, Token, boards
from hinterland.graph.distances import gain, shortest_paths
from hinterland.graph.distances.gain import compute_gains, compute_swings
from hinterland.graph.distances.network import UNREACHED
from hinterland.jit import JIT_ON

BOARDS = 300 if JIT_ON else 40


def board_of(rules, tokens):
    return Position(rules, tuple((seat, Token(vertex)) for vertex, seat in tokens)).new_board()


def state(board):
    return [values.tolist() for values in (board.nearest, board.owner, board.points)] + [list(board.tokens)]


def large(rules, monkeypatch):
    """Return equal rules that are treated as too large for a table of distances."""
    twin = Rules(edges=rules.edges, values=rules.values, players=rules.players, tokens=rules.tokens)
    with monkeypatch.context() as patched:
        patched.setattr(shortest_paths, "MAX_TABLE_VERTICES", 0)
        assert twin.distances is None
    return twin


def unit(rules):
    """Return what the oracle's distances are multiplied with to be the network's."""
    return Fraction(2) ** rules.network.scale / oracle.denominator(rules.edges)


def in_units(rules, table, count):
    scale = unit(rules)
    return [[int(row[v] * scale) if v in row else UNREACHED for v in range(count)] for row in table]


def check_board(rules, tokens, tables, monkeypatch):
    """Compare a small board and its large twin with the oracle: owners, distances, scores, every gain."""
    own = oracle.owners(tables, tokens)
    nearest = oracle.nearest(tables, tokens)
    scale = unit(rules)
    expected = [oracle.gains(tables, rules.values, tokens, rules.players, seat) for seat in range(rules.players)]
    for twin in (rules, large(rules, monkeypatch)):
        board = board_of(twin, tokens)
        assert board.owner.tolist() == own
        assert board.scores == oracle.scores(tables, rules.values, tokens, rules.players)
        assert board.nearest.tolist() == [UNREACHED if far is None else int(far * scale) for far in nearest]
        for seat, (gained, led) in enumerate(expected):
            assert compute_gains(board, seat).tolist() == gained
            assert compute_swings(board, seat).tolist() == led


def test_scores_and_gains_equal_the_oracle_on_many_boards(rng, monkeypatch):
    for _ in range(BOARDS):
        rules = drawn(rng)
        tables = oracle.all_distances(rules.edges, rules.vertices)
        assert rules.distances.tolist() == in_units(rules, tables, rules.vertices)
        check_board(rules, random_tokens(rules, rng), tables, monkeypatch)


def test_ties_stay_with_the_token_placed_first():
    rules = boards.grid(1, 5, tokens=1)
    position = rules.start().play(Token(4)).play(Token(0))
    assert position.owners.tolist() == [1, 1, 0, 0, 0]
    assert rules.start().play(Token(0)).play(Token(4)).owners.tolist() == [0, 0, 0, 1, 1]


def test_a_part_without_a_token_belongs_to_nobody():
    position = Rules(**PIECES, tokens=2).start().play(Token(0)).play(Token(2))
    assert position.owners.tolist() == [0, 0, 1, -1, -1, -1]
    assert position.scores == (3, 3)
    assert position.gains().tolist() == [-1, 0, -1, 9, 9, 6]
    assert position.swings().tolist() == [-1, 0, -1, 9, 9, 6]
    assert position.gains(1).tolist() == [-1, 2, -1, 9, 9, 6]
    assert position.swings(1).tolist() == [-1, 4, -1, 9, 9, 6]
    with pytest.raises(IllegalMove, match="game is over"):
        position.play(Token(3)).play(Token(4)).gains()


@pytest.mark.parametrize("is_large", [False, True])
def test_undo_restores_every_value(rng, monkeypatch, is_large):
    for _ in range(20):
        rules = drawn(rng)
        board = board_of(large(rules, monkeypatch) if is_large else rules, [])
        seen = []
        for vertex, seat in random_tokens(rules, rng):
            seen.append(state(board))
            board.place(vertex, seat)
        for before in reversed(seen):
            board.undo()
            assert state(board) == before


def test_both_ways_to_all_distances_agree(rng):
    for _ in range(10):
        network = drawn(rng).network
        count = network.values.size
        through, searched = np.empty((2, count, count), dtype=np.int64)
        shortest_paths._run_floyd_warshall(network, through)
        shortest_paths._search_from_sources(network, 0, count, searched)
        assert (through == searched).all()
        assert (shortest_paths.compute_distances_from(network, count - 1) == searched[-1]).all()
        shortest_paths._search_in_parallel(network, searched.fill(-1) or searched)
        assert (through == searched).all()


@pytest.mark.thorough
@pytest.mark.jit
def test_strips_of_sources_and_wide_labels_give_the_same_gains(monkeypatch):
    for name in ("road", "small_world", "random"):
        rules = boards.make(name, vertices=700, seed=3)
        tokens = [(vertex * 31, vertex % 2) for vertex in range(20)]
        small = board_of(rules, tokens)
        board = board_of(large(rules, monkeypatch), tokens)
        for seat in (0, 1):
            assert (compute_gains(board, seat) == compute_gains(small, seat)).all()
            with monkeypatch.context() as patched:
                patched.setattr(gain, "NARROW_LIMIT", 1)
                assert (compute_swings(board, seat) == compute_swings(small, seat)).all()


@pytest.mark.jit
def test_a_board_above_the_limit_is_searched():
    rules = boards.road(shortest_paths.MAX_TABLE_VERTICES + 1, tokens=2)
    position = rules.start().play(Token(7)).play(Token(2500))
    assert rules.distances is None
    found = position.gains()
    for vertex in (0, 1500, 3000):
        assert position.play(Token(vertex)).scores[0] - position.scores[0] == found[vertex]
    assert found[7] == -1


def test_an_empty_board_of_any_size_gains_its_parts(monkeypatch):
    rules = large(Rules(**PIECES, tokens=2), monkeypatch)
    assert compute_gains(board_of(rules, []), 0).tolist() == [6, 6, 6, 9, 9, 6]
    alone = large(Rules(edges=(), values=(5, 0), tokens=1), monkeypatch)
    assert compute_gains(board_of(alone, []), 1).tolist() == [5, 0]


def test_rows_of_sources_are_near_each_other():
    network = boards.grid(40, 40).network
    order = gain._order_by_nearness(network.start, network.to)
    assert sorted(order.tolist()) == list(range(1600))
    rows = [order[i : i + gain.LANES] for i in range(0, 1600, gain.LANES)]
    wide = [max(int(np.ptp(row // 40)), int(np.ptp(row % 40))) for row in rows]
    assert np.median(wide) <= 14, "a diamond of 64 vertices is 11 wide, 64 at random nearly 40"


def late_comers_win(distances, values, nearest, owner, seat, loss):
    """Give gains as a kernel would that lets a tie go to the new token."""
    worth = np.where(owner == seat, 0, values * np.where(owner >= 0, 1 + loss, 1))
    sums = ((distances <= nearest) * worth).sum(axis=1)
    return np.where(nearest > 0, sums, -1)


def test_a_planted_fault_is_found(monkeypatch):
    rules = boards.grid(4, 4, tokens=2)
    tables = oracle.all_distances(rules.edges, rules.vertices)
    tokens = [(0, 0), (3, 1)]
    check_board(rules, tokens, tables, monkeypatch)
    with pytest.MonkeyPatch.context() as planted:
        planted.setattr(gain, "_compare", late_comers_win)
        with pytest.raises(AssertionError):
            check_board(rules, tokens, tables, monkeypatch)


@pytest.mark.parametrize("seat", [-1, 2, "a", 1.0, True])
def test_gains_of_no_seat_are_refused(seat):
    position = Rules(**PIECES, tokens=1).start()
    for ask in (position.gains, position.swings):
        with pytest.raises(RulesError, match="seat must be a whole number from 0 to 1, not"):
            ask(seat)
