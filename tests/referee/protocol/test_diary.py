"""What a player says about its move is kept with the move, within bounds, and never costs it anything."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hinterland import gravity
from hinterland.contract import Clock, Rules
from hinterland.dots import boards as dots_boards
from hinterland.graph import boards as graph_boards
from hinterland.referee.diary import MAX_BYTES, MAX_CHARACTERS, MAX_MARKS, NoteMark
from hinterland.referee.game_terms import GameTerms
from hinterland.referee.protocol.json_lines import JsonSession
from hinterland.referee.protocol.session import (
    Broken,
    GameEnd,
    Ignored,
    InboundLimits,
    Introduction,
    MoveReply,
    MoveRequest,
    Seating,
    Start,
)
from hinterland.referee.verdicts import Ending

SMALL = gravity.Rules(size=12, stones=3, spacing=2)
BOARDS = {
    "gravity": SMALL,
    "graph": graph_boards.grid(rows=3, cols=3, tokens=1),
    "dots": dots_boards.circle(6),
}
MOVES = {"gravity": [3, 4], "graph": [5], "dots": [0, 1]}


class Player:
    """A player that is asked for its move, and what the referee tells it."""

    def __init__(self, rules=SMALL):
        self.session = JsonSession()
        self.session.greet(Seating(rules=rules, number=0))
        assert self.session.feed(b'{"type":"join","name":"bot"}\n', 1) == [Introduction("bot")]
        self.rules, self.turn, self.games, self.told = rules, 1, 0, []
        self.begin()

    def begin(self):
        terms = GameTerms(rules=self.rules, names=("bot", "other"))
        self.games += 1
        self.session.start(Start(game_id=f"g{self.games}", terms=terms, seat=0, numbers=(0, 1), grace_ms=0))
        self.ask()

    def ask(self):
        self.session.request_move(MoveRequest(turn=self.turn, clock=Clock(), scores=(0, 0), moves=()))

    def say(self, line):
        for heard in self.session.feed(line.encode() + b"\n", 5):
            assert isinstance(heard, Ignored), heard
            if reported := self.session.report_ignored(heard):
                self.told.append(json.loads(reported)["detail"])

    def info(self, *marks, **fields):
        self.say(json.dumps({"type": "info", **fields, **({"marks": marks} if marks else {})}))

    def move(self, numbers=(3, 4)):
        answer = {"type": "move", "game_id": f"g{self.games}", "turn": self.turn, "move": numbers}
        (reply,) = self.session.feed(json.dumps(answer).encode() + b"\n", 6)
        assert isinstance(reply, MoveReply), reply
        return reply.note, reply.marks


@pytest.mark.parametrize(
    ("game", "marks", "kept"),
    [
        ("gravity", [{"at": [0, 11], "value": 0.7}], [NoteMark(at=(0, 11), value=0.7)]),
        ("gravity", [{"from": [3, 4], "to": [7, 9]}], [NoteMark(start=(3, 4), to=(7, 9))]),
        ("gravity", [{"line": [[1, 1], [2, 2]], "value": -3}], [NoteMark(line=((1, 1), (2, 2)), value=-3)]),
        ("gravity", [{"line": [[1, 1], [2, 2], [1, 1]]}], [NoteMark(line=((1, 1), (2, 2), (1, 1)))]),
        ("graph", [{"at": [8]}, {"from": [0], "to": [1]}], [NoteMark(at=(8,)), NoteMark(start=(0,), to=(1,))]),
        ("dots", [{"line": [[0], [5]], "value": 1.23456789}], [NoteMark(line=((0,), (5,)), value=1.23457)]),
    ],
)  # fmt: skip
def test_text_and_marks_are_kept_with_the_move(game, marks, kept):
    player = Player(BOARDS[game])
    player.info(*marks, text="hm")
    player.info(text="so")
    assert player.move(MOVES[game]) == ("hm\nso", tuple(kept))
    assert player.told == []


def test_a_note_belongs_to_one_move():
    player = Player()
    player.info(text="first")
    assert player.move() == ("first", ())
    player.info({"at": [1, 1]}, text="too late")
    player.turn = 3
    player.ask()
    assert player.move() == ("", ())
    assert player.told == ["info belongs between a turn and the answer to it; this one was dropped"]
    player.info(text="again too late")
    assert len(player.told) == 1, "the same is not told twice in a game"
    player.begin()
    player.move()
    player.info(text="in the next game")
    assert len(player.told) == 2


def test_a_refused_move_takes_its_note_along():
    player = Player()
    player.info(text="a cell that is taken")
    player.move()
    player.session.repeat_request("too_near", "too near")
    player.info(text="another")
    assert player.move() == ("another", ())


def test_before_the_first_game_nothing_is_kept_and_nothing_is_told():
    session = JsonSession()
    (heard,) = session.feed(b'{"type":"info","text":"hello"}\n', 1)
    assert session.report_ignored(heard) == b""


def test_between_two_games_nothing_is_kept():
    player = Player()
    player.session.end_game(GameEnd(ending=Ending((0, 0), (), "void", "over"), moves=(), departures=()))
    player.info(text="well played")
    player.begin()
    assert player.move() == ("", ())


# Bounds


def test_text_beyond_the_bound_is_cut_and_that_is_told_once():
    player = Player()
    for _ in range(9):
        player.info(text="ä" * 300)
    text, _ = player.move()
    assert text == "\n".join(["ä" * 300] * 3 + ["ä" * 97])
    assert len(text) == MAX_CHARACTERS
    assert player.told == [
        "of info at most 1000 characters, 200 marks and 8192 bytes are kept with a move; the rest was dropped"
    ]


def test_marks_beyond_the_bound_are_dropped_and_that_is_told_once():
    player = Player()
    for start in range(0, 300, 30):
        player.info(*({"at": [number % 12, 0]} for number in range(start, start + 30)))
    _, marks = player.move()
    assert [mark.at for mark in marks] == [(number % 12, 0) for number in range(MAX_MARKS)]
    assert len(player.told) == 1


def test_a_note_has_a_bounded_size():
    player = Player()
    long_line = {"line": [[number % 12, 11] for number in range(300)]}
    for _ in range(8):
        player.info(long_line, text="😀" * 100)
    text, marks = player.move()
    written = json.dumps(
        {"text": text, "marks": [{"line": mark.line} for mark in marks]}, ensure_ascii=False, separators=(",", ":")
    )
    assert len(marks) == 3
    assert MAX_BYTES / 2 < len(written.encode()) < MAX_BYTES + 100
    assert len(player.told) == 1


@pytest.mark.parametrize("spaces", [False, True])
def test_ten_thousand_marks_in_a_line_cost_nothing(spaces):
    player = Player()
    player.info(text="before")
    separators = (", ", ": ") if spaces else (",", ":")
    marks = [{"at": [number % 12, 3], "value": number / 7} for number in range(10_000)]
    started = time.thread_time()
    player.say(json.dumps({"type": "info", "marks": marks}, separators=separators))
    assert time.thread_time() - started < 0.1
    assert player.told == ["a message info was longer than a line may be, and was dropped"]
    player.info({"at": [1, 1]}, text="after")
    assert player.move() == ("before\nafter", (NoteMark(at=(1, 1)),))


def test_a_long_line_in_pieces_is_skipped_too():
    player = Player()
    data = json.dumps({"type": "info", "text": "x" * 50_000}).encode() + b"\n"
    heard = [one for place in range(0, len(data), 999) for one in player.session.feed(data[place : place + 999], 5)]
    assert [type(one) for one in heard] == [Ignored]
    assert player.session.framer.unfinished == b""
    assert player.move() == ("", ())


@pytest.mark.parametrize("line", ['{"type":"infos","text":"', '{"text":"', '{"type":"move","game_id":"', "x"])
def test_no_other_line_may_be_long(line):
    (heard,) = Player().session.feed((line + "x" * InboundLimits().line_bytes + "\n").encode(), 5)
    assert isinstance(heard, Broken)
    assert heard.verdict == "oversize"


def test_an_endless_comment_is_a_flood():
    session = Player().session
    session.feed(b'{"type":"info","text":"', 5)
    heard = [one for _ in range(16) for one in session.feed(b"x" * 65536, 5)]
    assert [type(one) for one in heard] == [Ignored, Broken]
    assert heard[-1].verdict == "flood"


# Marks that are none


@pytest.mark.parametrize(
    ("mark", "why"),
    [
        ({"at": [12, 0]}, "mark 2 of info was dropped: [12, 0] is no place on the board: [row 0 to 11, col 0 to 11]"),
        ({"at": [-1, 0]}, "mark 2 of info was dropped: [-1, 0] is no place on the board: [row 0 to 11, col 0 to 11]"),
        ({"at": [1]}, "[1] is no place"),
        ({"at": [1, 2, 3]}, "[1, 2, 3] is no place"),
        ({"at": []}, "[] is no place"),
        ({"at": [10**30, 0]}, "Expected `int`, got `float`"),
        ({"at": [1.5, 0]}, "Expected `int`, got `float`"),
        ({"at": 5}, "Expected `array | null`, got `int`"),
        ({"at": "e4"}, "Expected `array | null`, got `str`"),
        ({"from": [0, 0], "to": [99, 0]}, "[99, 0] is no place"),
        ({"from": [0, 0]}, "a mark has either"),
        ({"to": [0, 0]}, "a mark has either"),
        ({"at": [0, 0], "to": [0, 0]}, "a mark has either"),
        ({"at": [0, 0], "line": [[0, 0], [1, 1]]}, "a mark has either"),
        ({"line": [[0, 0]]}, "a mark has either"),
        ({"line": []}, "a mark has either"),
        ({"line": [[0, 0], [0, 12]]}, "[0, 12] is no place"),
        ({"value": 3}, "a mark has either"),
        ({}, "a mark has either"),
        ({"at": [0, 0], "colour": "red"}, "unknown field `colour`"),
        ({"at": [0, 0], "value": "high"}, "Expected `float | null`, got `str`"),
        ({"at": [0, 0], "value": float("nan")}, "its value is nan, which is no finite number"),
        ({"at": [0, 0], "value": float("inf")}, "its value is inf"),
        ({"at": [0, 0], "value": float("-inf")}, "its value is -inf"),
        ({"at": [float("nan"), 0]}, "Expected `int`, got `float`"),
        (7, "Expected `object`, got `int`"),
        (None, "Expected `object`, got `null`"),
    ],
)
def test_a_mark_that_is_none_is_dropped_with_a_reason(mark, why):
    player = Player()
    good = {"at": [0, 0]}
    player.info(good, mark, good, text="so")
    (told,) = player.told
    assert told.startswith("mark 2 of info was dropped: ")
    assert why in told
    assert told.isprintable()
    player.info(mark)
    assert len(player.told) == 1
    assert player.move() == ("so", (NoteMark(at=(0, 0)),) * 2)


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"text": 5}, "text of info is a text, not 5"),
        ({"text": None}, "text of info is a text, not None"),
        ({"marks": {"at": [1, 1]}}, "marks of info is an array of marks, not {'at': [1, 1]}"),
        ({"marks": "x" * 1000}, "marks of info is an array of marks, not 'xxx"),
        ({"mark": {"at": [1, 1]}}, "info was dropped: Object contains unknown field `mark`"),
    ],
)
def test_fields_of_another_type_are_dropped_with_a_reason(fields, why):
    player = Player()
    player.info(**fields)
    (told,) = player.told
    assert told.startswith(why)
    assert player.move() == ("", ())


def test_a_game_without_places_keeps_no_marks():
    class Elsewhere(Rules, frozen=True, kw_only=True):
        game = "elsewhere"

        def start(self):
            return SMALL.start()

    player = Player(Elsewhere())
    player.info({"at": [1, 1]}, text="here")
    assert player.told == ["mark 1 of info was dropped: this game has no places for marks"]
    assert player.move() == ("here", ())


def test_terminal_codes_are_removed_and_markup_stays_text():
    player = Player()
    player.info(text="\x1b[31mred\x1b[0m <script>alert(1)</script>\x00\u202e\nnext\x85line")
    assert player.move() == ("red <script>alert(1)</script>\nnext\nline", ())


FIELDS = st.sampled_from(["at", "from", "to", "line", "value", "x"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(FIELDS, inner),
    max_leaves=5,
)


@given(text=st.text() | VALUES, marks=st.lists(VALUES, max_size=6) | VALUES)
def test_nothing_said_in_a_comment_is_ever_judged(text, marks):
    player = Player()
    player.info(text=text)
    player.say(json.dumps({"type": "info", "text": text, "marks": marks}))
    note, kept = player.move()
    assert len(note) <= MAX_CHARACTERS
    assert all(0 <= number < 12 for mark in kept for place in mark.places for number in place)
