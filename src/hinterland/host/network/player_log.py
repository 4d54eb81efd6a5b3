"""What a player said and heard in one game: its conversation with the referee, and its standard error.

Of each of the two streams the first and the last 64 KiB are kept, so that a log has a bounded size whatever a program
prints.
"""

from __future__ import annotations

import time

from hinterland.storage.log_folder import TITLE_MARK

KEPT_BYTES = 64 * 1024
"""Bytes kept of the beginning of a stream, and as many of its end."""
SENT, RECEIVED, CONTINUED = b"<", b">", b"+"
"""Marks of what the referee sent, of what the player sent, and of the rest of a line that came in pieces."""

ERRORS_TITLE = f"{TITLE_MARK} {{}}: standard error"
CONVERSATION_TITLE = f"{TITLE_MARK} {{}}: conversation"
"""Titles of the parts of a log, with the player's name."""


class Excerpt:
    """The beginning and the end of a stream of bytes."""

    def __init__(self, kept_bytes: int = KEPT_BYTES) -> None:
        """``kept_bytes``: how many bytes to keep of the beginning, and as many of the end."""
        self._kept_bytes = kept_bytes
        self._beginning, self._end = bytearray(), bytearray()
        self._left_out = 0

    def add(self, data: bytes) -> None:
        """Take the next bytes of the stream."""
        room = self._kept_bytes - len(self._beginning)
        self._beginning += data[:room]
        self._end += data[room:]
        if len(self._end) > 2 * self._kept_bytes:
            self._cut()

    def text(self) -> str:
        """Return the kept bytes as text. A line in the middle says how many bytes were left out, if any were."""
        self._cut()
        if not self._left_out:
            return (self._beginning + self._end).decode("utf-8", "replace")
        beginning, end = (part.decode("utf-8", "replace") for part in (self._beginning, self._end))
        return f"{beginning}\n[{self._left_out:,} bytes are left out here]\n{end}"

    def _cut(self) -> None:
        more = max(len(self._end) - self._kept_bytes, 0)
        self._left_out += more
        del self._end[:more]


class PlayerLog:
    """The log of one player, begun anew for each game."""

    def __init__(self) -> None:
        self._is_line_open = False
        """Whether the player's last line has not ended yet."""
        self._renew()

    def on_sent(self, data: bytes) -> None:
        """Take bytes that the referee sent."""
        self._add(SENT, data)

    def on_received(self, data: bytes) -> None:
        """Take bytes that the player sent. Each piece has a line of its own, so that the log shows what came when."""
        self._add(CONTINUED if self._is_line_open else RECEIVED, data)
        self._is_line_open = not data.endswith(b"\n")

    def on_error_output(self, data: bytes) -> None:
        """Take bytes that the player's program wrote to its standard error."""
        self._errors.add(data)

    def take(self, name: str) -> str:
        """Return the log of a game as text, and begin the log of the next game. ``name``: the player's name."""
        errors, conversation = f"\n{self._errors.text()}".rstrip("\n"), self._conversation.text()
        self._renew()
        errors = errors.replace(f"\n{TITLE_MARK}", f"\n {TITLE_MARK}")  # a program writes no titles
        return f"{ERRORS_TITLE.format(name)}{errors}\n\n{CONVERSATION_TITLE.format(name)}\n{conversation}"

    def _renew(self) -> None:
        self._began_ns = time.monotonic_ns()
        self._conversation, self._errors = Excerpt(), Excerpt()

    def _add(self, mark: bytes, data: bytes) -> None:
        """Add lines, each with the seconds since the log began and its mark."""
        seconds = b"%8.3f " % ((time.monotonic_ns() - self._began_ns) / 1e9)
        next_line = b"\n" + seconds + (RECEIVED if mark == CONTINUED else mark) + b" "
        lines = data.removesuffix(b"\n").replace(b"\n", next_line)
        self._conversation.add(seconds + mark + b" " + lines + b"\n")
