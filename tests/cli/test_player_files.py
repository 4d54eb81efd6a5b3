"""Files as players: each ending, the runner of a function ``choose``, and what is said of files that cannot play."""

import asyncio
import contextlib
import json
import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from hinterland import dots, gravity, jit
from hinterland.contract import Clock
from hinterland.dots.game import GAME as DOTS
from hinterland.gravity.game import GAME as GRAVITY
from hinterland.host.processes import player_file
from hinterland.host.processes.bot_runner import replay
from hinterland.referee.game_terms import GameTerms
from hinterland.referee.protocol.json_lines import JsonSession
from hinterland.referee.protocol.messages import MoveRequest
from hinterland.referee.protocol.session import Broken, Ignored, MoveReply, Seating, Start
from hinterland.referee.protocol.session import MoveRequest as SessionRequest
from hinterland.referee.record import read_line, unfold
from referee_clients import Gone, HpsPlayer, RefereeProcess, Wire

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "clients" / "python" / "json_client.py"
SMALL = {
    "gravity": ["--size", "12", "--spacing", "3", "--stones", "2"],
    "graph": ["--vertices", "9", "--tokens", "2"],
    "dots": ["--dots", "6"],
}
BOT = """\
def choose(position, clock, rng):
    print("thinking about", position)
    drawn = [position.legal_moves.sample(rng) for _ in range(5)]
    return max(drawn, key=lambda move: position.play(move).scores[position.mover])
"""

pytestmark = pytest.mark.usefixtures("nothing_left")


