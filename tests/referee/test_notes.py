"""Notes of players on their moves are in the record, beside the times: another run may have others."""

import msgspec
import numpy as np

from hinterland.cli import run
from hinterland.contract import Clock, TellingPlayer
from hinterland.dots.game import GAME
from hinterland.errors import RecordError
from hinterland.gravity import Rules, Stone
from hinterland.host import synchronous
from hinterland.jit import JIT_ON
from hinterland.referee import judge, record, verification
from hinterland.referee.clock import TimeControl
from judged_games import make_terms


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
    game = judge.begin(Rules(size=12, spacing=3, stones=2).start(), TimeControl())
    game, _ = judge.step(game, judge.Begin(), 0)
    for ply, stone in enumerate((Stone(0, 0), Stone(9, 9), Stone(0, 9))):
        game, _ = judge.step(game, judge.Answer(ply % 2, game.turn, stone, f"move {ply}" if ply != 1 else ""), 0)
    assert game.notes == ((0, "move 0"), (2, "move 2"))
    game, _ = judge.step(game, judge.TakeBack(2), 0)
    assert game.notes == ((0, "move 0"),)


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
