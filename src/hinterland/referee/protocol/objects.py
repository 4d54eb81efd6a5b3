"""Cuts bytes into JSON objects that nothing separates: an object ends where its brackets do, whatever the packets.

Text that is no object ends with its line. The bounds are those of lines.
"""

from __future__ import annotations

from collections.abc import Iterator

from hinterland.referee.protocol.framing import Framer
from hinterland.referee.protocol.session import InboundLimits

LINE_END, QUOTE, BACKSLASH, OPENS, CLOSES = b'\n"\\{}'
LINE_END_SPACES = bytes.maketrans(b"\n\r", b"  ")


class ObjectFramer(Framer):
    """Cuts bytes into objects, each as one line; text between them is cut into lines."""

    def __init__(self, limits: InboundLimits) -> None:
        super().__init__(limits)
        self._depth = 0
        self._is_in_string = self._is_escaped = False

    def take(self) -> bytes:
        self._depth = 0
        self._is_in_string = self._is_escaped = False
        return super().take()

    def _find_ends(self, data: bytes) -> Iterator[tuple[int, int]]:
        for place, byte in enumerate(data):
            if self._ends_with(byte):
                yield place + (byte != LINE_END), place + 1

    def _complete_line(self) -> bytes:
        return bytes(self._unfinished).rstrip(b"\r").translate(LINE_END_SPACES)

    def _ends_with(self, byte: int) -> bool:
        """Take the next byte; return whether it ends an object, or a line outside of all objects."""
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
