"""The players do what their sentence says; perfect keeps the value, and says whether its move is proven."""

import numpy as np
import pytest

from dots.some_boards import circle, random_game, small_boards, somewhere
from hinterland import search_clock
from hinterland.contract import Clock
from hinterland.dots import Line, boards
from hinterland.dots.players import PLAYERS, Careful, Closer, MonteCarlo, Perfect, Random
from hinterland.dots.search import proof_beside_search
from hinterland.dots.solver.solutions import Solver
from hinterland.jit import JIT_ON
from ticking import Ticking


def choose(player, position, seed=0):
    """Ask a player without a clock."""
    return player.choose(position, Clock(), np.random.default_rng(seed))


def gains(position):
    """Return how many dots each legal line takes."""
    return {line: len(position.cycle(line)) for line in position.legal_moves}


def given(position, line):
    """Return the most dots that the other can take after a line."""
    after = position.play(line)
    return max(gains(after).values(), default=0) if after.to_move is not None else 0


@pytest.mark.parametrize("player", [Closer(), Careful()], ids=lambda player: player.name)
def test_cycles_are_closed_and_the_longest(player, rng):
    seen = set()
    for rules in small_boards(10, least=6, most=10):
        for position in random_game(rules, rng):
            if position.to_move is not None:
                takes = gains(position)
                most = max(takes.values())
                seen.add(most)
                if most:
                    assert takes[choose(player, position)] == most
    assert {0, 3, 4} <= seen


def test_careful_opens_nothing_where_it_need_not(rng):
    kept = forced = 0
    for rules in small_boards(10, least=6, most=10, seed=50):
        for position in random_game(rules, rng):
            if position.to_move is None or max(gains(position).values()):
                continue
            safe = any(given(position, line) == 0 for line in position.legal_moves)
            line = choose(Careful(), position)
            assert (given(position, line) == 0) == safe
            kept += safe
            forced += not safe
            if not safe:
                trees = [len(tree(position, line)) for line in position.legal_moves]
                assert len(tree(position, line)) == min(trees)
    assert min(kept, forced) > 5


def tree(position, line):
    """Return the dots of the tree that a line makes."""
    dots = {line.a, line.b}
    while grown := {end for other in position.lines for end in other.numbers if dots & set(other.numbers)} - dots:
        dots |= grown
    return dots


@pytest.mark.parametrize(
    "player", [Random(), Closer(), Careful(), MonteCarlo(playouts=20)], ids=lambda player: player.name
)
def test_a_seed_repeats_a_game_and_another_changes_it(player):
    ends = []
    for seed in (1, 1, 2):
        position, rng = boards.random(10, seed=3).start(), np.random.default_rng(seed)
        while position.to_move is not None:
            position = position.play(player.choose(position, Clock(), rng))
        ends.append(position)
    assert ends[0] == ends[1] != ends[2]


def test_all_moves_are_equally_likely_to_be_drawn_among_equals():
    position = circle(5).start()
    drawn = [choose(Closer(), position, seed) for seed in range(300)]
    counts = [drawn.count(line) for line in position.legal_moves]
    assert min(counts) > 10
    assert max(counts) < 60


@pytest.mark.thorough
def test_perfect_keeps_the_value(rng, monkeypatch):
    """From 200 random positions of at most 10 dots its move is worth what the position is."""
    monkeypatch.setattr(proof_beside_search, "FIRST_LOOKS", 1)
    most, count = (10, 200) if JIT_ON else (4, 10)
    solver = Solver(memory_mb=16)
    for rules in small_boards(count, least=max(most // 2, 3), most=most, seed=300):
        position = somewhere(rules, rng)
        while len(position.legal_moves) > 36:
            position = position.play(position.legal_moves.sample(rng))
        move, note = Perfect(seconds=600, memory_mb=4).choose_and_tell(position, Clock(), rng)
        assert note == "", "it is proven"
        before, scored = solver.solve(position).value, len(position.cycle(move))
        after = position.play(move)
        assert scored - solver.solve(after).value == before


def test_perfect_says_when_it_fell_back(rng):
    for position in (boards.random(30 if JIT_ON else 16, seed=1).start(), circle(6).start().withdraw(1)):
        move, note = Perfect(seconds=0.01, memory_mb=1).choose_and_tell(position, Clock(), rng)
        assert note.startswith("not proven best")
        assert move in position.legal_moves
    position = boards.random(11 if JIT_ON else 8, seed=1).start()
    hurried = Perfect(memory_mb=1).choose_and_tell(position, Clock(move_ms=0), rng)
    assert hurried[1].startswith("not proven best")


@pytest.mark.parametrize("player", [MonteCarlo(), Perfect()], ids=lambda player: player.name)
def test_half_of_a_clock_is_held_back_from_what_may_be_the_last_line(monkeypatch, player, rng):
    position = circle(5).start()
    for dot in range(4):
        position = position.play(Line(dot, dot + 1))
    position = position.withdraw(1)  # or perfect would solve it at once
    ticking = Ticking(0.001)
    monkeypatch.setattr(search_clock, "now_s", ticking.now_s)
    assert player.choose(position, Clock(left_ms=1000), rng) in position.legal_moves
    assert 0.1 < ticking.time_s < 0.5


@pytest.mark.thorough
@pytest.mark.jit
@pytest.mark.parametrize(
    ("better", "worse", "share"),
    [
        (Closer(), Random(), 0.75),
        (Careful(), Closer(), 0.75),
        (MonteCarlo(playouts=300), Careful(), 0.55),
        (Perfect(seconds=0.04, memory_mb=1), Random(), 0.75),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_players_are_as_strong_as_they_should_be(better, worse, share):
    rng = np.random.default_rng(6)
    won = lost = 0
    for number, dots in enumerate([12, 20] * 3):
        rules = boards.random(dots, seed=number)
        for seat in (0, 1):
            position = rules.start()
            while position.to_move is not None:
                player = better if position.to_move == seat else worse
                position = position.play(player.choose(position, Clock(), rng))
            won += position.scores[seat]
            lost += position.scores[1 - seat]
    assert won / (won + lost) >= share


def test_players_are_listed_by_their_names():
    assert list(PLAYERS) == ["random", "closer", "careful", "mcts", "perfect"]
    assert all(kind.name == name for name, kind in PLAYERS.items())
    assert all(
        choose(kind(), circle(3).start().play(Line(0, 1)).play(Line(1, 2))) == Line(0, 2)
        for kind in (Closer, Careful, Perfect)
    )
