"""The runner over real executors: order, few in flight, Ctrl-C, workers that die."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from multiprocessing import resource_tracker, spawn
from pathlib import Path

import psutil
import pytest

from hinterland.contest import workers
from hinterland.contest.runner import run, run_in_any_order
from hinterland.errors import ArenaError
from hinterland.host.processes.worker_processes import Processes


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

    for executor in (workers.InlineExecutor(), ThreadPoolExecutor(1)):
        with executor, pytest.raises(ZeroDivisionError):
            list(run(work, [1, 0], executor, ahead=1))


def test_work_that_kills_every_process_is_told_in_one_line():
    found = []
    told = r"^a process at work was ended from outside, again and again; fewer --jobs need less memory$"
    with pytest.raises(ArenaError, match=told), workers.open_executor(2) as (executor, _):
        found.extend(run(gone, range(50), executor, ahead=1))
    assert found == [0, 1]


def gone_once(folder, number):
    mark = Path(folder) / str(number)
    if number % 3 == 0 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number, os.sched_getaffinity(0)


@pytest.mark.thorough
@pytest.mark.parametrize("way", [run, lambda *given: (one for some in run_in_any_order(*given) for one in some)])
def test_work_of_a_process_that_dies_is_done_by_the_next(tmp_path, way):
    with workers.open_executor(2) as (executor, ahead):
        found = list(way(partial(gone_once, tmp_path), range(20), executor, ahead))
    assert sorted(number for number, _ in found) == list(range(20))
    cores = {frozenset(cores) for _, cores in found}
    if len(workers.list_processors()) >= 2:
        one, other = cores
        assert not one & other, "each process has processors of its own"


def dies(number, of):
    if number in of:
        os._exit(3)
    return number


@pytest.mark.thorough
def test_processes_that_die_again_and_again_are_replaced():
    with Processes([int], 1, "lost") as executor:
        for _ in range(10):
            with pytest.raises(ArenaError, match="lost"):
                executor.submit(dies, 1, {1}).result()
            assert executor.submit(dies, 2, {1}).result() == 2


def test_work_may_be_handed_out_and_all_be_ended_from_where_one_is_told():
    """A callback on a worker's death may submit work or end all; nothing waits for ever."""
    handed, ended = Future(), threading.Event()
    executor = Processes([int, int], 1, "lost")

    def hand_out(_):
        executor.submit(abs, -7).add_done_callback(lambda done: handed.set_result(done.result()))

    def end(_):
        executor.shutdown()
        ended.set()

    executor.submit(os._exit, 3).add_done_callback(hand_out)
    assert handed.result(60) == 7
    executor.submit(os._exit, 3).add_done_callback(end)
    assert ended.wait(60)


def test_who_is_killed_while_idle_costs_nobody_anything():
    with Processes([int], 1, "lost") as executor:
        for _ in range(10):
            os.kill(executor.submit(os.getpid).result(), signal.SIGKILL)  # it may not be dead yet when work arrives


def cannot_be_sent():
    return threading.Lock()


class Odd(Exception):
    def __init__(self, one, two):
        super().__init__(f"{one} and {two}")


def odd():
    raise Odd(1, 2)


def test_what_cannot_be_sent_is_an_error_of_who_asked_and_the_process_goes_on():
    with workers.open_executor(1, apart=True) as (executor, _):
        for work, words in ((cannot_be_sent, "lock"), (odd, "argument"), (lambda: 1, "lambda"), (ends, "5")):
            with pytest.raises(BaseException, match=words):
                executor.submit(work).result()
        assert executor.submit(abs, -1).result() == 1


def ends():
    sys.exit(5)


def test_where_no_process_can_be_started_whoever_waits_is_told_in_one_line(monkeypatch, tmp_path):
    gone = tmp_path / "python"
    resource_tracker.ensure_running()  # it is a process, too, and would not start either
    with workers.open_executor(2) as (executor, _), monkeypatch.context() as patched:
        patched.setattr(spawn, "_python_exe", os.fsencode(gone))
        for _ in range(3):
            with pytest.raises(ArenaError, match=r"^helper processes [^\n]+$"):
                executor.submit(abs, -1).result(60)
        assert "helper processes" in executor.fault
        patched.undo()
        assert executor.submit(abs, -1).result(60) == 1
        assert executor.fault == ""


def test_what_a_process_has_to_do_first_may_fail(tmp_path):
    executor = Processes([partial(os.chdir, tmp_path / "nowhere")], 1, "lost")
    with executor, pytest.raises(ArenaError, match=r"^helper processes cannot get ready: FileNotFoundError[^\n]+$"):
        executor.submit(abs, -1).result(60)


STUCK = """
import os, signal, sys, time
import psutil
from hinterland.cli import _end_as_by_ctrl_c
from hinterland.contest import workers
if __name__ == "__main__":
    came = []
    _end_as_by_ctrl_c(came)
    try:
        with workers.open_executor(2) as (executor, ahead):
            at_work = [executor.submit(time.sleep, 600) for _ in range(2)]
            while len(begun := [one for one in psutil.Process().children() if len(one.threads()) > 1]) < 2:
                time.sleep(0.05)
            for one in begun:
                one.suspend()
            print("stuck", flush=True)
            at_work[0].result()
    except KeyboardInterrupt:
        sys.exit(128 + came[0])
"""


def test_a_process_whose_helpers_are_stuck_ends_by_sigterm(tmp_path):
    file = tmp_path / "parent.py"
    file.write_text(STUCK)
    parent = subprocess.Popen([sys.executable, file], stdout=subprocess.PIPE, text=True)
    children = []
    try:
        assert parent.stdout.readline() == "stuck\n"
        children = psutil.Process(parent.pid).children(recursive=True)
        parent.terminate()
        assert parent.wait(60) == 128 + signal.SIGTERM
        assert psutil.wait_procs(children, timeout=60)[1] == []
    finally:
        for process in (parent, *children):
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        parent.communicate()


def test_processors_are_dealt_out_to_neighbours():
    assert workers.split_evenly([4, 5, 6, 7, 8], 2) == [[4, 5], [6, 7, 8]]
    assert workers.split_evenly([0, 1], 3) == [[0], [1], [0]]
    assert workers.split_evenly([], 2) == [[], []]


@pytest.mark.parametrize("executor", [workers.InlineExecutor(), ThreadPoolExecutor(3)])
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
    with workers.open_executor(2) as (executor, ahead):
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
