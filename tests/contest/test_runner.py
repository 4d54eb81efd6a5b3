"""The runner over real executors: order, few in flight, Ctrl-C, workers that die."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import psutil
import pytest

from hinterland.contest import workers
from hinterland.contest.runner import run, run_in_any_order
from hinterland.errors import ArenaError


def slowest_first(number):
    time.sleep(0.002 * (5 - number % 5))
    return number


def gone(number):
    if number == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def test_results_come_in_order_and_few_tasks_are_in_flight():
    asked, most = 0, 0

    def tasks():
        nonlocal asked
        for number in range(40):
            asked += 1
            yield number

    with ThreadPoolExecutor(3) as executor:
        for count, number in enumerate(run(slowest_first, tasks(), executor, ahead=6)):
            assert number == count
            most = max(most, asked - count)
    assert count == 39
    assert most == 6


def test_nothing_more_is_begun_once_the_caller_stops():
    begun, go_on = [], threading.Event()

    def work(number):
        begun.append(number)
        go_on.wait(10)

    with ThreadPoolExecutor(1) as executor:
        go_on.set()
        running = run(work, range(100), executor, ahead=8)
        next(running)
        go_on.clear()
        running.close()
        go_on.set()
    assert len(begun) <= 3


def test_a_fault_of_the_work_reaches_the_caller():
    def work(number):
        return 1 // number

    for executor in (workers.Here(), ThreadPoolExecutor(1)):
        with executor, pytest.raises(ZeroDivisionError):
            list(run(work, [1, 0], executor, ahead=1))


def test_work_that_kills_every_process_is_told_in_one_line():
    found = []
    told = r"^a process at work was ended from outside, again and again; fewer --jobs need less memory$"
    with pytest.raises(ArenaError, match=told), workers.hired(2) as (executor, _):
        found.extend(run(gone, range(50), executor, ahead=1))
    assert found == [0, 1]


def gone_once(folder, number):
    mark = Path(folder) / str(number)
    if number % 3 == 0 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number, os.sched_getaffinity(0)


@pytest.mark.parametrize("way", [run, lambda *given: (one for some in run_in_any_order(*given) for one in some)])
def test_work_of_a_process_that_dies_is_done_by_the_next(tmp_path, way):
    with workers.hired(2) as (executor, ahead):
        found = list(way(partial(gone_once, tmp_path), range(20), executor, ahead))
    assert sorted(number for number, _ in found) == list(range(20))
    cores = {frozenset(cores) for _, cores in found}
    if len(workers.processors()) >= 2:
        one, other = cores
        assert not one & other, "each process has processors of its own"


def test_processors_are_dealt_out_to_neighbours():
    assert workers.shares([4, 5, 6, 7, 8], 2) == [[4, 5], [6, 7, 8]]
    assert workers.shares([0, 1], 3) == [[0], [1], [0]]
    assert workers.shares([], 2) == [[], []]


@pytest.mark.parametrize("executor", [workers.Here(), ThreadPoolExecutor(3)])
def test_results_in_any_order_are_all_of_them(executor):
    with executor:
        found = [one for some in run_in_any_order(slowest_first, range(40), executor, 6) for one in some]
    assert sorted(found) == list(range(40))


INTERRUPTED = """
import signal, time
from hinterland.contest import workers
from hinterland.contest.runner import run
if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with workers.hired(2) as (executor, ahead):
        for name in run(time.sleep, [0, 0] + [600] * 9, executor, ahead):
            print("one", flush=True)
"""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, -signal.SIGINT), (signal.SIGKILL, -signal.SIGKILL)])
def test_processes_end_with_their_parent_whatever_they_do(number, code, tmp_path):
    file = tmp_path / "parent.py"
    file.write_text(INTERRUPTED)
    parent = subprocess.Popen([sys.executable, file], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    children = []
    try:
        assert parent.stdout.readline() == parent.stdout.readline() == "one\n"
        children = psutil.Process(parent.pid).children(recursive=True)
        assert len(children) >= 2
        parent.send_signal(number)
        assert parent.wait(60) == code
        assert psutil.wait_procs(children, timeout=60)[1] == []
    finally:
        for process in (parent, *children):
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        parent.communicate()
