"""JSON objects are cut where their brackets end, whatever the packets, in bounded memory."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hinterland.referee.protocol.hps_2018 import ObjectFramer
from hinterland.referee.protocol.session import InboundLimits
from hinterland.referee.verdicts import Verdict

SMALL = InboundLimits(line_bytes=12, turn_bytes=60, turn_lines=4)


def cut(packets, limits=SMALL):
    framer = ObjectFramer(limits)
    return [one for packet in packets for one in framer.feed(packet, 1)], framer


@pytest.mark.parametrize(
    ("data", "whole", "verdict"),
    [
        (b"", [], None),
        (b"{}", [b"{}"], None),
        (b'{"a":1', [], None),
        (b"{}{}", [b"{}", b"{}"], None),
        (b" {} \r\n", [b" {}", b" "], None),
        (b'{"a":{}}', [b'{"a":{}}'], None),
        (b'{"}":"{"}', [b'{"}":"{"}'], None),
        (b'{"\\"}":1}', [b'{"\\"}":1}'], None),
        (b'{"\\\\"}x', [b'{"\\\\"}'], None),
        (b'{\n"a":1\r\n}', [b'{ "a":1  }'], None),
        (b"hello\r\n{}", [b"hello", b"{}"], None),
        (b'a"{}', [b'a"{}'], None),
        (b"}}\n", [b"}}"], None),
        (b"{" * 12, [], None),
        (b"{" * 13, [], Verdict.OVERSIZE),
        (b"{}{}{}{}", [b"{}"] * 4, None),
        (b"{}{}{}{}{}", [b"{}"] * 4, Verdict.FLOOD),
    ],
)
def test_objects_and_bounds(data, whole, verdict):
    for packets in ([data], [data[place : place + 1] for place in range(len(data))]):
        found, framer = cut(packets)
        assert found == whole
        assert (framer.fault.verdict if framer.fault else None) == verdict
        assert len(framer.unfinished) <= SMALL.line_bytes + 1


@pytest.mark.thorough
@given(st.lists(st.dictionaries(st.text(max_size=5), st.recursive(st.text() | st.integers(), st.lists), max_size=3)))
def test_what_is_written_without_a_gap_is_read_apart(objects):
    for separator in ("", "\n"):
        data = separator.join(json.dumps(one) for one in objects).encode()
        found, _ = cut([data], InboundLimits(line_bytes=10**6, turn_bytes=10**7, turn_lines=10**4))
        assert [json.loads(one) for one in found if one] == objects


@given(st.lists(st.sampled_from([b"a", b"{", b"}", b'"', b"\\", b"\n", b"\r\n", b'{"k":1}'])), st.data())
def test_packets_do_not_matter(pieces, data):
    whole = b"".join(pieces)
    places = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=6)))
    packets = [whole[first:last] for first, last in zip([0, *places], [*places, len(whole)], strict=True)]
    (once, one), (again, many) = cut([whole]), cut(packets)
    assert once == again
    assert one.fault == many.fault
    assert one.unfinished == many.unfinished


def test_what_is_taken_away_unfinished_is_forgotten():
    framer = ObjectFramer(SMALL)
    assert framer.feed(b'{"a":"', 1) == []
    assert framer.take() == b'{"a":"'
    assert framer.feed(b"{}", 2) == [b"{}"]
