"""Gets a process ready to hold clocks: what would make all its threads wait is done before the first clock runs.

A kernel that is compiled while a game goes on holds the interpreter for seconds, and a full garbage collection for as
long as all compiled code takes to look through. A thread that thinks in Python hands the interpreter over only when
asked to, after five milliseconds unless told otherwise; docs/performance.md says what each of these costs.
"""

from __future__ import annotations

import gc
import sys
from functools import cache

from hinterland.contract import Game

SWITCH_S = 0.0005
"""So long the event loop waits before it asks a thread of players, pictures or reviews for the interpreter."""


def get_ready(*kinds: Game) -> None:
    """Compile the kernels of games, and leave no long pause for later."""
    for kind in kinds:
        kind.warm_up()
    _settle()


@cache
def _settle() -> None:
    gc.collect()
    gc.freeze()  # what was loaded and compiled by now is never looked through again
    sys.setswitchinterval(SWITCH_S)
