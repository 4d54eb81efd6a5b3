"""Whole numbers of NumPy at every door of Python: whatever ``operator.index`` takes is taken, truths are not."""

import json

import gymnasium
import numpy as np
import pytest

from hinterland import contract, dots, envs, graph, gravity
from hinterland.contract.numbers import as_int
from hinterland.dice import Dice
from hinterland.dots import boards as dot_boards
from hinterland.dots.points import point_sets
from hinterland.dots.solver.solutions import Solver
from hinterland.errors import HinterlandError, IllegalMove, RulesError
from hinterland.graph import boards
from hinterland.host.processes.process_limits import ProcessLimits
from hinterland.referee.clock import TimeControl

envs.register()
KINDS = [np.int64, np.int32, np.uint8, np.intp, np.array]
"""The last makes an array without an axis."""
SMALL = {"size": 10, "stones": 3, "spacing": 2}
SQUARE = ((0, 0), (9, 0), (4, 8), (4, 3))
RULES = {
    "gravity": gravity.Rules(**SMALL),
    "graph": graph.Rules(edges=((0, 1, 1.0), (1, 2, 1.0)), tokens=1),
    "dots": dots.Rules(points=SQUARE),
}


def batch(**options):
    return envs.batch(RULES["gravity"], **{"envs": 4, **options})


