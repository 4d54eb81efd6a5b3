"""Protocol hinterland-json/1, message by message."""

import json
import time

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hinterland.contract import Clock
from hinterland.errors import BadText, HinterlandError
from hinterland.gravity import Rules, Stone
from hinterland.referee.clock import TimeControl
from hinterland.referee.game_terms import GameTerms
from hinterland.referee.protocol.bounded_json import MAX_DEPTH, MAX_WHOLE_NUMBER, read_object
from hinterland.referee.protocol.json_lines import JsonSession
from hinterland.referee.protocol.session import (
    Broken,
    Farewell,
    GameEnd,
    Ignored,
    Introduction,
    MoveReply,
    MoveRequest,
    Seating,
    Start,
    UnreadableReply,
)
from hinterland.referee.verdicts import Departure, Ending, Verdict

RULES = Rules(size=12, players=2, stones=3, spacing=2)
PLAIN = {"players": 2, "size": 12, "stones": 3, "spacing": 2, "weight": None, "law": "gravity"}
JOIN = b'{"type":"join","name":"bot"}\n'
MOVES = ((0, Stone(0, 1)), (1, Stone(2, 3, 5)))


def begin(session, game_id="g-1", seat=1, seed=7, number=1):
    terms = GameTerms(
        rules=RULES, names=("a", "bot"), clock=TimeControl(budget_ms=5000), seed=seed, number=number, games=2
    )
    return session.start(Start(game_id=game_id, terms=terms, seat=seat, numbers=(0, 1), grace_ms=100))


def request(turn=2, weight_left=None):
    return MoveRequest(turn=turn, clock=Clock(900, 10), scores=(144, 0), moves=MOVES, weight_left=weight_left)


def introduced():
    session = JsonSession()
    session.greet(Seating(rules=RULES, number=1))
    assert session.feed(JOIN, 1) == [Introduction("bot")]
    return session


def asked(turn=2):
    session = introduced()
    begin(session)
    session.request_move(request(turn))
    return session


def move(numbers="[3,4]", turn=2, game_id="g-1"):
    return f'{{"type":"move","game_id":"{game_id}","turn":{turn},"move":{numbers}}}\n'.encode()


def told(data):
    assert data.endswith(b"\n")
    assert data.count(b"\n") == 1
    return json.loads(data)


# What is said


def test_hello_and_welcome():
    session = JsonSession()
    assert told(session.greet(Seating(rules=RULES, number=1, needs_token=True))) == {
        "type": "hello", "protocol": "hinterland-json/1", "game": "gravity", "rules": PLAIN, "player": 1,
        "needs_token": True,
    }  # fmt: skip
    assert told(session.greet(Seating(rules=RULES, number=None)))["player"] is None
    assert told(session.welcome(1, "bot#2")) == {"type": "welcome", "player": 1, "name": "bot#2"}


def test_a_game_begins():
    assert told(begin(introduced(), seed=None)) == {
        "type": "game", "game_id": "g-1", "number": 1, "of": 2, "game": "gravity", "rules": PLAIN, "seat": 1,
        "players": ["a", "bot"], "clock": {"budget_ms": 5000, "increment_ms": 0, "move_ms": None}, "grace_ms": 100,
    }  # fmt: skip


def test_each_game_and_seat_has_a_seed_of_its_own_if_the_match_has_one():
    asked = [(seed, number, seat) for seed in (0, 7, 2**63 - 1) for number in (1, 2) for seat in (0, 1)]
    seeds = [told(begin(introduced(), seed=seed, number=number, seat=seat))["seed"] for seed, number, seat in asked]
    assert len(set(seeds)) == len(asked)
    assert all(7 < seed < MAX_WHOLE_NUMBER for seed in seeds)
    assert told(begin(introduced()))["seed"] == seeds[asked.index((7, 1, 1))] == 168358491781513


def test_a_request():
    session = introduced()
    begin(session)
    plain = {
        "type": "turn", "game_id": "g-1", "turn": 2, "seat": 1, "moves": [[0, [0, 1]], [1, [2, 3, 5]]],
        "scores": [144, 0], "clock": {"left_ms": 900, "increment_ms": 10, "move_ms": None},
    }  # fmt: skip
    assert told(session.request_move(request())) == plain
    assert told(session.request_move(request(weight_left=7))) == {**plain, "weight_left": 7}
    passed = msgspec.structs.replace(request(), between=((1, 2, "lost"), (1, 3, "left")))
    assert told(session.request_move(passed)) == {**plain, "between": [[1, 2, "lost"], [1, 3, "left"]]}


