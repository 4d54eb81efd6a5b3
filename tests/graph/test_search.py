"""The search is exact where it can be, keeps its clock, and repeats itself when its work is fixed."""

import itertools
from fractions import Fraction

import msgspec
import numpy as np
import pytest

from hinterland import search_clock
from hinterland.contract import Clock
from hinterland.graph import boards
from hinterland.graph.players import Search
from hinterland.graph.rules import Rules, Token
from hinterland.graph.search import endgame, expected_gain, gain_tree, search_state
from hinterland.jit import JIT_ON
from hinterland.search import budget
from hinterland.search.widening import VISITS

BOARDS = 200 if JIT_ON else 6


class Solved:
    """An exhaustive minimax without pruning, fast enough for 200 boards: distances and owners as plain lists."""

    def __init__(self, rules):
        self.far = rules.distances.tolist()
        self.values = rules.values

    def value(self, nearest, owner, free, turns):
        """Return the greatest lead of seat 0 over seat 1."""
        if not turns:
            return sum(v * (1 - 2 * o) for v, o in zip(self.values, owner, strict=True) if o >= 0)
        leads = [self.after(nearest, owner, free, turns, vertex) for vertex in free]
        return max(leads) if turns[0] == 0 else min(leads)

    def after(self, nearest, owner, free, turns, vertex):
        """Return the same after one more move."""
        far = self.far[vertex]
        taken = [f < n for f, n in zip(far, nearest, strict=True)]
        nearest = [f if t else n for f, n, t in zip(far, nearest, taken, strict=True)]
        owner = [turns[0] if t else o for o, t in zip(owner, taken, strict=True)]
        return self.value(nearest, owner, [v for v in free if v != vertex], turns[1:])

    def leads(self, position):
        """Return the lead of the seat to move after each of its moves."""
        board = position.board
        turns = search_state.turns_of(position).tolist()
        sign = 1 - 2 * turns[0]
        free = [move.vertex for move in position.legal_moves]
        nearest, owner = board.nearest.tolist(), board.owner.tolist()
        return {vertex: sign * self.after(nearest, owner, free, turns, vertex) for vertex in free}


