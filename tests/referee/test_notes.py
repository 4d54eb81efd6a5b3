"""Notes of players on their moves are in the record, beside the times: another run may have others."""

import sys

import msgspec
import numpy as np
import pytest

from hinterland.cli import run
from hinterland.contract import Clock, TellingPlayer
from hinterland.dots.game import GAME
from hinterland.errors import RecordError
from hinterland.gravity import Rules, Stone
from hinterland.host import synchronous
from hinterland.jit import JIT_ON
from hinterland.referee import judge, record, verification
from hinterland.referee.clock import TimeControl
from hinterland.referee.diary import NoteMark
from hinterland.storage.game_setup import Seat, Setup
from hinterland.storage.journal import Journal, journal_lines, peek_game
from judged_games import make_terms

RULES = Rules(size=12, spacing=3, stones=3)


def test_the_record_says_which_moves_perfect_could_not_prove(tmp_path, capsys, monkeypatch):
    file = tmp_path / "match.jsonl"
    players = ["perfect:seconds=0.05,memory_mb=1", "random"]
    if not JIT_ON:
        monkeypatch.setattr("hinterland.dots.players.MAX_DOTS", 8)
    board = ["--board", "circle", "--dots", "25" if JIT_ON else "9", "--seed", "1"]
    assert run(["match", "dots", *players, *board, "--record", str(file)]) == 0
    assert run(["verify", str(file)]) == 0
    kept = [record.read_line(line) for line in file.read_bytes().splitlines()]
    notes = [note for one in kept for note in one.times.notes]
    assert {note.text.partition(" in time")[0] for note in notes} == {"not proven best"}
    assert kept[0].times.notes[0].ply == 0, "the solver takes no more than MOST dots"
    for number, one in enumerate(kept):
        assert {one.movers[note.ply] for note in one.times.notes} == {number}, "only perfect says anything"
    capsys.readouterr()
    assert run(["replay", str(file)]) == 0
    assert "move 1: not proven best in time" in capsys.readouterr().out


def test_what_is_said_goes_when_the_move_is_taken_back():
    game = judge.begin(RULES.start(), TimeControl())
    game, _ = judge.step(game, judge.Begin(), 0)
    for ply, stone in enumerate((Stone(0, 0), Stone(9, 9), Stone(0, 9))):
        game, _ = judge.step(game, judge.Answer(ply % 2, game.turn, stone, f"move {ply}" if ply != 1 else ""), 0)
    assert game.notes == (record.Note(0, "move 0"), record.Note(2, "move 2"))
    game, _ = judge.step(game, judge.TakeBack(2), 0)
    assert game.notes == (record.Note(0, "move 0"),)


def test_a_forged_note_is_found():
    judged = synchronous.play_game(
        judge.begin(GAME.rules.from_options({"dots": 5}).start(), TimeControl()),
        [GAME.players["closer"](), GAME.players["random"]()],
        [np.random.default_rng(seed) for seed in range(2)],
    )
    kept = record.of_game(make_terms(judged, ("a", "b"), seed=1), judged, "2026-01-01T00:00:00+00:00")
    assert kept.times.notes == ()
    changed = msgspec.structs.replace(kept.times, notes=(record.Note(0, "forged"),))
    line = record.to_line(msgspec.structs.replace(kept, times=changed))
    assert "times" in str(refusal(line))


def refusal(line):
    try:
        verification.verify(record.read_line(line))
    except RecordError as error:
        return error
    raise AssertionError("a forged record was believed")


def test_players_that_tell_choose_what_they_tell():
    perfect = GAME.players["perfect"](seconds=60, memory_mb=1, traps=False)
    assert isinstance(perfect, TellingPlayer)
    position = GAME.rules.from_options({"dots": 6}).start()
    rng, again = np.random.default_rng(1), np.random.default_rng(1)
    assert perfect.choose(position, Clock(), rng) == perfect.choose_and_tell(position, Clock(), again)[0]


# What programs say


TALKER = """
import json, sys

def say(**message):
    print(json.dumps(message), flush=True)

for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "hello":
        say(type="join", name="talker")
    elif told["type"] == "turn":
        made = len(told["moves"])
        marks = [{"at": [made, 0], "value": made}, {"at": [12, 0]}]
        say(type="info", text=f"move {made}\\n\\x1b[1m<b>bold</b>", marks=marks)
        if made == 2:
            say(type="info", marks=[{"at": [number % 12, 3]} for number in range(10_000)])
        say(type="move", game_id=told["game_id"], turn=told["turn"], move=[3 * made, 3 * made])
        say(type="info", text="too late")
    elif told["type"] == "ignored":
        print(told["detail"], file=sys.stderr, flush=True)
"""  # fmt: skip
BOARD = ["--size", "12", "--stones", "2", "--spacing", "3"]


@pytest.fixture(scope="module")
def talked(tmp_path_factory):
    """Play a match of two programs that comment on each of their moves; return the file of its records."""
    tmp_path = tmp_path_factory.mktemp("talked")
    program, file = tmp_path / "talker.py", tmp_path / "match.jsonl"
    program.write_text(TALKER)
    bot = f"cmd:{sys.executable} {program}"
    assert run(["match", "gravity", bot, bot, *BOARD, "--record", str(file), "--seed", "1"]) == 0
    return file


