"""Protocol hps, word by word."""

import pytest

from hinterland.contract import Clock
from hinterland.errors import HinterlandError
from hinterland.gravity import Rules, Stone
from hinterland.referee.game_terms import GameTerms
from hinterland.referee.protocol.hps import HpsSession
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
RULES = Rules(size=12, players=2, stones=3, spacing=2)
WEIGHTED = Rules(size=12, players=2, stones=3, spacing=2, weight=20)
FIRST, SECOND, THIRD = (0, Stone(0, 1)), (1, Stone(2, 3)), (0, Stone(4, 5))
HEAVY = ((0, Stone(0, 1, 7)), (1, Stone(2, 3)))


def introduced(rules=RULES, **options):
    session = HpsSession(**options)
    session.greet(Seating(rules=rules, number=0))
    assert session.feed(b"bot\n", 1) == [Introduction("bot")]
    return session


def begin(session, rules=RULES, seat=0, numbers=(0, 1)):
    terms = GameTerms(rules=rules, names=tuple("abcdef"[: len(numbers)]))
    assert session.start(Start(game_id="g", terms=terms, seat=seat, numbers=numbers, grace_ms=9)) == b""
    return session


def request(turn=1, moves=(), scores=(0, 0), weight_left=None):
    return MoveRequest(turn=turn, clock=Clock(1000), scores=scores, moves=tuple(moves), weight_left=weight_left)


def asked(rules=RULES, **options):
    session = begin(introduced(rules, **options), rules)
    session.request_move(request(weight_left=rules.weight))
    return session


def over(moves, scores=(100, 44), departures=()):
    return GameEnd(ending=Ending(scores, (0,), "complete", ""), moves=tuple(moves), departures=departures)


# What is said


@pytest.mark.parametrize(
    ("rules", "number", "line"),
    [
        (RULES, 0, b"2 3 1\n"),
        (RULES, 1, b"2 3 2\n"),
        (WEIGHTED, 1, b"2 3 20 2\n"),
        (Rules(players=5), 4, b"5 10 5\n"),
        (RULES, None, b"2 3 0\n"),
    ],
)
def test_the_first_line(rules, number, line):
    session = HpsSession()
    assert session.greet(Seating(rules=rules, number=number)) == line
    again = session.welcome(1, "bot")
    assert again == (b"2 3 2\n" if number is None else b"")


def test_a_game_without_stones_cannot_be_played():
    class Bare:
        game = "bare"
        players = 2

    with pytest.raises(HinterlandError, match="bare has none"):
        HpsSession().greet(Seating(rules=Bare(), number=0))


def test_each_move_of_the_others_is_told_once():
    session = begin(introduced())
    assert session.request_move(request()) == b"0 0 0\n"
    assert session.request_move(request(3, [FIRST, SECOND], (90, 54))) == b"0 90 54 2 3 2\n"
    assert session.end_game(over([FIRST, SECOND, THIRD])) == b"1 100 44\n"


def test_the_last_line_tells_what_was_played_since():
    session = begin(introduced(), seat=1)
    assert session.request_move(request(2, [FIRST], (144, 0))) == b"0 144 0 0 1 1\n"
    assert session.end_game(over([FIRST, SECOND, THIRD])) == b"1 100 44 4 5 1\n"


def test_a_new_game_begins_with_nothing_told_and_other_seats():
    session = begin(introduced())
    session.request_move(request())
    session.end_game(over([FIRST, SECOND]))
    begin(session, seat=1, numbers=(1, 0))
    assert session.request_move(request(2, [FIRST], (144, 0))) == b"0 0 144 0 1 2\n"


def test_who_comes_in_the_middle_is_told_its_own_moves_too():
    session = begin(introduced())
    assert session.request_move(request(3, [FIRST, SECOND], (90, 54))) == b"0 90 54 0 1 1 2 3 2\n"
    assert session.end_game(over([FIRST, SECOND, THIRD])) == b"1 100 44\n"


def test_weights_are_told():
    session = begin(introduced(WEIGHTED), WEIGHTED)
    assert session.request_move(request(weight_left=20)) == b"0 20 0 0\n"
    assert session.request_move(request(3, HEAVY, (90, 54), 13)) == b"0 13 90 54 2 3 1 2\n"
    assert session.end_game(over(HEAVY)) == b"1 13 100 44\n"


def test_scores_of_those_that_left():
    session = begin(introduced(Rules(players=3)), Rules(players=3), seat=2, numbers=(2, 0, 1))
    gone = (Departure(0, Verdict.TIME, "", 0), Departure(1, Verdict.FLOOD, "", 0))
    assert session.end_game(over([], (0, 0, 144), gone)) == b"1 -1 144 -2\n"


def test_asking_again_tells_no_move_twice():
    session = begin(introduced(), seat=1)
    session.request_move(request(2, [FIRST], (144, 0)))
    assert isinstance(session.feed(b"0 1\n", 5)[0], MoveReply)
    assert session.repeat_request("occupied", "") == b"0 144 0\n"
    assert session.feed(b"9 9\n", 6) == [MoveReply(2, (9, 9), 6)]


