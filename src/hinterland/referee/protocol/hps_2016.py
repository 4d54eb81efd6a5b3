"""The course's protocol of autumn 2016: each request is one line with a flag and all stones. Players send no name.

Its rules are known from its server and sample client, which the history of the public repository
herbertli/Gravitational_Voronoi keeps (folders ``energon`` and ``localhost``), and from players' programs of that year
in apsdehal/Heuristics-Problem-Solving (folder ``week5``):

- Nothing is sent on connecting. Players read from their command lines how many stones and players there are.
- A request is ``0 count row col player row col player …``, all stones in order of play, players from 1; the answer is
  ``row col``. Neither the request nor the answer had a line end.
- When the game is over, all players get such a line with flag 1, and hang up: a connection plays one game.

This session ends a request with a line end, which those clients read as a space. ``docs/protocols.md`` has the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from hinterland.errors import quote
from hinterland.referee.protocol.hps import HpsSession, encode_numbers
from hinterland.referee.protocol.names import DEFAULT_NAME
from hinterland.referee.protocol.session import Inbound, Introduction, Moves, Seating
from hinterland.referee.verdicts import Illegal


class Hps2016Session(HpsSession):
    """One player's side of protocol hps-2016."""

    protocol: ClassVar[str] = "hps-2016"
    says_name: ClassVar[bool] = False
    number_is_final: ClassVar[bool] = False
    has_weights: ClassVar[bool] = False
    has_tokens: ClassVar[bool] = False
    games: ClassVar[int | None] = 1
    illegal: ClassVar[Illegal] = Illegal.FORFEIT
    habits: ClassVar[str] = "players send no name · a match is one game · text after the numbers of a move is ignored"

    def take_unfinished(self) -> Sequence[Inbound]:
        """Take the first silence as the introduction, since no player sends one; later, take an unfinished answer."""
        if self.is_closed or self.has_introduced:
            return super().take_unfinished()
        self.has_introduced = True
        return (Introduction(DEFAULT_NAME),)

    def greet(self, seating: Seating) -> bytes:
        """Send nothing. Raises HinterlandError as in hps."""
        super().greet(seating)
        return b""

    def _encode_state(self, flag: int, scores: Sequence[int], moves: Moves, weight_left: int | None) -> bytes:  # noqa: ARG002
        numbers = self._playing.numbers
        words = [flag, len(moves)]
        for seat, move in moves:
            words += [*move.numbers[:2], numbers[seat] + 1]
        return encode_numbers(*words)

    def _name_other_protocol(self, text: str) -> str:
        return "; only in protocol hps a name is sent" if text[0].isalpha() else super()._name_other_protocol(text)

    def _understand(self, text: str, stamp_ns: int) -> Sequence[Inbound]:
        if self.has_introduced:
            return super()._understand(text, stamp_ns)
        return (self._count_stray(f"a line before the first request: {quote(text)}"),)
