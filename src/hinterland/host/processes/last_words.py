"""Finds the line of a program's standard error that says why it ended: the exception and its message.

The last line is often the end of a stack trace or advice: Java's ``... 1 more``, Go's ``exit status 2``, Rust's ``note:
run with``, the version of Node.js. Such lines are skipped.
"""

from __future__ import annotations

import re

NOISE = re.compile(
    r"exit status \d+$|note: |Node\.js v\d|stack backtrace:|Aborted|Segmentation fault|\(Use `node |==\d+==ABORTING|\}$"
)
FRAME = re.compile(r"\s+(?:at |\.\.\. \d+ (?:more|common frames))")
DETAIL = re.compile(r"\s+(?:what\(\):|left:|right:|from |\d+: )|\s*[~^]+$")
"""Lines of a trace that follow the message."""
ERROR = re.compile(r"(?:Uncaught )?[\w.$]*(?:Error|Exception)\b")
CAUSE = "Caused by: "
GO = re.compile(r"(?:panic|fatal error): ")
GOROUTINE = re.compile(r"goroutine \d+ .*\[")
RUST = re.compile(r"thread '.*'.* panicked at .*:$")
CPP = re.compile(r"terminate called after throwing an instance of '(.*)'$")
MAX_MESSAGE_LINES = 8
"""Most lines of a message; its first line is not looked for further up."""


def find_last_words(text: str) -> str:
    """Return the most telling line; empty if there is none."""
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
    """Return the place of the last line that is neither part of a stack trace nor advice."""
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
    """Say whether an indented line is in or after the frames of a trace, as Node.js prints details of an error."""
    return has_frames or any(map(FRAME.match, lines[max(at - 3 * MAX_MESSAGE_LINES, 0) : at]))


def _find_head(lines: list[str], at: int) -> int:
    """Return the first line of the message that ends at ``at``; for a cause, that of the error that it caused."""
    above = range(at, max(at - MAX_MESSAGE_LINES, -1), -1)
    if lines[at].startswith(CAUSE):
        return next((k for k in reversed(range(at)) if not lines[k][0].isspace() and CAUSE not in lines[k]), at)
    if (rust := next((k for k in above if RUST.match(lines[k])), None)) is not None:
        return rust
    if at + 1 < len(lines) and FRAME.match(lines[at + 1]):
        return next((k for k in above if ERROR.match(lines[k])), at)
    return at
