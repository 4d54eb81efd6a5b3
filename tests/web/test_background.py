"""Work in processes of low priority: what comes back, who is ended, and that nobody is left behind."""

import contextlib
import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from background_work import die, edges, kept, refuse, spin, take

from hinterland import catalog
from hinterland.errors import ArenaError, IllegalMove, UnknownName
from hinterland.gravity import Stone
from hinterland.host.processes import background
from hinterland.host.processes.background import NICENESS, Background
from hinterland.web import gallery
from hinterland.web.arena import WORKER_TEMPLATE  # of two in one process the second would be imported anew by each

ENDED_S = 30
LOWEST = 19
"""Niceness goes no further; `make test` begins there."""


@pytest.fixture
def apart():
    """Offer one process in the background."""
    one = Background(1, WORKER_TEMPLATE, 10.0)
    yield one
    one.end()


@pytest.mark.parametrize("name", catalog.GAMES)
def test_pictures_are_the_same_there(apart, name):
    game = catalog.game(name)
    position = game.rules.from_options(dict(game.presets[0].options)).start()
    assert apart.run(gallery.draw_svg, game, position) == gallery.draw_svg(game, position)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no niceness")
def test_they_have_a_low_priority(apart):
    assert apart.run(os.nice, 0) == min(os.nice(0) + NICENESS, LOWEST)


def test_errors_come_back_as_they_are(apart):
    for error in (UnknownName("game", "chess", ["dots"]), IllegalMove("far", "too far"), ZeroDivisionError("x")):
        with pytest.raises(type(error)) as found:
            apart.run(refuse, error)
        assert str(found.value) == str(error)
    assert apart.run(int) == 0


def test_boards_are_made_once_there(apart):
    rules = catalog.game("graph").rules.from_options({"vertices": 20, "board_seed": 3})
    first = apart.run(kept)
    for _ in range(3):
        assert apart.run(edges, rules) == 20
    hits, misses = apart.run(kept)
    assert (hits - first[0], misses - first[1]) == (2, 1)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="Windows has no timers of processor time")
def test_who_takes_too_long_is_ended_and_replaced():
    apart = Background(1, WORKER_TEMPLATE, 0.2)
    try:
        with pytest.raises(ArenaError, match="more than the server has for it"):
            apart.run(spin)
        assert [apart.run(int) for _ in range(3)] == [0, 0, 0], "time is counted anew for each piece of work"
    finally:
        apart.end()


@pytest.mark.skipif(sys.platform != "linux", reason="memory is bounded on Linux")
def test_memory_is_bounded(apart):
    with pytest.raises(MemoryError):
        apart.run(take, background.MAX_DATA_MIB + 1)
    assert apart.run(take, 10) == 10 << 20


def test_who_dies_is_replaced(apart):
    with pytest.raises(ArenaError):
        apart.run(die)
    assert apart.run(int) == 0


def test_after_the_end_nothing_is_begun(apart):
    first = apart.run(os.getpid)
    apart.end()
    assert psutil.wait_procs([psutil.Process(first)] if psutil.pid_exists(first) else [], ENDED_S)[1] == []
    with pytest.raises(ArenaError, match="the server is stopping"):
        apart.run(int)


PARENT = """
import os, sys, threading, time
sys.path.insert(0, {tests!r})
from background_work import spin
from hinterland.host.processes.background import Background
if __name__ == "__main__":
    apart = Background(2, "hinterland.web.gallery", 600.0)
    for _ in range(2):
        threading.Thread(target=apart.run, args=(spin,), daemon=True).start()
    time.sleep(600)
"""


@pytest.mark.parametrize("number", ["SIGTERM", "SIGKILL"])
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals")
def test_nothing_outlives_the_server(number, tmp_path):
    file = tmp_path / "parent.py"
    file.write_text(PARENT.format(tests=str(Path(__file__).parent)))
    parent = subprocess.Popen([sys.executable, file])
    children = []
    try:
        deadline = time.monotonic() + 60
        while sum(child.cpu_times().user > 0.3 and child.nice() >= NICENESS for child in children) < 2:
            assert time.monotonic() < deadline
            time.sleep(0.05)
            children = psutil.Process(parent.pid).children(recursive=True)
        parent.send_signal(getattr(signal, number))
        parent.wait(60)
        assert psutil.wait_procs(children, timeout=ENDED_S)[1] == []
    finally:
        for process in (parent, *children):
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()


def test_positions_of_one_board_share_it_where_they_come_to():
    start = catalog.game("gravity").rules(size=24, stones=2, spacing=3).start()
    sent = [start, start.play(Stone(5, 5))]
    come = [pickle.loads(pickle.dumps(position)) for position in sent]
    assert come == sent
    assert come[0].rules is come[1].rules
