"""The solver against the oracle: values, all moves, best moves, principal lines; bounds, limits, and memory."""

import pytest

from dots.oracle_dots import Solver as Oracle
from dots.some_boards import AROUND, circle, plain, small_boards, somewhere
from hinterland.dots import Line, Rules, Solution, boards, solve
from hinterland.dots.solver import study, transpositions
from hinterland.dots.solver.solutions import Solver
from hinterland.errors import ArenaError, RulesError
from hinterland.jit import JIT_ON

MOST = 7 if JIT_ON else 5
BOARDS = 200 if JIT_ON else 24
MIDDLES = 200 if JIT_ON else 24
CIRCLES = {3: 3, 4: 3, 5: -3, 6: 0, 7: 0, 8: 0, 9: -3, 10: 3}


@pytest.fixture(scope="module")
def solver():
    """Return one solver for many boards: what it remembers of one must be true of another."""
    return Solver(memory_mb=4)


def sizes():
    """Say how many dots each board has: the oracle takes a second for 7."""
    return [MOST if k % 100 == 0 else MOST - 1 if k % 10 == 0 else 3 + k % (MOST - 4) for k in range(BOARDS)]


def test_values_of_random_boards_are_the_oracles(solver):
    for seed, dots in enumerate(sizes()):
        (rules,) = small_boards(1, least=dots, most=dots, seed=seed) if seed % 2 else (boards.random(dots, seed),)
        found = solver.solve(rules.start())
        assert found.value == Oracle(rules.points).value(frozenset(range(dots))), rules
        assert found.exact
        assert found.low == found.value == found.high


def test_every_move_of_positions_in_mid_game_is_worth_what_the_oracle_says(solver, rng):
    for rules in small_boards(MIDDLES, least=MOST - 2, most=MOST, seed=1000):
        position = late(rules, rng)
        found = solver.solve(position, all_moves=True)
        expected = Oracle(rules.points).values(*plain(position))
        best = max(expected.values())
        assert {line.numbers: value for line, value in found.values} == expected
        assert found.value == best
        assert {line.numbers for line in found.best} == {line for line, value in expected.items() if value == best}
        check_line(position, found)


def late(rules, rng):
    """Return a position of a random game after at least three moves, so that the oracle need not start from nothing."""
    while True:
        position = somewhere(rules, rng)
        if len(position.moves) >= min(3, rules.dots - 2):
            return position


def check_line(position, found):
    """A principal line is legal, goes to the end, and scores the value."""
    last = position
    for line in found.line:
        last = last.play(line)
    assert last.to_move is None
    won = [after - before for after, before in zip(last.scores, position.scores, strict=True)]
    assert won[position.to_move] - won[1 - position.to_move] == found.value
    assert found.line[0] in found.best


def test_three_dots_around_one():
    assert solve(AROUND.start(), memory_mb=1).value == -4


@pytest.mark.parametrize(("dots", "value"), [pair for pair in CIRCLES.items() if JIT_ON or pair[0] < 6])
def test_circles(solver, dots, value):
    position = circle(dots).start()
    found = solver.solve(position)
    assert found.value == value
    check_line(position, found)


@pytest.mark.jit
@pytest.mark.parametrize("dots", [8, 9])
def test_the_value_does_not_depend_on_how_a_board_is_numbered_mirrored_or_given(dots, rng):
    rules = boards.jittered(dots, seed=4)
    first = solve(rules.start(), all_moves=True)
    order = rng.permutation(dots).tolist()
    mirrored = Rules(points=tuple((-rules.points[dot][0], rules.points[dot][1]) for dot in order))
    other = solve(Rules(orientations=mirrored.signs).start(), all_moves=True)
    assert first.value == other.value
    values = {Line(order[line.a], order[line.b]): value for line, value in other.values}
    assert values == dict(first.values)


@pytest.mark.jit
def test_a_full_table_forgets_but_does_not_err():
    position = boards.random(9, seed=2).start()
    assert solve(position, memory_mb=1, all_moves=True).values == solve(position, memory_mb=64, all_moves=True).values


@pytest.mark.jit
def test_forms_without_room_are_worked_out_again(monkeypatch):
    from hinterland.dots.solver import canonical_forms

    position = circle(10).start()
    monkeypatch.setattr(canonical_forms, "MAX_SYMMETRIES", 64)
    monkeypatch.setattr(canonical_forms, "MAX_FORMS", 8)
    assert solve(position).value == 3


def test_without_time_there_are_bounds():
    dots = 12 if JIT_ON else 8
    found = solve(circle(dots).start(), seconds=0, memory_mb=1)
    assert isinstance(found, Solution)
    assert not found.exact
    assert found.value is None
    assert -dots <= found.low < found.high <= dots


@pytest.mark.jit
def test_bounds_hold_whenever_time_is_over(monkeypatch):
    """The clock is the test's own: each look at it takes a second."""
    from hinterland import search_clock

    ticks = iter(range(10**9))
    monkeypatch.setattr(search_clock, "now_s", lambda: next(ticks))
    position = boards.random(8, seed=8).start()
    value = solve(position).value
    wider = 17
    for seconds in range(0, 40, 8):
        found = solve(position, seconds=seconds, memory_mb=2)
        assert found.low <= value <= found.high
        assert found.high - found.low <= wider
        wider = found.high - found.low
    assert solve(position, seconds=10_000).exact


