"""The course's dialects of 2016 and 2018, word by word."""

import pytest

from hinterland.contract import Clock
from hinterland.errors import HinterlandError
from hinterland.gravity import Rules, Stone
from hinterland.referee.game_terms import GameTerms
from hinterland.referee.protocol.hps_2016 import Hps2016Session
from hinterland.referee.protocol.hps_2018 import Hps2018Session
from hinterland.referee.protocol.session import (
    Broken,
    Farewell,
    GameEnd,
    Ignored,
    InboundLimits,
    Introduction,
    MoveReply,
    MoveRequest,
    Seating,
    Start,
    UnreadableReply,
)
from hinterland.referee.verdicts import Departure, Ending, Verdict

QUIET = InboundLimits().quiet_ns
CLOCK = Clock(1500)
RULES = Rules(size=12, players=2, stones=3, spacing=2)
FIRST, SECOND, THIRD = (0, Stone(0, 1)), (1, Stone(2, 3)), (0, Stone(4, 5))
KINDS = [Hps2016Session, Hps2018Session]
ANSWERS = {Hps2016Session: b"3 4", Hps2018Session: b'{"move_row": 3, "move_col": 4}'}


def introduced(kind):
    session = kind()
    session.greet(Seating(rules=RULES, number=0))
    heard = session.take_unfinished() if kind is Hps2016Session else session.feed(b'{"player_name": "bot"}', 1)
    assert [type(one) for one in heard] == [Introduction]
    return session


def begin(session, seat=0, numbers=(0, 1)):
    terms = GameTerms(rules=RULES, names=tuple("abc"[: len(numbers)]))
    assert session.start(Start(game_id="g", terms=terms, seat=seat, numbers=numbers, grace_ms=9)) == b""
    return session


def request(turn=1, moves=(), scores=(0, 0), clock=CLOCK):
    return MoveRequest(turn=turn, clock=clock, scores=scores, moves=tuple(moves))


def asked(kind):
    session = begin(introduced(kind))
    session.request_move(request())
    return session


def over(moves, scores=(100, 44), departures=()):
    return GameEnd(ending=Ending(scores, (0,), "complete", ""), moves=tuple(moves), departures=departures)


# What is said


def test_the_first_words():
    for number in (0, 1):
        assert Hps2016Session().greet(Seating(rules=RULES, number=number)) == b""
    said = Hps2018Session().greet(Seating(rules=Rules(players=5), number=4))
    assert said == b'{"num_players": 5, "num_stones": 10, "player_number": 5}\n'


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_protocol_cannot_express_is_refused(kind):
    class Bare:
        game = "bare"
        players = 2

    assert introduced(kind).welcome(0, "bot") == b""
    with pytest.raises(HinterlandError, match=f"protocol {kind.protocol} is for games with stones; bare has none"):
        kind().greet(Seating(rules=Bare(), number=0))
    with pytest.raises(HinterlandError, match=f"protocol {kind.protocol} cannot express weights"):
        kind().greet(Seating(rules=Rules(weight=20), number=0))


def test_all_stones_of_2016_in_every_request():
    session = begin(introduced(Hps2016Session))
    assert session.request_move(request()) == b"0 0\n"
    assert session.request_move(request(3, [FIRST, SECOND])) == b"0 2 0 1 1 2 3 2\n"
    assert session.repeat_request("occupied", "") == b"0 2 0 1 1 2 3 2\n"
    gone = (Departure(1, Verdict.TIME, "", 3),)
    assert session.end_game(over([FIRST, SECOND, THIRD], departures=gone)) == b"1 3 0 1 1 2 3 2 4 5 1\n"


def test_the_news_of_2018():
    session = begin(introduced(Hps2018Session), seat=1, numbers=(1, 0))
    said = session.request_move(request(2, [FIRST], (144, 0)))
    assert said == b'{"game_over": false, "scores": [0, 144], "moves": [[0, 1, 2]], "remaining_time": 1.5}\n'
    said = session.end_game(over([FIRST, SECOND, THIRD], departures=(Departure(0, Verdict.TIME, "", 3),)))
    assert said == b'{"game_over": true, "scores": [44, -2], "moves": [[4, 5, 2]], "remaining_time": 1.5}\n'


@pytest.mark.parametrize(
    ("clock", "seconds"), [(Clock(1250), b"1.25}"), (Clock(None, 0, 300), b"0.3}"), (Clock(None), b"null}")]
)
def test_the_seconds_of_2018(clock, seconds):
    assert begin(introduced(Hps2018Session)).request_move(request(clock=clock)).endswith(seconds + b"\n")


@pytest.mark.parametrize("kind", KINDS)
def test_the_last_words(kind):
    session = introduced(kind)
    assert session.dismiss(Farewell(detail="flood: too\nmuch")) == b"flood: too much\n"
    assert session.dismiss(Farewell(detail="over", names=("a", "b"), totals=(1, 2), winners=(1,))) == b""


# What is heard


def test_silence_is_the_introduction_of_2016_once():
    session = Hps2016Session()
    session.greet(Seating(rules=RULES, number=0))
    assert session.quiet_at_ns is None
    assert session.take_unfinished() == (Introduction("player"),)
    assert session.take_unfinished() == ()
    assert session.quiet_at_ns is None


