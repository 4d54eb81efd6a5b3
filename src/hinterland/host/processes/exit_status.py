"""When and how a process ended."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import threading
from collections.abc import Callable

SIGNAL_HINTS = {"SIGKILL": " (out of memory?)", "SIGXFSZ": " (wrote a file larger than allowed)"}


def describe_exit(code: int, *, through_shell: bool = False, was_ended: bool = False) -> str:
    """Say how a process ended, and the likely cause unless it ``was_ended`` by us.

    ``through_shell``: whether a code from 128 on stands for a signal, as in shells and bubblewrap.
    """
    number = code - 128 if through_shell and code > 128 else -code
    if number <= 0:
        return f"exit status {code}"
    try:
        name = signal.Signals(number).name
    except ValueError:
        return f"exit status {code}" if code > 0 else f"killed by signal {number}"
    return f"killed by {name}{'' if was_ended else SIGNAL_HINTS.get(name, '')}"


def call_on_exit(
    loop: asyncio.AbstractEventLoop, process: subprocess.Popen[bytes], done: Callable[[int], None]
) -> Callable[[], None]:
    """Call ``done`` in the loop, once, with the exit code when the process has ended.

    Return a function that cancels it.
    """
    try:
        watched = os.pidfd_open(process.pid)
    except (AttributeError, OSError):  # only Linux has process descriptors
        threading.Thread(target=_wait, args=(loop, process, done), daemon=True).start()
        return lambda: None

    is_watched = True

    def forget() -> None:
        nonlocal is_watched
        if is_watched:  # only once: the number may belong to another descriptor by now
            is_watched = False
            loop.remove_reader(watched)
            os.close(watched)

    def exited() -> None:
        forget()
        done(process.wait())

    loop.add_reader(watched, exited)
    return forget


def _wait(loop: asyncio.AbstractEventLoop, process: subprocess.Popen[bytes], done: Callable[[int], None]) -> None:
    code = process.wait()
    if not loop.is_closed():
        loop.call_soon_threadsafe(done, code)
