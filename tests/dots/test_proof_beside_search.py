"""A solver beside a search: what decides the game is asked first, and half a proof is better than none."""

import numpy as np
import pytest

from dots.oracle_dots import Solver as Oracle
from dots.some_boards import circle, plain, small_boards, somewhere
from hinterland.contract import Clock
from hinterland.dots import Line, boards
from hinterland.dots.players import Perfect
from hinterland.dots.search.progressive_widening import LineSearch
from hinterland.dots.search.proof_beside_search import FAVOURITES_TRIED, HELD, UNPROVEN, WON, think
from hinterland.dots.solver import solutions
from hinterland.dots.solver.solutions import Solver, solver_for
from hinterland.errors import RulesError
from hinterland.jit import JIT_ON

BOARDS = 30 if JIT_ON else 6


def known_positions(rng):
    """Yield positions and the value of each line, as the oracle says."""
    for rules in small_boards(BOARDS, least=4, most=6, seed=900):
        position = somewhere(rules, rng)
        values = Oracle(rules.points).values(*plain(position))
        yield position, {Line(*line): value for line, value in values.items()}


def first_of(lines):
    """Return what names the first of some lines as a favourite."""
    return lambda but: next((line for line in lines if line not in but), None)


def test_what_decides_the_game_is_found_out_whoever_leads(rng):
    solver = Solver(memory_mb=1)
    for position, values in known_positions(rng):
        for lead in range(-7, 8):
            study = solver.study(position, lead=lead)
            study.decide(first_of([list(values)[number] for number in rng.permutation(len(values))]), tries=3)
            assert study.is_won == (lead + max(values.values()) > 0)
            assert study.is_held == (lead + max(values.values()) >= 0)
            assert study.low <= max(values.values()) <= study.high
            assert all(values[line] >= study.low for line in study.best)
            assert all(study.holds(line) == (lead + value >= 0) for line, value in values.items())
            assert study.run(one_move=True)
            assert study.low == max(values.values()) == study.high == values[study.best[0]]


@pytest.mark.jit
def test_lines_are_refuted_that_miss_what_is_asked(rng, monkeypatch):
    """Each study is cut short after so many looks at the clock."""
    from hinterland import search_clock
    from hinterland.dots.solver import study as studies

    monkeypatch.setattr(studies, "NODES_PER_LOOK", 5)
    refuted = 0
    for position, values in known_positions(rng):
        for looks in range(0, 40, 3):
            ticks = iter(range(10**9))
            monkeypatch.setattr(search_clock, "now_s", lambda ticks=ticks: next(ticks))
            study = Solver(memory_mb=1).study(position, seconds=looks)
            study.decide(first_of(values), tries=1)
            asked = 0 if study.low < 0 else 1
            assert all(values[line] < asked for line in study.refuted)
            refuted += len(study.refuted)
    assert refuted > 50


class Half:
    """Stands in for a study that is cut short; any line holds the draw where the game is held."""

    is_settled = False
    refuted: frozenset[Line] = frozenset()

    def __init__(self, best, *, is_won=False, is_held=False):
        self.best, self.is_won, self.is_held = best, is_won, is_held

    def decide(self, favourite, tries):
        """Ask for favourites as often as is allowed."""
        assert tries == FAVOURITES_TRIED
        assert favourite(()) is not None

    def run(self, *, one_move):
        """Find out nothing more."""
        assert one_move

    def holds(self, line):
        """Hold by any line."""
        return self.is_held


POSITION = boards.random(9, seed=1).start()
LAST = list(POSITION.legal_moves)[-1]


@pytest.mark.parametrize(
    ("half", "note"),
    [
        (Half([LAST], is_won=True, is_held=True), WON),
        (Half([], is_won=True, is_held=True), WON),
        (Half([LAST], is_held=True), HELD),
        (Half([]), UNPROVEN),
    ],
)
def test_half_a_proof_is_better_than_none(half, note, rng, monkeypatch):
    monkeypatch.setattr(Solver, "study", lambda *_: half)
    move, told = Perfect(seconds=0.01, memory_mb=1).choose_and_tell(POSITION, Clock(), rng)
    assert told == note
    assert move == LAST if note == WON and half.best else move in POSITION.legal_moves


def test_a_draw_is_held_by_a_line_that_the_search_likes(rng, monkeypatch):
    liked = list(POSITION.legal_moves)[:FAVOURITES_TRIED]
    half = Half([LAST], is_held=True)
    half.holds = lambda line: line == liked[2]
    monkeypatch.setattr(Solver, "study", lambda *_: half)
    monkeypatch.setattr(LineSearch, "find_favourite", lambda _, but=(): first_of(liked)(but))
    assert think(POSITION, Solver(1), 0.0, rng, traps=True) == (liked[2], HELD)
    half.holds = lambda line: False
    assert think(POSITION, Solver(1), 0.0, rng, traps=True) == (LAST, HELD)
    half.is_held, half.refuted = False, {liked[0]}
    assert think(POSITION, Solver(1), 0.0, rng, traps=True) == (liked[1], UNPROVEN)


def test_a_favourite_is_the_line_tried_most_often_but_for_some():
    search = LineSearch(POSITION, np.array([5]))
    assert search.find_favourite() is None
    search.grow(100)
    lines = [Line(*dots) for dots, _ in search.count_visits().most_common()]
    assert search.find_favourite() == lines[0]
    assert search.find_favourite(set(lines[:2])) == lines[2]
    assert search.find_favourite(set(lines)) is None


def test_a_solver_is_kept_for_the_rest_of_its_game():
    solutions._idle_solvers.cache_clear()
    games = [circle(dots).start() for dots in (5, 6, 7)]
    with solver_for(games[0].rules, 1) as solver, solver_for(games[0].rules, 1) as other:
        assert other is not solver
    for position in games[:2]:
        with solver_for(position.rules, 1) as lent:
            assert lent.solve(position).value == Solver(memory_mb=1).solve(position).value
    with solver_for(games[0].rules, 1) as again:
        assert again is other
    for position in games[1:]:
        with solver_for(position.rules, 1):
            assert solutions._idle_solvers.cache_info().currsize == solutions.CACHED_GAMES
    with solver_for(games[0].rules, 1) as later:
        assert later not in (solver, other)
    with pytest.raises(RulesError, match="memory_mb"), solver_for(games[0].rules, 0):
        pass


def test_a_kept_solver_gives_the_answers_of_a_new_one(rng):
    position = boards.random(8 if JIT_ON else 6, seed=3).start()
    while position.to_move is not None:
        with solver_for(position.rules, 2) as kept:
            new = Solver(memory_mb=1)
            assert kept.solve(position, all_moves=True).values == new.solve(position, all_moves=True).values
        position = position.play(position.legal_moves.sample(rng))
