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
from prometheus_client import generate_latest
from prometheus_client.core import CounterMetricFamily as Counter
from prometheus_client.core import GaugeMetricFamily as Gauge
from prometheus_client.core import Metric
from prometheus_client.registry import Collector

import hinterland
from hinterland.host.network.tcp import Listener
from hinterland.web.api import health_api
from hinterland.web.app import application
from hinterland.web.app_context import AppContext
from hinterland.web.arena import Arena, arena_of
from hinterland.web.connections import Connections
from hinterland.web.server import Server
from hinterland.web.settings import Limits, Place

LIMITS = Limits(viewers=10, connections_per_address=100, requests_per_second=20)
CONTENT_TYPE = "text/plain; version=0.0.4"
STATM = Path("/proc/self/statm")


@get("/metrics")
async def get_metrics(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Return the current metrics."""
    metrics = ArenaMetrics(arena_of(request), request.app.state.connections())
    return Response(generate_latest(metrics), media_type=CONTENT_TYPE)


class ArenaMetrics(Collector):
    """The metrics of an arena and of its connections."""

    def __init__(self, arena: Arena, connections: Connections) -> None:
        self._arena = arena
        self._connections = connections

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics as they are now."""
        arena, connections = self._arena, self._connections
        yield with_label(Gauge, "hinterland_info", "The version.", "version", {hinterland.__version__: 1})
        yield Gauge("hinterland_connections", "Open connections.", connections.total)
        yield Counter(
            "hinterland_connections_refused_total", "Connections that were cut off at once.", connections.refused
        )
        yield Gauge("hinterland_viewers", "Open live connections.", arena.viewers)
        if (feeds := arena.feeds) is not None:
            yield Gauge("hinterland_relays", "Relays that are heard of.", feeds.relays)
            yield Gauge("hinterland_relayed_viewers", "Live connections to relays.", feeds.people)
        yield Gauge("hinterland_live_games", "Games in memory.", arena.registry.live_games)
        yield Gauge("hinterland_hosted_tables", "Tables at which a match is played.", arena.hosting.open_matches)
        pools = arena.pools  # the pool "thinker" is that of built-in players
        for name, words, values in (
            ("threads", "Threads there are, by pool.", {pool.name: pool.count for pool in pools}),
            ("work_running", "Work that has a thread, by pool.", {pool.name: pool.running for pool in pools}),
            ("work_waiting", "Work that waits for a thread, by pool.", {pool.name: pool.waiting for pool in pools}),
        ):
            yield with_label(Gauge, f"hinterland_{name}", words, "pool", values)
        refused = {str(status): count for status, count in sorted(arena.refusals.items())}
        words = "Refused requests, by status."
        yield with_label(Counter, "hinterland_requests_refused_total", words, "status", refused)
        yield Gauge("hinterland_event_loop_lag_seconds", "Longest delay within ten seconds.", arena.health.lag.worst_s)
        yield Counter("hinterland_records_written_total", "Records of finished games.", arena.archive.records.written)
        yield Counter("process_cpu_seconds_total", "Processor time.", time.process_time())
        if (memory := _resident_bytes()) is not None:
            yield Gauge("process_resident_memory_bytes", "Resident memory.", memory)


def with_label(kind: type[Gauge | Counter], name: str, words: str, label: str, values: Mapping[str, float]) -> Metric:
    """Return a metric with a number from ``values`` for each value of ``label``."""
    metric = kind(name, words, labels=[label])
    for value, number in values.items():
        metric.add_metric([value], number)
    return metric


def _resident_bytes() -> int | None:
    """Return the resident memory of this process; on Linux only."""
    try:
        return int(STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return None


class MetricsServer:
    """Publishes the metrics of an arena, in the arena's event loop."""

    def __init__(self, arena: Arena, listener: Listener, connections: Callable[[], Connections]) -> None:
        """Publish at ``listener``. ``connections`` returns the arena's connections, once the arena serves."""
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
