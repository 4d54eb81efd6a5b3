"""The course's protocol of autumn 2018: JSON objects, without ids.

Its rules are known from the server, the sample client and the README of the public repository
herbertli/Gravitational_Voronoi, and from a player's program of that year in dogedogethedoge/tmp:

- The server begins: ``{"num_players": 2, "num_stones": 10, "player_number": 1}``, players from 1. The player answers
  with ``{"player_name": "…"}``, once for the whole match.
- A request is ``{"game_over": false, "scores": [0, 0], "moves": [], "remaining_time": 120.0}``, with the seconds that
  are left, the scores by player number, and the moves since the player's own last move as ``[row, col, player]``. The
  answer is ``{"move_row": 500, "move_col": 500}``; the server applied ``int`` to each value and ignored all other keys.
- When the game is over, all players get such an object with ``"game_over": true``; the next game follows.

The old server sent the newest move first, against its README; this session sends the oldest first.
``docs/protocols.md`` has the rest.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from hinterland.errors import BadText, quote
from hinterland.referee.protocol.bounded_json import read_object
from hinterland.referee.protocol.framing import Framer
from hinterland.referee.protocol.hps import NUMBER, HpsSession
from hinterland.referee.protocol.session import InboundLimits, Introduction, MoveRequest, Moves, Seating
from hinterland.referee.verdicts import Illegal

LINE_END, QUOTE, BACKSLASH, OPENS, CLOSES = b'\n"\\{}'
LINE_END_SPACES = bytes.maketrans(b"\n\r", b"  ")
PLACE_KEYS = ("move_row", "move_col")


class ObjectFramer(Framer):
    """Cuts bytes into JSON objects that nothing separates: an object ends with its last closing bracket.

    Each object becomes one line; text between objects is cut into lines. The limits on lines also hold for objects.
    """

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


class Hps2018Session(HpsSession):
    """One player's side of protocol hps-2018."""

    protocol: ClassVar[str] = "hps-2018"
    has_weights: ClassVar[bool] = False
    has_tokens: ClassVar[bool] = False
    illegal: ClassVar[Illegal] = Illegal.SKIP
    ends_in_silence: ClassVar[bool] = False
    habits: ClassVar[str] = "only move_row and move_col of a move are read"

    def __init__(self, limits: InboundLimits | None = None) -> None:
        super().__init__(limits)
        self.framer = ObjectFramer(self.limits)
        self._left_ms: int | None = None

    def greet(self, seating: Seating) -> bytes:
        """Send the number of players and stones, and the player's number. Raises HinterlandError as in hps."""
        super().greet(seating)
        players, stones = self._game_words
        number = 0 if seating.number is None else seating.number + 1
        return _encode_object(num_players=players, num_stones=stones, player_number=number)

    def request_move(self, request: MoveRequest) -> bytes:
        """Ask for a move, with the seconds that are left. Bytes that came before the request are dropped."""
        clock = request.clock
        self._left_ms = clock.move_ms if clock.left_ms is None else clock.left_ms
        return super().request_move(request)

    def _encode_state(self, flag: int, scores: Sequence[int], moves: Moves, weight_left: int | None) -> bytes:  # noqa: ARG002
        by_number = [score for _, score in sorted(zip(self._playing.numbers, scores, strict=True))]
        news = list(self._list_news(moves))
        return _encode_object(
            game_over=bool(flag),
            scores=by_number,
            moves=[news[place : place + 3] for place in range(0, len(news), 3)],
            remaining_time=None if self._left_ms is None else self._left_ms / 1000,
        )

    def _read_introduction(self, text: str) -> Introduction:
        name = read_object(text).get("player_name")
        if not isinstance(name, str):
            raise BadText(f'the first words are {{"player_name": "YOUR NAME"}}; {quote(text)} is not')
        return Introduction(name)

    def _read_move(self, text: str) -> tuple[int, ...] | None:
        """Return row and column, read as the course's server read them; None unless both are given."""
        try:
            fields = read_object(text)
            row, col = (_read_whole_number(fields[key]) for key in PLACE_KEYS)
        except (BadText, KeyError):
            return None
        return row, col

    def _describe_form(self) -> str:
        return 'a move is written {"move_row": 5, "move_col": 6}'


def _encode_object(**fields: Any) -> bytes:
    return (json.dumps(fields) + "\n").encode()


def _read_whole_number(value: object) -> int:
    """Return what Python's ``int`` makes of a number or of digits. Raises BadText for anything else."""
    if isinstance(value, str) and NUMBER.fullmatch(value.strip()):
        return int(value)
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 2**53:
        return int(value)
    raise BadText(f"a whole number was expected, not {quote(value)}")