def test_a_refusal_lets_the_request_stand():
    session = asked()
    assert session.repeat_request("x", "y")
    assert session.feed(move(), 5) == [MoveReply(2, (3, 4), 5)]
    refused = told(session.repeat_request("too_near", "too near"))
    assert refused == {"type": "refused", "game_id": "g-1", "turn": 2, "code": "too_near", "detail": "too near"}
    assert session.feed(move("[5,6]"), 6) == [MoveReply(2, (5, 6), 6)]


def test_a_game_is_over():
    session = asked()
    gone = Departure(1, Verdict.TIME, "late", 2)
    ending = Ending((144, 0), (0,), "time", "late")
    assert told(session.end_game(GameEnd(ending=ending, moves=MOVES, departures=(gone,)))) == {
        "type": "over", "game_id": "g-1", "moves": [[0, [0, 1]], [1, [2, 3, 5]]], "scores": [144, 0], "winners": [0],
        "reason": "time", "detail": "late",
        "departures": [{"seat": 1, "reason": "time", "detail": "late", "plies": 2}],
    }  # fmt: skip


def test_the_last_words():
    farewell = Farewell(detail="done", names=("a", "b"), totals=(3, 4), winners=(1,))
    bye = {"type": "bye", "detail": "done", "players": ["a", "b"], "totals": [3, 4], "winners": [1]}
    assert told(introduced().dismiss(farewell)) == bye
    assert told(JsonSession().dismiss(Farewell(detail="full")))["players"] == []


def test_what_was_ignored_is_said_sixteen_times_a_game():
    session = asked()
    assert told(session.report_ignored(Ignored("an old answer"))) == {"type": "ignored", "detail": "an old answer"}
    (comment,) = session.feed(b'{"type":"info","text":"hm"}\n', 5)
    assert session.report_ignored(comment) == b""
    assert [bool(session.report_ignored(Ignored("x"))) for _ in range(16)] == [True] * 15 + [False]
    begin(session, "g-2")
    assert session.report_ignored(Ignored("x"))


# What is heard


@pytest.mark.parametrize(
    ("line", "heard"),
    [
        ('{"type":"join","name":"bot"}', Introduction("bot")),
        ('{"name":"bot","token":"s","type":"join"}', Introduction("bot", "s")),
        ('{"type":"join","name":"bot","token":null}', Introduction("bot")),
        ('  {"type" : "join",\t"name":"Gr\\u00fc\\ud83d\\ude00"} \r', Introduction("Grü😀")),
        ('\n\n{"type":"join","name":""}', Introduction("")),
        ('{"type":"join","name":"\\u001b[31m"}', Introduction("\x1b[31m")),
    ],
)
def test_join(line, heard):
    assert JsonSession().feed(line.encode() + b"\n", 1) == [heard]


@pytest.mark.parametrize(
    ("numbers", "read"), [("[3,4]", (3, 4)), ("[ 3 , 4 , 2 ]", (3, 4, 2)), ("[-1,9007199254740991]", (-1, 2**53 - 1))]
)
def test_a_move(numbers, read):
    assert asked().feed(move(numbers), 5) == [MoveReply(2, read, 5)]


