"""Protocol ``hinterland-json/1``: one JSON object a line, for every game and every carrier.

Every request carries the game's id and a turn number. An answer must repeat both, so that it cannot be taken for the
answer to another request. ``docs/protocols.md`` has the full description.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, ClassVar

import msgspec

from hinterland.contract import Move, Position, Rules
from hinterland.errors import BadText, quote
from hinterland.referee.protocol import messages, session
from hinterland.referee.protocol.bounded_json import read_object
from hinterland.referee.protocol.line_session import LineSession
from hinterland.referee.protocol.names import clean_name
from hinterland.referee.protocol.note_taker import NoteTaker
from hinterland.referee.verdicts import Illegal

MAX_IGNORED_NOTICES = 16
"""Most ``ignored`` messages that one player gets in a game."""
COMMENT = session.Ignored("a comment")
COMMENT_START = re.compile(r'\s*\{\s*"type"\s*:\s*"info"\s*[,}]')
"""Beginning of a message ``info``. A fault of its numbers, or its length, is no breach of the protocol."""
COMMENT_START_BYTES = re.compile(COMMENT_START.pattern.encode())


class JsonSession(LineSession):
    """One player's side of protocol hinterland-json/1."""

    protocol: ClassVar[str] = "json"
    has_turn_numbers: ClassVar[bool] = True
    number_is_final: ClassVar[bool] = False
    announces_games: ClassVar[bool] = True
    illegal: ClassVar[Illegal] = Illegal.FORFEIT
    habits: ClassVar[str] = ""

    def __init__(self, limits: session.InboundLimits | None = None) -> None:
        super().__init__(limits)
        self.framer.skippable = COMMENT_START_BYTES
        self._notes = NoteTaker()
        self._skipped = 0
        self._move_type: type[Move] | None = None
        self._late: tuple[str, int] | None = None
        self._ignored = 0

    def greet(self, seating: session.Seating) -> bytes:
        """Send the rules and the player's number."""
        self.expect(seating.rules)
        hello = messages.RefereeHello(
            protocol=messages.PROTOCOL,
            game=seating.rules.game,
            rules=msgspec.to_builtins(seating.rules),
            player=seating.number,
            needs_token=seating.needs_token,
        )
        return messages.encode(hello)

    def expect(self, rules: Rules) -> None:
        """Take the rules, so that moves can be read. Send nothing: the message ``game`` holds the rules."""
        self._move_type = _move_type(rules)

    def welcome(self, number: int, name: str) -> bytes:
        return messages.encode(messages.Welcome(number, name))

    def start(self, start: session.Start) -> bytes:
        super().start(start)
        terms = start.terms
        self._move_type = _move_type(terms.rules)
        self._ignored = 0
        self._notes.begin_game(terms.rules)
        begins = messages.GameBegins(
            game_id=start.game_id,
            number=terms.number,
            of=terms.games,
            game=terms.rules.game,
            rules=msgspec.to_builtins(terms.rules),
            seat=start.seat,
            players=terms.names,
            clock=terms.clock,
            grace_ms=start.grace_ms,
            seed=msgspec.UNSET if terms.seed is None else terms.seed_of_seat(start.seat),
        )
        return messages.encode(begins)

    def request_move(self, request: session.MoveRequest) -> bytes:
        super().request_move(request)
        self._notes.begin()
        turn = messages.MoveRequest(
            game_id=self._playing.game_id,
            turn=request.turn,
            seat=self._playing.seat,
            moves=_plain_moves(request.moves),
            scores=request.scores,
            clock=request.clock,
            between=request.between or msgspec.UNSET,
            weight_left=msgspec.UNSET if request.weight_left is None else request.weight_left,
        )
        return messages.encode(turn)

    def repeat_request(self, code: str, detail: str) -> bytes:
        if self._echo is None:
            return b""
        self._is_open = True
        self._notes.begin()
        return messages.encode(messages.RefusedMove(*self._echo, code, detail))

    def withdraw_request(self) -> None:
        if self._is_open:
            self._late = self._echo
        self._is_open = False
        self._notes.close()

    def report_ignored(self, ignored: session.Ignored) -> bytes:
        """Report that a message was ignored, unless it was a comment or the game has had too many reports."""
        if ignored == COMMENT or self._ignored == MAX_IGNORED_NOTICES:
            return b""
        self._ignored += 1
        return messages.encode(messages.IgnoredAnswer(ignored.detail))

    def end_game(self, over: session.GameEnd) -> bytes:
        self.withdraw_request()
        message = messages.GameOver(
            game_id=self._playing.game_id,
            moves=_plain_moves(over.moves),
            scores=over.ending.scores,
            winners=over.ending.winners,
            reason=over.ending.reason,
            detail=over.ending.detail,
            departures=over.departures,
        )
        return messages.encode(message)

    def dismiss(self, farewell: session.Farewell) -> bytes:
        bye = messages.Bye(farewell.detail, farewell.names, farewell.totals, farewell.winners)
        return self._make_refusal(farewell.detail) or messages.encode(bye)

    @property
    def _echo(self) -> tuple[str, int] | None:
        """Game id and turn number of the last request, which an answer must repeat."""
        return None if self._request is None else (self._playing.game_id, self._request.turn)

    def _understand(self, text: str, stamp_ns: int) -> Sequence[session.Inbound]:
        values = read_object(text, any_number=COMMENT_START.match(text) is not None)
        if values.get("type") == "info":
            return (_make_comment(self._notes.take(values)),)
        match _read_message(values):
            case messages.Join(name, token, version):
                self.version = clean_name(version, ()) if version.strip() else ""
                return self._take_join(name, token)
            case messages.MoveAnswer() as answer:
                return self._take_answer(answer, stamp_ns)

    def _report_skipped(self) -> Sequence[session.Inbound]:
        skipped, self._skipped = self.framer.skipped - self._skipped, self.framer.skipped
        return [_make_comment(self._notes.tell_skipped()) for _ in range(skipped)]

    def _take_join(self, name: str, token: str | None) -> Sequence[session.Inbound]:
        if self.has_introduced:
            return (self._count_stray("a second join"),)
        self.has_introduced = True
        return (session.Introduction(name, token),)

    def _take_answer(self, answer: messages.MoveAnswer, stamp_ns: int) -> Sequence[session.Inbound]:
        if not self.has_introduced:
            raise BadText('the first message is {"type":"join","name":…}, not a move')
        echoed = (answer.game_id, answer.turn)
        if echoed == self._late:
            self._late = None
            return (session.Ignored(f"an answer to turn {answer.turn} that came too late", is_late_answer=True),)
        if echoed != self._echo or not self._is_open:
            return (self._count_stray(self._explain_ignored(answer)),)
        self._is_open = False
        self._strays = 0
        self._notes.close()
        return (self._make_reply(answer, stamp_ns),)

    def _make_reply(self, answer: messages.MoveAnswer, stamp_ns: int) -> session.Inbound:
        numbers = answer.move
        if not isinstance(numbers, list) or not all(type(number) is int for number in numbers):
            detail = f"a move is an array of whole numbers, not {quote(numbers)}"
            return session.UnreadableReply(answer.turn, "not_a_move", detail, stamp_ns)
        try:
            if self._move_type is not None:
                self._move_type.from_numbers(numbers)
        except BadText as error:
            return session.UnreadableReply(answer.turn, "not_a_move", str(error), stamp_ns)
        return session.MoveReply(answer.turn, tuple(numbers), stamp_ns, self._notes.text, self._notes.marks)

    def _explain_ignored(self, answer: messages.MoveAnswer) -> str:
        given = f"an answer to turn {answer.turn} of game {quote(answer.game_id)}"
        if self._echo is None:
            return f"{given}; no move was requested yet"
        game_id, turn = self._echo
        asked = f"{given}; the last request was turn {turn} of game {quote(game_id)}"
        return asked if self._is_open else f"{asked}, and no answer is awaited"


def _make_comment(left_out: str) -> session.Ignored:
    return session.Ignored(left_out) if left_out else COMMENT


def _read_message(values: dict[str, Any]) -> messages.Join | messages.MoveAnswer:
    """Read a message that is no comment. Raises BadText for any error, in words that are safe to print."""
    try:
        message: messages.Join | messages.MoveAnswer = msgspec.convert(values, messages.Join | messages.MoveAnswer)
    except msgspec.ValidationError as error:
        raise BadText(f"not a message of {messages.PROTOCOL}: {quote(str(error), 160)[1:-1]}") from None
    return message


def _move_type(rules: Rules) -> type[Move]:
    position: Position[Any, Any] = rules.start()
    return position.move_type


def _plain_moves(moves: session.Moves) -> Any:
    return tuple((seat, move.numbers) for seat, move in moves)
