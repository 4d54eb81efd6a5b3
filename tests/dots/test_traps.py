"""Of equally good moves perfect takes the one that is hardest to answer."""

from collections import Counter

import numpy as np
import pytest

from dots.oracle_dots import Solver as Oracle
from dots.oracle_dots import after as drawn
from dots.some_boards import circle, plain, small_boards, somewhere
from hinterland.dots import Line, boards
from hinterland.dots.search import proof_beside_search
from hinterland.dots.search.progressive_widening import LineSearch, find_most_visited
from hinterland.dots.solver.solutions import Solver
from hinterland.jit import JIT_ON

FOREVER = float("inf")


class AnyReply:
    """Stands in for a search that tries every reply once, and sees even chances."""

    def __init__(self, position, seed, nodes):
        self.position = position

    def grow(self, rounds):
        """Do nothing."""

    def count_visits(self):
        """Count once each."""
        return Counter({line.numbers: 1 for line in self.position.legal_moves})

    def mean_value(self):
        """See even chances."""
        return 0.5


def settled(position):
    """Return a study that knows all best moves."""
    study = Solver(memory_mb=1).study(position)
    study.run(one_move=True)
    study.find_best()
    return study


def losses(oracle, position, line):
    """Return what each reply to a line loses, as the oracle says."""
    dots, lines, _ = drawn(*plain(position), line)
    values = oracle.values(dots, lines) if len(dots) >= 3 else {}
    return {reply: max(values.values()) - value for reply, value in values.items()}


def small_positions(rng, count=20):
    """Yield positions with something to choose, and the oracle of their board."""
    for rules in small_boards(count, least=5, most=6, seed=700):
        position = somewhere(rules, rng)
        if len(position.legal_moves) > 1:
            yield position, Oracle(rules.points)


def test_a_loss_is_what_the_oracle_says(rng):
    dear = 0
    for position, oracle in small_positions(rng):
        study = settled(position)
        for line in study.best:
            value = len(position.cycle(line)) - study.low
            forest = position.play(line).forest
            for reply, loss in losses(oracle, position, line.numbers).items():
                assert study.loss(forest, Line(*reply), value) == loss
                dear += loss > 0
    assert dear > 20


def test_the_deepest_trap_is_set(rng, monkeypatch):
    monkeypatch.setattr(proof_beside_search, "LineSearch", AnyReply)
    monkeypatch.setattr(proof_beside_search, "MAX_REPLIES", 100)
    monkeypatch.setattr(proof_beside_search, "MAX_MOVES", 100)
    different = 0
    boards = 40 if JIT_ON else 12
    for position, oracle in small_positions(rng, boards):
        study = settled(position)
        told = [losses(oracle, position, line.numbers) for line in study.best]
        depths = [sum(each.values()) / len(each) if each else -2 for each in told]  # an end of the game is no trap
        chosen = proof_beside_search.find_trickiest(position, study, FOREVER, rng)
        assert depths[study.best.index(chosen)] == pytest.approx(max(depths))
        different += len({round(each, 6) for each in depths}) > 1
    assert different > boards // 4


def test_without_time_any_best_move_does(rng):
    position = circle(6).start()
    study = Solver(memory_mb=1).study(position)
    study.run(one_move=True)
    assert proof_beside_search.find_trickiest(position, study, 0.0, rng) in study.best


def test_a_search_that_is_cut_short_keeps_the_move_it_has():
    study = Solver(memory_mb=1).study(circle(6).start(), seconds=3600)
    study.run(one_move=True)
    known = study.best[0]
    study.until_s = 0.0
    study.find_best()
    assert known in study.best
    assert study.loss(circle(6).start().forest, known, 0) is None


def test_a_search_counts_what_it_tries():
    position = boards.random(8, seed=1).start()
    one, same = (LineSearch(position, np.array([5])) for _ in range(2))
    for search in (one, same):
        search.grow(30)
    assert one.count_visits() == same.count_visits()
    assert one.count_visits().total() == 30
    assert {Line(*dots) for dots in one.count_visits()} <= set(position.legal_moves)
    assert 0 < one.mean_value() < 1
    assert find_most_visited([one, same]) == one.count_visits().most_common(1)[0][0]
    one.grow_until(lambda: True)
    assert one.count_visits().total() == 31


def test_the_mean_value_tells_who_is_winning():
    """Who may take all three dots is sure of them; who may only open them to the other is not."""
    opened = circle(3).start().play(Line(0, 1))
    means = []
    for position in (opened.play(Line(1, 2)), opened):
        search = LineSearch(position, np.array([5]))
        search.grow(30)
        means.append(search.mean_value())
    assert means[0] > 0.9
    assert means[1] < 0.1