def test_a_game_that_is_over_is_worth_nothing():
    position = circle(3).start()
    while position.to_move is not None:
        position = position.play(next(iter(position.legal_moves)))
    found = solve(position, memory_mb=1, all_moves=True)
    assert (found.value, found.best, found.line, found.values, found.exact) == (0, (), (), (), True)


@pytest.mark.jit
def test_a_large_board_is_solved_once_few_dots_are_left(rng):
    position = boards.random(40, seed=1).start()
    while len(position.dots) > 9:
        position = position.play(position.legal_moves.sample(rng))
    found = solve(position, memory_mb=8)
    assert found.exact
    check_line(position, found)


@pytest.mark.parametrize(
    ("position", "options", "error", "says"),
    [
        (circle(25).start(), {}, RulesError, "the solver takes up to 24 dots, here 25 are left"),
        (circle(5).start().withdraw(1), {}, RulesError, "seat 1 has left: there is no game of two to solve"),
        (circle(5).start(), {"memory_mb": 0}, RulesError, "memory_mb must be a whole number from 1 on, not 0"),
        (circle(5).start(), {"memory_mb": 10**12}, ArenaError, "is too large for this machine, which has"),
        (circle(5).start(), {"seconds": -1}, RulesError, "seconds must be a number from 0 on, or None, not -1"),
        (
            circle(5).start(),
            {"seconds": float("nan")},
            RulesError,
            "seconds must be a number from 0 on, or None, not nan",
        ),
    ],
)
def test_what_cannot_be_solved_is_refused_in_one_line(position, options, error, says):
    with pytest.raises(error) as caught:
        solve(position, **options)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_position_that_lost_turns_may_end_is_not_solved():
    position = circle(5).start()
    while position.turns_of(0) < 4:
        position = position.skip()
    with pytest.raises(RulesError, match="too many turns were lost"):
        solve(position)


@pytest.mark.jit
def test_a_table_that_cannot_grow_stays_as_it_is(monkeypatch):
    def full(transpositions):
        raise MemoryError

    position = boards.random(9, seed=1).start()
    value = solve(position).value
    monkeypatch.setattr(transpositions, "Growth", full)
    assert solve(position).value == value


@pytest.mark.parametrize("dots", [pytest.param(10, marks=pytest.mark.jit), 7])
def test_a_table_that_grows_in_steps_is_worth_as_much(monkeypatch, dots):
    """Where the time is looked at no look waits for more than a step, and what is found is the same."""
    steps, a_look = [], {False: [], True: []}

    class Counted(transpositions.Growth):
        def move_step(self):
            steps.append(len(self._table))
            return super().move_step()

    class Watched(Solver):
        def count_stored(self, stored, *, in_steps):
            before = len(steps)
            super().count_stored(stored, in_steps=in_steps)
            a_look[in_steps].append(len(steps) - before)

    monkeypatch.setattr(transpositions, "Growth", Counted)
    new_transpositions = transpositions.new_transpositions
    monkeypatch.setattr(transpositions, "new_transpositions", lambda entries=64: new_transpositions(entries))
    monkeypatch.setattr(transpositions, "STEP_ENTRIES", 32)
    monkeypatch.setattr(study, "NODES_PER_LOOK", 100)
    position = boards.random(dots, seed=1).start()
    at_once, in_steps = (Watched().solve(position, seconds, all_moves=True) for seconds in (None, 600.0))
    assert in_steps.exact
    assert (at_once.value, set(at_once.best), dict(at_once.values)) == (
        in_steps.value, set(in_steps.best), dict(in_steps.values),
    )  # fmt: skip
    assert len(steps) > 10
    assert max(a_look[True]) == 1 < max(a_look[False])


def test_nothing_is_lost_when_a_table_grows(monkeypatch, rng):
    monkeypatch.setattr(transpositions, "STEP_ENTRIES", 16)
    table = transpositions.new_transpositions(64)
    keys = rng.integers(1, 2**62, size=(40, 2))
    for key, check in keys.tolist():
        transpositions.store(table, key, check, -2, 3, 5, 1)
    held = [(key, check) for key, check in keys.tolist() if transpositions.probe(table, key, check)]
    growth = transpositions.Growth(table)
    while not growth.move_step():
        pass
    assert len(held) > 30
    assert len(growth.larger) == 64 * transpositions.GROWTH_FACTOR
    for key, check in held:
        assert transpositions.bounds_in(transpositions.probe(growth.larger, key, check)) == (-2, 3)


BESIDE = [circle(9), circle(12), boards.random(9, 3), boards.random(10, 1)] if JIT_ON else [circle(5)]


@pytest.mark.parametrize("rules", BESIDE, ids=lambda rules: str(rules.dots))
def test_searches_side_by_side_find_what_one_finds(rules):
    """While they share a table, and it grows."""
    one, several = solve(rules.start(), all_moves=True), solve(rules.start(), threads=3, all_moves=True)
    assert (one.value, set(one.best), dict(one.values)) == (several.value, set(several.best), dict(several.values))
    check_line(rules.start(), several)


@pytest.mark.jit
def test_searches_side_by_side_stop_in_time():
    found = solve(circle(16).start(), seconds=0, threads=2)
    assert not found.exact
    assert found.low <= 3 <= found.high


def test_the_oracle_sees_crossings():
    """A check that cannot fail is worth nothing: an oracle that lets lines cross says something else."""
    blind = Oracle(circle(4).points)
    blind.blocks = {pair: frozenset() for pair in blind.blocks}
    dots = frozenset(range(4))
    assert blind.values(dots) != Oracle(circle(4).points).values(dots)
