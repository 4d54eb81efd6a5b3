"""What operators see of an arena: whether it is well, its numbers, and who was refused."""

import asyncio
import multiprocessing
import os
import re
import shutil
import time
from collections import namedtuple

import httpx
import pytest
from litestar.exceptions import WebSocketDisconnect
from prometheus_client import generate_latest
from prometheus_client.core import CounterMetricFamily
from prometheus_client.registry import Collector
from web_play import PERSON, start, watching, wish

from hinterland.errors import ArenaError
from hinterland.host import lag_monitor
from hinterland.host.lag_monitor import LagMonitor
from hinterland.web.metrics import with_label
from hinterland.web.operations import health as health_module
from hinterland.web.operations.health import Health
from hinterland.web.run_arena import run_arena
from hinterland.web.settings import Settings

BOB = {"kind": "person", "name": "Bob"}
MOVES = [(5, 5), (20, 20), (5, 20), (20, 5)]
SAMPLE = re.compile(r'([a-z_]+)(\{[a-z]+="(?:[^"\\\n]|\\["\\n])*"(?:,[a-z]+="[^"]*")*\})? (\S+)')


def samples(text):
    """Return the value of each sample, having held the text to its format."""
    assert text.endswith("\n")
    found, kinds = {}, {}
    for line in text.splitlines():
        if line.startswith("# TYPE "):
            _, _, name, kinds[name] = line.split()
        elif not line.startswith("# HELP "):
            name, labels, value = SAMPLE.fullmatch(line).groups()
            assert name in kinds
            assert (name + (labels or "")) not in found
            assert name.endswith("_total") == (kinds[name] == "counter")
            found[name + (labels or "")] = float(value)
    return found


def test_the_text_format():
    class TwoMetrics(Collector):
        def collect(self):
            yield CounterMetricFamily("b_total", "Few.", 3)
            yield with_label(CounterMetricFamily, "a_total", "Of\nmany \\.", "by", {'x"\\\n': 0.25})

    told = generate_latest(TwoMetrics()).decode()
    few = "# HELP b_total Few.\n# TYPE b_total counter\nb_total 3.0\n"
    assert told == few + '# HELP a_total Of\\nmany \\\\.\n# TYPE a_total counter\na_total{by="x\\"\\\\\\n"} 0.25\n'
    assert samples(told) == {"b_total": 3, 'a_total{by="x\\"\\\\\\n"}': 0.25}


def test_a_healthy_arena(client):
    answer = client.get("/healthz")
    assert answer.status_code == 200
    told = answer.json()
    assert told["ok"] is True
    assert 0 <= told["lag_ms"] < 1000
    assert told["disk_free_mib"] > 64
    assert client.get("/readyz").json() == {"ready": True}
    client.app.state.arena.health.is_ready = False
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["ready"]) == (503, False)


Disk = namedtuple("Disk", "total used free")


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("full", "has 63 MiB left, less than 64 MiB"),
        ("read-only", "cannot be written: Read-only file system"),
        ("gone", "cannot be written: No such file"),
        ("hangs", "has not answered for 0.05 s"),
    ],
)
def test_a_disk_with_a_fault(client, monkeypatch, tmp_path, fault, words):
    def read_only(**_):
        raise OSError(30, "Read-only file system")

    health = client.app.state.arena.health
    match fault:
        case "full":
            monkeypatch.setattr(shutil, "disk_usage", lambda _: Disk(2**30, 2**30, 64 * 2**20 - 1))
        case "read-only":
            monkeypatch.setattr(health_module.tempfile, "TemporaryFile", read_only)
        case "gone":
            health._data = tmp_path / "gone"
        case "hangs":
            monkeypatch.setattr(health_module, "DISK_TIMEOUT_S", 0.05)
            monkeypatch.setattr(health, "_look", lambda: time.sleep(0.5) or "")
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert answer.json()["ok"] is False
    assert words in answer.json()["reason"]
    assert client.app.state.arena.refusals.total() == 0


def test_helpers_that_cannot_be_started_are_told_and_whoever_waits_is_answered(client, monkeypatch):
    """And all is well again when they can."""
    monkeypatch.setattr(health_module, "RETRY_S", 0.0)

    def none_can(*_):
        raise OSError(36, "File name too long")

    board = {"game": "graph", "rules": {"vertices": 9, "players": 2, "tokens": 1}}
    with monkeypatch.context() as patched:
        for way in ("fork", "spawn", "forkserver"):
            process = type(multiprocessing.get_context(way).Process())
            patched.setattr(process, "_Popen", staticmethod(none_can))
        for _ in range(4):
            answer = client.post("/api/boards", json=board)
            words = "helper processes cannot be started here: File name too long"
            assert (answer.status_code, answer.json()) == (503, {"error": words})
        answer = client.get("/healthz")
        assert (answer.status_code, answer.json()["reason"]) == (503, words)
    deadline = time.monotonic() + 60
    while client.get("/healthz").status_code != 200:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert client.post("/api/boards", json=board).status_code == 200


