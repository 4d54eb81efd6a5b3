"""The metrics of a running arena, and the small server that publishes them on its own port."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from litestar import Request, Response, get

import hinterland
from hinterland.host.network.tcp import Listener
from hinterland.web.app import application
from hinterland.web.app_context import AppContext
from hinterland.web.arena import Arena, arena_of
from hinterland.web.connections import Connections
from hinterland.web.operations import health_api
from hinterland.web.operations.exposition import CONTENT_TYPE, Metric, exposition
from hinterland.web.server import Server
from hinterland.web.settings import Limits, Place

LIMITS = Limits(viewers=10, connections_per_address=100, requests_per_second=20)
STATM = Path("/proc/self/statm")


@get("/metrics")
async def get_metrics(request: Request[Any, Any, Any]) -> Response[str]:
    """Return the current metrics."""
    metrics = metrics_of(arena_of(request), request.app.state.connections())
    return Response(exposition(metrics), media_type=CONTENT_TYPE)


def metrics_of(arena: Arena, connections: Connections) -> Iterator[Metric]:
    """Yield the metrics of an arena and of its connections."""
    yield _one("hinterland_info", "The version.", 1, version=hinterland.__version__)
    yield _one("hinterland_connections", "Open connections.", connections.total)
    yield _count("hinterland_connections_refused_total", "Connections that were cut off at once.", connections.refused)
    yield _one("hinterland_viewers", "Open live connections.", arena.viewers)
    if (feeds := arena.feeds) is not None:
        yield _one("hinterland_relays", "Relays that are heard of.", feeds.relays)
        yield _one("hinterland_relayed_viewers", "Live connections to relays.", feeds.people)
    yield _one("hinterland_live_games", "Games in memory.", arena.registry.live_games)
    yield _one("hinterland_hosted_tables", "Tables at which a match is played.", arena.hosting.open_matches)
    yield from _pools(arena)
    refused = {str(status): count for status, count in sorted(arena.refusals.items())}
    yield _many("hinterland_requests_refused_total", "counter", "Refused requests, by status.", "status", refused)
    yield _one("hinterland_event_loop_lag_seconds", "Longest delay within ten seconds.", arena.health.lag.worst_s)
    yield _count("hinterland_records_written_total", "Records of finished games.", arena.archive.records.written)
    yield _count("process_cpu_seconds_total", "Processor time.", time.process_time())
    if (memory := _resident_bytes()) is not None:
        yield _one("process_resident_memory_bytes", "Resident memory.", memory)


def _pools(arena: Arena) -> Iterator[Metric]:
    """Yield the metrics of the thread pools; built-in players think in the pool ``thinker``."""
    pools = arena.pools
    what = {
        "threads": ("Threads there are, by pool.", {pool.name: pool.count for pool in pools}),
        "work_running": ("Work that has a thread, by pool.", {pool.name: pool.running for pool in pools}),
        "work_waiting": ("Work that waits for a thread, by pool.", {pool.name: pool.waiting for pool in pools}),
    }
    for name, (words, values) in what.items():
        yield _many(f"hinterland_{name}", "gauge", words, "pool", values)


def _one(name: str, words: str, value: float, **labels: str) -> Metric:
    return Metric(name, "gauge", words, ((labels, value),))


def _count(name: str, words: str, value: float) -> Metric:
    return Metric(name, "counter", words, (({}, value),))


def _many(name: str, kind: Any, words: str, label: str, values: Mapping[str, float]) -> Metric:
    return Metric(name, kind, words, tuple(({label: key}, value) for key, value in values.items()))


def _resident_bytes() -> int | None:
    """Return the resident memory of this process; on Linux only."""
    try:
        return int(STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return None


class MetricsServer:
    """Publishes the metrics of an arena, in the arena's event loop."""

    def __init__(self, arena: Arena, listener: Listener, connections: Callable[[], Connections]) -> None:
        """Publish metrics at a listener. ``connections``: counts the connections of the arena, once it serves."""
        place = Place(host=listener.host, port=listener.port, limits=LIMITS, openness=arena.settings.openness)
        handlers = [get_metrics, health_api.healthz, health_api.readyz]
        app = application(AppContext(place), handlers, arena=arena, connections=connections)
        self._server = Server(app, place, _nothing, hears_signals=False)
        self.port = listener.port
        self._listener = listener
        self._serving: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to serve, in the running loop."""
        self._serving = asyncio.get_running_loop().create_task(self._server.serve(sockets=self._listener.sockets))

    async def stop(self) -> None:
        """Stop serving."""
        self._server.should_exit = True
        if self._serving is not None:
            with contextlib.suppress(asyncio.CancelledError):
                await self._serving


async def _nothing() -> None:
    return
