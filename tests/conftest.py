"""What all tests share: seeds, and which tests wait for compiled kernels."""

import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parent))

from hinterland import catalog
from hinterland.jit import JIT_ON

settings.register_profile("house", deadline=None, max_examples=60 if JIT_ON else 15, derandomize=True)
settings.load_profile("house")


LIVE = {
    *("test_game", "test_game_time", "test_host", "test_lobby", "test_operator", "test_standstill", "test_tcp"),
    *("test_process", "test_programs", "test_sandbox", "test_zoo"),
    *("test_connecting", "test_old_clients", "test_old_dialects"),
    *("test_check_bot", "test_referee", "test_java", "test_samples", "test_with_referee"),
}
"""Files with real sockets and processes; they are marked so, and have nothing for a check of array bounds."""


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session):
    """Compile kernels game by game before workers start, who would all compile the same at the same time."""
    is_worker = hasattr(session.config, "workerinput")
    workers = session.config.getoption("numprocesses", None) or 0
    if JIT_ON and workers > 1 and not is_worker:
        with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as processes:
            list(processes.map(warm_up, catalog.GAMES))


def warm_up(game):
    catalog.game(game).warm_up()


def pytest_collection_modifyitems(config, items):
    """Mark what is live. Leave out (not skip) tests on boards that plain Python could not finish."""
    for item in items:
        if item.path.stem in LIVE:
            item.add_marker("live")
    if JIT_ON:
        return
    waiting = [item for item in items if item.get_closest_marker("jit")]
    config.hook.pytest_deselected(items=waiting)
    items[:] = [item for item in items if not item.get_closest_marker("jit")]


@pytest.fixture
def rng():
    """Return a generator that starts the same in every run."""
    return np.random.default_rng(20171)
