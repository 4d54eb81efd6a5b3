"""The clock for players that think as long as their time allows.

Other code reads a clock only where it may also do input and output. No rule, score or verdict may depend on this clock.
A player that reads it also has an option that fixes its amount of work, so that its games can be repeated.
"""

from __future__ import annotations

import time


def now_s() -> float:
    """Return the seconds of a monotonic clock; only differences are meaningful."""
    return time.perf_counter()