def test_the_last_words():
    session = introduced()
    assert session.dismiss(Farewell(detail="flood: too\nmuch")) == b"flood: too much\n"
    assert session.dismiss(Farewell(detail="over", names=("a", "b"), totals=(1, 2), winners=(1,))) == b""
    assert session.report_ignored(Ignored("x")) == b""


# What is heard


@pytest.mark.parametrize(
    ("rules", "line", "numbers"),
    [
        (RULES, b"3 4\n", (3, 4)),
        (RULES, b"3 4\r\n", (3, 4)),
        (RULES, b"  3\t 4  \n", (3, 4)),
        (RULES, b"\n\r\n3 4\n", (3, 4)),
        (RULES, b"-1 99999\n", (-1, 99999)),
        (RULES, b"007 4\n", (7, 4)),
        (WEIGHTED, b"3 4 5\n", (3, 4, 5)),
        (RULES, b"3 4 1\n", (3, 4)),
        (RULES, b"3 4\tof Zo\xc3\xab;\n", (3, 4)),
        (RULES, b"3 4 " + b"9 " * 2000 + b"\n", (3, 4)),
        (WEIGHTED, b"3 4 5 6\n", (3, 4, 5)),
        (WEIGHTED, b"3 4 0\n", (3, 4, 1)),
        (WEIGHTED, b"3 4 -0 1\n", (3, 4, 1)),
        (WEIGHTED, b"3 4 -1\n", (3, 4, -1)),
    ],
)
def test_a_move(rules, line, numbers):
    assert asked(rules).feed(line, 77) == [MoveReply(1, numbers, 77)]


@pytest.mark.parametrize("rules", [RULES, WEIGHTED], ids=["plain", "weighted"])
@pytest.mark.parametrize(
    "line",
    [
        *(b"x", b"3", b"x 3 4 5", b"3 x 4 5", b"3.0 4 5", b"3.0 4", b"3,4", b"(3, 4)"),
        *(b"+3 4", b"1e1 4", b"0x1 4", b"3 - 4"),
        *(b"9" * 16 + b" 4", b"9" * 4000, "٣ ٤".encode(), "3\u00a04".encode(), "３ ４".encode(), b"3 4;"),
    ],
)
def test_a_line_that_is_no_move(rules, line):
    (heard,) = asked(rules).feed(line + b"\n", 5)
    assert isinstance(heard, UnreadableReply)
    assert (heard.turn, heard.code, heard.stamp_ns) == (1, "not_a_move", 5)
    assert heard.detail.isprintable()
    assert len(heard.detail) < 200


@pytest.mark.parametrize(("rules", "line"), [(RULES, b"3\n"), (WEIGHTED, b"3 4\n"), (WEIGHTED, b"3 4 five\n")])
def test_as_many_numbers_as_a_move_needs(rules, line):
    assert isinstance(asked(rules).feed(line, 5)[0], UnreadableReply)


@pytest.mark.parametrize("line", [b"\xef\xbb\xbf3 4", b"3\x00 4", b"\x1b[A", b"\xff\xff", b"3\r4", "\x9b".encode()])
def test_a_line_that_breaks_the_protocol(line):
    for session in (asked(), begin(introduced())):
        (heard,) = session.feed(line + b"\n1 2\n", 5)
        assert isinstance(heard, Broken)
        assert heard.verdict is Verdict.PROTOCOL
        assert session.is_closed
        assert session.feed(b"1 2\n", 6) == ()
        assert session.take_unfinished() == session.end_of_file() == ()
        assert session.quiet_at_ns is None


@pytest.mark.parametrize(
    ("needs_token", "line", "heard"),
    [
        (False, b"bot\n", Introduction("bot")),
        (False, b"\n \n  the bot \r\n", Introduction("the bot")),
        (False, b"bot secret\n", Introduction("bot secret")),
        (True, b"bot secret\n", Introduction("bot", "secret")),
        (True, b"the bot \t secret\n", Introduction("the bot", "secret")),
        (True, b"bot\n", Introduction("bot")),
        (False, "Grüße 😀\n".encode(), Introduction("Grüße 😀")),
    ],
)
def test_the_name(needs_token, line, heard):
    session = HpsSession()
    session.greet(Seating(rules=RULES, number=0, needs_token=needs_token))
    assert session.feed(line, 3) == [heard]


def test_byte_by_byte_the_stamp_is_that_of_the_line_end():
    session = asked()
    for stamp, byte in enumerate(b"10 11", start=50):
        assert session.feed(bytes([byte]), stamp) == []
    assert session.feed(b"\n", 60) == [MoveReply(1, (10, 11), 60)]


def test_without_a_line_end_silence_ends_an_answer():
    session = asked()
    assert session.quiet_at_ns is None
    session.feed(b"3", 10)
    assert session.quiet_at_ns is None
    assert session.take_unfinished() == ()
    session.feed(b" 4", 20)
    assert session.quiet_at_ns == 20 + QUIET
    session.feed(b"4", 30)
    assert session.quiet_at_ns == 30 + QUIET
    assert session.take_unfinished() == (MoveReply(1, (3, 44), 30),)
    assert session.quiet_at_ns is None
    assert session.feed(b"\r\n", 40) == [], "the line end that comes late is a blank line"


