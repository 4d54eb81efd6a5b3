"""The line protocol of the architecture course, for games in which players place stones.

Its lines of words and numbers carry no ids, so an answer belongs to the open request. Bytes that came before a request
are therefore dropped. Silence ends an answer that has no line end. Answers are read as the course's servers read them:
the numbers of a move, and nothing after them. ``docs/protocols.md`` has the full description.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from hinterland.contract import Rules, StoneRules
from hinterland.errors import BadText, HinterlandError, quote
from hinterland.referee.protocol import session
from hinterland.referee.protocol.framing import decode_line
from hinterland.referee.protocol.line_session import LineSession
from hinterland.referee.protocol.misconnections import NOT_PROTOCOL, guess_protocol
from hinterland.referee.verdicts import Illegal, Verdict

NUMBER = re.compile(r"-?[0-9]{1,15}")
SPACES = re.compile(r"[ \t]+")
MIN_WEIGHT = 1
OUT_OF_TIME_SCORE, WITHDRAWN_SCORE = -2, -1
"""Scores that a game's last line shows for a seat that was late, and for a seat that left for another reason."""


class HpsSession(LineSession):
    """One player's side of protocol hps."""

    protocol: ClassVar[str] = "hps"
    has_turn_numbers: ClassVar[bool] = False
    illegal: ClassVar[Illegal] = Illegal.RETRY
    ends_in_silence: ClassVar[bool] = True
    """Whether silence ends an answer without a line end."""
    habits: ClassVar[str] = "text after the numbers of a move is ignored · weight 0 counts as 1"

    def __init__(self, limits: session.InboundLimits | None = None) -> None:
        super().__init__(limits)
        self._needs_token = False
        self._is_weighted = False
        self._is_late = False
        self._has_asked = False
        self._told = 0
        self._game_words: tuple[int | None, ...] = ()
        self._owes_number = False

    @property
    def quiet_at_ns(self) -> int | None:
        if self.is_closed or not (self.ends_in_silence and self._is_whole(self.framer.unfinished.rstrip(b"\r"))):
            return None
        return self.framer.last_ns + self.limits.quiet_ns

    def take_unfinished(self) -> Sequence[session.Inbound]:
        if self.quiet_at_ns is None:
            return ()
        return self._feed_line(self.framer.take(), self.framer.last_ns)

    def greet(self, seating: session.Seating) -> bytes:
        """Send the number of players and stones, the weight if stones have one, and the player's number.

        Raises HinterlandError for a game without stones, or with weights if the protocol cannot express them.
        """
        self._needs_token = seating.needs_token
        self.expect(seating.rules)
        self._owes_number = seating.number is None
        return encode_numbers(*self._game_words, 0 if seating.number is None else seating.number + 1)

    def expect(self, rules: Rules) -> None:
        """Take the rules, from which the first line is made. Raises HinterlandError as ``greet`` does."""
        if not isinstance(rules, StoneRules):
            raise HinterlandError(f"protocol {self.protocol} is for games with stones; {rules.game} has none")
        self._is_weighted = _read_weight(rules) is not None
        if self._is_weighted and not self.has_weights:
            raise HinterlandError(f"protocol {self.protocol} cannot express weights")
        self._game_words = (rules.players, rules.stones, *((_read_weight(rules),) if self._is_weighted else ()))

    def welcome(self, number: int, name: str) -> bytes:  # noqa: ARG002
        """Repeat the first line with the player's number, if a token decided that number; else send nothing."""
        return encode_numbers(*self._game_words, number + 1) if self._owes_number else b""

    def start(self, start: session.Start) -> bytes:
        """Begin a game, but send nothing: this protocol announces no game."""
        self._is_weighted = _read_weight(start.terms.rules) is not None
        self._has_asked = False
        self._told = 0
        return super().start(start)

    def request_move(self, request: session.MoveRequest) -> bytes:
        """Ask for a move. Bytes that came before the request are dropped."""
        self._drop_unfinished()
        super().request_move(request)
        self._is_late = False
        line = self._encode_state(0, request.scores, request.moves, request.weight_left)
        self._has_asked = True
        return line

    def repeat_request(self, code: str, detail: str) -> bytes:  # noqa: ARG002
        """Repeat the request without moves, since the player knows them. Bytes that came before this are dropped."""
        if self._request is None:
            return b""
        self._drop_unfinished()
        self._is_open = True
        return self._encode_state(0, self._request.scores, self._request.moves, self._request.weight_left)

    def withdraw_request(self) -> None:
        self._is_late = self._is_late or self._is_open
        self._is_open = False

    def end_game(self, over: session.GameEnd) -> bytes:
        """Announce the end of a game, with the last scores and the moves not yet sent."""
        self.withdraw_request()
        scores = list(over.ending.scores)
        for departed in over.departures:
            scores[departed.seat] = OUT_OF_TIME_SCORE if departed.reason is Verdict.TIME else WITHDRAWN_SCORE
        seat, weight = self._playing.seat, _read_weight(self._playing.terms.rules)
        if weight is not None:
            weight -= sum(_stone_numbers(move)[2] for mover, move in over.moves if mover == seat)
        return self._encode_state(1, scores, over.moves, weight)

    def dismiss(self, farewell: session.Farewell) -> bytes:
        """Send the reason in one line; send nothing if the match has a result."""
        if farewell.names:
            return b""
        detail = " ".join(farewell.detail.split())
        return self._make_refusal(detail) or f"{detail}\n".encode()

    def _encode_state(self, flag: int, scores: Sequence[int], moves: session.Moves, weight_left: int | None) -> bytes:
        numbers = self._playing.numbers
        by_number = [score for _, score in sorted(zip(numbers, scores, strict=True))]
        weight = () if weight_left is None else (weight_left,)
        return encode_numbers(flag, *weight, *by_number, *self._list_news(moves))

    def _list_news(self, moves: session.Moves) -> Iterable[int]:
        """List the moves of others that were not yet sent; after a reconnection also the player's own moves."""
        seat, numbers = self._playing.seat, self._playing.numbers
        news = []
        for mover, move in moves[self._told :]:
            if mover != seat or not self._has_asked:
                news += [*(_stone_numbers(move) if self._is_weighted else move.numbers[:2]), numbers[mover] + 1]
        self._told = len(moves)
        return news

    def _drop_unfinished(self) -> None:
        """Drop an unfinished line: it was sent before the request."""
        if self.framer.take().strip():
            self._strays += 1

    def _is_whole(self, line: bytes) -> bool:
        """Say whether a line without its end can be a complete answer."""
        try:
            text = decode_line(line)
        except BadText:
            return False
        if not self.has_introduced:
            return self.says_name and bool(text)
        return (self._is_open or self._is_late) and self._read_move(text) is not None

    def _read_move(self, text: str) -> tuple[int, ...] | None:
        """Return the numbers of a move, ignoring the rest of the line; None if there are too few numbers."""
        needed = 2 + self._is_weighted
        words = SPACES.split(text, needed)[:needed]
        if len(words) < needed or not all(map(NUMBER.fullmatch, words)):
            return None
        row, col, *weight = map(int, words)
        return (row, col, *(spent or MIN_WEIGHT for spent in weight))

    def _understand(self, text: str, stamp_ns: int) -> Sequence[session.Inbound]:
        if not self.has_introduced:
            self.has_introduced = True
            return (self._read_introduction(text),)
        numbers = self._read_move(text)
        if self._is_open and self._request is not None:
            self._is_open = False
            self._strays = 0
            if numbers is not None:
                return (session.MoveReply(self._request.turn, numbers, stamp_ns),)
            detail = f"{self._describe_form()}; {quote(text)} is not{self._name_other_protocol(text)}"
            return (session.UnreadableReply(self._request.turn, "not_a_move", detail, stamp_ns),)
        if self._is_late:
            self._is_late = False
            return (session.Ignored(f"an answer that came too late: {quote(text)}", is_late_answer=True),)
        ignored = f"a line that was not asked for: {quote(text)}"
        return (session.Ignored(ignored) if numbers is None else self._count_stray(ignored),)

    def _describe_form(self) -> str:
        return f"a move is written as whole numbers, {'row col weight' if self._is_weighted else 'row col'}"

    def _name_other_protocol(self, text: str) -> str:
        """Return words that name another protocol, if the line seems to belong to one; else an empty text."""
        other = guess_protocol(text.encode())
        return f"; it seems to be of protocol {other}" if other not in (None, self.protocol) else ""

    def _read_introduction(self, text: str) -> session.Introduction:
        if guess_protocol(text.encode()) == "hps":
            raise BadText(f"{NOT_PROTOCOL}: {quote(text)} is a move; protocol hps begins with a name, hps-2016 without")
        name, space, token = text.replace("\t", " ").rpartition(" ")
        return session.Introduction(name.strip(), token) if self._needs_token and space else session.Introduction(text)


def encode_numbers(*numbers: int | None) -> bytes:
    """Return numbers as a line."""
    return (" ".join(map(str, numbers)) + "\n").encode()


def _read_weight(rules: Rules) -> int | None:
    """Return the total weight of a player's stones; None in a game without weights."""
    return rules.weight if isinstance(rules, StoneRules) else None


def _stone_numbers(move: Any) -> tuple[int, int, int]:
    """Return row, column and weight of a stone; the weight is 1 if the stone has none."""
    row, col, weight = (*move.numbers, 1)[:3]
    return row, col, weight
