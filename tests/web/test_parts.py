"""The small parts: rates, threads."""

import asyncio
import threading
import time

import pytest

from hinterland.host.thread_pools import Workers
from hinterland.web import rates
from hinterland.web.rates import Rates
from hinterland.web.settings import default_data


@pytest.fixture
def clock(monkeypatch):
    """Take time into our own hands: seconds in a list of one."""
    now = [1000.0]
    monkeypatch.setattr(rates.time, "monotonic", lambda: now[0])
    return now


def test_bucket(clock):
    book = Rates(2.0, 3.0)
    assert [book.take("a") for _ in range(4)] == [0, 0, 0, 0.5]
    assert book.take("b") == 0
    clock[0] += 0.5
    assert book.take("a") == 0
    assert book.take("a") == pytest.approx(0.5)
    clock[0] += 3600
    assert [book.take("a") for _ in range(4)] == [0, 0, 0, 0.5]


def test_the_book_of_clients_is_bounded(clock):
    book = Rates(1.0, 1.0, clients=10)
    assert book.take("first") == 0
    for number in range(1000):
        book.take(str(number))
    assert len(book._buckets) == 10
    assert book.take("first") == 0  # forgotten
    assert book.take("999") > 0


def test_workers_are_so_many():
    busy, most, lock = [0], [0], threading.Lock()

    def work(number):
        with lock:
            busy[0] += 1
            most[0] = max(most[0], busy[0])
        time.sleep(0.01)
        with lock:
            busy[0] -= 1
        return number * number

    async def run():
        workers = Workers(3, "test")
        return await asyncio.gather(*(workers.run(work, number) for number in range(12)))

    assert asyncio.run(run()) == [number * number for number in range(12)]
    assert most[0] == 3


def test_workers_hand_errors_on():
    async def run():
        await Workers(1, "test").run(lambda: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        asyncio.run(run())


def test_a_thread_is_free_again_though_nobody_waits():
    async def run():
        workers, free = Workers(1, "test"), threading.Event()
        task = asyncio.ensure_future(workers.run(free.wait, 10))
        await asyncio.sleep(0.01)
        task.cancel()
        second = asyncio.ensure_future(workers.run(lambda: "second"))
        await asyncio.sleep(0.02)
        assert not second.done()  # the first still works
        free.set()
        assert await second == "second"

    asyncio.run(run())


def test_a_thread_that_outlives_the_loop_does_no_harm():
    free, threads = threading.Event(), threading.active_count()

    async def run():
        task = asyncio.ensure_future(Workers(1, "test").run(free.wait, 10))
        await asyncio.sleep(0.01)
        task.cancel()

    asyncio.run(run())
    free.set()
    for _ in range(200):
        if threading.active_count() <= threads:
            break
        time.sleep(0.01)
    assert threading.active_count() <= threads


def test_default_data(monkeypatch, tmp_path):
    import sys

    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_data() == tmp_path / "hinterland"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_data() == tmp_path / ".local" / "share" / "hinterland"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert default_data() == tmp_path / "Library" / "Application Support" / "hinterland"
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    assert default_data() == tmp_path / "hinterland" / "arena"
