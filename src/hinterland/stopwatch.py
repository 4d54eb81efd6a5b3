"""The one reading of time below the shells: for players that think for as long as their clock lets them.

No rule, score or verdict may depend on it; a player that reads it has an option that fixes its work instead, so that
its games can be repeated.
"""

from __future__ import annotations

import time


def now_s() -> float:
    """Return the seconds of a monotonic clock; only differences mean anything."""
    return time.perf_counter()
