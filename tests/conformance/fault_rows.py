"""The rows of the suite: the fault, its author, the carriers, and what the referee must do."""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

__all__ = ["CARRIERS", "ROWS", "Carrier", "FaultRow", "Way"]

Carrier = Literal["tcp", "websocket", "pipes", "sandbox", "tables", "record", "watch", "arena"]
CARRIERS: tuple[Carrier, ...] = get_args(Carrier)
Way = Literal[
    "hps", "json", "websocket", "pipes", "sandbox", "table", "table websocket", "recorded", "recorded sandbox",
    "watch", "arena",
]  # fmt: skip
"""A carrier with the protocol spoken over it. A case of the suite is a row over a way.

``table``: players at a table of an arena; ``recorded``: programs of ``match --record``; ``watch``, ``arena``: on a page
of a referee or of an arena.
"""
Due = Literal["clock", "question", "hello", "connect", "start", "never"]
Role = Literal["player", "guest", "person", "disk"]
IN_BYTES: tuple[Way, ...] = ("hps", "json", "table", "pipes", "sandbox", "recorded")
"""Carriers of bytes that can be cut anywhere; over a WebSocket a line is a frame."""
IN_JSON: tuple[Way, ...] = ("json", "websocket", "table", "table websocket", "pipes", "sandbox", "recorded")
EVERYWHERE: tuple[Way, ...] = ("hps", *IN_JSON)
BY_BONUS: tuple[Way, ...] = EVERYWHERE[:-1]
"""A recorded match has no increment."""
STREAMS: tuple[Way, ...] = ("hps", "json", "table")
TOKENS: tuple[Way, ...] = ("json", "websocket", "table", "table websocket")
NETWORK: tuple[Way, ...] = ("hps", *TOKENS)
PROGRAMS: tuple[Way, ...] = ("pipes", "sandbox", "recorded", "recorded sandbox")
SANDBOXED: tuple[Way, ...] = ("sandbox", "recorded sandbox")
PAGES: tuple[Way, ...] = ("watch", "arena")

SHORT_MS, PAGE_MS, LONG_MS, AMPLE_MS = 500, 1200, 2000, 3000
"""Time of a player for a game: it must run out; it must run out while a page is attacked; it must suffice for a game;
it must never run out, even on a busy machine."""
FEW, MANY = 10, 60
"""Numbers of connections of a guest."""


class FaultRow(msgspec.Struct, frozen=True, kw_only=True):
    """One fault, by a hostile player, by somebody beside the board, or by the disk."""

    number: int
    """Number of the fault in ``docs/faults.md``; 0 is the control, in which nothing is wrong."""
    name: str
    """The fault in words, a short line."""
    misbehaviour: str
    """The misbehaviour, as in ``scripts/``."""
    expected: tuple[str, ...]
    """Fate of the hostile player in the first game and, if given, the second; ``|`` separates alternatives.

    For a guest or a person: fate of the seat that is to move meanwhile, and then of the guest."""
    role: Role = "player"
    """The author: guests look at a page, persons hold a key; the disk is that of a record."""
    ways: tuple[Way, ...]
    """The carriers and protocols."""
    due: Due = "question"
    """From when the verdict is due: the end of its time, the request, the end of the time for a name, the connection,
    the start of the match."""
    tokens: bool = False
    """Whether players show tokens."""
    increment_ms: int = 0
    """Added to the clock after each move."""
    clock_ms: int
    """Time of each player for a game."""
    moves: int = 0
    """Moves of the hostile player in the first game before its fault."""
    connections: int = 1
    """Number of connections it opens."""
    is_alone: bool = False
    """Whether it floods from one address at full speed, so that no second such run may go on meanwhile."""
    program: str = ""
    """Program to start in place of the hostile player's script."""


def _row(
    number: int, misbehaviour: str, name: str, expected: str, ways: tuple[Way, ...] = EVERYWHERE, **more: object
) -> FaultRow:
    row = {"number": number, "misbehaviour": misbehaviour, "name": name, "expected": expected.split(", "), "ways": ways}
    clock_ms = SHORT_MS if more.get("due") == "clock" else AMPLE_MS
    return msgspec.convert({**row, "clock_ms": clock_ms, **more}, FaultRow)


def _guest(number: int, misbehaviour: str, name: str, becomes: str, **more: object) -> FaultRow:
    """Return a row in which a guest looks at a page while a player's clock runs out."""
    expected = f"time, {becomes}"
    return _row(number, misbehaviour, name, expected, PAGES, role="guest", due="clock", clock_ms=PAGE_MS, **more)


