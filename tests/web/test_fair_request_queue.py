"""Many requests at once: who passes in which turn of the event loop, and what a flood of them costs the flooder."""

import asyncio
import gc
import sys

import msgspec

from hinterland.web import run_arena as arena_runner
from hinterland.web.app import create_app
from hinterland.web.server import FairRequestQueue


def passing(*addresses, hung_up=()):
    """Let requests come at once; return in which turn of the loop each passed."""
    turn, passed = 0, {}

    async def app(scope, receive, send):
        passed[scope["number"]] = turn

    async def play():
        nonlocal turn
        fair_request_queue = FairRequestQueue(app)
        scopes = [
            {"type": "http", "client": (address, 1), "number": number} for number, address in enumerate(addresses)
        ]
        tasks = [asyncio.ensure_future(fair_request_queue(scope, None, None)) for scope in scopes]
        while not all(task.done() for task in tasks):
            await asyncio.sleep(0)
            turn += 1
            for number in hung_up:
                tasks[number].cancel()
        assert not fair_request_queue._waiting or await asyncio.sleep(0.01) is None
        assert not fair_request_queue._waiting

    asyncio.run(play())
    return passed


def test_one_of_each_address_passes_in_a_turn():
    passed = passing(*"aaaaa", "b", "c", "b")
    assert len({passed[number] for number in range(5)}) == 5, "one by one"
    assert [passed[number] for number in range(5)] == sorted(passed[number] for number in range(5))
    assert passed[5] == passed[6] == passed[0], "they wait for nobody of another address"
    assert passed[7] == passed[1]


def test_who_hangs_up_holds_up_nobody():
    passed = passing(*"aaaa", hung_up=(1, 2))
    assert sorted(passed) == [0, 3]


def test_who_asks_too_often_is_hung_up_on(opened, limited):
    client = opened(limited(files_per_second=1, files_at_once=2, requests_per_second=1, requests_at_once=1))
    path = "/static/css/base.css"
    assert [client.get(path).status_code for _ in range(3)] == [200, 200, 429]
    assert client.get("/").status_code == 200, "files are counted apart"
    for refused in (client.get(path), client.get("/")):
        assert refused.status_code == 429
        assert refused.headers["connection"] == "close"


def test_no_thread_and_no_garbage_holds_the_arena_up(settings, monkeypatch):
    seen, app = [], create_app(settings)

    def run(*_, **__):
        seen.append((sys.getswitchinterval(), gc.get_freeze_count()))

    monkeypatch.setattr(arena_runner, "create_app", lambda *_: app)
    monkeypatch.setattr(arena_runner.Server, "run", run)
    monkeypatch.setattr(arena_runner, "list_uncompiled", list)
    arena_runner.run_arena(msgspec.structs.replace(settings, port=0), lambda _: None)
    app.state.arena.archive.close()
    ((switch_s, frozen),) = seen
    assert switch_s < 0.001
    assert frozen > 10_000