def test_the_disk_is_looked_at_once_however_many_ask(tmp_path):
    looked = []

    async def ask():
        health = Health(tmp_path)
        health._look = lambda: looked.append(1) or ""
        assert await asyncio.gather(*(health.fault() for _ in range(50))) == [""] * 50
        assert await health.fault() == ""

    asyncio.run(ask())
    assert looked == [1]


def test_a_loop_that_is_late_is_noticed_and_forgotten(tmp_path, monkeypatch):
    monkeypatch.setattr(lag_monitor, "LAG_MEMORY_S", 2.0)

    async def block():
        health = Health(tmp_path)
        health.lag.start()
        await asyncio.sleep(0)
        time.sleep(1.4)
        seen = [health.lag.worst_s, await health.fault()]
        await asyncio.sleep(0.01)
        seen.append(health.lag.worst_s)
        monkeypatch.setattr(lag_monitor, "LAG_MEMORY_S", 0.0)
        seen.append(await health.fault())
        health.lag.stop()
        return seen

    at_once, fault, later, forgotten = asyncio.run(block())
    assert at_once > 1.1
    assert later >= at_once
    assert re.fullmatch(r"the event loop was 1\.\d s late within the last 2 s", fault)
    assert forgotten == ""
    assert LagMonitor().worst_s == 0.0


def test_who_is_refused_is_counted(opened, limited):
    client = opened(limited(games_per_minute=1, viewers=1))
    arena = client.app.state.arena
    game, key = start(client, PERSON, BOB)
    assert client.post("/api/games", json={"game": "gravity", "seats": [PERSON, BOB]}).status_code == 429
    assert client.post("/api/games", headers={"Origin": "http://evil.example"}).status_code == 403
    with pytest.raises(WebSocketDisconnect):
        client.websocket_connect(f"/games/{game}/live", headers={"Origin": "http://evil.example"}).__enter__()
    with watching(client, game, key) as ann:
        ann.see()
        with watching(client, game) as eve:
            assert "too many are watching" in eve.complaint()
            with pytest.raises(WebSocketDisconnect):
                eve.socket.receive_json(timeout=5)
    assert client.get("/none").status_code == 404
    assert arena.refusals == {429: 1, 403: 2, 503: 1}


@pytest.mark.once
def test_the_numbers_of_an_arena(serving):
    server = serving(games_per_minute=2, metrics_port=0).ready()
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/metrics", server.metrics_url)
    before = samples(httpx.get(server.metrics_url).text)
    from test_server import browser

    game, key = server.start(PERSON, BOB)
    with browser(server, game, key) as ann:
        for ply, move in enumerate(MOVES):
            ann.move(*move, ply=ply)
        server.start(PERSON, BOB)
        assert httpx.post(f"{server.url}/api/games", json=wish((PERSON, BOB))).status_code == 429
        answer = httpx.get(server.metrics_url)
        during = samples(answer.text)
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    for name, then, now in (
        ("hinterland_viewers", 0, 1),
        ("hinterland_live_games", 0, 2),
        ("hinterland_records_written_total", 0, 1),
        ('hinterland_requests_refused_total{status="429"}', 0, 1),
        ('hinterland_work_waiting{pool="thinker"}', 0, 0),
        ('hinterland_work_running{pool="thinker"}', 0, 0),
        ('hinterland_threads{pool="thinker"}', os.cpu_count() and before['hinterland_threads{pool="thinker"}'], None),
    ):
        assert before.get(name, 0) == then, name
        assert now is None or during[name] == now, name
    assert during["hinterland_connections"] >= 1
    assert during["process_resident_memory_bytes"] > 10e6
    assert 0 <= during["hinterland_event_loop_lag_seconds"] < 5
    assert httpx.get(server.metrics_url.replace("metrics", "healthz")).json()["ok"] is True
    assert httpx.get(server.metrics_url.replace("metrics", "readyz")).json() == {"ready": True}
    assert httpx.get(f"{server.url}/metrics").status_code == 404, "not where everybody is"
    assert httpx.get(server.metrics_url, headers={"Host": "evil.example"}).status_code == 421
    code, took, complaints = server.stop()
    assert (code, complaints) == (0, "")
    assert took < 5


def test_a_port_for_numbers_that_is_taken(tmp_path, busy_port):
    with pytest.raises(ArenaError, match=rf"{busy_port}.*--metrics-port"):
        run_arena(Settings(data=tmp_path, port=0, metrics_port=busy_port), lambda _: None)




@pytest.mark.thorough
def test_numbers_are_told_under_the_names_that_were_given(serving):
    """And under no other: a monitor may ask for them by the name of a container."""
    server = serving(metrics_port=0, openness={"allow_hosts": ["arena"], "admin_token": "a-token-for-hosting"}).ready()
    for host, status in (("arena", 200), ("evil.example", 421)):
        assert httpx.get(server.metrics_url, headers={"Host": host}).status_code == status
