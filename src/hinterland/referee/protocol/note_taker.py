"""Takes down what a player says about its move, within the bounds of a note, and says what it leaves out."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import msgspec

from hinterland.contract import Rules
from hinterland.errors import BadText, quote
from hinterland.referee.diary import MAX_BYTES, MAX_CHARACTERS, MAX_MARKS, NoteMark, check_places
from hinterland.referee.protocol.messages import Info
from hinterland.referee.protocol.names import clean_text

EXCESS = (
    f"of info at most {MAX_CHARACTERS} characters, {MAX_MARKS} marks and {MAX_BYTES} bytes are kept with a move; "
    "the rest was dropped"
)
VALUE_DIGITS = 6
"""Digits that are kept of a mark's value."""


class NoteTaker:
    """The note on the move that a player is asked for. What is left out is told once a game for each kind of reason."""

    def __init__(self) -> None:
        self.text = ""
        self.marks: tuple[NoteMark, ...] = ()
        self._ranges: dict[str, int] | None = None
        self._is_open = False
        self._bytes = 0
        self._told: set[str] = set()

    def begin_game(self, rules: Rules) -> None:
        """Forget the last game. ``rules``: of the next one."""
        self._ranges = rules.place_ranges
        self._told.clear()
        self.close()

    def begin(self) -> None:
        """Begin an empty note, since a move is requested, for the first time or after a refusal."""
        self.text, self.marks, self._bytes, self._is_open = "", (), 0, True

    def close(self) -> None:
        """Take nothing more, since no move is awaited."""
        self._is_open = False

    def take(self, values: dict[str, Any]) -> str:
        """Add a message ``info``. Return what is left out and why, if that is to be told; otherwise an empty text."""
        if self._ranges is None:  # before the first game nothing is kept, and nobody is told so
            return ""
        return "; ".join(reason for kind, reason in self._add(values) if self._is_news(kind))

    def tell_skipped(self) -> str:
        """Return why a line was not even read, if that is to be told; otherwise an empty text."""
        return "a message info was longer than a line may be, and was dropped" if self._is_news("line") else ""

    def _is_news(self, kind: str) -> bool:
        """Say whether something is left out for the first time in this game for reasons of a kind."""
        is_news = kind not in self._told
        self._told.add(kind)
        return is_news

    def _add(self, values: dict[str, Any]) -> Iterator[tuple[str, str]]:
        """Add to the note. Yield each reason for leaving something out, as a kind and in words."""
        if not self._is_open:
            yield "turn", "info belongs between a turn and the answer to it; this one was dropped"
            return
        try:
            info = msgspec.convert(values, Info)
        except msgspec.ValidationError as error:
            yield "field", f"info was dropped: {quote(str(error), 120)[1:-1]}"
            return
        if isinstance(info.text, str):
            yield from self._add_text(clean_text(info.text))
        else:
            yield "text", f"text of info is a text, not {quote(info.text)}; it was dropped"
        if not isinstance(info.marks, list):
            yield "marks", f"marks of info is an array of marks, not {quote(info.marks)}; it was dropped"
            return
        for number, given in enumerate(info.marks, start=1):
            try:
                mark = self._read(given)
            except BadText as error:
                yield "mark", f"mark {number} of info was dropped: {error}"
                continue
            size = len(msgspec.json.encode(mark))
            if len(self.marks) == MAX_MARKS or self._bytes + size > MAX_BYTES:
                yield "excess", EXCESS
                return
            self.marks += (mark,)
            self._bytes += size

    def _add_text(self, added: str) -> Iterator[tuple[str, str]]:
        if not added:
            return
        whole = f"{self.text}\n{added}" if self.text else added
        text = whole[:MAX_CHARACTERS].rstrip()
        more_bytes = len(msgspec.json.encode(text)) - len(msgspec.json.encode(self.text))
        fits = self._bytes + more_bytes <= MAX_BYTES
        if fits:
            self.text = text
            self._bytes += more_bytes
        if not fits or len(whole) > MAX_CHARACTERS:
            yield "excess", EXCESS

    def _read(self, given: Any) -> NoteMark:
        """Read a mark. Raises BadText."""
        assert self._ranges is not None
        try:
            mark = msgspec.convert(given, NoteMark)
        except msgspec.ValidationError as error:
            raise BadText(f"{quote(given)}: {quote(str(error), 120)[1:-1]}") from None
        check_places(mark, self._ranges)
        if mark.value is None:
            return mark
        if not math.isfinite(mark.value):
            raise BadText(f"its value is {mark.value}, which is no finite number")
        return msgspec.structs.replace(mark, value=float(f"{mark.value:.{VALUE_DIGITS}g}"))
