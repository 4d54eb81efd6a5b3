"""Cuts bytes into lines, in bounded memory and linear time, however the bytes are cut into packets.

A line ends with LF or CRLF. The first byte beyond a limit ends the reading: no later byte is looked at, and nothing is
kept. The limits count bytes and lines, not packets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hinterland.errors import BadText
from hinterland.referee.protocol.session import Broken, InboundLimits
from hinterland.referee.verdicts import Verdict

KEPT_FIRST_BYTES = 32
CARRIAGE_RETURN = 0x0D
BYTE_ORDER_MARK = "\ufeff"


class Framer:
    """Cuts bytes into lines. Holds at most ``limits.line_bytes + 1`` bytes of an unfinished line."""

    def __init__(self, limits: InboundLimits) -> None:
        self.limits = limits
        self.first = b""
        """The first few bytes of the connection, by which misconnections are recognised."""
        self.fault: Broken | None = None
        """The bound that was exceeded, after which nothing more is read; None while all bounds are kept."""
        self.last_ns = 0
        """Moment when the last byte came, in nanoseconds."""
        self.skippable: re.Pattern[bytes] | None = None
        """Beginning of a line that may be too long: the line is skipped, and not a fault. None: no line may be."""
        self.skipped = 0
        """Number of lines that were skipped so far."""
        self._is_skipping = False
        self._unfinished = bytearray()
        self._bytes = 0
        self._lines = 0

    @property
    def unfinished(self) -> bytes:
        """The bytes since the last line end."""
        return bytes(self._unfinished)

    def feed(self, data: bytes, stamp_ns: int) -> list[bytes]:
        """Take bytes that came at ``stamp_ns``; return the lines that they complete, without line ends."""
        if self.fault is not None or not data:
            return []
        self.last_ns = stamp_ns
        if len(self.first) < KEPT_FIRST_BYTES:
            self.first += data[: KEPT_FIRST_BYTES - len(self.first)]
        left = self.limits.turn_bytes - self._bytes
        self._bytes += min(len(data), left)
        lines = self._cut(data[:left])
        if len(data) > left:
            self._break(Verdict.FLOOD, f"more than {self.limits.turn_bytes} bytes from one request to the next")
        return lines

    def take(self) -> bytes:
        """Remove the unfinished line and return it."""
        line = bytes(self._unfinished).rstrip(b"\r")
        self._unfinished.clear()
        return line

    def renew(self) -> None:
        """Count bytes and lines from 0 again, since a request was sent."""
        self._bytes = self._lines = 0

    def close(self) -> None:
        """Forget everything."""
        self._unfinished = bytearray()

    def _cut(self, data: bytes) -> list[bytes]:
        lines: list[bytes] = []
        start = 0
        for end, following in self._find_ends(data):
            if not self._append(data, start, end):
                return lines
            self._lines += 1
            if self._lines > self.limits.turn_lines:
                self._break(Verdict.FLOOD, f"more than {self.limits.turn_lines} lines from one request to the next")
                return lines
            if self._is_skipping:
                self._is_skipping = False
            else:
                lines.append(self._complete_line())
            self._unfinished.clear()
            start = following
        self._append(data, start, len(data))
        return lines

    def _find_ends(self, data: bytes) -> Iterator[tuple[int, int]]:
        """Yield where each line ends, and where the next begins."""
        end = -1
        while (end := data.find(b"\n", end + 1)) >= 0:
            yield end, end + 1

    def _complete_line(self) -> bytes:
        """Return the line that is complete now."""
        return bytes(self._unfinished).removesuffix(b"\r")

    def _append(self, data: bytes, start: int, end: int) -> bool:
        """Add bytes to the unfinished line; return False if it became too long. A last CR is not counted."""
        if start == end or self._is_skipping:
            return True
        longest = self.limits.line_bytes
        length = len(self._unfinished) + end - start
        if length <= longest or (length == longest + 1 and data[end - 1] == CARRIAGE_RETURN):
            self._unfinished += data[start:end]
            return True
        if self.skippable is not None and self.skippable.match(self._unfinished + data[start : start + longest]):
            self._unfinished.clear()
            self._is_skipping = True
            self.skipped += 1
            return True
        self._break(Verdict.OVERSIZE, f"a line of more than {longest} bytes")
        return False

    def _break(self, verdict: Verdict, detail: str) -> None:
        if self.fault is None:
            self.fault = Broken(verdict, detail)
        self.close()


def decode_line(line: bytes) -> str:
    """Decode a line and strip the spaces around it.

    Raises BadText for a byte order mark, invalid UTF-8 and control characters; a tab counts as a space.
    """
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise BadText(f"byte {error.start + 1} of the line is not UTF-8: 0x{line[error.start]:02x}") from None
    if text.startswith(BYTE_ORDER_MARK):
        raise BadText("the line begins with a byte order mark; plain UTF-8 was expected")
    if not text.isprintable():
        for place, character in enumerate(text, start=1):
            if (character < " " and character != "\t") or "\x7f" <= character <= "\x9f":
                raise BadText(f"character {place} of the line is a control character: U+{ord(character):04X}")
    return text.strip(" \t")