def test_what_a_program_says_is_in_the_record(talked, capsys):
    kept = [record.read_line(line) for line in talked.read_bytes().splitlines()]
    assert [one.reason for one in kept] == ["complete", "complete"]
    for one in kept:
        assert [note.ply for note in one.times.notes] == [0, 1, 2, 3]
        for ply, note in enumerate(one.times.notes):
            assert note.text == f"move {ply}\n<b>bold</b>"
            assert note.marks == (NoteMark(at=(ply, 0), value=ply),)
    assert run(["verify", str(talked)]) == 0
    capsys.readouterr()
    assert run(["replay", str(talked)]) == 0
    assert "\nmove 3: move 2\n    <b>bold</b>\n    marked 2,0: 2\nmove 4: " in capsys.readouterr().out


def test_a_rerun_need_not_repeat_what_was_said(talked):
    one, _ = map(record.read_line, talked.read_bytes().splitlines())
    silent = record.sealed(msgspec.structs.replace(one, times=msgspec.structs.replace(one.times, notes=())))
    verification.verify(silent)
    assert silent.crc == one.crc
    assert silent.times.crc != one.times.crc


@pytest.mark.parametrize(
    ("notes", "written"),
    [
        ((record.Note(3, "hm"),), b'[{"ply":3,"text":"hm"}]'),
        (
            (record.Note(0, "", (NoteMark(start=(1, 2), to=(3, 4)), NoteMark(line=((1,), (2,)), value=0.5))),),
            b'[{"ply":0,"text":"","marks":[{"from":[1,2],"to":[3,4]},{"line":[[1],[2]],"value":0.5}]}]',
        ),
    ],
)
def test_notes_in_a_record(notes, written):
    times = record.Times("2026-01-01T00:00:00+00:00", (1,), notes=notes)
    line = msgspec.json.encode(times)
    assert b'"notes":' + written + b"," in line
    assert msgspec.json.decode(line, type=record.Times) == times


def test_a_record_of_an_earlier_version_keeps_its_bytes():
    """This line was written before notes had marks."""
    line = (
        b'{"format":"hinterland-record/2","game":"dots","rules":{"players":2,"points":[[0.0,0.0],[9.0,0.0],[4.0,8.'
        b'0],[4.0,3.0]],"orientations":null},"players":["a","b"],"seed":1,"number":1,"clock":{"budget_ms":120000,"'
        b'increment_ms":0,"move_ms":null},"movers":[0,1,0],"moves":[[1,3],[0,3],[0,1]],"between":[],"scores":[3,0]'
        b',"winners":[0],"reason":"complete","detail":"every seat has made all its moves","crc":"1fc123fb","times"'
        b':{"started":"2026-01-01T00:00:00+00:00","ms":[0,0,0],"lag_ms":0,"notes":[{"ply":0,"text":"not proven bes'
        b't in time; chosen like mcts"},{"ply":2,"text":"drawn at random"}],"crc":"a6868fa9"}}'
        b"\n"
    )
    kept = record.read_line(line)
    verification.verify(kept)
    assert record.to_line(record.sealed(kept)) == line


@pytest.mark.parametrize(
    "mark",
    [{}, {"at": [0], "to": [1]}, {"from": [0]}, {"line": [[0]]}, {"at": [0], "size": 3}, {"at": [0], "value": "1"}],
)
def test_a_mark_of_another_shape_is_no_record(talked, mark):
    one = msgspec.to_builtins(record.read_line(talked.read_bytes().splitlines()[0]))
    one["times"]["notes"][0]["marks"] = [mark]
    with pytest.raises(RecordError, match="not a record"):
        record.read_line(msgspec.json.encode(one))


# What a restart keeps


def test_a_journal_keeps_what_was_said(tmp_path):
    setup = Setup(
        id="g", game_name="gravity", rules_json=msgspec.to_builtins(RULES), seats=(Seat("bot", "a"), Seat("bot", "b")),
        control=TimeControl(), seed=None, key_sha256="", started="2026-01-01T00:00:00+00:00",
    )  # fmt: skip
    marks = (NoteMark(at=(1, 1), value=0.5),)
    said = {0: ("first", marks), 2: ("", marks), 3: ("taken back", ())}
    journal = Journal(tmp_path / "g.jsonl", 0)
    journal.write([setup])
    game = judge.begin(RULES.start(), TimeControl())
    game, _ = judge.step(game, judge.Begin(), 0)
    for ply, stone in enumerate((Stone(0, 0), Stone(9, 9), Stone(0, 9), Stone(9, 0))):
        answer = judge.Answer(ply % 2, game.turn, stone, *said.get(ply, ("", ())))
        game, effects = judge.step(game, answer, 0)
        journal.write(journal_lines(effects, game))
    game, effects = judge.step(game, judge.TakeBack(3), 0)
    journal.write(journal_lines(effects, game))
    journal.close()
    _, restored = peek_game(tmp_path / "g.jsonl")
    assert restored.game.notes == game.notes == (record.Note(0, "first", marks), record.Note(2, "", marks))
    plain = (tmp_path / "g.jsonl").read_text().splitlines()[2]
    assert "note" not in plain
    assert "marks" not in plain