def small_board(seed, vertices):
    """Return a small board, in turn dense, thin, in parts, and a grid full of ties."""
    match seed % 4:
        case 0:
            return boards.random(vertices=vertices, seed=seed, tokens=2)
        case 1:
            return boards.sparse(vertices=vertices, density=0.3, seed=seed, tokens=2)
        case 2:
            return boards.sparse(vertices=vertices, density=0.12, seed=seed, tokens=2)
        case _:
            return boards.grid(rows=2, cols=vertices // 2, seed=seed, tokens=2)


@pytest.mark.parametrize("seed", range(BOARDS))
def test_search_equals_exhaustive_minimax(seed):
    rng = np.random.default_rng(seed)
    position = small_board(seed, int(rng.integers(4, 13 if JIT_ON else 7))).start()
    for _ in range(int(rng.integers(3))):
        position = position.play(position.legal_moves.sample(rng))
    leads = Solved(position.rules).leads(position)
    chosen = Search(playouts=100_000).choose(position, Clock(), rng)
    assert leads[chosen.vertex] == max(leads.values())


def played(rules, moves, seed=0):
    """Return a position after some random moves."""
    position = rules.start()
    rng = np.random.default_rng(seed)
    for _ in range(moves):
        position = position.play(position.legal_moves.sample(rng))
    return position


@pytest.mark.parametrize("seed", range(4))
def test_exact_play_is_reached_and_names_the_lead(seed):
    position = played(small_board(seed, 6), 1, seed)
    turns, root = search_state.turns_of(position), search_state.state_of(position)
    known = search_state.ranks_of(position.rules)
    for first in (move.vertex for move in position.legal_moves):
        vertex, lead = endgame.solve(turns, known, root, first, lambda _: 10**9)
        leads = Solved(position.rules).leads(position)
        assert lead == leads[vertex] == max(leads.values())
    assert endgame.solve(turns, known, root, first, lambda _: 0) is None


def test_exact_play_minds_lost_turns():
    """A seat that lost a turn is answered twice; the bound of the last move must not be used then."""
    for seed in range(6):
        position = played(small_board(seed, 6), 1, seed).skip()
        leads = Solved(position.rules).leads(position)
        chosen = Search(playouts=10_000).choose(position, Clock(), np.random.default_rng(0))
        assert leads[chosen.vertex] == max(leads.values())


RULES = [
    boards.random(vertices=12, seed=1, tokens=3),
    boards.grid(rows=3, cols=4, seed=2, players=3, tokens=2),
    boards.sparse(vertices=14, density=0.1, seed=3, players=4, tokens=2),
    Rules(edges=(), values=(3, 0, 5, 1), tokens=2),
]


@pytest.mark.parametrize("rules", RULES)
def test_the_state_follows_the_board(rules):
    """Scores are as the board has them, token by token, and where all is kept expected gains are swings."""
    position = rules.start()
    known, certain = search_state.ranks_of(rules), expected_gain.make_certain_chances(rules.vertices, 0)[0]
    root = search_state.state_of(position)
    gains = np.empty(rules.vertices, dtype=np.int64)
    rng = np.random.default_rng(0)
    while position.to_move is not None:
        seat = position.to_move
        move = position.legal_moves.sample(rng)
        search_state.place(known, root, move.vertex, seat)
        position = position.play(move)
        assert tuple(root.scores.tolist()) == position.scores
        for player in range(rules.players):
            expected_gain.write_expected_gains(known, root, player, certain, gains)
            assert gains.tolist() == position.swings(player).tolist()


def expected(position, seat, vertex, rivals):
    """Return the expected gain of a vertex by its definition, in exact fractions."""
    far, board = position.rules.distances.tolist(), position.board
    count, total = len(far), Fraction(0)

    def kept(x, most):
        return Fraction(sum(row[x] < most for row in far), -count) + 1

    for x in range(count):
        if far[vertex][x] < board.nearest[x]:
            own = kept(x, far[vertex][x]) ** (4 * rivals)
            had = kept(x, board.nearest[x]) ** (4 * rivals) if board.owner[x] >= 0 else 0
            total += int(position.rules.values[x]) * (own - had if board.owner[x] == seat else own + had)
    return total


@pytest.mark.parametrize("rules", RULES)
def test_expected_gains_are_what_their_definition_says(rules):
    position = played(rules, 3)
    known, root = search_state.ranks_of(rules), search_state.state_of(position)
    chances = expected_gain.compute_keep_chances(rules.vertices, 3)
    gains = np.empty(rules.vertices, dtype=np.int64)
    taken = {token.vertex for _, token in position.moves}
    for seat, rivals in itertools.product(range(rules.players), range(4)):
        expected_gain.write_expected_gains(known, root, seat, chances[rivals], gains)
        for vertex in range(rules.vertices):
            told = expected_gain.TAKEN if vertex in taken else expected(position, seat, vertex, rivals)
            assert gains[vertex] / (1 if vertex in taken else expected_gain.CERTAIN) == pytest.approx(
                float(told), abs=sum(rules.values) / expected_gain.CERTAIN
            )


def test_rival_tokens_to_come_are_counted():
    assert expected_gain.count_rival_tokens(np.array([0, 1, 2, 0, 1, 2], dtype=np.int8)).tolist() == [4, 3, 2, 2, 1, 0]
    assert expected_gain.count_rival_tokens(np.array([1, 1], dtype=np.int8)).tolist() == [0, 0]


@pytest.mark.parametrize("rules", RULES)
def test_with_certain_chances_a_playout_follows_the_gains(rules):
    position = played(rules, 1)
    root, turns = search_state.state_of(position), search_state.turns_of(position)
    rivals = expected_gain.count_rival_tokens(turns)
    chances = expected_gain.make_certain_chances(rules.vertices, int(rivals.max()))
    expected_gain.play_out(search_state.ranks_of(rules), root, turns, rivals, chances, 0)
    while position.to_move is not None:
        best = int(position.swings().argmax())
        position = position.play(position.move_type(best))
    assert tuple(root.scores.tolist()) == position.scores


def test_turns_skip_seats_that_left_or_have_no_tokens():
    position = boards.grid(rows=3, cols=4, players=3, tokens=2).start()
    assert search_state.turns_of(position).tolist() == [0, 1, 2, 0, 1, 2]
    assert search_state.turns_of(position.withdraw(1)).tolist() == [0, 2, 0, 2]
    assert search_state.turns_of(position.skip()).tolist() == [1, 2, 0, 1, 2]
    assert search_state.turns_of(played(position.rules, 6)).tolist() == []


@pytest.mark.parametrize("rules", RULES)
def test_a_fixed_budget_repeats_itself(rules):
    games = []
    for seed in (1, 2):
        position = rules.start()
        while position.to_move is not None:
            position = position.play(
                Search(playouts=20).choose(position, Clock(move_ms=1), np.random.default_rng(seed))
            )
        games.append(str(position))
    assert games[0] == games[1]


def searched(position, most_nodes=1000):
    turns, ranks = search_state.turns_of(position), search_state.ranks_of(position.rules)
    return gain_tree.GainSearch(turns, ranks, search_state.state_of(position), most_nodes)


def test_a_full_tree_goes_on_with_the_moves_it_has():
    position = RULES[0].start()
    search = searched(position, most_nodes=4)
    search.grow(30)
    assert search.tree.size[0] == 4
    assert search.tree.nodes[0, VISITS] == 30
    assert search.line[0] in {move.vertex for move in position.legal_moves}


@pytest.mark.parametrize("slots", [1, 5, 1000])
@pytest.mark.parametrize("rules", RULES)
def test_a_line_of_the_tree_scores_what_its_moves_score(monkeypatch, rules, slots):
    """Also where few nodes find room for their state."""
    monkeypatch.setattr("hinterland.graph.search.gain_tree.STATE_BYTES", slots * 20 * rules.vertices)
    position = played(rules, 1)
    search = searched(position)
    search.grow(300 if JIT_ON else 40)
    line = search.line
    scores = search.scores_after(line)
    for vertex in line:
        position = position.play(Token(vertex))
    turns, ranks = search_state.turns_of(position), search_state.ranks_of(rules)
    if turns.size:
        after, rivals = search_state.state_of(position), expected_gain.count_rival_tokens(turns)
        chances = expected_gain.compute_keep_chances(rules.vertices, int(rivals.max()))
        expected_gain.play_out(ranks, after, turns, rivals, chances, 0)
        assert tuple(after.scores.tolist()) == scores
    else:
        assert position.scores == scores


class Watch:
    """A search clock that a test advances."""

    def __init__(self, monkeypatch):
        self.now = 100.0
        monkeypatch.setattr(search_clock, "now_s", lambda: self.now)

    def turned(self, seconds):
        self.now += seconds
        return self.now


def test_a_budget_of_time_ends_in_time(monkeypatch):
    watch = Watch(monkeypatch)
    spending = budget.Budget(None, 1.0)
    made = 0
    while (step := spending.step()) > 0:
        watch.now += step * 0.003
        spending.spend(step)
        made += step
    assert 300 <= made <= 334
    assert watch.now <= 101.01


def test_a_budget_of_time_can_be_spent_in_part(monkeypatch):
    watch = Watch(monkeypatch)
    spending = budget.Budget(None, 1.0)
    spending.spend(10)
    watch.now += 0.1
    assert spending.left(0.5) == pytest.approx(40, abs=1)
    assert spending.left() == pytest.approx(90, abs=1)
    watch.now += 0.5
    assert spending.step(0.5) == 0
    assert spending.step() > 0


def test_a_budget_of_playouts_is_spent_to_the_last(monkeypatch):
    spending = budget.Budget(10, 0.0)
    assert spending.left(0.3) == 3
    spending.spend(3)
    assert spending.left(0.3) == 0
    assert spending.step() == 7
    spending.spend(7)
    assert spending.step() == 0


@pytest.mark.parametrize(
    ("clock", "most_s"),
    [
        (Clock(move_ms=500), 0.5),
        (Clock(move_ms=50), 0.05),
        (Clock(left_ms=3000), 1.0),
        (Clock(left_ms=3000, move_ms=100), 0.1),
        (Clock(left_ms=60, increment_ms=1000), 0.06),
        (Clock(left_ms=1), 0.001),
    ],
)
def test_planned_time_leaves_a_margin(clock, most_s):
    planned_s = clock.thinking_s(RULES[0].tokens, 9.0)
    assert 0 <= planned_s <= 0.85 * most_s
    assert clock.thinking_s(RULES[0].tokens, 0.0001) <= 0.0001
    assert Clock().thinking_s(RULES[0].tokens, 9.0) == 9.0


@pytest.mark.parametrize("options", [{"seconds": 0}, {"seconds": 1e9}, {"playouts": 0}, {"playouts": -1}])
def test_options_are_bounded(options):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(options, Search)


@pytest.mark.parametrize("playouts", [0, 1, 30])
def test_boards_without_ranks_are_searched_two_plies_deep(monkeypatch, playouts):
    monkeypatch.setattr("hinterland.graph.search.search_player.MAX_RANKED_VERTICES", 5)
    position = played(RULES[0], 5)
    chosen = Search(playouts=playouts).choose(position, Clock(), np.random.default_rng(0))
    assert chosen in position.legal_moves


@pytest.mark.jit
@pytest.mark.parametrize("move_ms", [40, 100, 400])
def test_a_board_too_large_for_its_time_is_sampled(monkeypatch, move_ms):
    """On a search clock that a test advances: each look at it takes two milliseconds."""
    watch = Watch(monkeypatch)
    monkeypatch.setattr(search_clock, "now_s", lambda: watch.turned(0.002))
    position = boards.road(vertices=6000, seed=1, tokens=4).start().play(Token(5)).play(Token(5000))
    chosen = Search().choose(position, Clock(move_ms=move_ms), None)
    assert watch.now - 100 <= move_ms / 1000
    assert chosen in position.legal_moves
    swings = position.swings()
    assert int(swings[chosen.vertex]) >= np.median(swings[::50])
