"""Medians of repeated runs, and rows of reports."""

from __future__ import annotations

import statistics
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["median_ms", "row"]


def median_ms(work: Callable[[], object], runs: int) -> float:
    """Run once to warm up, then return the median of ``runs`` runs in milliseconds."""
    work()
    seconds = []
    for _ in range(runs):
        started = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - started)
    return statistics.median(seconds) * 1000


def row(name: str, ms: float, bar_ms: float | None = None, note: str = "") -> str:
    """Return one line of a report: name, figure, the bar it has to keep, a note."""
    bar = "" if bar_ms is None else f"at most {bar_ms:g} ms: {'kept' if ms <= bar_ms else 'MISSED'}"
    return f"  {name:<58} {ms:>12,.3f} ms   {bar}{note}".rstrip()
