"""Gets a process ready to hold clocks: what would make all its threads wait is done before the first clock runs.

A kernel that is compiled while a game goes on holds the interpreter for seconds, and a full garbage collection for as
long as all compiled code takes to look through. A thread that thinks in Python hands the interpreter over only when
asked to, after five milliseconds unless told otherwise; docs/performance.md says what each of these costs. What is
freed goes back to the system: left to itself, glibc keeps arrays of up to 32 MiB for each of many threads.
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
"""So long the event loop waits before it asks a thread of players, pictures or reviews for the interpreter."""


M_MMAP_THRESHOLD, M_ARENA_MAX = -3, -8
"""Of glibc's malloc.h."""
MMAP_THRESHOLD_BYTES = 1 << 20
"""From this size on, memory is the system's again as soon as it is freed."""
SHOW_CURSOR = "\x1b[?25h"
MALLOC_ARENAS = 2
"""Heaps that all threads share."""


def get_ready(*kinds: Game) -> None:
    """Compile every kernel of games, and leave no long pause for later. Ctrl-C ends the program meanwhile."""
    with quit_at_once_on_signals():
        _limit_allocator()
        for kind in kinds:
            kind.warm_up()
        _freeze_heap()


def get_ready_for(kind: Game, rules: Rules | None, players: Iterable[Player]) -> None:
    """Do the same for games of these rules alone, with these players of the house; None for whatever rules."""
    with quit_at_once_on_signals():
        _limit_allocator()
        kind.warm_up(rules, players)
        _freeze_heap()


@contextmanager
def quit_at_once_on_signals() -> Iterator[None]:
    """Let Ctrl-C, SIGTERM and SIGHUP end the program on the spot while there is nothing to lose.

    A compiler takes them for errors of what it compiles, or does not hear them. Who ignores them still does.
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
def _freeze_heap() -> None:
    gc.collect()
    gc.freeze()  # what was loaded and compiled by now is never looked through again
    sys.setswitchinterval(INTERPRETER_SWITCH_S)


@cache
def _limit_allocator() -> None:
    if sys.platform == "linux" and hasattr(libc := ctypes.CDLL(None), "mallopt"):
        libc.mallopt(M_MMAP_THRESHOLD, MMAP_THRESHOLD_BYTES)
        libc.mallopt(M_ARENA_MAX, MALLOC_ARENAS)