@pytest.fixture
def write(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def written(text, name="mybot.py", *, can_run=False):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        if can_run:
            path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return f"./{name}"

    return written


# What a file with choose can do


@pytest.mark.parametrize("game", SMALL)
def test_four_lines_play_every_game_and_repeat_it_with_its_seed(write, hinterland, game):
    bot = write(BOT)
    matches = [hinterland("match", game, bot, "random", *SMALL[game], "--seed", seed, "--json") for seed in (3, 3, 4)]
    first, again, other = (json.loads(match.out) for match in matches)
    assert first == again
    assert first["players"] != other["players"]
    assert first["players"][0]["name"] == bot
    assert sum(first["players"][0]["scores"]) > 0
    assert [match.err for match in matches] == ["", "", ""]


@pytest.mark.parametrize("spec", ["mybot.py", "sub/mybot.py", "{folder}/mybot.py", "./a:b=c.py"])
def test_a_path_is_written_as_in_a_shell(write, hinterland, tmp_path, spec):
    spec = spec.format(folder=tmp_path)
    write(BOT, os.path.relpath(spec, tmp_path))
    out = hinterland("match", "gravity", spec, "random", *SMALL["gravity"], "--seed", "1", "--json").out
    assert json.loads(out)["players"][0]["name"] == spec


def test_a_contest_of_three_matches(write, hinterland, tmp_path):
    bot = write(BOT, "bots/anna.py")
    out = hinterland("contest", "gravity", f"anna={bot}", bot, "random", *SMALL["gravity"], "--folder", "c").out
    assert re.search(r"^ \d +anna +2 ", out, re.MULTILINE)
    records = [json.loads(line) for line in Path("c/records.jsonl").read_text().splitlines()]
    assert len(records) == 6
    assert {record["reason"] for record in records} == {"complete"}
    assert not any(record["between"] for record in records)


def test_a_seat_of_the_referee_has_the_name_of_the_file(write):
    async def play():
        with RefereeProcess("--seat", write(BOT), "--pause", "0", "--json") as referee:
            wire = await Wire.to(referee.port)
            await wire.line()
            await wire.send("ben\n")
            with contextlib.suppress(Gone):
                await HpsPlayer(wire, gravity.Rules(size=12, stones=2, spacing=3)).play()
            wire.close()
            assert referee.code() == 0
            return json.loads(referee.out[0])

    result = asyncio.run(play())
    assert [player["name"] for player in result["players"]] == ["ben", "mybot"]
    assert all(min(player["scores"]) > 0 for player in result["players"])


def test_check_bot_finds_no_fault_in_it(write, hinterland):
    bot = write("def choose(position, clock, rng):\n    return position.legal_moves.sample(rng)\n")
    checks = json.loads(hinterland("check-bot", bot, *SMALL["gravity"], "--json").out)["checks"]
    assert {check["state"] for check in checks} == {"passed"}


def test_what_a_bot_prints_reads_and_starts_does_not_disturb_the_protocol(write, hinterland):
    noisy = """
import os, subprocess, sys, helper
print("loading")
def choose(position, clock, rng):
    assert __name__ == "random_bot" and helper.HERE
    os.write(1, b"{}")
    subprocess.run(["echo", "hello"], check=True)
    try:
        input()
    except EOFError:
        return tuple(next(iter(position.legal_moves)).numbers[:2])
"""
    write("HERE = 1", "helper.py")
    out = hinterland("match", "gravity", write(noisy, "random.py"), "random", *SMALL["gravity"], "--json").out
    assert min(json.loads(out)["players"][0]["scores"]) > 0


def test_choose_gets_the_position_and_the_clock_of_a_built_in_player(write, hinterland):
    checking = """
from hinterland.contract import Clock
from hinterland.gravity import Position, Rules
import numpy
def choose(position, clock, rng):
    assert type(position) is Position and position.rules == Rules(size=12, stones=2, spacing=3, weight=9)
    assert type(clock) is Clock and 0 < clock.left_ms <= 7000 and clock.increment_ms == 0
    assert type(rng) is numpy.random.Generator
    return position.legal_moves.sample(rng)
"""
    options = [*SMALL["gravity"], "--weight", "9", "--clock", "7", "--json"]
    out = hinterland("match", "gravity", write(checking), "random", *options).out
    assert min(json.loads(out)["players"][0]["scores"]) > 0


@pytest.mark.parametrize("text", ["from brain import choose", "import brain\nchoose = brain.choose"])
def test_choose_may_come_from_another_file(write, hinterland, text):
    write(BOT, "brain.py")
    out = hinterland("match", "gravity", write(text), "random", *SMALL["gravity"], "--json").out
    assert min(json.loads(out)["players"][0]["scores"]) > 0


# Notes

TELLING = """\
import numpy
def choose(position, clock, rng):
    move = position.legal_moves.sample(rng)
    places = [move, position.moves[-1][1]] if position.moves else [move, move]
    marks = MARKS
    return move, f"move {len(position.moves)}\\n<b>bold</b>", marks
"""


@pytest.mark.parametrize(
    ("game", "marks", "kept"),
    [
        (
            "gravity",
            '[{"at": move, "value": numpy.int64(7)}, {"from": [0, 0], "to": move}, {"line": places}]',
            lambda one, last: [{"at": one, "value": 7}, {"from": [0, 0], "to": one}, {"line": [one, last]}],
        ),
        (
            "graph",
            '[{"at": move, "value": numpy.float32(0.1)}, {"line": places}]',
            lambda one, last: [{"at": one, "value": 0.1}, {"line": [one, last]}],
        ),
        ("dots", '[{"line": move}]', lambda one, _: [{"line": [[one[0]], [one[1]]]}]),
    ],
)
def test_choose_may_return_a_note_with_its_move(write, hinterland, game, marks, kept):
    bot = write(TELLING.replace("MARKS", marks))
    told = hinterland("match", game, bot, "random", *SMALL[game], "--seed", "1", "--record", "r.jsonl")
    assert told.err == ""
    records = [json.loads(line) for line in Path("r.jsonl").read_text().splitlines()]
    assert len(records) == 2
    for number, record in enumerate(records):
        notes = record["times"]["notes"]
        assert [record["movers"][note["ply"]] for note in notes] == [number] * len(notes)
        assert len(notes) == record["movers"].count(number)
        for note in notes:
            ply = note["ply"]
            assert note["text"] == f"move {ply}\n<b>bold</b>"
            assert note["marks"] == kept(record["moves"][ply], record["moves"][max(ply - 1, 0)])
    assert "all agree" in hinterland("verify", "r.jsonl").out


@pytest.mark.parametrize(
    ("note", "kept", "said"),
    [
        ("'x' * 2000", 0, "of info at most 1000 characters, 200 marks and 8192 bytes are kept"),
        ("'x' * 1000, [{'at': [99, 0]}, {'at': [1, 2]}]", 1, "the referee ignored: mark 1 of info was dropped: "),
        ("'x' * 1000, [{'at': [1, 2], 'value': float('inf')}, {'at': [1, 2]}]", 2, ""),
        ("'x' * 1000, [{'at': [1, 2], 'value': {1}}, {'at': [1, 2]}]", 1, "Expected `float | null`, got `array`"),
        ("'x' * 1000, [7, None, object()]", 0, "a mark was left out, 7: AttributeError"),
        ("'x' * 1000, [{'at': [1, n % 12], 'value': n} for n in range(10_000)]", 200, "characters, 200 marks"),
        ("'x' * 1000, [{'line': [[n % 12, 0] for n in range(3000)]}]", 0, "longer than a line may be"),
        ("'x' * 1000, []", 0, ""),
    ],
)  # fmt: skip
def test_a_fault_in_a_note_costs_nothing_and_is_told(write, note, kept, said):
    bot = write(f"def choose(position, clock, rng):\n    return position.legal_moves.sample(rng), {note}\n")
    command = [sys.executable, "-m", "hinterland.host.processes.bot_runner", bot]
    rules = {"players": 2, "size": 12, "stones": 2, "spacing": 3, "weight": None, "law": "gravity"}
    session = JsonSession()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        session.greet(Seating(rules=gravity.Rules(**rules), number=0))
        hello = {"type": "hello", "protocol": "", "game": "gravity", "rules": rules, "player": 0, "needs_token": False}
        program.stdin.write(json.dumps(hello).encode() + b"\n")
        program.stdin.flush()
        session.feed(program.stdout.readline(), 0)
        terms = GameTerms(rules=gravity.Rules(**rules), names=("a", "b"))
        asked = session.start(Start(game_id="g", terms=terms, seat=0, numbers=(0, 1), grace_ms=0))
        asked += session.request_move(SessionRequest(turn=1, clock=Clock(), scores=(0, 0), moves=()))
        program.stdin.write(asked)
        program.stdin.flush()
        heard = []
        while not any(isinstance(one, MoveReply) for one in heard):
            heard += session.feed(program.stdout.readline(), 0)
        program.stdin.write(b"".join(session.report_ignored(one) for one in heard if isinstance(one, Ignored)))
        program.stdin.close()
        told = program.stderr.read().decode()
        assert program.wait() == 0
    assert not any(isinstance(one, Broken) for one in heard)
    assert heard[-1].note == "x" * 1000
    assert len(heard[-1].marks) == kept
    assert said in told
    assert said or not told


# Faults while it plays

FAILING = """\
def choose(position, clock, rng):
    return helper(position)
def helper(position):
    return [][7]
"""


def test_an_exception_shows_its_trace_and_ends_the_game_as_a_crash(write, hinterland):
    bot = write(FAILING)
    told = hinterland("match", "gravity", bot, "random", *SMALL["gravity"], "--record", "r.jsonl")
    assert "game 1: ./mybot.py left, crash: the program ended: exit status 1" in told.out
    assert "IndexError: list index out of range" in told.out
    trace = [line.strip(" |") for line in told.err.splitlines() if not set(line) <= set(" |^~")]
    assert trace[1:7] == [
        "Traceback (most recent call last):",
        f'File "{Path(bot).absolute()}", line 2, in choose',
        "return helper(position)",
        f'File "{Path(bot).absolute()}", line 4, in helper',
        "return [][7]",
        "IndexError: list index out of range",
    ]
    records = [json.loads(line) for line in Path("r.jsonl").read_text().splitlines()]
    assert [record["between"][0]["reason"] for record in records] == ["crash", "crash"]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("None", "crash: the program ended: exit status 1; its last words: 'choose returned None, which is no Stone"),
        ("(1.5, 2)", "choose returned (1.5, 2), which is no Stone and no whole numbers (row, col, weight)"),
        ("(99, 0)", "illegal"),
        ("(1, 2, 3, 4)", "illegal"),
    ],
)
def test_an_answer_that_is_no_move(write, hinterland, answer, said):
    bot = write(f"def choose(position, clock, rng):\n    return {answer}\n")
    assert said in hinterland("match", "gravity", bot, "random", *SMALL["gravity"]).out


