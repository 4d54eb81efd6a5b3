"""Who knocks at the wrong door is recognised, and nobody else."""

import pytest

from hinterland.referee.judge import Verdict
from hinterland.referee.wire.hps import HpsTalk
from hinterland.referee.wire.hps_2016 import Hps2016Talk
from hinterland.referee.wire.hps_2018 import Hps2018Talk
from hinterland.referee.wire.json_lines import JsonTalk
from hinterland.referee.wire.strangers import NOT_PROTOCOL, refusal, spoken, stranger
from hinterland.referee.wire.talk import Broken, Farewell, Introduction

TALKS = {"hps": HpsTalk, "hps-2016": Hps2016Talk, "hps-2018": Hps2018Talk, "json": JsonTalk}
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


@pytest.mark.parametrize("protocol", TALKS)
@pytest.mark.parametrize(("first", "who"), ANYWHERE)
def test_strangers_at_either_door(protocol, first, who):
    said = stranger(first, protocol)
    assert said.startswith(f"{NOT_PROTOCOL}: ")
    assert who in said
    assert said.isprintable()
    assert said.isascii()
    assert stranger(first) is not None


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
    assert other in stranger(first, protocol)
    assert stranger(first) is None


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
    assert who in stranger(first, protocol)
    assert stranger(first) is None


@pytest.mark.parametrize("protocol", TALKS)
@pytest.mark.parametrize("first", [b'{"', b'{ "pla', b'{"move_ro', b'{"t'])
def test_the_beginning_of_an_object_does_not_tell_whose_it_is(protocol, first):
    assert stranger(first, protocol) is None


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
    assert spoken(words) == protocol


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
def test_players_and_beginnings_are_no_strangers(protocol, first):
    assert stranger(first, protocol) is None


@pytest.mark.parametrize("protocol", TALKS)
@pytest.mark.parametrize(("first", "who"), ANYWHERE)
def test_a_talk_breaks_and_answers_in_the_strangers_own_words(protocol, first, who):
    for packets in ([first], [first[place : place + 1] for place in range(len(first))]):
        talk = TALKS[protocol]()
        (broken,) = [one for packet in packets for one in talk.hear(packet, 1)]
        assert isinstance(broken, Broken)
        assert broken.verdict is Verdict.PROTOCOL
        assert who in broken.detail
        answer = talk.farewell(Farewell(detail=broken.detail))
        assert answer.startswith(b"HTTP/1.1 400 ") == (who == "browser")
        assert broken.detail.encode() in answer.replace(b'\\"', b'"')


def test_an_answer_that_a_browser_shows():
    head, _, body = refusal(b"GET / HTTP/1.1\r\n", "wrong door").partition(b"\r\n\r\n")
    assert body == b"wrong door\n"
    assert b"Content-Length: 11" in head
    assert refusal(b"bot\n", "wrong door") is None


def test_who_has_introduced_itself_may_say_anything():
    talk = HpsTalk()
    assert talk.hear(b"bot\n", 1) == [Introduction("bot")]
    (heard,) = talk.hear(b"GET / HTTP/1.1\n", 2)
    assert not isinstance(heard, Broken)
    assert talk.farewell(Farewell(detail="bye")) == b"bye\n"