ADMISSION = {
    "gravity size": lambda i: gravity.Rules(**{**SMALL, "size": i(10)}),
    "gravity players, stones, weight": lambda i: gravity.Rules(
        size=10, players=i(2), stones=i(3), spacing=i(2), weight=i(5)
    ),
    "gravity from JSON": lambda i: gravity.Rules.from_json({**SMALL, "size": i(10)}),
    "gravity options": lambda i: gravity.Rules.from_options({**SMALL, "stones": i(3)}),
    "gravity Stone": lambda i: RULES["gravity"].start().play(gravity.Stone(i(5), i(6), i(1))),
    "graph tokens": lambda i: graph.Rules(edges=((0, 1, 1.0), (1, 2, 1.0)), tokens=i(1), players=i(2)),
    "graph values": lambda i: graph.Rules(edges=((0, 1, 1.0), (1, 2, 1.0)), values=(i(4), i(5), i(6)), tokens=1),
    "graph Token": lambda i: RULES["graph"].start().play(graph.Token(i(1))),
    "graph board": lambda i: boards.sparse(vertices=i(30), seed=i(3), tokens=i(2), players=i(2)),
    "graph grid": lambda i: boards.grid(rows=i(4), cols=i(5), seed=i(1), tokens=i(2)),
    "graph small world": lambda i: boards.small_world(vertices=i(30), neighbours=i(4), tokens=i(2)),
    "graph options": lambda i: graph.Rules.from_options(
        {"board": "grid", "rows": i(4), "board_seed": i(1), "tokens": 2}
    ),
    "graph gains of a seat": lambda i: RULES["graph"].start().gains(i(1)).tolist(),
    "dots players": lambda i: dots.Rules(points=SQUARE, players=i(2)),
    "dots points": lambda i: dots.Rules(points=tuple((i(x), i(y)) for x, y in SQUARE)),
    "dots Line": lambda i: RULES["dots"].start().play(dots.Line(i(1), i(0))),
    "dots circle": lambda i: dot_boards.circle(i(7)),
    "dots clusters": lambda i: point_sets.clusters(dots=i(9), groups=i(3), seed=i(2)),
    "dots random, halton, spiral": lambda i: (
        point_sets.random(i(7), seed=i(1)), point_sets.halton(i(7), seed=i(1)), point_sets.spiral(i(7), seed=i(1))
    ),
    "batch envs": lambda i: batch(envs=i(3)).envs,
    "batch seed": lambda i: batch(seed=i(7)).sample().tolist(),
    "batch position": lambda i: str(batch().position(i(1))),
    "seat of an environment": lambda i: gymnasium.make(
        "hinterland/Gravity-v0", opponent="random", seat=i(1), **SMALL
    ).unwrapped.seat,
    "reset of an environment": lambda i: gymnasium.make("hinterland/Gravity-v0", opponent="random", **SMALL)
    .unwrapped.reset(seed=i(3), options={"seat": i(1)})[1]["seat"],
    "aec options": lambda i: envs.aec("gravity", **{**SMALL, "size": i(10)}).rules,
    "move_of": lambda i: RULES["gravity"].move_of(i(55)),
    "planes": lambda i: RULES["gravity"].start().planes(i(1)).tolist(),
    "withdraw": lambda i: gravity.Rules(**SMALL, players=3).start().withdraw(i(1)),
    "dice": lambda i: Dice(i(5)).share(),
    "clock": lambda i: TimeControl(budget_ms=i(100), increment_ms=i(10), move_ms=i(50)),
    "limits": lambda i: ProcessLimits(memory_mib=i(64), threads=i(8)),
    "solver": lambda i: Solver(i(1), threads=i(1)).threads,
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("door", ADMISSION)
def test_numbers_of_numpy_are_whole_numbers(door, kind):
    made = ADMISSION[door](kind)
    assert made == ADMISSION[door](int)
    assert repr(made) == repr(ADMISSION[door](int)), "kept as numbers of Python"
    if isinstance(made, contract.Position):
        json.dumps([str(made), [what.numbers for _, what in made.moves]])


@pytest.mark.parametrize("truth", [bool, np.bool_, lambda number: np.array(bool(number))])
@pytest.mark.parametrize("door", ADMISSION)
def test_truths_are_no_whole_numbers(door, truth):
    with pytest.raises((HinterlandError, gymnasium.error.Error)):
        ADMISSION[door](truth)


@pytest.mark.parametrize("value", [1.0, np.float64(1), "1", None, np.array([1]), np.array([1, 2]), 1j])
def test_what_is_no_whole_number_stays_what_it_is(value):
    assert as_int(value) is value
    with pytest.raises(IllegalMove):
        RULES["gravity"].start().play(gravity.Stone(value, 1))
    with pytest.raises((RulesError, IllegalMove)):
        batch().position(value)


def test_small_numbers_do_not_overflow():
    rules = gravity.Rules(size=300, stones=3, spacing=66)
    position = rules.start().play(gravity.Stone(np.uint8(200), np.uint8(10))).play(gravity.Stone(np.uint8(10), 200))
    assert position == rules.start().play(gravity.Stone(200, 10)).play(gravity.Stone(10, 200))


def test_the_best_cell_of_a_map_is_a_stone():
    position = RULES["gravity"].start().play(gravity.Stone(5, 5))
    best = position.reply_map().argmax()
    assert position.play(gravity.Stone(*divmod(best, 10))) == position.play(gravity.Stone(*divmod(int(best), 10)))
    unravelled = gravity.Stone(*np.unravel_index(best, (10, 10)))
    assert position.play(unravelled).moves[-1][1].numbers == tuple(map(int, divmod(best, 10)))


def test_arrays_are_boards():
    assert dots.Rules(points=np.array(SQUARE)) == RULES["dots"]
    assert dots.Rules(points=[tuple(point) for point in np.array(SQUARE, dtype=np.float32)]) == RULES["dots"]
    assert envs.batch("dots", envs=2, points=np.array(SQUARE)).rules == RULES["dots"]
    edges, values = np.array([[0, 1, 1], [1, 2, 1]]), np.array([4, 5, 6])
    told = graph.Rules.from_json({"edges": edges, "values": values, "tokens": 1})
    assert (told.edges, told.values) == (((0, 1, 1.0), (1, 2, 1.0)), (4, 5, 6))
    assert graph.Rules(edges=np.array([[0, 1], [1, 2]]), values=np.array([4, 5, 6]), tokens=1) == told


def test_a_mask_of_truths_names_boards():
    boards_, numbered = batch(seed=1), batch(seed=1)
    for one in (boards_, numbered):
        one.step(one.sample())
    boards_.reset(np.array([True, False, True, False]))
    numbered.reset(np.flatnonzero(np.array([True, False, True, False])))
    assert [str(boards_.position(k)) for k in range(4)] == [str(numbered.position(k)) for k in range(4)]
    assert [len(boards_.position(k).moves) for k in range(4)] == [0, 1, 0, 1]
    boards_.reset(np.zeros(4, dtype=bool))
    with pytest.raises(RulesError, match="boards are numbered from 0 to 3"):
        boards_.reset(np.array([True, False]))
