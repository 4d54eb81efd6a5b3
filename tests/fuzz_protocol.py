"""A fuzzer for the input of players: mutates real conversations and cuts them into packets anew.

``python tests/fuzz_protocol.py COUNT [SEED]`` runs it for long; ``test_fuzz.py`` runs it briefly. Every input must give
only Inbound values, buffer at most one line, and cost bounded time.
"""

import random
import re
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import get_args

from hinterland.contract import Clock
from hinterland.gravity import Rules, Stone
from hinterland.referee.game_terms import GameTerms
from hinterland.referee.protocol.hps import HpsSession
from hinterland.referee.protocol.hps_2016 import Hps2016Session
from hinterland.referee.protocol.hps_2018 import Hps2018Session
from hinterland.referee.protocol.json_lines import JsonSession
from hinterland.referee.protocol.names import clean_name
from hinterland.referee.protocol.session import (
    Broken,
    Farewell,
    GameEnd,
    Ignored,
    Inbound,
    InboundLimits,
    Introduction,
    MoveReply,
    MoveRequest,
    Seating,
    Start,
    UnreadableReply,
)
from hinterland.referee.verdicts import Ending, Verdict

KINDS = {"hps": HpsSession, "hps-2016": Hps2016Session, "hps-2018": Hps2018Session, "json": JsonSession}
MAX_SECONDS = 0.5
"""Limit of processor time for one input; usually it takes a thousandth of this."""
LIMITS = InboundLimits()
RULES = (Rules(size=12, stones=3, spacing=2), Rules(size=12, stones=3, spacing=2, weight=9))
TURNS = 4
LATE_TURN = 2
"""A turn whose request is withdrawn before it is answered, in some conversations."""
MOVES = ((0, Stone(3, 4)), (1, Stone(0, 11)))
BREAKING = {Verdict.PROTOCOL, Verdict.OVERSIZE, Verdict.FLOOD}
FAREWELL = Farewell(detail="fare well")
OVER = GameEnd(ending=Ending((144, 0), (0,), "complete", "over"), moves=MOVES, departures=())
PIECES = (
    # ends of lines, control bytes, invalid UTF-8
    b"\n", b"\r\n", b"\r", b"\n\n\n", b" ", b"\t", b"\x00", b"\x1b[31m", b"\x7f", b"\xff\xfb\x01", b"\xef\xbb\xbf",
    b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", "\u202e".encode(), "\u2028".encode(), "e\u0301".encode(),
    "\U0001f600".encode(), b"\\ud800", b"\\ud83d\\ude00", b"\\u0000", b"\\u001b[2J",
    # numbers
    b"-1", b"1e400", b"1.5", b"1e3", b"-0", b"NaN", b"Infinity", b"9" * 16, b"9" * 400, b"9" * 4000,
    # parts of JSON
    b"true", b"null", b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b"[" * 60, b"[" * 4000, b'{"a":' * 50,
    b'"type":"move",', b'"turn":1,', b'"extra":1,', b'"move_row":1,', b'{"player_name":"x"}',
    b'{"move_row":1,"move_col":2}',
    # hostile text
    b"GET / HTTP/1.1\r\n\r\n", b"SSH-2.0-x\r\n", b"\x16\x03\x01\x02\x00\x01", b"<script>alert(1)</script>",
    b"../../etc/passwd", b"x" * 300, b" " * 200, b"3 4", b"x",
)  # fmt: skip
ODD_MOVES = (
    b"1.5", b'"x"', b"null", b"true", b"{}", b"[]", b"[3]", b"[true,1]", b"[1.0,2]", b'["1","2"]', b"[[1],2]",
    b"[-5,999999999]", b"[1,2,3,4,5]", b"[1,null]", b"[9007199254740992,0]", b"[1e400,0]", b"-",
)  # fmt: skip
MOVE = re.compile(rb"\[\d+,\d+\]|\d+ \d+|(?<=: )\d+")
HUGE = (
    b"x" * 5000,
    b"1 " * 3000,
    b"\n" * 100,
    b"x\n" * 100,
    b"[" * 5000,
    b"y" * 70_000,
    b"12 34\n" * 20_000,
    b" " * 4096,
)


class Found(AssertionError):
    """An input with a forbidden effect."""


@dataclass
class Report:
    """The findings of a run."""

    inputs: int = 0
    heard: Counter = field(default_factory=Counter)
    slowest_s: float = 0.0
    most_held: int = 0


