"""Lines are cut in bounded memory, and the same lines whatever the packets."""

import re
import sys
import time
import tracemalloc
from contextlib import contextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hinterland.errors import BadText
from hinterland.referee.protocol.framing import Framer, decode_line
from hinterland.referee.protocol.hps import HpsSession
from hinterland.referee.protocol.hps_2018 import Hps2018Session
from hinterland.referee.protocol.json_lines import JsonSession
from hinterland.referee.protocol.session import InboundLimits
from hinterland.referee.verdicts import Verdict

SMALL = InboundLimits(line_bytes=8, turn_bytes=40, turn_lines=4)


def cut(packets, limits=SMALL):
    framer = Framer(limits)
    lines = [line for packet in packets for line in framer.feed(packet, 1)]
    return lines, framer


@pytest.mark.parametrize(
    ("data", "lines", "verdict"),
    [
        (b"", [], None),
        (b"one", [], None),
        (b"one\n", [b"one"], None),
        (b"one\r\ntwo\n", [b"one", b"two"], None),
        (b"\n\r\n", [b"", b""], None),
        (b"a\rb\n", [b"a\rb"], None),
        (b"12345678\n", [b"12345678"], None),
        (b"12345678\r\n", [b"12345678"], None),
        (b"12345678\r", [], None),
        (b"12345678\r9", [], Verdict.OVERSIZE),
        (b"12345678\r\r", [], Verdict.OVERSIZE),
        (b"123456789", [], Verdict.OVERSIZE),
        (b"one\n123456789\ntwo\n", [b"one"], Verdict.OVERSIZE),
        (b"1\n2\n3\n4\n", [b"1", b"2", b"3", b"4"], None),
        (b"1\n2\n3\n4\n5", [b"1", b"2", b"3", b"4"], None),
        (b"1\n2\n3\n4\n5\n6\n", [b"1", b"2", b"3", b"4"], Verdict.FLOOD),
    ],
)
def test_lines_and_bounds(data, lines, verdict):
    for packets in ([data], [data[place : place + 1] for place in range(len(data))]):
        found, framer = cut(packets)
        assert found == lines
        assert (framer.fault.verdict if framer.fault else None) == verdict
        assert len(framer.unfinished) <= SMALL.line_bytes + 1


@pytest.mark.parametrize(("count", "verdict"), [(40, None), (41, Verdict.FLOOD)])
def test_the_bytes_from_one_request_to_the_next_are_bounded(count, verdict):
    limits = InboundLimits(line_bytes=100, turn_bytes=40, turn_lines=100)
    _, framer = cut([b"x" * count], limits)
    assert (framer.fault.verdict if framer.fault else None) == verdict


def test_a_request_renews_the_bounds():
    framer = Framer(SMALL)
    for _ in range(20):
        assert len(framer.feed(b"1234567\n" * 4, 1)) == 4
        framer.renew()
    assert framer.fault is None


def test_nothing_is_read_after_a_bound_was_passed():
    framer = Framer(SMALL)
    framer.feed(b"123456789", 1)
    assert framer.feed(b"\n1\n", 2) == []
    assert framer.unfinished == b""


@given(st.lists(st.sampled_from([b"a", b"12345678", b"\n", b"\r", b"\r\n", b"xyz", b"\xc3\xa9"])), st.data())
def test_packets_do_not_matter(pieces, data):
    whole = b"".join(pieces)
    places = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=6)))
    packets = [whole[first:last] for first, last in zip([0, *places], [*places, len(whole)], strict=True)]
    (once, one), (again, many) = cut([whole]), cut(packets)
    assert once == again
    assert one.fault == many.fault
    assert one.unfinished == many.unfinished


def introduced(kind):
    session = kind()
    session.has_introduced = True
    return session


@pytest.mark.parametrize(
    ("kind", "packet", "verdict"),
    [
        (HpsSession, b"x" * 65536, Verdict.OVERSIZE),
        (HpsSession, b"x\n" * 32768, Verdict.FLOOD),
        (HpsSession, b"1 1\n" * 16384, Verdict.PROTOCOL),
        (HpsSession, b"\n" * 65536, Verdict.FLOOD),
        (Hps2018Session, b'{"' * 32768, Verdict.OVERSIZE),
        (Hps2018Session, b"{}" * 32768, Verdict.FLOOD),
        (Hps2018Session, b'{"move_row":1,"move_col":1}' * 2427, Verdict.PROTOCOL),
        (Hps2018Session, b"x\n" * 32768, Verdict.FLOOD),
        (Hps2018Session, b"\n" * 65536, Verdict.FLOOD),
        (JsonSession, b"x" * 65536, Verdict.OVERSIZE),
        (JsonSession, b"x\n" * 32768, Verdict.PROTOCOL),
        (JsonSession, b"\n" * 65536, Verdict.FLOOD),
    ],
)
def test_sixteen_megabytes_cost_no_memory_and_are_not_read(kind, packet, verdict):
    introduced(kind).feed(packet, 1)  # what is kept once, whoever speaks, is no session's
    session = introduced(kind)
    tracemalloc.start()
    try:
        started = time.thread_time()
        heard = [one for _ in range(256) for one in session.feed(packet, 1)]
        spent = time.thread_time() - started
        kept, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert heard[-1].verdict is verdict
    assert session.is_closed
    assert kept < 20_000
    assert peak < 400_000
    assert spent < 0.5


@contextmanager
def untraced():
    """Measure time without the counting of covered lines."""
    tracer = sys.gettrace()
    sys.settrace(None)
    try:
        yield
    finally:
        sys.settrace(tracer)


def test_dripping_a_whole_line_costs_time_in_proportion():
    """Each byte is looked at once: a line of single bytes takes no longer than as many short lines of them."""

    def seconds(lines, length):
        framer = Framer(InboundLimits(line_bytes=200_000, turn_bytes=1_000_000))
        started = time.thread_time()
        for _ in range(lines):
            for _ in range(length - 1):
                framer.feed(b"x", 1)
            assert framer.feed(b"\n", 1) == [b"x" * (length - 1)]
            framer.renew()
        return time.thread_time() - started

    with untraced():
        assert seconds(1, 100_000) < 1
        assert seconds(1, 200_000) < 2 * seconds(2_000, 100)


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (b"3 4", "3 4"),
        (b"  3 4\t ", "3 4"),
        ("é😀".encode(), "é😀"),
        (b"", ""),
        (b"a\tb", "a\tb"),
        ("\u00a0x".encode(), "\u00a0x"),
    ],
)
def test_text_of_a_line(line, text):
    assert decode_line(line) == text


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"\xef\xbb\xbf3 4", "byte order mark"),
        (b"3\x00 4", "character 2 of the line is a control character: U+0000"),
        (b"\x1b[31m", "U+001B"),
        (b"a\rb", "U+000D"),
        (b"\x7f", "U+007F"),
        ("\x9b31m".encode(), "U+009B"),
        (b"ab\xff", "byte 3 of the line is not UTF-8: 0xff"),
        (b"\xed\xa0\x80", "not UTF-8"),
        (b"\xc3", "not UTF-8"),
        (b"\xc0\x80", "not UTF-8"),
        (b"\xf4\x90\x80\x80", "not UTF-8"),
    ],
)
def test_a_line_that_is_no_text(line, said):
    with pytest.raises(BadText, match=re.escape(said)):
        decode_line(line)