def test_who_breaks_the_protocol_of_2016_before_it_begins_is_no_player():
    session = Hps2016Session()
    assert [type(one) for one in session.feed(b"anna", 1)] == [Broken]
    assert session.take_unfinished() == ()


def test_what_is_said_before_the_first_request_of_2016_is_no_introduction():
    session = Hps2016Session()
    (heard,) = session.feed(b"[1]\n", 1)
    assert heard == Ignored("a line before the first request: '[1]'")
    assert session.take_unfinished() == (Introduction("player"),)


def test_an_answer_of_2016_ends_in_silence():
    session = asked(Hps2016Session)
    assert session.feed(b"3 4", 20) == []
    assert session.quiet_at_ns == 20 + QUIET
    assert session.take_unfinished() == (MoveReply(1, (3, 4), 20),)


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        (b'{"move_row": 3, "move_col": 4}', (3, 4)),
        (b'{"move_col":4,"move_row":3}\n', (3, 4)),
        (b'{\n  "move_row": 3,\r\n\t"move_col": 4\n}', (3, 4)),
        (b'{"move_row": "3", "move_col": " 4"}', (3, 4)),
        (b'{"move_row": 3.9, "move_col": 4.0}', (3, 4)),
        (b'{"move_row": 3, "move_col": 4, "why": {"best": [1, "}"]}}', (3, 4)),
        (b'{"move_row": -1, "move_col": 99999}', (-1, 99999)),
    ],
)
def test_a_move_of_2018_is_read_as_its_server_read_it(words, numbers):
    assert [one for one in asked(Hps2018Session).feed(words, 77) if one] == [MoveReply(1, numbers, 77)]


@pytest.mark.parametrize(
    "words",
    [
        *(b"3 4\n", b"x\n", b"[3, 4]\n", b"{}", b'{"move_row": 3}', b'{"row": 3, "col": 4}', b"{move_row: 3}"),
        *(b'{"move_row": true, "move_col": 4}', b'{"move_row": null, "move_col": 4}'),
        *(b'{"move_row": "x", "move_col": 4}', b'{"move_row": 1e400, "move_col": 4}'),
        *(b'{"move_row": [3], "move_col": 4}', b'{"move_row": 1e300, "move_col": 4}'),
        *(b'{"move_row": 3, "move_row": 3, "move_col": 4}', b'{"player_name": "again"}'),
        b'{"move_row": "' + b"9" * 4000 + b'", "move_col": 4}',
    ],
)
def test_what_is_no_move_of_2018(words):
    (heard,) = asked(Hps2018Session).feed(words, 5)
    assert isinstance(heard, UnreadableReply)
    assert (heard.turn, heard.code, heard.stamp_ns) == (1, "not_a_move", 5)
    assert heard.detail.startswith('a move is written {"move_row": 5, "move_col": 6}; ')
    assert heard.detail.isprintable()
    assert len(heard.detail) < 250


@pytest.mark.parametrize("words", [b'{"player": "bot"}', b'{"player_name": 5}', b'{"move_row": 3, "move_col": 4}'])
def test_a_player_of_2018_without_a_name_breaks_the_protocol(words):
    (heard,) = Hps2018Session().feed(words, 5)
    assert isinstance(heard, Broken)
    assert heard.verdict is Verdict.PROTOCOL
    assert "YOUR NAME" in heard.detail or "hps-2018" in heard.detail or "JSON" in heard.detail


def test_an_object_of_2018_counts_when_its_last_bracket_comes():
    session = asked(Hps2018Session)
    for stamp, byte in enumerate(b'{"move_row": 3, "move_col": 4', start=50):
        assert session.feed(bytes([byte]), stamp) == []
    assert session.quiet_at_ns is None
    assert session.take_unfinished() == ()
    assert session.feed(b"}", 99) == [MoveReply(1, (3, 4), 99)]


@pytest.mark.parametrize("kind", KINDS)
def test_what_comes_before_the_request_is_dropped(kind):
    session = begin(introduced(kind))
    session.feed(ANSWERS[kind] + b"\n" + ANSWERS[kind][:2], 5)
    session.request_move(request())
    assert session.take_unfinished() == ()
    assert session.feed(ANSWERS[kind] + b"\n", 9)[0] == MoveReply(1, (3, 4), 9)


@pytest.mark.parametrize("kind", KINDS)
def test_a_late_answer_shows_that_the_player_is_alive(kind):
    session = asked(kind)
    session.withdraw_request()
    late, *_ = session.feed(ANSWERS[kind] + b"\n", 9)
    assert late.is_late_answer


@pytest.mark.parametrize("kind", KINDS)
def test_of_two_answers_the_first_counts_and_seventeen_strays_break_the_protocol(kind):
    session = asked(kind)
    heard = session.feed((ANSWERS[kind] + b"\n") * 18, 9)
    assert heard[0] == MoveReply(1, (3, 4), 9)
    assert [type(one) for one in heard[1:]] == [Ignored] * 16 + [Broken]
