"""Wrong input gets one clear line, the right exit code, and no traceback."""

import pytest

from hinterland.cli import run

SMALL = ["--size", "30", "--spacing", "4", "--stones", "2"]
CASES = [
    (["bogus"], 'Unknown command "bogus". Available commands: serve, match'),
    (["match"], "GAME"),
    (["match", "chess", "a", "b"], "unknown game 'chess'; known: gravity"),
    (
        ["match", "gravity", "random", "nobody"],
        "unknown player of gravity 'nobody'; known: random, mirror, hug, lloyd, reply",
    ),
    (["match", "gravity", "random", "\x1b[31m"], "unknown player of gravity '\\x1b[31m'"),
    (["match", "gravity", "random"], "a match needs at least 2 players, not 1"),
    (["match", "gravity", *["random"] * 13, *SMALL], "players must be a whole number from 2 to 12, not 13"),
    (["match", "gravity", "random", "reply:x=1"], "unknown option of player reply 'x'; known: none"),
    (
        ["match", "gravity", "random", "reply", "--colour", "red"],
        "unknown rule of gravity 'colour'; known: players, size",
    ),
    (["match", "gravity", "random", "reply", "--players", "3"], "--players is no option of a match"),
    (["match", "gravity", "random", "reply", "--law", "up"], "unknown law 'up'; known: gravity, nearest"),
    (["match", "gravity", "random", "reply", "--spacing", "1413"], "it can be at most 1412 there"),
    (["match", "gravity", "random", "reply", "--size", "10"], "spacing 66 leaves no room for a second stone"),
    (["match", "gravity", "random", "reply", *SMALL, "--clock", "0"], "clock: from 0.001"),
    (["match", "gravity", "random", "reply", *SMALL, "--clock", "nan"], "clock: from 0.001"),
    (["match", "gravity", "random", "reply", *SMALL, "--clock", "soon"], 'unable to convert "soon" into float'),
    (["match", "gravity", "random", "reply", *SMALL, "--seed", "-1"], "a seed is a whole number from 0"),
    (["match", "gravity", "random", "reply", *SMALL, "--record", "/no/such/file"], "cannot be written: No such file"),
    (["players", "chess"], "unknown game 'chess'"),
    (["verify", "/no/such"], "/no/such is not there"),
    (["verify", "/"], "/ is a directory, not a file of records"),
    (["replay", "/no/such"], "cannot be read: No such file"),
    (["serve", "--port", "99999"], "port"),
] + [
    (["match", "gravity", "random", "reply", f"--{name}", value], f"{name} must be a whole number from")
    for name in ("size", "stones", "spacing", "weight")
    for value in ("0", "-3", "2.5", "true", "many", "1e3", "99999999999999999999999")
]


@pytest.mark.parametrize(
    ("arguments", "complaint"), CASES, ids=lambda value: " ".join(value)[-60:] if isinstance(value, list) else ""
)
def test_one_clear_line(arguments, complaint, capsys):
    assert run(arguments) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert told.err.startswith("hinterland: ")
    assert "Traceback" not in told.err
    assert "\x1b" not in told.err
    assert complaint in told.err


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "holds no record"),
        (b"hello\n", "line 1: not a whole line of JSON"),
        (b'{"format":"pgn"}\n', "line 1: not a record of this program"),
        (b'{"format":"hinterland-record/1"}\n', "line 1: not a record: "),
        (b'{"format":"hinterland-record/1"', "line 1: cut short"),
        (b"\x00" * 1000, "line 1"),
    ],
)
def test_foreign_files(content, complaint, tmp_path, capsys):
    file = tmp_path / "foreign.jsonl"
    file.write_bytes(content)
    assert run(["verify", str(file)]) == 1
    assert complaint in capsys.readouterr().err
    assert run(["replay", str(file)]) == 2
    told = capsys.readouterr()
    assert complaint in told.err
    assert told.err.count("\n") == 1


def test_a_game_that_is_not_in_the_file(tmp_path, capsys):
    file = tmp_path / "a.jsonl"
    assert run(["match", "gravity", "random", "random", *SMALL, "--record", str(file)]) == 0
    for number in ("0", "3", "-1"):
        assert run(["replay", str(file), "--game", number]) == 2
        assert "holds games 1 to 2" in capsys.readouterr().err
    assert run(["replay", str(file), "--png", "/no/such/a.png"]) == 2
    assert "cannot be written" in capsys.readouterr().err
