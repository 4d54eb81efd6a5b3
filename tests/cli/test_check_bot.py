"""check-bot: a good bot passes everything, and of each bad bot exactly one thing is found."""

import contextlib
import json
import socket
import subprocess
import sys

import pytest

from hinterland.cli import run
from hinterland.referee.shell.check import guests
from hinterland.referee.shell.check.findings import CHECKS
from hinterland.referee.shell.check.tap import Tap

BOT = """
import json, os, socket, sys, time

habit, way = sys.argv[1], sys.argv[2:]
games, own = 0, 0

def free(rules, moves):
    taken = {tuple(move[:2]) for _, move in moves}
    cells = ((row, col) for row in range(rules["size"]) for col in range(rules["size"]))
    return list(next(cell for cell in cells if cell not in taken))

def answer(turn):
    move = free(rules, turn["moves"])
    if habit == "illegal" or (habit == "illegal later" and own == 2) or (habit == "once only" and games == 2):
        move = [-1, -1]
    if habit == "slow":
        time.sleep(0.1)
    if (habit == "short memory" and len(turn["moves"]) > 15) or (habit == "no weights" and "weight_left" in turn):
        sys.exit("this was never tried")
    if habit == "lost in thought" and own == 2:
        time.sleep(600)
    said = json.dumps({"type": "move", "game_id": turn["game_id"], "turn": turn["turn"], "move": move}) + "\\n"
    say(said * (2 if habit == "twice" else 1))

def play():
    global games, own, rules
    if habit == "mute":
        time.sleep(600)
    say('{"type":"join","name":"bot"}\\n')
    rest = b""
    while data := read():
        if habit == "one read, one message" and not data.endswith(b"\\n"):
            sys.exit("half a message")
        *lines, rest = (rest + data).split(b"\\n")
        for message in map(json.loads, lines):
            if message["type"] == "game":
                rules, games, own = message["rules"], games + 1, 0
            elif message["type"] == "turn":
                own += 1
                answer(message)
            elif message["type"] == "over" and habit == "takes offence" and message["reason"] == "disconnect":
                sys.exit("where is everybody?")
            elif message["type"] == "over" and habit == "goes early" and games == 2:
                sys.exit(0)
    if habit == "stays":
        time.sleep(600)

if way:
    for _ in range(500):
        try:
            connection = socket.create_connection(("127.0.0.1", int(way[0])))
        except OSError:
            time.sleep(0.01)
            continue
        read, say = (lambda: connection.recv(65536)), (lambda text: connection.sendall(text.encode()))
        with connection:
            play()
else:
    read, say = (lambda: os.read(0, 65536)), (lambda text: os.write(1, text.encode()))
    play()
"""
RULES = ["--size", "9", "--spacing", "1", "--stones", "3"]
HABITS = {
    "mute": "introduces",
    "illegal": "first_move",
    "lost in thought": "in_time",
    "illegal later": "whole_game",
    "once only": "both_seats",
    "one read, one message": "packets",
    "takes offence": "leaver",
    "slow": "short_clock",
    "twice": "quiet",
    "stays": "ends",
    "short memory": "long_game",
    "no weights": "weighted",
}
CLOCKS = {"slow": "2", "lost in thought": "0.3"}


@pytest.fixture
def bot(tmp_path):
    """Return the command line of a bot with a habit."""
    script = tmp_path / "bot.py"
    script.write_text(BOT)
    return lambda habit, *way: [sys.executable, "-S", "-E", "-I", str(script), habit, *way]


@pytest.fixture
def check(capsys, monkeypatch):
    """Return a function that checks a bot and returns the exit code, what was found by name, and the rest of it."""
    monkeypatch.setattr(guests, "END_S", 0.5)

    def call(player, *options):
        code = run(["check-bot", player, *RULES, "--json", *options])
        told = json.loads(capsys.readouterr().out)
        return code, {found["check"]: found["state"] for found in told["checks"]}, told

    return call


def command(words):
    return "cmd:" + " ".join(f"'{word}'" for word in words)


