"""Finds out when, how and why a process ended.

The reason is the line of standard error that has the exception and its message. The last line is often the end of a
stack trace or advice instead: Java's ``... 1 more``, Go's ``exit status 2``, Rust's ``note: run with``, the version of
Node.js. Such lines are skipped.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import threading
from collections.abc import Callable

SIGNAL_HINTS = {"SIGKILL": " (out of memory?)", "SIGXFSZ": " (wrote a file larger than allowed)"}
OUT_OF_MEMORY = re.compile(
    r"OutOfMemory(?:Error|Exception)|MemoryError\b|bad_alloc|bad_array_new_length|Out_of_memory|Heap exhausted"
    r"|Could not reserve enough space|insufficient memory for the Java Runtime|memory allocation of \d+ bytes failed"
    r"|\bout of memory\b|cannot allocate memory|not enough memory|failed to allocate memory|memory exhausted",
    re.IGNORECASE,
)
"""Finds complaints about a lack of memory by Java, Python, C, C++, Rust, Go, JavaScript, C#, OCaml, Lisp, Lua, Ruby,
Perl."""
NOISE = re.compile(
    r"exit status \d+$|note: |Node\.js v\d|stack backtrace:|Aborted|Segmentation fault|\(Use `node |==\d+==ABORTING|\}$"
)
FRAME = re.compile(r"\s+(?:at |\.\.\. \d+ (?:more|common frames))")
DETAIL = re.compile(r"\s+(?:what\(\):|left:|right:|from |\d+: )|\s*[~^]+$")
"""Matches lines of a stack trace that follow the message."""
ERROR = re.compile(r"(?:Uncaught )?[\w.$]*(?:Error|Exception)\b")
CAUSE = "Caused by: "
GO = re.compile(r"(?:panic|fatal error): ")
GOROUTINE = re.compile(r"goroutine \d+ .*\[")
RUST = re.compile(r"thread '.*'.* panicked at .*:$")
CPP = re.compile(r"terminate called after throwing an instance of '(.*)'$")
MAX_MESSAGE_LINES = 8
"""Most lines of a message, counted up from its last line, among which its first line is looked for."""


def describe_exit(code: int, *, through_shell: bool = False, was_ended: bool = False) -> str:
    """Say how a process ended, and the likely cause unless the referee ended it (``was_ended``).

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
    """When the process has ended, call ``done`` in the loop, once, with the exit code.

    Return a function that cancels the call.
    """
    try:
        watched = os.pidfd_open(process.pid)
    except (AttributeError, OSError):  # only Linux has process descriptors
        threading.Thread(target=_wait, args=(loop, process, done), daemon=True).start()
        return lambda: None

    is_watched = True

    def forget() -> None:
        nonlocal is_watched
        if is_watched:  # only once: later the number may belong to another descriptor
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


def find_complaint(text: str) -> str:
    """Return the first line in which a program says that it ran out of memory; empty if there is none."""
    return next((line.strip(" #\t") for line in text.splitlines() if OUT_OF_MEMORY.search(line)), "")


def find_last_words(text: str) -> str:
    """Return the line that says most about why a program ended; empty if there is none."""
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    if not lines:
        return ""
    at = _find_message(lines)
    head = _find_head(lines, at)
    if at + 1 < len(lines) and CPP.match(lines[at]):
        return f"{lines[at]}, {lines[at + 1].strip()}"
    if lines[at].startswith(CAUSE):
        return f"{lines[head].strip()}; caused by {lines[at].removeprefix(CAUSE)}"
    if RUST.match(lines[head]) and head < at:
        return f"{lines[head]} {lines[head + 1].strip()}"
    return lines[head].strip()


def _find_message(lines: list[str]) -> int:
    """Return the index of the last line that is neither part of a stack trace nor advice."""
    panic = next((at for at in reversed(range(len(lines))) if GO.match(lines[at])), None)
    if panic is not None and any(map(GOROUTINE.match, lines[panic:])):
        return panic
    has_frames = False
    for at in reversed(range(len(lines))):
        has_frames = has_frames or bool(FRAME.match(lines[at]))
        is_traced = FRAME.match(lines[at]) or DETAIL.match(lines[at]) or NOISE.match(lines[at])
        if not is_traced and not (lines[at][0].isspace() and _follows_frames(lines, at, has_frames=has_frames)):
            return at
    return len(lines) - 1


def _follows_frames(lines: list[str], at: int, *, has_frames: bool) -> bool:
    """Say whether an indented line belongs to a stack trace: Node.js prints details of an error below the frames."""
    return has_frames or any(map(FRAME.match, lines[max(at - 3 * MAX_MESSAGE_LINES, 0) : at]))


def _find_head(lines: list[str], at: int) -> int:
    """Return the index of the first line of the message that ends at ``at``.

    If line ``at`` names a cause (``Caused by: …``), return the index of the line with the error that it caused.
    """
    above = range(at, max(at - MAX_MESSAGE_LINES, -1), -1)
    if lines[at].startswith(CAUSE):
        return next((k for k in reversed(range(at)) if not lines[k][0].isspace() and CAUSE not in lines[k]), at)
    if (rust := next((k for k in above if RUST.match(lines[k])), None)) is not None:
        return rust
    if at + 1 < len(lines) and FRAME.match(lines[at + 1]):
        return next((k for k in above if ERROR.match(lines[k])), at)
    return at
