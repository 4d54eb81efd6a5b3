"""docs/protocols.md is true: its conversations are had again, its client plays, its tables are the types."""

import itertools
import json
import random
import re
from pathlib import Path

import msgspec
import pytest

from hinterland.contract import Clock
from hinterland.gravity import Rules
from hinterland.referee.diary import MAX_BYTES, MAX_CHARACTERS, MAX_MARKS
from hinterland.referee.game_terms import GameTerms
from hinterland.referee.protocol.bounded_json import MAX_DEPTH, MAX_WHOLE_NUMBER
from hinterland.referee.protocol.hps import HpsSession
from hinterland.referee.protocol.hps_2016 import Hps2016Session
from hinterland.referee.protocol.hps_2018 import Hps2018Session
from hinterland.referee.protocol.json_lines import COMMENT, MAX_IGNORED_NOTICES, JsonSession
from hinterland.referee.protocol.messages import PROTOCOL
from hinterland.referee.protocol.names import MAX_NAME_CHARACTERS
from hinterland.referee.protocol.schema import json_schema
from hinterland.referee.protocol.session import InboundLimits, MoveRequest, Seating, Start
from hinterland.referee.verdicts import Illegal, Verdict
from protocol_match import Match

PAGE = (Path(__file__).parents[3] / "docs" / "protocols.md").read_text()
RULES = Rules(size=12, stones=2, spacing=3)
WEIGHTED = Rules(size=12, stones=2, spacing=3, weight=10)
BOB_FIRST, BOB_SECOND = ((8, 8), (2, 2)), ((8, 8), (2, 5))


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


JSON_GAME, JSON_NOTE, HPS_FIRST, HPS_SECOND, HPS_WEIGHTED, HPS_2016, HPS_2018 = (
    block.splitlines() for block in blocks("text")
)


def sent(block):
    return [line[2:] for line in block if line.startswith("> ")]


def test_the_conversation_in_json():
    second = ['{"type":"join","name":"bob"}', *(json_move(turn, move) for turn, move in ((2, [8, 8]), (4, [2, 2])))]
    match = Match([JsonSession, JsonSession], RULES, [sent(JSON_GAME), second])
    assert match.players[0].said == JSON_GAME
    assert match.endings[0].reason == "complete"


def test_the_note_is_kept_whole():
    session = JsonSession()
    session.greet(Seating(rules=RULES, number=0))
    session.feed(b'{"type":"join","name":"anna"}\n', 0)
    terms = GameTerms(rules=RULES, names=("anna", "bob"))
    session.start(Start(game_id="m1-1", terms=terms, seat=0, numbers=(0, 1), grace_ms=0))
    session.request_move(MoveRequest(turn=3, clock=Clock(), scores=(89, 45), moves=()))
    *comments, reply = session.feed("".join(f"{line}\n" for line in sent(JSON_NOTE)).encode(), 0)
    assert comments == [COMMENT, COMMENT]
    assert reply.note == "The corner is worth 0.7."
    assert [mark.shape for mark in reply.marks] == ["circle", "circle", "arrow", "line"]
    assert sent(JSON_NOTE)[-1] == sent(JSON_GAME)[-1]
    for number in (MAX_CHARACTERS, MAX_MARKS, MAX_BYTES):
        assert re.search(rf"\b{number} (characters|marks|bytes)\b", PAGE)


def json_move(turn, move):
    return json.dumps({"type": "move", "game_id": "m1-1", "turn": turn, "move": move})


def test_the_conversations_in_lines():
    match = Match([HpsSession, HpsSession], RULES, [sent(HPS_FIRST), sent(HPS_SECOND)], games=2)
    assert [player.said for player in match.players] == [HPS_FIRST, HPS_SECOND]
    assert [ending.reason for ending in match.endings] == ["complete", "complete"]


def test_the_conversation_with_weights():
    match = Match([HpsSession, HpsSession], WEIGHTED, [sent(HPS_WEIGHTED), ["bob", "8 8 5", "2 2 5"]])
    assert match.players[0].said == HPS_WEIGHTED
    assert match.endings[0].reason == "complete"


def test_the_conversation_of_2016():
    match = Match([Hps2016Session, Hps2016Session], RULES, [sent(HPS_2016), ["8 8", "2 2"]])
    assert match.players[0].said == HPS_2016
    assert [player.name for player in match.players] == ["player", "player#2"]
    assert match.endings[0].reason == "complete"


def test_the_conversation_of_2018():
    second = ['{"player_name": "bob"}', *(f'{{"move_row": {r}, "move_col": {c}}}' for r, c in (BOB_FIRST + BOB_SECOND))]
    match = Match([Hps2018Session, Hps2018Session], RULES, [sent(HPS_2018), second], games=2)
    assert match.players[0].said == HPS_2018
    assert [ending.reason for ending in match.endings] == ["complete", "complete"]