def test_a_good_bot_passes_everything(bot, check):
    code, states, told = check(command(bot("good")))
    assert code == 0
    assert states == dict.fromkeys(CHECKS, "passed")
    assert told["failed"] == 0


@pytest.mark.parametrize(("habit", "caught_by"), HABITS.items(), ids=lambda word: word.replace(" ", "-"))
def test_of_each_bad_bot_exactly_one_thing_is_found(habit, caught_by, bot, check):
    code, states, told = check(command(bot(habit)), "--clock", CLOCKS.get(habit, "20"), "--hello", "2")
    assert code == 1
    assert [name for name, state in states.items() if state == "failed"] == [caught_by]
    [found] = [found for found in told["checks"] if found["state"] == "failed"]
    assert found["reason"]
    assert found["conversation"]
    assert all((len(line) < 200 and line.isascii()) or line.endswith("…") for line in found["conversation"])


def test_a_bad_bot_for_every_check():
    assert set(HABITS.values()) == set(CHECKS)


def test_a_bot_that_leaves_before_it_is_told(bot, check):
    code, states, told = check(command(bot("goes early")), "--without", "short_clock", "--without", "leaver")
    assert code == told["failed"] == 1
    [found] = [name for name, state in states.items() if state == "failed"]
    assert found in ("ends", "packets")  # whether it is gone before the next game begins, or during it


def test_last_words_on_standard_error_are_shown(bot, capsys):
    assert run(["check-bot", command(bot("no weights")), *RULES]) == 1
    out = capsys.readouterr().out
    assert "✗ plays with weighted stones: crash at its move 1" in out
    assert "    this was never tried" in out
    assert "    > {" in out
    assert out.endswith("11 passed, 1 failed, 0 not tried: weighted\n")


def test_a_player_of_the_house(check):
    code, states, _ = check("random")
    assert code == 0
    assert [name for name, state in states.items() if state == "skipped"] == ["introduces", "packets", "quiet", "ends"]


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


@contextlib.contextmanager
def running(words):
    with subprocess.Popen(words) as process:
        try:
            yield
        finally:
            process.kill()


def test_a_bot_that_connects(bot, check):
    port = str(free_port())
    with running(bot("good", port)):
        code, states, _ = check("tcp", "--protocol", "json", "--port", port)
    assert code == 0
    assert states == dict.fromkeys(CHECKS, "passed")


def test_a_bad_bot_that_connects(bot, check):
    port = str(free_port())
    with running(bot("twice", port)):
        code, states, _ = check("tcp", "--protocol", "json", "--port", port, "--without", "weighted")
    assert code == 1
    assert [name for name, state in states.items() if state != "passed"] == ["quiet"]


def test_nobody_connects(check):
    code, states, _ = check("tcp", "--port", "0", "--wait", "0.1")
    assert code == 0
    assert set(states.values()) == {"skipped"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nobody"], "unknown player of gravity 'nobody'"),
        (["cmd:./no-such-bot"], "no program './no-such-bot'"),
        (["random", "--protocol", "hps"], "--protocol is for bots that connect"),
        (["tcp", "--protocol", "smoke"], "unknown protocol 'smoke'"),
        (["random", "--without", "everything"], "unknown check 'everything'"),
        (["random", "--stones", "many"], "stones"),
        (["random", "--game", "chess"], "unknown game 'chess'"),
    ],
)
def test_wrong_use(arguments, words, capsys):
    assert run(["check-bot", *arguments]) == 2
    assert words in capsys.readouterr().err


def test_what_is_joined_goes_out_in_one_piece():
    class Carrier:
        origin = "here"
        sent = ()

        def write(self, data):
            Carrier.sent += (data,)

    class Link:
        def carried_by(self, carrier):
            pass

    tap = Tap(Link())
    tap.carried_by(Carrier())
    tap.packets = "joined"
    tap.write(b"one\n")
    tap.write(b"two\x1b\n")
    assert Carrier.sent == ()
    tap.flush()
    assert Carrier.sent == (b"one\ntwo\x1b\n",)
    assert list(tap.lines) == ["< one", "< two\\x1b"]
