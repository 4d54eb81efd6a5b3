"""Compiles the kernels of a running arena in a child process, and reports the progress.

The child has the lowest priority and one thread. When the child ends, the compiler's memory goes back to the system.
Twice a second the child writes how much of the present game is compiled, such as ``gravity 40`` for 40 percent. It
writes ``gravity done`` when all kernels of the game are in the cache. Only then does the arena load the kernels and let
games of this kind begin: no clock runs while something compiles.
"""

from __future__ import annotations

import asyncio
import gc
import os
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from hinterland import catalog
from hinterland.errors import ArenaError
from hinterland.host.readiness import freeze_heap, limit_allocator

if TYPE_CHECKING:
    from hinterland.host.thread_pools import Workers

REPORT_S = 0.5
DONE = "done"
COMPILED_SUFFIX = ".compiled"
"""Ending of the name of an empty file which says that all kernels of a game are in the cache folder."""
MAX_PERCENT = 99
"""Greatest percentage shown while kernels are missing."""
FEW_COLLECTIONS = (1_000_000, 5, 5)
"""Thresholds of the garbage collector while kernels are compiled. By default it looks through the compiler's tables so
often that compiling takes 10 percent longer; switched off, it would leave 1.2 instead of 0.8 GB in memory."""
SURROUNDINGS = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


class NotPrepared(ArenaError):  # noqa: N818
    """The kernels of a game are still being compiled; ``percent`` of them are ready."""

    def __init__(self, percent: int) -> None:
        super().__init__(f"preparing the boards: {percent} %")
        self.percent = percent


class Preparation:
    """Knows which games can be played by now. It belongs to an event loop."""

    def __init__(self, names: Sequence[str] = ()) -> None:
        """``names``: the games to prepare, in this order."""
        self._percent = dict.fromkeys(names, 0)
        self._count = len(names)

    def require(self, *names: str) -> None:
        """Raise NotPrepared if one of these games is not ready; without a name, if any game is not."""
        if missing := [self._percent[name] for name in names or self._percent if name in self._percent]:
            whole = 100 * ((len(names) or self._count) - len(missing)) + sum(missing)
            raise NotPrepared(min(whole // (len(names) or self._count), MAX_PERCENT))

    @property
    def is_over(self) -> bool:
        """Whether all games are ready."""
        return not self._percent

    def is_ready(self, name: str) -> bool:
        """Return whether a game can be played."""
        return name not in self._percent

    async def run(self, threads: Workers) -> None:
        """Compile the missing kernels in a child process, and load compiled kernels on a thread.

        Return when all games are ready. If the child is lost, this process compiles.
        """
        limit_allocator()
        missing = list_uncompiled()
        for name in [name for name in self._percent if name not in missing]:
            await self._load(name, threads)
        with suppress(OSError):  # no child can be started
            await self._hear_child(missing, threads)
        for name in list(self._percent):
            await self._load(name, threads)
        freeze_heap()

    async def _hear_child(self, missing: Sequence[str], threads: Workers) -> None:
        child = await asyncio.create_subprocess_exec(
            sys.executable, "-m", __name__, *missing, start_new_session=True, env={**os.environ, **SURROUNDINGS},
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        assert child.stdout is not None
        try:
            async for line in child.stdout:
                name, state = line.decode().split()
                if state == DONE:
                    await self._load(name, threads)
                elif name in self._percent:
                    self._percent[name] = int(state)
        finally:
            with suppress(ProcessLookupError):
                child.kill()
            await child.wait()

    async def _load(self, name: str, threads: Workers) -> None:
        await threads.run(catalog.game(name).warm_up)
        self._percent.pop(name, None)


def compile_kernels(name: str) -> None:
    """Call every kernel of a game once, then mark in the cache folder that all its kernels are cached."""
    from hinterland import jit  # noqa: PLC0415

    before = gc.get_threshold()
    gc.set_threshold(*FEW_COLLECTIONS)
    try:
        catalog.game(name).warm_up()
    finally:
        gc.set_threshold(*before)
    if jit.JIT_ON and (folder := jit.cache_folder()) is not None:
        with suppress(OSError):  # a full disk: the next process compiles again
            (folder / f"{name}{COMPILED_SUFFIX}").touch()


def list_uncompiled() -> list[str]:
    """Return the games whose kernels are not all in the cache; none where no cache can be kept."""
    from hinterland import jit  # noqa: PLC0415  (servers without games do without the compiler)

    if not jit.JIT_ON or jit.cache_folder() is None:
        return []
    return [name for name in catalog.GAMES if not jit.is_in_cache(f"{name}{COMPILED_SUFFIX}")]


class _Reporter(threading.Thread):
    """Writes the progress of the present game; ends the process when nobody reads the lines any more."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.name_at_hand = ""
        self._lock = threading.Lock()

    def run(self) -> None:
        while True:
            time.sleep(REPORT_S)
            self.report(str(min(_percent_compiled(self.name_at_hand), MAX_PERCENT)))

    def report(self, state: str) -> None:
        try:
            with self._lock:
                sys.stdout.write(f"{self.name_at_hand} {state}\n")
                sys.stdout.flush()
        except OSError:
            os._exit(0)


def _percent_compiled(name: str) -> int:
    """Return how many percent of a game's kernels are compiled; those that only environments call never are."""
    from numba.core.dispatcher import Dispatcher  # noqa: PLC0415

    prefix = f"{catalog.GAMES[name].rpartition('.')[0]}."
    modules = [module for path, module in list(sys.modules.items()) if path.startswith(prefix)]
    kernels = {one for module in modules for one in list(vars(module).values()) if isinstance(one, Dispatcher)}
    return 100 * sum(bool(one.overloads) for one in kernels) // max(len(kernels), 1)


def main(names: Sequence[str]) -> None:
    """Compile the kernels of games, and write the progress to standard output."""
    if hasattr(os, "nice"):
        os.nice(19)
    reporter = _Reporter()
    for name in names:
        catalog.game(name)  # before the reporter starts: two threads must not import the compiler at once
        reporter.name_at_hand = name
        if not reporter.is_alive():
            reporter.start()
        compile_kernels(name)
        reporter.report(DONE)
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1:])
