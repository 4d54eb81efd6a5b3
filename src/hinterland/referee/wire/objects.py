"""From bytes to JSON objects that nothing separates: an object ends where its brackets do, whatever the packets.

What is no object, where one should begin, ends with its line. The bounds are those of lines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hinterland.referee.judge import Verdict
from hinterland.referee.wire.framing import Framer

if TYPE_CHECKING:
    from hinterland.referee.wire.talk import Limits

__all__ = ["ObjectFramer"]

LINE_END, QUOTE, BACKSLASH, OPENS, CLOSES = b'\n"\\{}'
SPACES = bytes.maketrans(b"\n\r", b"  ")


class ObjectFramer(Framer):
    """Cuts what arrives into objects, each on one line; what stands between them is cut into lines."""

    def __init__(self, limits: Limits) -> None:
        super().__init__(limits)
        self._depth = 0
        self._is_in_string = self._is_escaped = False

    def take(self) -> bytes:
        """Return what stands unfinished, and forget it."""
        self._depth = 0
        self._is_in_string = self._is_escaped = False
        return super().take()

    def _cut(self, data: bytes) -> list[bytes]:
        whole: list[bytes] = []
        start = 0
        for place, byte in enumerate(data):
            if not self._ends_with(byte):
                continue
            if not self._append(data, start, place + (byte != LINE_END)):
                return whole
            self._lines += 1
            if self._lines > self.limits.turn_lines:
                self._break(Verdict.FLOOD, f"more than {self.limits.turn_lines} lines from one question to the next")
                return whole
            whole.append(super().take().translate(SPACES))
            start = place + 1
        self._append(data, start, len(data))
        return whole

    def _ends_with(self, byte: int) -> bool:
        """Take the next byte, and say whether an object ends with it, or a line outside of all objects."""
        if self._is_in_string:
            self._is_in_string = self._is_escaped or byte != QUOTE
            self._is_escaped = byte == BACKSLASH and not self._is_escaped
            return False
        if not self._depth:
            self._depth += byte == OPENS
            return byte == LINE_END
        self._is_in_string = byte == QUOTE
        self._depth += (byte == OPENS) - (byte == CLOSES)
        return not self._depth
