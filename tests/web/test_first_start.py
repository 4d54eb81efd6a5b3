"""The first start of an arena: pages at once, and games when their kernels are compiled."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
import psutil
import pytest
from litestar.testing import TestClient
from web_play import BASE, PERSON, REPLY, wish

from hinterland import catalog
from hinterland.host import preparation
from hinterland.host.preparation import NotPrepared, Preparation
from hinterland.host.thread_pools import Workers
from hinterland.web.app import create_app

FIRST_PAGE_S = 30
"""Five seconds are promised on a quiet machine; tests share theirs."""


def served(tmp_path):
    """Start an arena on an empty cache, and return its process and its address."""
    surroundings = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    process = subprocess.Popen(
        [sys.executable, "-m", "hinterland", "serve", "--port", "0", "--data", str(tmp_path / "data")],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**surroundings, "XDG_CACHE_HOME": str(tmp_path / "cache")},
    )  # fmt: skip
    for line in process.stdout:
        if " is ready at " in line:
            return process, line.split()[-1]
    raise AssertionError(process.stderr.read())


@pytest.mark.jit
@pytest.mark.once
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_on_an_empty_cache_pages_come_at_once_and_a_signal_ends_all(tmp_path, how):
    began = time.monotonic()
    process, url = served(tmp_path)
    try:
        assert httpx.get(url).status_code == 200
        assert time.monotonic() - began < FIRST_PAGE_S
        refused = httpx.post(f"{url}/api/games", json=wish((PERSON, REPLY)))
        assert (refused.status_code, refused.headers["Retry-After"]) == (503, "1")
        assert 0 <= refused.json()["percent"] < 100
        assert refused.json()["error"] == f"preparing the boards: {refused.json()['percent']} %"
        assert httpx.get(f"{url}/readyz").status_code == 503
        (child,) = [one for one in psutil.Process(process.pid).children() if "preparation" in " ".join(one.cmdline())]
        end = time.monotonic() + FIRST_PAGE_S
        while child.nice() != 19 and time.monotonic() < end:
            time.sleep(0.1)
        assert child.nice() == 19
        process.send_signal(how)
        told = process.communicate(timeout=60)
    finally:
        process.kill()
    assert (process.returncode, *told) == (0, "Hinterland has stopped\n", "")
    assert not child.is_running()


@pytest.mark.thorough
@pytest.mark.jit
@pytest.mark.once
def test_an_arena_that_has_loaded_all_kernels_is_small(serving):
    """At most 300 MB, where the compiler's library counts as 50: the kernel maps up to 100 of a file just installed."""
    process = psutil.Process(serving().ready().process.pid)
    mapped = {Path(one.path).name: one.rss for one in process.memory_maps()}
    library = next(size for name, size in mapped.items() if name.startswith("libllvmlite"))
    assert sum(mapped.values()) - library < 250_000_000


def preparing(settings, *names):
    """Return a client of an arena that is being prepared."""
    return TestClient(create_app(settings, Preparation(names)), base_url=BASE)


@pytest.fixture
def held(monkeypatch):
    """Let nothing be compiled before it is told to."""
    go_on = asyncio.Event()

    async def wait(self, missing, threads):
        self._percent["gravity"] = 40
        await go_on.wait()

    monkeypatch.setattr(Preparation, "_hear_child", wait)
    monkeypatch.setattr(preparation, "list_uncompiled", lambda: list(catalog.GAMES))
    return go_on


LIGHT = ("/", "/play/gravity", "/rules/dots", "/offline", "/healthz", "/api/catalogue", "/manifest.webmanifest")
HEAVY = ("/games", "/puzzles", "/study", "/ladder", "/host", "/games/abc.png", "/tables/abc", "/contests")


def test_pages_that_need_no_kernel_come_and_others_say_how_far_it_is(settings, held):
    with preparing(settings, *catalog.GAMES) as client:
        while client.get("/games").headers.get("Retry-After") != "1":
            time.sleep(0.01)
        assert {path: client.get(path).status_code for path in LIGHT} == dict.fromkeys(LIGHT, 200)
        assert {path: client.get(path).status_code for path in HEAVY} == dict.fromkeys(HEAVY, 503)
        assert client.get("/readyz").status_code == 503
        page = client.get("/games", headers={"Accept": "text/html", "Accept-Language": "de"}).text
        assert '<meta http-equiv="refresh" content="1">' in page
        assert "Die Bretter werden vorbereitet: 13 %" in page
        refused = client.post("/api/games", json=wish((PERSON, REPLY)))
        assert (refused.status_code, refused.json()) == (503, {"error": "preparing the boards: 40 %", "percent": 40})
        with client.websocket_connect("/showcase/live") as socket:
            socket.send_json({"type": "hello", "key": None})
            assert socket.receive_json()["message"] == "preparing the boards: 40 %"


@pytest.mark.kernels
def test_each_game_begins_as_soon_as_it_is_ready(settings, held):
    with preparing(settings, *catalog.GAMES) as client:
        arena = client.app.state.arena
        while "gravity" not in arena.preparation._percent or not arena.preparation._percent["gravity"]:
            time.sleep(0.01)
        assert client.post("/api/games", json=wish((PERSON, REPLY))).status_code == 503
        client.blocking_portal.call(arena.preparation._load, "gravity", arena.registry.judges)
        made = client.post("/api/games", json=wish((PERSON, REPLY)))
        assert made.status_code == 201
        assert client.get(made.json()["url"]).status_code == 200
        assert client.get(f"{made.json()['url']}.png").status_code == 503, "pictures are drawn when all is ready"
        client.blocking_portal.call(held.set)
        while client.get("/readyz").status_code != 200:
            time.sleep(0.01)
        assert client.get("/games").status_code == 200


def test_the_progress_of_one_game_and_of_all():
    prepared = Preparation(["gravity", "graph", "dots"])
    prepared._percent.update(gravity=50, graph=100)
    for names, percent in [(("gravity",), 50), (("graph",), 99), (("dots",), 0), ((), 50)]:
        with pytest.raises(NotPrepared) as refused:
            prepared.require(*names)
        assert refused.value.percent == percent
    prepared._percent.clear()
    prepared.require()
    assert prepared.is_over
    Preparation().require("gravity")


def test_a_child_that_is_lost_leaves_the_work_to_this_process(monkeypatch):
    monkeypatch.setattr(preparation, "list_uncompiled", lambda: ["dots"])
    monkeypatch.setattr(preparation.sys, "executable", "/bin/false")
    prepared = Preparation(["dots"])
    asyncio.run(prepared.run(Workers(1, "judge")))
    assert prepared.is_over