def run(count, seed=1, kinds=KINDS):
    """Try ``count`` inputs; the same seed gives the same.

    Raises Found, with the number of the input and its packets.
    """
    report = Report()
    names = sorted(kinds)
    for number in range(count):
        rng = random.Random(seed * 1_000_003 + number)
        protocol = names[number % len(names)]
        packets = mutated(protocol, rng)
        before = time.thread_time()
        try:
            converse(kinds[protocol], packets, rng, report)
        except Exception as error:
            shown = [packet if len(packet) < 200 else packet[:200] + b"..." for packet in packets]
            raise Found(f"{protocol}, seed {seed}, input {number}: {error!r} after {shown}") from error
        spent = time.thread_time() - before
        report.slowest_s = max(report.slowest_s, spent)
        if spent > MAX_SECONDS:
            raise Found(f"{protocol}, seed {seed}, input {number}: {spent:.3f} s")
        report.inputs += 1
    return report


# Inputs


def messages(protocol, rng):
    """Return the messages of a player in a whole, correct conversation."""
    if protocol in ("hps", "hps-2016"):
        third = " 2" if rng.random() < 0.5 else ""
        said = ["bot"] if protocol == "hps" else []
        said += [f"{rng.randrange(12)} {rng.randrange(12)}{third}" for _ in range(TURNS)]
    elif protocol == "hps-2018":
        said = ['{"player_name": "bot"}']
        said += [f'{{"move_row": {rng.randrange(12)}, "move_col": {rng.randrange(12)}}}' for _ in range(TURNS)]
    else:
        said = ['{"type":"join","name":"bot","token":"secret"}']
        for turn in range(1, TURNS + 1):
            row, col = rng.randrange(12), rng.randrange(12)
            if turn == 2:
                said.append('{"type":"info","text":"thinking [{\\"depth\\": 3}]"}')
            said.append(f'{{"type":"move","game_id":"g-1","turn":{turn},"move":[{row},{col}]}}')
    end = rng.choice(("\n", "\n", "\r\n"))
    return [(line + end).encode() for line in said]


def mutated(protocol, rng):
    """Return the packets of a conversation, usually with an error."""
    packets = messages(protocol, rng)
    for _ in range(rng.choice((0, 1, 1, 1, 2, 2, 3, 5))):
        place = rng.randrange(len(packets))
        packets[place : place + 1] = rng.choice(MUTATIONS)(packets[place], rng)
    shape = rng.random()
    if shape < 0.15:
        packets = [b"".join(packets)]
    elif shape < 0.25:
        whole = b"".join(packets)[:600]
        packets = [whole[place : place + 1] for place in range(len(whole))]
    return packets


def split(packet, rng):
    place = rng.randrange(len(packet) + 1)
    return [packet[:place], packet[place:]]


def flip(packet, rng):
    if not packet:
        return [packet]
    place = rng.randrange(len(packet))
    return [packet[:place] + bytes([packet[place] ^ (1 << rng.randrange(8))]) + packet[place + 1 :]]


def insert(packet, rng):
    place = rng.randrange(len(packet) + 1)
    return [packet[:place] + rng.choice(PIECES) + packet[place:]]


def replace(packet, rng):
    first, last = sorted((rng.randrange(len(packet) + 1), rng.randrange(len(packet) + 1)))
    return [packet[:first] + rng.choice(PIECES) + packet[min(last, first + 6) :]]


def cut(packet, rng):
    first, last = sorted((rng.randrange(len(packet) + 1), rng.randrange(len(packet) + 1)))
    return [packet[:first] + packet[last:]]


def repeat(packet, rng):
    return [packet] * rng.choice((2, 3, 20, 70))


def without_end(packet, rng):
    return [packet.rstrip()]


def noise(packet, rng):
    return [packet, rng.randbytes(rng.randrange(1, 40))]


def alone(packet, rng):
    return [rng.choice(PIECES)]


def odd_move(packet, rng):
    odd = rng.choice(ODD_MOVES)
    return [MOVE.sub(lambda _: odd, packet)]


def huge(packet, rng):
    return [packet, rng.choice(HUGE)] if rng.random() < 0.3 else [packet]


MUTATIONS = (
    split,
    flip,
    flip,
    insert,
    insert,
    replace,
    replace,
    cut,
    repeat,
    without_end,
    noise,
    alone,
    odd_move,
    odd_move,
    huge,
)


# The other side