def test_without_a_line_end_what_follows_the_move_may_come_later():
    session = asked()
    for stamp, part in enumerate((b"3 4", b" ", b"1", b"7 x"), start=10):
        session.feed(part, stamp)
        assert session.quiet_at_ns == stamp + QUIET
    assert session.take_unfinished() == (MoveReply(1, (3, 4), 13),)


def test_what_is_unfinished_when_a_move_is_asked_again_is_dropped():
    session = asked()
    assert session.feed(b"3 4\n5 5", 10) == [MoveReply(1, (3, 4), 10)]
    session.repeat_request("too_near", "")
    assert session.quiet_at_ns is None
    assert session.feed(b"6 6\n", 12) == [MoveReply(1, (6, 6), 12)]


def test_without_a_line_end_silence_ends_a_name():
    session = HpsSession()
    session.greet(Seating(rules=RULES, number=0))
    assert session.feed(b"bo", 5) == []
    assert session.feed(b"t", 7) == []
    assert session.quiet_at_ns == 7 + QUIET
    assert session.take_unfinished() == (Introduction("bot"),)


def test_half_a_character_is_no_whole_name():
    session = HpsSession()
    session.feed("é".encode()[:1], 5)
    assert session.quiet_at_ns is None
    session.feed("é".encode()[1:], 6)
    assert session.take_unfinished() == (Introduction("é"),)


@pytest.mark.parametrize("part", [b"x", b"3", b"3 x", b"3 4\x00", b" "])
def test_what_cannot_be_whole_is_not_taken_by_silence(part):
    session = asked()
    session.feed(part, 5)
    assert session.quiet_at_ns is None
    assert session.take_unfinished() == ()


def test_the_end_of_the_connection_ends_no_answer():
    session = asked()
    session.feed(b"3 4", 5)
    assert session.end_of_file() == (Ignored("the connection ended in the middle of a line"),)
    assert session.take_unfinished() == ()
    assert session.end_of_file() == ()


def test_what_comes_before_the_request_is_dropped():
    session = begin(introduced())
    assert [type(one) for one in session.feed(b"1 2\n3 4", 5)] == [Ignored]
    assert session.quiet_at_ns is None
    session.request_move(request())
    assert session.quiet_at_ns is None
    assert session.take_unfinished() == ()
    assert session.feed(b"5 6\n", 9) == [MoveReply(1, (5, 6), 9)]


def test_of_two_answers_the_first_counts():
    reply, second = asked().feed(b"1 2\n3 4\n", 5)
    assert reply == MoveReply(1, (1, 2), 5)
    assert isinstance(second, Ignored)
    assert not second.is_late_answer


@pytest.mark.parametrize("end", ["withdraw_request", "over"])
@pytest.mark.parametrize(("before", "after"), [(b"", b"1 2\n"), (b"1 ", b"2\n"), (b"", b"sorry\n")])
def test_a_late_answer_shows_that_the_player_is_alive(end, before, after):
    session = asked()
    session.feed(before, 5)
    session.withdraw_request() if end == "withdraw_request" else session.end_game(over([]))
    (late,) = session.feed(after, 9)
    assert late.is_late_answer
    (stray,) = session.feed(b"1 2\n", 10)
    assert not stray.is_late_answer


def test_a_late_answer_without_a_line_end():
    session = asked()
    session.withdraw_request()
    session.feed(b"1 2", 9)
    assert session.quiet_at_ns == 9 + QUIET
    (late,) = session.take_unfinished()
    assert late.is_late_answer


def test_too_many_answers_in_a_row_to_no_request():
    session = begin(introduced())
    strays = [one for _ in range(17) for one in session.feed(b"1 2\n", 5)]
    assert [type(one) for one in strays] == [Ignored] * 16 + [Broken]
    assert strays[-1].verdict is Verdict.PROTOCOL


def test_an_answer_forgives_the_strays_before_it():
    session = begin(introduced())
    for turn in range(1, 10):
        session.feed(b"1 2\n" * 10, 5)
        session.request_move(request(turn))
        assert session.feed(b"1 2\n", 5) == [MoveReply(turn, (1, 2), 5)]


@pytest.mark.parametrize(
    ("data", "verdict"), [(b"1" * 4097, Verdict.OVERSIZE), (b" \n" * 65, Verdict.FLOOD), (b" " * 4096 + b"\n", None)]
)
def test_bounds(data, verdict):
    heard = asked().feed(data, 5)
    assert [one.verdict for one in heard] == ([verdict] if verdict else [])


def test_a_conversation_before_any_greeting():
    session = HpsSession()
    assert session.feed(b"bot\n", 1) == [Introduction("bot")]
    assert session.repeat_request("x", "y") == b""
    with pytest.raises(HinterlandError, match="call start before"):
        session.request_move(request())