@pytest.mark.parametrize(
    "numbers",
    [
        "[3]",
        "[]",
        "[1,2,3,4]",
        "[1.0,2]",
        '["1",2]',
        "[true,2]",
        "[null,2]",
        "[[1],2]",
        "{}",
        '"3 4"',
        "3",
        "null",
        "1.5",
    ],
)
def test_an_answer_that_is_no_move(numbers):
    (heard,) = asked().feed(move(numbers), 5)
    assert isinstance(heard, UnreadableReply)
    assert (heard.turn, heard.code, heard.stamp_ns) == (2, "not_a_move", 5)
    assert heard.detail.startswith("a move is an array of whole numbers")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("[1,2]", "a message is a JSON object"),
        ('{"type":"move"}', "missing required field"),
        ('{"type":"shout"}', "Invalid value 'shout'"),
        ('{"type":5}', "Expected `str`"),
        ("{}", "missing required field `type`"),
        ('{"type":"join"}', "missing required field `name`"),
        ('{"type":"join","name":5}', "Expected `str`"),
        ('{"type":"join","name":"b","age":3}', "unknown field `age`"),
        ('{"type":"\\u001b[31m"}', "\\x1b"),
        (move(turn="true").decode(), "Expected `int`"),
        (move(turn="2.0").decode(), "Expected `int`"),
        (move(turn='"2"').decode(), "Expected `int`"),
        (move("[9007199254740992,1]").decode(), "beyond 53 bits"),
        (move("[-9007199254740992,1]").decode(), "beyond 53 bits"),
        (move("9" * 4000).decode(), "beyond 53 bits"),
        (move("[1e400,1]").decode(), "not finite"),
        (move("[-1e400,1]").decode(), "not finite"),
        (move("[NaN,1]").decode(), "NaN is not JSON"),
        (move("[-Infinity,1]").decode(), "-Infinity is not JSON"),
        (move("[01,1]").decode(), "not JSON"),
        (move("[1,]").decode(), "not JSON"),
        ('{"type":"info","text":"a","text":"b"}', "'text' is repeated"),
        ('{"type":"info","text":"\\ud800"}', "surrogate"),
        ('{"type":"info","\\udfff":"x"}', "surrogate"),
        (move("[" * 4000).decode(), "more than 8 deep"),
        ('{"a":' * 700, "more than 8 deep"),
        ("[" * 9 + "]" * 9, "more than 8 deep"),
        ('{"type":"info","text":"x"} {}', "not JSON"),
        ('{"type":"info","text":"x"', "not JSON"),
        ("3 4", "not JSON"),
        ("{'type':'info'}", "not JSON"),
        ('\ufeff{"type":"info","text":"x"}', "byte order mark"),
        ('{"type":"info","text":"a\x00b"}', "control character"),
        ('{"type":"info","text":"a\x1bb"}', "control character"),
        ('{"type":"info","text":"a\tb"}', "not JSON"),
    ],
)
def test_a_line_that_breaks_the_protocol(line, said):
    session = asked()
    started = time.thread_time()
    (heard,) = session.feed(line.strip("\n").encode() + b"\n", 5)
    assert time.thread_time() - started < 0.1
    assert isinstance(heard, Broken), heard
    assert heard.verdict is Verdict.PROTOCOL
    assert said in heard.detail.replace("\\\\", "\\")
    assert heard.detail.isprintable()
    assert session.is_closed
    assert session.feed(move(), 6) == ()


@pytest.mark.parametrize("line", [b'{"type":"info","text":"\xff"}', b'{"type":"info","text":"\xed\xa0\x80"}'])
def test_what_is_not_utf8_breaks_the_protocol(line):
    (heard,) = asked().feed(line + b"\n", 5)
    assert "not UTF-8" in heard.detail


def test_the_first_message_is_join():
    session = JsonSession()
    session.greet(Seating(rules=RULES, number=1))
    assert session.feed(b'{"type":"info","text":"hello"}\n', 1) == [Ignored("a comment")]
    (heard,) = session.feed(move(), 2)
    assert isinstance(heard, Broken)
    assert "join" in heard.detail


def test_brackets_in_a_comment_are_no_depth():
    text = json.dumps("[[{{" * 100 + '"\\')
    assert asked().feed(f'{{"type":"info","text":{text}}}\n'.encode(), 5) == [Ignored("a comment")]


@pytest.mark.parametrize(
    "line",
    [move(turn=1), move(turn=3), move(game_id="g-2"), move(game_id="G-1"), move(turn=-1), move("null", turn=1), JOIN],
    ids=range(7),
)
def test_an_answer_to_another_request_is_ignored(line):
    session = asked()
    (heard,) = session.feed(line, 5)
    assert isinstance(heard, Ignored)
    assert not heard.is_late_answer
    assert heard.detail.isprintable()
    assert session.feed(move(), 6) == [MoveReply(2, (3, 4), 6)]


def test_nothing_is_kept_for_a_later_request():
    session = introduced()
    assert isinstance(session.feed(move(turn=2), 4)[0], Ignored)
    begin(session)
    assert isinstance(session.feed(move(turn=2), 5)[0], Ignored)
    session.request_move(request(2))
    assert session.feed(b"\n", 6) == []
    assert session.feed(move(turn=2), 7) == [MoveReply(2, (3, 4), 7)]


def test_of_two_answers_the_first_counts():
    reply, second = asked().feed(move() + move("[5,6]"), 5)
    assert reply == MoveReply(2, (3, 4), 5)
    assert isinstance(second, Ignored)
    assert not second.is_late_answer