def test_a_missing_module_is_told_without_advice_on_the_protocol(write, hinterland):
    bot = write("import nowhere\ndef choose(position, clock, rng): pass\n")
    told = hinterland("match", "gravity", bot, "random", *SMALL["gravity"], code=2).err
    assert told.splitlines()[-1] == (
        "hinterland: ./mybot.py: the program ended: exit status 1;"
        " its last words: \"ModuleNotFoundError: No module named 'nowhere'\""
    )
    assert re.search(r"mybot\.py\", line 1, in <module>", told)


def test_seats_that_are_passed_over_lost_their_turn_or_left():
    rules = gravity.Rules(size=12, stones=4, spacing=2, players=3)
    moves = ((0, (0, 0)), (1, (0, 4)), (2, (0, 8)), (1, (4, 4)), (1, (8, 8)))
    between = ((3, 0, "lost"), (4, 2, "left"), (4, 0, "lost"))
    turn = MoveRequest("g", 9, 0, moves, (10, 20, 0), Clock(), between)
    position = replay(GRAVITY, rules, turn)
    assert position.to_move == 0
    assert list(position.between) == [(3, 0, "lost"), (4, 2, "left"), (4, 0, "lost")]
    two = MoveRequest("g", 3, 0, ((0, (0, 1)),), (0, 0), Clock(), ((1, 1, "lost"),))
    skipped = replay(DOTS, dots.Rules(points=((0, 0), (9, 0), (4, 8), (4, 3))), two)
    assert (skipped.to_move, skipped.withdrawn, skipped.skipped) == (0, (), ((1, 1),))


