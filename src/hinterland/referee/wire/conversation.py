"""What the talks of all protocols have in common: the framing, the bounds, and the end of all reading."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from hinterland.errors import BadText, HinterlandError
from hinterland.referee.judge import Verdict
from hinterland.referee.wire.framing import Framer, text_of
from hinterland.referee.wire.strangers import refusal, stranger
from hinterland.referee.wire.talk import Broken, Ignored, Limits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hinterland.referee.wire.talk import Heard, Start

__all__ = ["Conversation"]


class Conversation:
    """The hearing half of a talk; a subclass says what a line means."""

    protocol: ClassVar[str]
    """The word by which ``strangers`` knows the protocol."""
    says_name: ClassVar[bool] = True
    """Whether a player introduces itself; where none does, ``settle`` takes a moment of silence for it."""
    has_weights: ClassVar[bool] = True
    """Whether there is a word for the weight of a stone."""
    has_tokens: ClassVar[bool] = True
    """Whether there is a word for a token."""
    games: ClassVar[int | None] = None
    """How many games a match has; None: each player begins one."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self.is_closed = False
        self.has_introduced = False
        """Whether the player has said who it is."""
        self.framer = Framer(self.limits)
        self._strays = 0
        self._game: Start | None = None

    def hear(self, data: bytes, stamp_ns: int) -> Sequence[Heard]:
        """Take bytes that came at a moment."""
        if self.is_closed:
            return ()
        lines = self.framer.feed(data, stamp_ns)
        heard: list[Heard] = []
        if not self.has_introduced and (strange := stranger(self.framer.first, self.protocol)):
            return (self._break(Verdict.PROTOCOL, strange),)
        for line in lines:
            heard += self._hear_line(line, stamp_ns)
            if self.is_closed:
                return heard
        if self.framer.fault is not None:
            heard.append(self._break(self.framer.fault.verdict, self.framer.fault.detail))
        return heard

    def end_of_file(self) -> Sequence[Heard]:
        """Forget an unfinished line: without its end it is not an answer."""
        if self.is_closed or not self.framer.take().strip():
            return ()
        return (Ignored("the connection ended in the middle of a line"),)

    def _hear_line(self, line: bytes, stamp_ns: int) -> Sequence[Heard]:
        try:
            text = text_of(line)
            return self._understand(text, stamp_ns) if text else ()
        except BadText as error:
            return (self._break(Verdict.PROTOCOL, str(error)),)

    def _understand(self, text: str, stamp_ns: int) -> Sequence[Heard]:
        """Say what a line that is not blank means. Raises BadText where it breaks the protocol."""
        raise NotImplementedError

    def _break(self, verdict: Verdict, detail: str) -> Broken:
        self.is_closed = True
        self.framer.close()
        return Broken(verdict, detail)

    def _stray(self, detail: str) -> Heard:
        """Count an answer that nobody had asked for; too many in a row break the protocol."""
        self._strays += 1
        if self._strays > self.limits.stray_lines:
            return self._break(Verdict.PROTOCOL, f"more than {self.limits.stray_lines} answers in a row to no question")
        return Ignored(detail)

    def _refusal(self, detail: str) -> bytes | None:
        """Return the last words to one that speaks a protocol of its own; None to all others."""
        return refusal(self.framer.first, detail) if not self.has_introduced else None

    @property
    def _playing(self) -> Start:
        if self._game is None:
            raise HinterlandError("no game has begun in this conversation: start comes before ask and over")
        return self._game