@pytest.mark.parametrize("end", ["withdraw_request", "over"])
def test_a_late_answer_shows_once_that_the_player_is_alive(end):
    session = asked()
    if end == "over":
        session.end_game(GameEnd(ending=Ending((1, 2), (1,), "time", ""), moves=(), departures=()))
    else:
        session.withdraw_request()
    begin(session, "g-2")
    session.request_move(request(2))
    late, again, good = session.feed(move() + move() + move(game_id="g-2"), 5)
    assert late.is_late_answer
    assert isinstance(again, Ignored)
    assert not again.is_late_answer
    assert good == MoveReply(2, (3, 4), 5)


def test_too_many_answers_in_a_row_to_no_request():
    session = asked()
    heard = [one for _ in range(17) for one in session.feed(move(turn=1), 5)]
    assert [type(one) for one in heard] == [Ignored] * 16 + [Broken]
    assert heard[-1].verdict is Verdict.PROTOCOL


def test_comments_are_no_stray_answers_but_are_counted():
    comment = b'{"type":"info","text":"x"}\n'
    heard = asked().feed(comment * 65, 5)
    assert [type(one) for one in heard] == [Ignored] * 64 + [Broken]
    assert heard[-1].verdict is Verdict.FLOOD
    session = asked(1)
    for turn in range(2, 12):
        assert not any(isinstance(one, Broken) for one in session.feed(comment * 60, 5))
        session.request_move(request(turn))


def test_a_line_without_its_end_is_no_answer():
    session = asked()
    assert session.feed(move().rstrip(), 5) == []
    assert session.quiet_at_ns is None
    assert session.take_unfinished() == ()
    assert session.end_of_file() == (Ignored("the connection ended in the middle of a line"),)
    assert session.end_of_file() == ()


def test_byte_by_byte_the_stamp_is_that_of_the_line_end():
    session = asked()
    heard = [one for stamp, byte in enumerate(move()) for one in session.feed(bytes([byte]), stamp)]
    assert heard == [MoveReply(2, (3, 4), len(move()) - 1)]


@pytest.mark.parametrize(("text", "verdict"), [("x" * 4071, None), ("x" * 4072, Verdict.OVERSIZE)])
def test_a_line_has_at_most_four_kibibytes(text, verdict):
    heard = asked().feed(f'{{"type":"join","name":"{text}"}}\r\n'.encode(), 5)
    assert [getattr(one, "verdict", None) for one in heard] == [verdict]


def test_no_request_without_a_game():
    session = introduced()
    assert session.repeat_request("x", "y") == b""
    with pytest.raises(HinterlandError, match="call start before"):
        session.request_move(request())


# JSON itself


TEXT = st.text(st.characters(exclude_categories=["Cs"]))
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-MAX_WHOLE_NUMBER, MAX_WHOLE_NUMBER)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda parts: (
        st.lists(parts, max_size=3) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), parts)
    ),
    max_leaves=8,
)


@given(st.dictionaries(TEXT, JSON, max_size=4), st.booleans())
def test_what_others_write_is_read_as_they_meant_it(value, is_ascii):
    text = json.dumps(value, ensure_ascii=is_ascii)
    if depth(value) <= MAX_DEPTH:
        assert read_object(text) == value == msgspec.json.decode(text)
    else:
        with pytest.raises(BadText, match="deep"):
            read_object(text)


def depth(value):
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if parts is None else 1 + max(map(depth, parts), default=0)


DEEP, KEYS = "[" * (MAX_DEPTH + 1), ",".join(f'"{number}":0' for number in range(400))


@pytest.mark.parametrize(
    "text",
    [DEEP + '\\"' * 2040, DEEP + '"a' * 2040, '{"a":"' + '\\"' * 2040, DEEP + '"' + "\\" * 4080, f'{{{KEYS},"399":1}}'],
    ids=["escaped quotes", "quotes", "a string without end", "backslashes", "a key twice"],
)
def test_four_kilobytes_of_anything_cost_next_to_nothing(text):
    """What is read before anybody is known; each of these took 13 to 98 ms once."""
    took = []
    for _ in range(5):
        began = time.perf_counter()
        with pytest.raises(BadText):
            read_object(text)
        took.append(time.perf_counter() - began)
    assert min(took) < 0.005


@given(st.text(st.sampled_from('{}[]",:0123456789.eE+-aN \\utrfnls')))
def test_whatever_a_line_holds_it_is_read_or_refused(text):
    try:
        value = read_object(text)
    except BadText as error:
        assert str(error).isprintable()
    else:
        assert isinstance(value, dict)
