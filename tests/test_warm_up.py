"""No clock runs while something compiles: a match calls no kernel that its warm-up has not called.

Each case runs in a process of its own, a copy of one that has loaded the games and has not run any kernel. A kernel
that is first called in a match shows as a signature that its dispatcher has learnt since, whether it was compiled or
read from the cache.
"""

import itertools
import multiprocessing
import os
import subprocess
import sys
from multiprocessing import forkserver

import numpy as np
import pytest

from hinterland import catalog
from hinterland.contract import Clock

pytestmark = pytest.mark.once

GRIDS = {
    "gravity": [
        {"size": size, "spacing": size // 12, "stones": stones, "players": players, "law": law, "weight": weight}
        for size, stones, players, law, weight in (
            (12, 1, 2, "gravity", None),
            (30, 3, 2, "gravity", None),
            (30, 2, 3, "nearest", None),
            (40, 3, 2, "nearest", 20),
            (41, 2, 2, "gravity", 9),
            (60, 3, 4, "gravity", None),
            (110, 3, 2, "gravity", None),
            (110, 8, 2, "nearest", 100),
            (220, 2, 2, "gravity", None),
        )
    ],
    "graph": [
        {"vertices": 12, "tokens": 1},
        {"vertices": 20, "tokens": 3, "players": 3},
        {"vertices": 60, "tokens": 5},
        {"board": "grid", "rows": 33, "cols": 33, "tokens": 2},
        {"board": "grid", "rows": 56, "cols": 56, "tokens": 2, "players": 3},
    ],
    "dots": [{"dots": 5}, {"board": "circle", "dots": 9}, {"board": "jittered", "dots": 20}, {"dots": 60}],
}
QUICK = {
    ("gravity", "search"): ("playouts=40", "playouts=40,depth=2,width=24", "playouts=1200", "seconds=1.5", "threads=2"),
    ("graph", "search"): ("playouts=40", "seconds=0.2", "slips=0.5"),
    ("graph", "montecarlo"): ("playouts=2",),
    ("dots", "mcts"): ("playouts=40", "seconds=0.1"),
    ("dots", "perfect"): ("seconds=0.3", "seconds=0.05,traps=false", "seconds=0.3,memory_mb=1"),
}
CLOCKS = (Clock(move_ms=3000), Clock(left_ms=0))
"""A player with time, and one that has none left."""


def signatures():
    """Return how many signatures each kernel has learnt."""
    from numba.core.dispatcher import Dispatcher

    modules = [module for name, module in list(sys.modules.items()) if name.startswith("hinterland.") and module]
    found = {id(one): one for module in modules for one in vars(module).values() if isinstance(one, Dispatcher)}
    return {f"{one.py_func.__module__}.{one.py_func.__qualname__}": len(one.overloads) for one in found.values()}


def learnt_late(name, options, specs):
    """Play games after a warm-up for them; return the kernels that were first called then."""
    game = catalog.game(name)
    rules = game.rules.from_options(options)
    players = [catalog.player(game, spec) for spec in specs]
    game.warm_up(rules, players)
    before = signatures()
    for (number, player), clock in itertools.product(enumerate(players), CLOCKS):
        rng = np.random.default_rng(number)
        position = rules.start()
        while position.to_move is not None and len(position.moves) < 12:
            rival = players[0] if position.to_move else player
            position = position.play(rival.choose(position, clock, rng))
            _ = position.scores
        _ = position.scores, position.end_reason, position.outcome
    return sorted(kernel for kernel, count in signatures().items() if count > before.get(kernel, 0))


def tell_late(connection, *case):
    """Send what ``learnt_late`` returns."""
    connection.send(learnt_late(*case))


@pytest.fixture(scope="module", autouse=True)
def _template_of_its_own():
    """Have processes copied from one that no other test has used."""
    forkserver._forkserver._stop()
    yield
    forkserver._forkserver._stop()


def in_a_fresh_process(work, *case):
    """Return what a function sends from a process that has loaded the games and has not run any kernel."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([f"hinterland.{name}.game" for name in catalog.GAMES])
    mine, other = context.Pipe()
    process = context.Process(target=work, args=(other, *case))
    process.start()
    other.close()
    try:
        return mine.recv()
    finally:
        process.join()


def drawn_cases():
    """Name each player, with options that take it elsewhere, on each of the rules; a third of them for a quick run."""
    number = 0
    for name in catalog.GAMES:
        for spec in catalog.game(name).players:
            specs = [f"{spec}:{options}" for options in QUICK.get((name, spec), ())] or [spec]
            for place, options in enumerate(GRIDS[name]):
                number += 1
                marks = [pytest.mark.jit] if number % 3 == 0 else [pytest.mark.jit, pytest.mark.thorough]
                yield pytest.param(name, options, specs, id=f"{name}-{spec}-{place}", marks=marks)


@pytest.mark.parametrize(("name", "options", "specs"), list(drawn_cases()))
def test_a_match_calls_no_kernel_that_was_not_warmed_up(name, options, specs):
    assert in_a_fresh_process(tell_late, name, options, specs) == []


def tell_called(connection, name, options, specs):
    """Send which kernels a warm-up calls."""
    game = catalog.game(name)
    game.warm_up(game.rules.from_options(options), [catalog.player(game, spec) for spec in specs])
    connection.send({kernel.removeprefix(f"hinterland.{name}.") for kernel, count in signatures().items() if count})


def called(*case):
    """Return which kernels a warm-up calls, all of them read from the cache: those it calls itself."""
    in_a_fresh_process(tell_called, *case)
    return in_a_fresh_process(tell_called, *case)


JUDGE = {"spacing.first_free", "spacing.count_free", "area.ownership.survey_rows"}
REPLIES = {"replies.reply_map._reach_rows", "replies.half_planes.count_nearer", "spacing.forbid"}
ROWS = {"replies.reply_map._enter_rows"}
DISCS = {
    "replies.discs.enter_band", "replies.prefix_sums.sum_up",
    "coarse.coarse_replies.map_replies", "coarse.coarse_discs.new_rims",
}  # fmt: skip


@pytest.mark.thorough
@pytest.mark.jit
@pytest.mark.parametrize(
    ("options", "specs", "expected"),
    [
        ({}, [], JUDGE),
        ({"size": 30, "spacing": 3}, ["random"], JUDGE),
        ({"size": 30, "spacing": 3}, ["random", "reply"], JUDGE | REPLIES | ROWS),
        ({"size": 40, "spacing": 3, "law": "nearest", "weight": 30}, ["mirror", "lloyd"], JUDGE | REPLIES | ROWS),
        ({}, ["random", "reply"], JUDGE | REPLIES | DISCS),
        ({"size": 41, "spacing": 3, "players": 3}, ["hug"], JUDGE | REPLIES | DISCS),
    ],
)
def test_a_match_of_gravity_compiles_no_search_for_who_does_not_search(options, specs, expected):
    assert called("gravity", options, specs) == expected


@pytest.mark.jit
@pytest.mark.compiles
@pytest.mark.parametrize(
    ("name", "specs", "needless"),
    [
        ("gravity", ["search"], "replies.reply_map._enter_rows"),
        ("graph", ["random", "greedy", "gain", "neighbour2"], "search."),
        ("graph", ["montecarlo"], "search.gain_tree"),
        ("graph", ["search"], "search.playouts"),
        ("dots", ["random"], ""),
        ("dots", ["careful", "closer"], "solver."),
        ("dots", ["mcts"], "solver.null_window"),
    ],
)
def test_a_match_compiles_nothing_that_only_others_call(name, specs, needless):
    assert [kernel for kernel in called(name, {}, specs) if kernel.startswith(needless)] == []


@pytest.mark.thorough
@pytest.mark.jit
def test_a_first_match_on_an_empty_cache(tmp_path):
    """It compiles some eighty functions, where all of gravity has four hundred, and none while it is played."""
    code = (
        "import sys\n"
        "from numba.core import event\n"
        "from hinterland import cli\n"
        "from hinterland.contest import matches\n"
        "with event.install_recorder('numba:compile') as compiled:\n"
        "    play, before = matches.play_match, []\n"
        "    def played(*args, **options):\n"
        "        before.append(len(compiled.buffer))\n"
        "        return play(*args, **options)\n"
        "    matches.play_match = played\n"
        "    code = cli.run(sys.argv[1:])\n"
        "sys.stderr.write(f'{code} {len(compiled.buffer)} {before}')\n"
    )
    words = ["match", "gravity", "random", "reply", "--size", "30", "--stones", "3", "--spacing", "3", "--quiet"]
    surroundings = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    told = subprocess.run(
        [sys.executable, "-c", code, *words], check=True, capture_output=True, text=True,
        env={**surroundings, "XDG_CACHE_HOME": str(tmp_path)},
    )  # fmt: skip
    code, events, before = told.stderr.split()
    assert (code, before) == ("0", f"[{events}]"), told.stderr
    assert 20 < int(events) // 2 < 110, "compilations, each of which begins and ends"