def _person(misbehaviour: str, name: str, becomes: str, **more: object) -> FaultRow:
    """Return a row in which a person in a match of the arena misbehaves while that person's clock runs out."""
    expected = f"time, {becomes}"
    return _row(54, misbehaviour, name, expected, ("arena",), role="person", due="clock", clock_ms=PAGE_MS, **more)


def _disk(misbehaviour: str, name: str, expected: str = "stopped") -> FaultRow:
    """Return a row in which the file is changed between the first record and the second."""
    return _row(55, misbehaviour, name, expected, ("recorded",), role="disk", due="never", clock_ms=2 * LONG_MS)


ROWS: tuple[FaultRow, ...] = (
    _row(0, "plays", "nothing wrong (the control)", "complete, complete", due="never"),
    _row(0, "plays_slowly", "half of the clock spent (a control)", "complete, complete", due="never", clock_ms=LONG_MS),
    _row(1, "never_answers", "never answers", "time", due="clock"),
    _row(2, "drips", "bytes drip, no line end", "time", IN_BYTES, due="clock"),
    _row(3, "comments", "comments without end", "time", IN_JSON, due="clock"),
    _row(4, "endless_line", "a line without end", "oversize", IN_BYTES),
    _row(5, "short_lines", "a flood of short lines", "flood"),
    _row(6, "long_line", "one line of 16 MB", "oversize"),
    _row(7, "no_line_end", "an answer without line end, then the end", "disconnect", STREAMS),
    _row(7, "no_line_end", "an answer without line end, then the end", "crash", PROGRAMS),
    _row(8, "byte_by_byte", "an answer in packets of one byte", "complete", IN_BYTES, due="never"),
    _row(9, "two_in_a_packet", "two messages in one packet", "complete", IN_BYTES, due="never"),
    _row(10, "spaces_and_crlf", "CRLF and spaces", "complete", due="never"),
    _row(10, "byte_order_mark", "a byte order mark", "protocol"),
    _row(11, "invalid_utf8", "bytes that are not UTF-8", "protocol"),
    _row(11, "nul", "a NUL", "protocol"),
    _row(11, "terminal_codes", "codes for a terminal", "protocol"),
    _row(11, "half_a_character", "half of a surrogate pair", "protocol"),
    _row(12, "deep_json", "arrays 4,000 deep", "protocol", IN_JSON),
    _row(12, "huge_number", "a number of 3,900 digits", "protocol", IN_JSON),
    _row(12, "not_a_number", "NaN", "protocol", IN_JSON),
    _row(12, "infinite", "1e400", "protocol", IN_JSON),
    _row(12, "a_key_twice", "a key twice", "protocol", IN_JSON),
    _row(12, "no_message", "a message of no known type", "protocol", IN_JSON),
    _row(12, "bool_for_a_number", "true for a number", "illegal"),
    _row(13, "fraction", "a fraction for a coordinate", "illegal"),
    _row(13, "text_for_a_number", "text for a coordinate", "illegal"),
    _row(13, "one_number", "one coordinate", "illegal"),
    _row(13, "negative", "a negative coordinate", "illegal"),
    _row(13, "off_the_board", "a place off the board", "illegal"),
    _row(13, "taken_cell", "an occupied place", "illegal"),
    _row(13, "too_near", "a place too near", "illegal"),
    _row(14, "before_the_question", "answers before the question", "complete", due="never"),
    _row(14, "many_strays", "17 answers in a row to no request", "protocol", moves=1),
    _row(15, "answers_late", "a late answer, into the next game", "time, complete", due="clock", clock_ms=2000),
    _row(16, "everything_twice", "every answer twice", "complete", due="never"),
    _row(17, "answers_in_the_last_moment", "an answer just before the flag", "complete", due="never", clock_ms=2500),
    _row(18, "lives_on_the_increment", "late, but for the increment", "time", BY_BONUS, due="clock", increment_ms=5000),
    _row(22, "closes", "hangs up when asked", "disconnect", NETWORK),
    _row(22, "comes_back", "comes back with its token", "complete", TOKENS, due="never", tokens=True),
    _row(23, "resets", "resets the connection", "disconnect", NETWORK),
    _row(24, "stops_reading", "stops reading", "time", NETWORK, due="clock"),
    _row(25, "comes_twice", "one token, two connections", "complete", TOKENS, due="never", tokens=True),
    _row(26, "says_nothing", "connects and says no name", "no name", NETWORK, due="hello"),
    _row(26, "crowd", "fifty come without a name", "no name", TOKENS, due="hello", tokens=True, connections=50),
    _row(27, "slow_name", "drips its introduction", "no name", STREAMS, due="hello"),
    _row(28, "wrong_token", "a wrong token", "unknown token", TOKENS, due="connect", tokens=True),
    _row(28, "half_a_token", "a truncated token", "unknown token", TOKENS, due="connect", tokens=True),
    _row(28, "no_token", "no token", "unknown token", TOKENS, due="connect", tokens=True),
    _row(29, "http", "a browser at the port", "not protocol", STREAMS, due="connect"),
    _row(29, "tls", "TLS at the port", "not protocol", STREAMS, due="connect"),
    _row(29, "telnet", "telnet at the port", "not protocol", STREAMS, due="connect"),
    _row(30, "exits_0", "exits with status 0", "crash", PROGRAMS),
    _row(30, "exits_1", "exits with status 1", "crash", PROGRAMS),
    _row(30, "segfaults", "dies of SIGSEGV", "crash", PROGRAMS),
    _row(30, "is_killed", "is killed", "crash", PROGRAMS),
    _row(31, "leaves_a_child", "exits, a child holds its pipes", "crash", PROGRAMS),
    _row(32, "runs_away", "ignores signals, setsid, double fork", "time", PROGRAMS, due="clock"),
    _row(33, "stops_itself", "SIGSTOPs itself", "time", PROGRAMS, due="clock"),
    _row(34, "multiplies", "a fork bomb", "crash|time", PROGRAMS, due="clock"),
    _row(34, "takes_memory", "takes 50 GB", "crash|time", PROGRAMS, due="clock"),
    _row(34, "fills_the_disk", "fills the disk", "crash|time", PROGRAMS, due="clock"),
    _row(34, "burns", "burns the processor on others' turns", "complete", PROGRAMS, due="never"),
    _row(35, "pries", "looks for files, processes, the network", "complete", SANDBOXED, due="never"),
    _row(36, "missing", "no such program", "start", PROGRAMS, due="start", program="/nowhere/no-such-program"),
    _row(36, "not_executable", "a file that is not executable", "start", PROGRAMS, due="start", program="__init__.py"),
    _row(36, "says_nothing_at_all", "starts and says no name", "start", PROGRAMS, due="hello"),
    _row(37, "exits_1", "crashes in every game", "crash, crash", PROGRAMS),
    _guest(51, "never_reads", "watches and never reads", "let be"),
    _guest(51, "pings", "a flood of pings", "cut off"),
    _guest(51, "pongs", "a flood of pongs", "cut off"),
    _guest(51, "fragments", "a flood of empty fragments", "cut off"),
    _guest(51, "texts", "a flood of messages", "cut off"),
    _guest(51, "half_a_handshake", "half a handshake", "cut off"),
    _guest(51, "bad_utf8", "messages that are not UTF-8", "cut off"),
    _guest(51, "giant_frame", "a frame of a terabyte", "cut off"),
    _guest(51, "reconnects", "connects without end", "cut off", connections=MANY, is_alone=True),
    _guest(52, "slow_headers", "headers byte by byte", "cut off", connections=FEW),
    _guest(52, "slow_body", "a body byte by byte", "cut off", connections=FEW),
    _guest(52, "idle_sockets", "a crowd of idle sockets", "cut off", connections=MANY),
    _guest(52, "pipelines", "200 requests at once, no answer read", "cut off", is_alone=True),
    _guest(53, "asks_for_pages", "pages without end", "refused|cut off", connections=FEW, is_alone=True),
    _person("forged_keys", "moves and resigns with forged keys", "refused"),
    _person("a_key_of_elsewhere", "moves with a key of another table", "refused"),
    _person("moves_out_of_turn", "moves out of turn", "refused", moves=1),
    _person("bad_json", "messages that make no sense", "cut off"),
    _person("two_tabs", "plays in two tabs at once", "refused", moves=1),
    _person("leaves", "leaves in the middle of a game", "gone"),
    _disk("disk_full", "the disk is full"),
    _disk("renamed", "the file of records is renamed"),
    _disk("deleted", "the file of records is deleted"),
    _disk("truncated", "the file of records is cut short"),
    _disk("taken", "another process writes the file", "refused"),
)
"""All rows, in the order of the faults."""