SEEING = """\
def choose(position, clock, rng):
    with open("seen.txt", "a") as file:
        file.write(f"{position}\\n")
    return position.legal_moves.sample(rng)
"""
FALTERING = """\
def choose(position, clock, rng):
    assert len(position.moves) < 2
    return (99, 99)
"""


def test_a_bot_sees_lost_turns_and_departures_as_the_record_tells_them(write):
    async def play():
        seats = ["--seat", write(SEEING), "--seat", write(FALTERING, "faltering.py"), "--players", "3"]
        with RefereeProcess(*seats, "--illegal", "skip", "--pause", "0", "--record", "r.jsonl") as referee:
            wire = await Wire.to(referee.port)
            await wire.line()
            await wire.send("ben\n")
            with contextlib.suppress(Gone):
                await HpsPlayer(wire, gravity.Rules(size=12, stones=2, spacing=3, players=3)).play()
            wire.close()
            assert referee.code() == 0

    asyncio.run(play())
    games = [read_line(line) for line in Path("r.jsonl").read_text().splitlines()]
    assert {what.event for game in games for what in game.between} == {"lost", "left"}
    told = {str(position) for game in games for position in unfold(game)}
    seen = Path("seen.txt").read_text().splitlines()
    assert len(seen) > len(games)
    assert set(seen) <= told


# Endings


def test_the_table_is_what_players_prints_and_what_the_page_says(hinterland):
    listed = hinterland("players", "gravity").out
    page = (ROOT / "docs" / "referee.md").read_text()
    told = player_file.describe_endings()
    assert list(told) == [*player_file.ENDINGS, "any other"]
    for ending, words in told.items():
        assert re.search(rf"^ {re.escape(ending)} +{re.escape(words)} *$", listed, re.MULTILINE)
        shown = f"`{ending}`" if ending in player_file.ENDINGS else ending
        assert re.search(rf"^\| {re.escape(shown)} \| .*", page, re.MULTILINE), ending
        if ending in player_file.COMMANDS:
            assert f"| `{ending}` | `{words}` |" in page


@pytest.mark.parametrize("name", ["own.py", "bot", "bot.sh"])
def test_other_files_speak_the_protocol_themselves(write, hinterland, name):
    bot = write(f"#!{sys.executable}\n{SAMPLE.read_text()}", name, can_run=name != "own.py")
    out = hinterland("match", "gravity", bot, "random", *SMALL["gravity"], "--quiet").out
    assert out.split() in ([bot], ["random"])


JAVASCRIPT = """
require("node:readline").createInterface({input: process.stdin}).on("line", line => {
  const told = JSON.parse(line);
  const say = message => console.log(JSON.stringify(message));
  if (told.type === "hello") say({type: "join", name: "js"});
  const free = () => [0, 1, 2, 3].find(vertex => told.moves.every(([, [taken]]) => taken !== vertex));
  if (told.type === "turn") say({type: "move", game_id: told.game_id, turn: told.turn, move: [free()]});
});
"""
JAVA = """
import java.util.*;
public class Bot {
    public static void main(String[] words) {
        Scanner lines = new Scanner(System.in);
        while (lines.hasNextLine()) {
            String told = lines.nextLine();
            if (told.contains("\\"hello\\"")) System.out.println("{\\"type\\":\\"join\\",\\"name\\":\\"java\\"}");
            if (!told.startsWith("{\\"type\\":\\"turn\\"")) continue;
            String id = told.replaceAll(".*\\"game_id\\":\\"([^\\"]*)\\".*", "$1");
            String turn = told.replaceAll(".*\\"turn\\":([0-9]+).*", "$1");
            int free = 0;
            while (told.contains(",[" + free + "]]")) free++;
            System.out.println("{\\"type\\":\\"move\\",\\"game_id\\":\\"" + id + "\\",\\"turn\\":" + turn
                + ",\\"move\\":[" + free + "]}");
        }
    }
}
"""


