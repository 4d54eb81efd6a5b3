"""Clients of another protocol are recognised, and no others."""

import pytest

from hinterland.referee.protocol.hps import HpsSession
from hinterland.referee.protocol.hps_2016 import Hps2016Session
from hinterland.referee.protocol.hps_2018 import Hps2018Session
from hinterland.referee.protocol.json_lines import JsonSession
from hinterland.referee.protocol.misconnections import (
    NOT_PROTOCOL,
    describe_misconnection,
    guess_protocol,
    make_http_refusal,
)
from hinterland.referee.protocol.session import Broken, Farewell, Introduction
from hinterland.referee.verdicts import Verdict

SESSIONS = {"hps": HpsSession, "hps-2016": Hps2016Session, "hps-2018": Hps2018Session, "json": JsonSession}
ANYWHERE = [
    (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "browser"),
    (b"POST /api HTTP/1.1\r\n", "browser"),
    (b"OPTIONS * HTTP/1.0\r\n", "browser"),
    (b"GET http://example.org/ HTTP/1.1\r\n", "browser"),
    (b"CONNECT example.org:443 HTTP/1.1\r\n", "browser"),
    (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "browser"),
    (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "TLS"),
    (b"SSH-2.0-OpenSSH_9.6\r\n", "SSH"),
    (b"\xff\xfd\x01\xff\xfd\x1f", "telnet"),
]


@pytest.mark.parametrize("protocol", SESSIONS)
@pytest.mark.parametrize(("first", "who"), ANYWHERE)
def test_misconnections_at_either_port(protocol, first, who):
    said = describe_misconnection(first, protocol)
    assert said.startswith(f"{NOT_PROTOCOL}: ")
    assert who in said
    assert said.isprintable()
    assert said.isascii()
    assert describe_misconnection(first) is not None


@pytest.mark.parametrize(
    ("protocol", "first"),
    [
        ("hps", b'{"type":"join","name":"bot"}\n'),
        ("hps", b'\n { "type"'),
        ("json", b"bot\n"),
        ("json", b"12 13\n"),
        ("json", b"a long name without an end"),
    ],
)
def test_players_of_the_other_protocol(protocol, first):
    other = "JSON" if protocol == "hps" else "plain line"
    assert other in describe_misconnection(first, protocol)
    assert describe_misconnection(first) is None


NAMED = b'{"player_name": "bot"}'


@pytest.mark.parametrize(
    ("protocol", "first", "who"),
    [
        ("hps", NAMED, "of protocol hps-2018"),
        ("hps", b'{\r\n  "move_row": 5', "of protocol hps-2018"),
        ("hps", b'{"x": 1}', "of the JSON protocol"),
        ("hps", b"{}", "of the JSON protocol"),
        ("hps-2016", NAMED, "of protocol hps-2018"),
        ("hps-2016", b'{"type":"join"', "of the JSON protocol"),
        ("hps-2016", b"bot", "a plain line, as players of hps send"),
        ("hps-2016", b"5 5", "a plain line, as players of hps send"),
        ("hps-2018", b'{"type":"join"', "of the JSON protocol"),
        ("hps-2018", b"bot", "a plain line, as players of hps send"),
        ("hps-2018", b"5 5\n", "a plain line, as players of hps send"),
        ("json", NAMED, "of protocol hps-2018"),
        ("json", b"5 5\n", "a plain line, as players of hps send"),
    ],
)
def test_players_of_other_dialects(protocol, first, who):
    assert who in describe_misconnection(first, protocol)
    assert describe_misconnection(first) is None


@pytest.mark.parametrize("protocol", SESSIONS)
@pytest.mark.parametrize("first", [b'{"', b'{ "pla', b'{"move_ro', b'{"t'])
def test_the_beginning_of_an_object_does_not_tell_whose_it_is(protocol, first):
    assert describe_misconnection(first, protocol) is None


@pytest.mark.parametrize(
    ("words", "protocol"),
    [
        (b"5 5", "hps"),
        (b"-5\t 5\r\n", "hps"),
        (b"5", None),
        (b"5 5 5", None),
        (b"bot", None),
        (b"", None),
        (NAMED, "hps-2018"),
        (b'{"move_col":', "hps-2018"),
        (b'{"player_name_":', "json"),
        (b'{"player name":', "json"),
    ],
)
def test_what_words_seem_to_be(words, protocol):
    assert guess_protocol(words) == protocol


@pytest.mark.parametrize(
    ("protocol", "first"),
    [
        ("hps", b"bot\n"),
        ("hps", b"GET"),
        ("hps", b"GETAWAY\n"),
        ("hps", b"POST office\n"),
        ("hps", b"{curly}\n"),
        ("hps", b""),
        ("hps", "Ünder\n".encode()),
        ("hps-2016", b""),
        ("hps-2016", b"\r\n"),
        ("hps-2018", NAMED),
        ("hps-2018", b'{"move_row": 1'),
        ("json", b'{"type":"join"'),
        ("json", b"\r\n  {"),
        ("json", b""),
        ("json", b"\n"),
        ("json", b"GE"),
        ("json", b"OPTIONS"),
        ("json", b"SS"),
        ("json", b"\xef\xbb\xbf{"),
        ("json", b"[1]\n"),
    ],
)
def test_players_and_beginnings_are_no_misconnections(protocol, first):
    assert describe_misconnection(first, protocol) is None


@pytest.mark.parametrize("protocol", SESSIONS)
@pytest.mark.parametrize(("first", "who"), ANYWHERE)
def test_a_session_breaks_and_answers_in_the_protocol_of_the_client(protocol, first, who):
    for packets in ([first], [first[place : place + 1] for place in range(len(first))]):
        session = SESSIONS[protocol]()
        (broken,) = [one for packet in packets for one in session.feed(packet, 1)]
        assert isinstance(broken, Broken)
        assert broken.verdict is Verdict.PROTOCOL
        assert who in broken.detail
        answer = session.dismiss(Farewell(detail=broken.detail))
        assert answer.startswith(b"HTTP/1.1 400 ") == (who == "browser")
        assert broken.detail.encode() in answer.replace(b'\\"', b'"')


def test_an_answer_that_a_browser_shows():
    head, _, body = make_http_refusal(b"GET / HTTP/1.1\r\n", "wrong port").partition(b"\r\n\r\n")
    assert body == b"wrong port\n"
    assert b"Content-Length: 11" in head
    assert make_http_refusal(b"bot\n", "wrong port") is None


def test_who_has_introduced_itself_may_say_anything():
    session = HpsSession()
    assert session.feed(b"bot\n", 1) == [Introduction("bot")]
    (heard,) = session.feed(b"GET / HTTP/1.1\n", 2)
    assert not isinstance(heard, Broken)
    assert session.dismiss(Farewell(detail="bye")) == b"bye\n"