def converse(kind, packets, rng, report):
    """Play the referee for one input, and check all output."""
    rules = RULES[rng.random() < 0.5 and kind.has_weights]
    sitting = Sitting(kind(LIMITS), rules, rng.random() < 0.3, report)
    now = 0
    if not sitting.session.says_name and rng.random() < 0.9:
        sitting.take(sitting.session.take_unfinished(), now)
    for packet in packets:
        now += 1_000_000
        sitting.take(sitting.session.feed(packet, now), now)
        if sitting.session.quiet_at_ns is not None and rng.random() < 0.5:
            now = sitting.session.quiet_at_ns
            sitting.take(sitting.session.take_unfinished(), now)
    sitting.take(sitting.session.take_unfinished(), now)
    sitting.take(sitting.session.end_of_file(), now)
    sitting.leave()


class Sitting:
    """A session, with a referee that sends the next request whenever the last one was answered."""

    def __init__(self, session, rules, is_impatient, report):
        self.session, self.rules, self.is_impatient, self.report = session, rules, is_impatient, report
        self.turn = 0
        self.is_open = self.has_met = False
        said(session.greet(Seating(rules=rules, number=1, needs_token=is_impatient and session.has_tokens)))

    def take(self, heard, now):
        """Check a message, and answer it."""
        session, report = self.session, self.report
        for one in heard:
            report.heard[type(one)] += 1
            self.react(one, now)
        held = len(session.framer.unfinished)
        report.most_held = max(report.most_held, held)
        assert held <= LIMITS.line_bytes + 1, f"{held} bytes are held"
        assert session.quiet_at_ns is None or session.quiet_at_ns > now - 1_000_000

    def react(self, one, now):
        match one:
            case Introduction(name, token):
                assert not self.has_met, "introduced twice"
                assert type(name) is str
                assert token is None or type(token) is str
                self.has_met = True
                self.begin(clean_name(name, {"bot"}))
            case MoveReply(turn, numbers, stamp_ns):
                self.check_answer(turn, stamp_ns, now)
                assert all(type(number) is int for number in numbers)
                self.ask()
            case UnreadableReply(turn, code, detail, stamp_ns):
                self.check_answer(turn, stamp_ns, now)
                check_words(code)
                check_words(detail)
                self.is_open = True
                said(self.session.repeat_request(code, detail))
            case Ignored(detail):
                check_words(detail)
                said(self.session.report_ignored(one))
            case Broken(verdict, detail):
                assert verdict in BREAKING
                check_words(detail)
                assert self.session.is_closed
            case _:
                raise AssertionError(f"heard {one!r}, which is none of {get_args(Inbound)}")

    def begin(self, name):
        assert name.isprintable()
        assert 1 <= len(name) <= 40
        said(self.session.welcome(1, name))
        terms = GameTerms(rules=self.rules, names=("a", name))
        said(self.session.start(Start(game_id="g-1", terms=terms, seat=1, numbers=(0, 1), grace_ms=100)))
        self.ask()

    def ask(self):
        if self.turn == TURNS:
            said(self.session.end_game(OVER))
            return
        self.turn += 1
        self.is_open = True
        weight = None if self.rules.weight is None else 5
        request = MoveRequest(turn=self.turn, clock=Clock(1000), scores=(144, 0), moves=MOVES, weight_left=weight)
        said(self.session.request_move(request))
        if self.is_impatient and self.turn == LATE_TURN:
            self.is_open = False
            self.session.withdraw_request()

    def check_answer(self, turn, stamp_ns, now):
        assert self.is_open, "an answer to no request"
        assert turn == self.turn
        assert 0 < stamp_ns <= now
        self.is_open = False

    def leave(self):
        if self.session.is_closed:
            assert list(self.session.feed(b"bot\n1 2\n", 10**15)) == [], "something was heard after the end"
            assert not self.session.framer.unfinished
        said(self.session.dismiss(FAREWELL))


def said(data):
    """Check that data to send is bytes, and whole lines."""
    assert type(data) is bytes
    assert not data or data.endswith(b"\n")


def check_words(text):
    """Check that a message for people is safe to print and does not flood a log."""
    assert type(text) is str
    assert text.isprintable(), text
    assert 0 < len(text) < 500, text


if __name__ == "__main__":
    started = time.monotonic()
    done = run(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    print(f"{done.inputs} inputs in {time.monotonic() - started:.1f} s")
    print(f"slowest {done.slowest_s * 1000:.1f} ms, most held {done.most_held} bytes")
    for kind_heard, times in sorted((kind_heard.__name__, times) for kind_heard, times in done.heard.items()):
        print(f"{kind_heard:13} {times}")