def test_hps_and_its_dialect_of_2018_tell_the_same():
    states = [json.loads(line[2:]) for line in HPS_2018 if line.startswith('< {"game_over')]
    lines = [[int(word) for word in line[2:].split()] for line in HPS_FIRST if line.startswith("< ")][1:]
    assert lines == [[state["game_over"], *state["scores"], *itertools.chain(*state["moves"])] for state in states]


def tables():
    """Return the fields of each message as the page lists them."""
    rows = re.findall(r"^\| `(\w+)` \| ([^|]*) \|", PAGE, re.MULTILINE)
    return {kind: set(re.findall(r"`(\w+)`", fields)) for kind, fields in rows}


def in_schema():
    """Return the fields of each message as the schema lists them."""
    found = {}
    for definition in json_schema()["$defs"].values():
        fields = dict(definition.get("properties", {}))
        if "type" in fields:
            (kind,) = fields.pop("type")["enum"]
            found[kind] = set(fields)
    return found


def test_the_tables_are_the_schema():
    assert tables() == in_schema()


def test_the_parts_of_a_departure_are_named():
    row = next(line for line in PAGE.splitlines() if line.startswith("| `over`"))
    assert set(json_schema()["$defs"]["Departure"]["properties"]) <= set(re.findall(r"`(\w+)`", row))


def test_every_reference_of_the_schema_leads_somewhere():
    schema = json_schema()
    names = re.findall(r"#/\$defs/(\w+)", json.dumps(schema))
    assert set(names) <= set(schema["$defs"])
    assert schema["title"] == PROTOCOL
    assert len(schema["$defs"]["FromPlayer"]["anyOf"]) + len(schema["$defs"]["ToPlayer"]["anyOf"]) == len(in_schema())
    assert msgspec.json.decode(msgspec.json.encode(schema)) == schema


def test_only_what_the_player_sends_is_closed():
    closed = {name for name, part in json_schema()["$defs"].items() if part.get("additionalProperties") is False}
    assert {"Join", "MoveAnswer", "Info"} <= closed
    from_referee = {"RefereeHello", "Welcome", "GameBegins", "MoveRequest", "RefusedMove", "GameOver"}
    assert not closed & (from_referee | {"IgnoredAnswer", "Bye"})


@pytest.mark.parametrize(
    ("what", "number"),
    [
        ("one line", InboundLimits().line_bytes),
        ("from one request to the next |", InboundLimits().turn_bytes),
        ("blank lines included", InboundLimits().turn_lines),
        ("answers in a row", InboundLimits().stray_lines),
    ],
)
def test_the_limits_are_those_of_the_referee(what, number):
    row = next(line for line in PAGE.splitlines() if line.startswith("|") and what in line)
    assert re.search(rf"\b{number}\b", row)


def test_the_other_numbers_of_the_page():
    assert f"at most {MAX_DEPTH} arrays" in PAGE
    assert "2^53 - 1" in PAGE
    assert MAX_WHOLE_NUMBER == 2**53 - 1
    assert f"at most {MAX_NAME_CHARACTERS} visible characters" in PAGE
    assert f"at most {MAX_IGNORED_NOTICES} times a game" in PAGE
    assert f"after {InboundLimits().quiet_ns // 1_000_000} ms in which no" in PAGE


def test_every_verdict_of_a_session_is_on_the_page():
    for verdict in (
        Verdict.OVERSIZE,
        Verdict.FLOOD,
        Verdict.PROTOCOL,
        Verdict.ILLEGAL,
        Verdict.TIME,
        Verdict.DISCONNECT,
    ):
        assert f"`{verdict}`" in PAGE


class Stream:
    """The client's end of a wire: it reads what was said so far and writes to a list."""

    def __init__(self, said):
        self.lines = [line[2:] for line in said if line.startswith("< ")]
        self.written = []

    def __iter__(self):
        return iter(self.lines)

    def write(self, text):
        self.written.append(text.rstrip("\n"))

    def flush(self):
        """Do nothing: there is no buffer."""


def client():
    """Return the page's client: something that answers a conversation so far with its next line."""
    names = {"__name__": "documentation"}
    exec(blocks("python")[0], names)

    def answer(said):
        random.seed(len(said))
        stream = Stream(said)
        names["play"](stream)
        return stream.written[-1]

    return answer


def test_the_client_in_twenty_lines_plays_whole_games():
    block = blocks("python")[0]
    assert sum(1 for line in block.splitlines() if line.strip() and not line.startswith("import")) <= 20
    match = Match([JsonSession, JsonSession], RULES, [client(), client()], games=2, illegal=Illegal.FORFEIT)
    assert [ending.reason for ending in match.endings] == ["complete", "complete"]
    assert [player.name for player in match.players] == ["twenty lines", "twenty lines#2"]
    assert list(itertools.chain(*(ending.winners for ending in match.endings)))
