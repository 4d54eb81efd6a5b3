"""Prepares a process in which clocks run: all that would stop its threads for long is done before the first clock runs.

A kernel that is compiled during a game holds the interpreter for seconds. A full garbage collection holds the
interpreter while it looks through all compiled code. A thread that computes in Python gives the interpreter away only
when asked to, by default after five milliseconds. The allocator is told to return freed memory to the system: by
default glibc keeps arrays of up to 32 MiB for each of many threads.
"""

from __future__ import annotations

import ctypes
import gc
import os
import signal
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache

from hinterland.contract import Game, Player, Rules

INTERPRETER_SWITCH_S = 0.0005
"""Seconds that the event loop waits before it asks another thread for the interpreter."""


M_MMAP_THRESHOLD, M_ARENA_MAX = -3, -8
"""From glibc's malloc.h."""
MMAP_THRESHOLD_BYTES = 1 << 20
"""Size, in bytes, from which a freed block of memory goes back to the system at once."""
SHOW_CURSOR = "\x1b[?25h"
MALLOC_ARENAS = 2
"""Number of the allocator's heaps, which all threads share."""


def get_ready(*kinds: Game) -> None:
    """Compile all kernels of these games, and prevent long pauses later. Meanwhile Ctrl-C ends the program."""
    with quit_at_once_on_signals():
        limit_allocator()
        for kind in kinds:
            kind.warm_up()
        freeze_heap()


def get_ready_for(kind: Game, rules: Rules | None, players: Iterable[Player]) -> None:
    """Do as ``get_ready``, but compile only what games of ``rules`` with ``players`` need.

    ``rules`` None: any rules.
    """
    with quit_at_once_on_signals():
        limit_allocator()
        kind.warm_up(rules, players)
        freeze_heap()


@contextmanager
def quit_at_once_on_signals() -> Iterator[None]:
    """Let Ctrl-C, SIGTERM and SIGHUP end the program at once while there is nothing to lose.

    While numba's compiler runs, it takes these signals for errors in what it compiles, or ignores them. Ignored signals
    stay ignored.
    """

    def quit_now(number: int, _: object) -> None:
        if sys.stderr.isatty():
            sys.stderr.write(SHOW_CURSOR)
        sys.stderr.write("hinterland: interrupted\n")
        sys.stderr.flush()
        os._exit(128 + number)

    numbers = [getattr(signal, name, None) for name in ("SIGINT", "SIGTERM", "SIGHUP")]
    is_main = threading.current_thread() is threading.main_thread()
    heard = [number for number in numbers if is_main and number and callable(signal.getsignal(number))]
    before = [(number, signal.signal(number, quit_now)) for number in heard]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)


@cache
def freeze_heap() -> None:
    """Exempt what has been loaded from garbage collection, and let threads take turns more often."""
    gc.collect()
    gc.freeze()  # exempt everything loaded and compiled so far from collections
    sys.setswitchinterval(INTERPRETER_SWITCH_S)


@cache
def limit_allocator() -> None:
    """Make the allocator return freed memory to the system."""
    if sys.platform == "linux" and hasattr(libc := ctypes.CDLL(None), "mallopt"):
        libc.mallopt(M_MMAP_THRESHOLD, MMAP_THRESHOLD_BYTES)
        libc.mallopt(M_ARENA_MAX, MALLOC_ARENAS)