def need(tool):
    if shutil.which(tool) is None:
        if os.environ.get("HINTERLAND_NO_SKIP"):
            pytest.fail(f"{tool} is missing")
        pytest.skip(f"{tool} is missing")


def test_javascript(write, hinterland):
    need("node")
    bot = write(JAVASCRIPT, "bot.js")
    assert hinterland("match", "graph", bot, "random", *SMALL["graph"], "--quiet").out


def test_java_as_source_class_and_archive(write, hinterland):
    need("javac")
    write(JAVA, "Bot.java")
    subprocess.run(["javac", "Bot.java"], check=True)
    subprocess.run(["jar", "cfe", "bot.jar", "Bot", "Bot.class"], check=True)
    for bot in ("./Bot.java", "./Bot.class", "./bot.jar"):
        told = json.loads(hinterland("match", "graph", bot, "random", *SMALL["graph"], "--json").out)
        assert min(told["players"][0]["scores"]) > 0, bot


# Files that cannot play

BAD_FILES = {
    "no file": (None, "./mybot.py", "no file './mybot.py' in"),
    "no folder": (None, "sub/mybot.py", "no file 'sub/mybot.py' in"),
    "a directory": (None, "./", "'./' is a directory, not a player; name the file in it"),
    "empty": ("", "./mybot.py", "'./mybot.py' is empty; write a function choose(position, clock, rng)"),
    "syntax": (
        "x = 1\ndef choose(position, clock, rng)\n    return 1\n",
        "./mybot.py",
        "'./mybot.py', line 2: expected ':', at the ^: 'def choose(position, clock, rng)^'",
    ),
    "indentation": ("def choose(a, b, c):\nreturn 1\n", "./mybot.py", "line 2: expected an indented block after"),
    "zero bytes": (b"\0\0", "./mybot.py", "'./mybot.py' is no Python program: source code"),
    "not UTF-8": (b"x = '\xff'\n", "./mybot.py", "'./mybot.py', line 1: (unicode error) 'utf-8' codec"),
    "nested": ("(" * 5000, "./mybot.py", "'./mybot.py'"),
    "arguments": ("def choose(position): pass\n", "./mybot.py", "'./mybot.py', line 1: choose takes other arguments"),
    "ending": ("puts 1", "./bot.rb", "cannot be started; write the command, such as 'cmd:INTERPRETER ./bot.rb'"),
    "source": ("int x", "./bot.cpp", "cannot be started; compile it, and name the program, such as './bot'"),
    "no run bit": ("#!/bin/sh\n", "./bot", "bot' is not executable; make it so: chmod +x bot"),
    "a long name": (None, "./" + "x" * 300, "cannot be read: File name too long"),
    "a control character": (None, "./a\n.py", r"'./a\n.py' has characters that cannot be printed; rename the file"),
    "bytes": (None, "./a\udcff.py", r"'./a\udcff.py' has characters that cannot be printed; rename the file"),
    "nobody's home": (None, "~no-such-user/bot.py", "cannot be read: Could not determine home directory"),
    "a device": (None, "/dev/null", "'/dev/null' is not a file"),
}


@pytest.mark.parametrize("case", BAD_FILES)
@pytest.mark.parametrize(
    "command",
    [
        ["match", "gravity", "BOT", "random"],
        ["check-bot", "BOT"],
        ["arena-test", "gravity", "BOT", "--against", "random"],
        ["contest", "gravity", "mine=BOT", "random"],
        ["referee", "gravity", "--seat", "BOT", "--port", "0"],
        ["serve", "--program", "mine=BOT", "--port", "0", "--data", "data"],
    ],
    ids=lambda words: words[0],
)
def test_a_file_that_cannot_play_is_refused_in_one_line(write, hinterland, command, case):
    text, spec, said = BAD_FILES[case]
    if text is not None:
        write(text, spec.removeprefix("./"))
    told = hinterland(*(word.replace("BOT", spec) for word in command), code=2)
    assert said in told.err
    assert told.err.count("\n") == 1
    assert told.out == ""


@pytest.mark.skipif(jit.SHIPPED.is_dir(), reason="the package has compiled kernels, which a sandbox shows")
def test_a_sandbox_needs_a_package_with_compiled_kernels(write, hinterland):
    told = hinterland("match", "gravity", write(BOT), "random", *SMALL["gravity"], "--sandbox", code=2)
    assert "'./mybot.py' runs with Hinterland and its compiled kernels" in told.err
