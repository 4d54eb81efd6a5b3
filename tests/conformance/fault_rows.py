"""The rows of the suite: which fault, who commits it, over what, and what the referee must make of it."""

from __future__ import annotations

from typing import Literal

import msgspec

__all__ = ["CARRIERS", "ROWS", "Carrier", "FaultRow", "Way"]

Carrier = Literal["tcp", "pipes", "sandbox"]
CARRIERS: tuple[Carrier, ...] = ("tcp", "pipes", "sandbox")
Way = Literal["hps", "json", "pipes", "sandbox"]
"""A carrier with the protocol spoken over it. A case of the suite is a row over a way."""
Due = Literal["clock", "question", "hello", "connect", "start", "never"]
EVERYWHERE: tuple[Way, ...] = ("hps", "json", "pipes", "sandbox")
IN_JSON: tuple[Way, ...] = ("json", "pipes", "sandbox")
NETWORK: tuple[Way, ...] = ("hps", "json")
PROGRAMS: tuple[Way, ...] = ("pipes", "sandbox")

SHORT_MS, AMPLE_MS = 500, 3000
"""The time of a player for a game where that has to run out, and where it must not, however busy the machine."""


class FaultRow(msgspec.Struct, frozen=True, kw_only=True):
    """One fault, committed by one hostile player."""

    number: int
    """Of the fault, as in ``docs/faults.md``; 0 is the control, in which nothing is wrong."""
    name: str
    """The fault in words, a short line."""
    misbehaviour: str
    """What the hostile player does, as in ``scripts/``."""
    expected: tuple[str, ...]
    """What becomes of the hostile player in the first game and, where given, the second; ``|`` parts alternatives."""
    ways: tuple[Way, ...]
    """Over what."""
    due: Due = "question"
    """From when the verdict is due: the end of its time, the question, the end of the time for a name, the connection,
    the start of the match."""
    tokens: bool = False
    """Whether players show tokens."""
    increment_ms: int = 0
    """Added to the clock after each move."""
    clock_ms: int
    """How much time each player has for a game."""
    moves: int = 0
    """How many moves the hostile player makes in the first game before it is found out."""
    connections: int = 1
    """How many connections it opens."""
    program: str = ""
    """What is started in the place of the hostile player's script."""


def _row(
    number: int, misbehaviour: str, name: str, expected: str, ways: tuple[Way, ...] = EVERYWHERE, **more: object
) -> FaultRow:
    row = {"number": number, "misbehaviour": misbehaviour, "name": name, "expected": expected.split(", "), "ways": ways}
    clock_ms = SHORT_MS if more.get("due") == "clock" else AMPLE_MS
    return msgspec.convert({**row, "clock_ms": clock_ms, **more}, FaultRow)


ROWS: tuple[FaultRow, ...] = (
    _row(0, "plays", "nothing wrong (the control)", "complete, complete", due="never"),
    _row(1, "never_answers", "never answers", "time", due="clock"),
    _row(2, "drips", "bytes drip, no line end", "time", due="clock"),
    _row(3, "comments", "comments without end", "time", IN_JSON, due="clock"),
    _row(4, "endless_line", "a line without end", "oversize"),
    _row(5, "short_lines", "a flood of short lines", "flood"),
    _row(6, "long_line", "one line of 16 MB", "oversize"),
    _row(7, "no_line_end", "an answer without line end, then the end", "disconnect", NETWORK),
    _row(7, "no_line_end", "an answer without line end, then the end", "crash", PROGRAMS),
    _row(8, "byte_by_byte", "an answer in packets of one byte", "complete", due="never"),
    _row(9, "two_in_a_packet", "two messages in one packet", "complete", due="never"),
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
    _row(14, "many_strays", "17 answers in a row to no question", "protocol", moves=1),
    _row(15, "answers_late", "a late answer, into the next game", "time, complete", due="clock", clock_ms=2000),
    _row(16, "everything_twice", "every answer twice", "complete", due="never"),
    _row(17, "answers_in_the_last_moment", "an answer just before the flag", "complete", due="never", clock_ms=2500),
    _row(18, "lives_on_the_increment", "late, but for the increment", "time", due="clock", increment_ms=5000),
    _row(22, "closes", "hangs up when asked", "disconnect", NETWORK),
    _row(22, "comes_back", "comes back with its token", "complete", ("json",), due="never", tokens=True),
    _row(23, "resets", "resets the connection", "disconnect", NETWORK),
    _row(24, "stops_reading", "stops reading", "time", NETWORK, due="clock"),
    _row(25, "comes_twice", "one token, two connections", "complete", ("json",), due="never", tokens=True),
    _row(26, "says_nothing", "connects and says no name", "no name", NETWORK, due="hello"),
    _row(26, "crowd", "fifty come without a name", "no name", ("json",), due="hello", tokens=True, connections=50),
    _row(27, "slow_name", "drips its introduction", "no name", NETWORK, due="hello"),
    _row(28, "wrong_token", "a wrong token", "unknown token", ("json",), due="connect", tokens=True),
    _row(28, "half_a_token", "a truncated token", "unknown token", ("json",), due="connect", tokens=True),
    _row(28, "no_token", "no token", "unknown token", ("json",), due="connect", tokens=True),
    _row(29, "http", "a browser at the door", "not protocol", NETWORK, due="connect"),
    _row(29, "tls", "TLS at the door", "not protocol", NETWORK, due="connect"),
    _row(29, "telnet", "telnet at the door", "not protocol", NETWORK, due="connect"),
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
    _row(35, "pries", "looks for files, processes, the network", "complete", ("sandbox",), due="never"),
    _row(36, "missing", "no such program", "start", PROGRAMS, due="start", program="/nowhere/no-such-program"),
    _row(36, "not_executable", "a file that is not executable", "start", PROGRAMS, due="start", program="__init__.py"),
    _row(36, "says_nothing_at_all", "starts and says no name", "start", PROGRAMS, due="hello"),
    _row(37, "exits_1", "crashes in every game", "crash, crash", PROGRAMS),
)
"""All rows, in the order of the faults."""
