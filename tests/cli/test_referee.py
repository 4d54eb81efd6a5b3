"""``hinterland referee`` as it is typed: what it prints, how it ends, and what it leaves in the record."""

import asyncio
import json
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from PIL import Image

from hinterland.cli import run
from hinterland.gravity import Rules
from hinterland.referee import record, verification
from hinterland.referee.verdicts import Verdict
from more_of_the_same import first_shows
from oracle_gravity import owners
from referee_clients import SMALL, Gone, HpsPlayer, RefereeProcess, Table, Wire, answer_json, make_plan, play_json
from sigkill_referee import check, rounds

CLIENT = Path(__file__).parents[2] / "clients" / "python" / "json_client.py"
BOARD = ["--size", "12", "--spacing", "3", "--stones", "2"]


def areas(plies):
    """Return the areas of both seats after the first moves in the top row, by the oracle."""
    stones = [[(0, 3 * ply, 1) for ply in range(seat, plies, 2)] for seat in range(2)]
    cells = [cell for row in owners(stones, 12, "gravity") for cell in row] if plies > 1 else [0] * 144
    return cells.count(0), cells.count(1)


def played(*wires, rules=SMALL):
    """Return what lets players of hps play until their connections end."""
    return asyncio.gather(*(HpsPlayer(wire, rules).play() for wire in wires))


async def play_hps(referee, *names):
    wires = [await referee.sit(name) for name in names]
    await played(*wires)
    for wire in wires:
        wire.close()


async def play_json_match(referee, *names, **tokens):
    wires = [await referee.join(name, **({"token": tokens[name]} if tokens else {})) for name in names]
    messages = await asyncio.gather(*(play_json(wire, SMALL) for wire in wires))
    for wire in wires:
        wire.close()
    return messages


HABITS = (
    "hps as in the course: an illegal move is asked again, 20 times a turn"
    " · text after the numbers of a move is ignored · weight 0 counts as 1 · 2 s between games"
)


def without_times(lines):
    """Return lines with what differs from run to run replaced."""
    lines = [re.sub(r"127\.0\.0\.1:\d+", "ADDRESS", line) for line in lines]
    return [re.sub(r" in \d+\.\d\d s", " in T s", line) for line in lines]


def games_in(file):
    kept = [record.read_line(line) for line in file.read_bytes().splitlines()]
    for one in kept:
        verification.verify(one)
    return kept


def test_a_whole_run_reads_well():
    with RefereeProcess() as referee:
        asyncio.run(play_hps(referee, "anna", "ben"))
        assert referee.code() == 0
    first, second, third, last = (areas(plies) for plies in range(1, 5))
    assert without_times(referee.err) == [
        "getting ready (compiling takes a minute the first time)",
        f"{SMALL} · 120 s each · an illegal move: retry · protocol hps",
        HABITS,
        "listening on ADDRESS, waiting for 2 players",
        "player 1 is anna, from ADDRESS, waiting for 1 more",
        "player 2 is ben, from ADDRESS",
        "game 1 of 2: anna begins against ben",
        "      the scores are those of anna · ben",
        f"    1 anna 0,0 in T s: {first[0]} · {first[1]}",
        f"    2 ben 0,3 in T s: {second[0]} · {second[1]}",
        f"    3 anna 0,6 in T s: {third[0]} · {third[1]}",
        f"    4 ben 0,9 in T s: {last[0]} · {last[1]}",
        f"game 1 is over: anna {last[0]} · ben {last[1]} (every seat has made all its moves)",
        "game 2 of 2: ben begins against anna",
        "      the scores are those of anna · ben",
        f"    1 ben 0,0 in T s: {first[1]} · {first[0]}",
        f"    2 anna 0,3 in T s: {second[1]} · {second[0]}",
        f"    3 ben 0,6 in T s: {third[1]} · {third[0]}",
        f"    4 anna 0,9 in T s: {last[1]} · {last[0]}",
        f"game 2 is over: anna {last[1]} · ben {last[0]} (every seat has made all its moves)",
    ]
    out = [" ".join(line.split()) for line in referee.out if line.strip(" ─")]
    assert out[1:] == [
        "player game 1 game 2 sum share",
        f"anna {last[0]} {last[1]} {sum(last)} 50.0 %",
        f"ben {last[1]} {last[0]} {sum(last)} 50.0 %",
        "anna and ben share the win",
    ]


@pytest.mark.once
def test_a_picture_of_every_finished_board_is_saved(tmp_path):
    with RefereeProcess("--artworks", tmp_path / "new" / "art") as referee:
        asyncio.run(play_hps(referee, "anna", "ben"))
        assert referee.code() == 0
    pictures = sorted((tmp_path / "new" / "art").iterdir())
    pattern = r"\d{4}-\d\d-\d\d-gravity-\d{6}-match1-game([12])\.png"
    assert [re.fullmatch(pattern, picture.name)[1] for picture in pictures] == ["1", "2"]
    for picture in pictures:
        with Image.open(picture) as image:
            assert image.size == (1000, 1000)


def test_a_folder_for_pictures_that_cannot_be_used_is_refused(capsys, tmp_path):
    (tmp_path / "file").touch()
    assert run(["referee", "gravity", "--artworks", str(tmp_path / "file"), "--port", "0"]) == 2
    assert "the folder for artworks" in capsys.readouterr().err


@pytest.mark.once
def test_the_limit_of_the_introduction_can_be_set_and_other_habits_are_said():
    async def wait_without_a_name(referee):
        wire = await Wire.to(referee.port)
        assert await wire.rest() == ["2 2 1", "no name within 0.2 s; does it flush its output?"]
        wire.close()

    with RefereeProcess("--hello", "0.2", "--illegal", "forfeit", "--pause", "0.5") as referee:
        assert referee.err[1:-1] == [
            f"{SMALL} · 120 s each · an illegal move: forfeit · protocol hps",
            "hps as in the course: text after the numbers of a move is ignored"
            " · weight 0 counts as 1 · 0.5 s between games",
        ]
        asyncio.run(wait_without_a_name(referee))


def test_json_and_the_record_agree(tmp_path, capsys):
    file = tmp_path / "games.jsonl"
    with RefereeProcess("--json", "--record", file, "--protocol", "json") as referee:
        assert referee.err[1:-1] == [f"{SMALL} · 120 s each · an illegal move: forfeit · protocol json"]
        asyncio.run(play_json_match(referee, "anna", "ben"))
        assert referee.code() == 0
    (line,) = referee.out
    result = json.loads(line)
    assert [player["name"] for player in result["players"]] == ["anna", "ben"]
    assert result["record"] == str(file)
    kept = games_in(file)
    assert [one.scores for one in kept] == [
        tuple(player["scores"][0] for player in result["players"]),
        tuple(player["scores"][1] for player in reversed(result["players"])),
    ]
    assert run(["verify", str(file)]) == 0
    assert "2 games judged again, all agree" in capsys.readouterr().out


@pytest.mark.once
def test_faults_are_told_in_words():
    async def play(referee):
        wires = [await referee.sit(name) for name in ("anna", "ben", "cleo")]
        rules = Rules(size=12, players=3, stones=2, spacing=3)
        await wires[0].line()
        await wires[0].send("99 0\n")
        await wires[1].line()
        await wires[1].send("where?\n")
        await asyncio.sleep(0)
        wires[2].close()
        await played(*wires[:2], rules=rules)
        for wire in wires:
            wire.close()

    with RefereeProcess("--players", "3", "--illegal", "skip") as referee:
        asyncio.run(play(referee))
        assert referee.code() == 0
    # Where cleo has left lines unread, the system resets the connection that she closes.
    text, out = ("\n".join(told).replace("was reset", "was closed") for told in (referee.err, referee.out))
    assert "  anna loses the turn: 99,0 is outside the board, rows and columns go from 0 to 11" in text
    assert "  ben loses the turn: a move is written as whole numbers, row col; 'where?' is not" in text
    assert "player 3, cleo, is gone: the connection was closed" in text
    assert "  cleo is out of game 1, disconnect: the connection was closed" in text
    assert "game 1: cleo left, disconnect: the connection was closed" in out


@pytest.mark.once
def test_confirm_waits_for_enter():
    with RefereeProcess("--confirm") as referee:

        async def play():
            wires = [await referee.sit(name) for name in ("anna", "ben")]
            referee.until("all players are here: press Enter to begin")
            assert not any("begins against" in line for line in referee.err)
            referee.process.stdin.write(b"\n")
            referee.process.stdin.flush()
            await played(*wires)
            for wire in wires:
                wire.close()

        asyncio.run(play())
        assert referee.code() == 0


@pytest.mark.once
def test_tokens_are_asked_for_and_not_printed(tmp_path):
    tokens = {"anna": "the-token-of-anna", "ben": "the-token-of-ben"}
    file = tmp_path / "tokens"
    file.write_text("# who plays\n" + "".join(f"{name} {token}\n" for name, token in tokens.items()))
    with RefereeProcess("--token", file) as referee:
        assert "players show their tokens: anna, ben" in referee.err
        asyncio.run(play_json_match(referee, "anna", "ben", **tokens))
        assert referee.code() == 0
    assert not any("the-token" in line for line in referee.err + referee.out)


def test_two_matches_with_equal_names_are_told_apart():
    async def play(referee):
        wires = [await referee.join("bot") for _ in range(4)]
        lists = await asyncio.gather(*(play_json(wire, SMALL) for wire in wires))
        for wire in wires:
            wire.close()
        return lists

    with RefereeProcess("--protocol", "json", "--illegal", "retry", "--matches", "2") as referee:
        assert referee.err[1] == f"{SMALL} · 120 s each · an illegal move: retry · protocol json"
        asyncio.run(play(referee))
        assert referee.code() == 0
    assert sorted(line.split(":")[0] for line in referee.out) == ["match 1", "match 2"]
    total = sum(areas(4))
    words = f"bot {total} · bot#2 {total}: bot and bot#2 share the win"
    assert all(line.endswith(words) for line in referee.out)
    assert sum("match begins: bot against bot#2" in line for line in referee.err) == 2


# Ctrl-C


@pytest.mark.once
@pytest.mark.parametrize("number", first_shows(signal.SIGINT, signal.SIGTERM))
def test_interrupted_before_anybody_came(number):
    with RefereeProcess() as referee:
        referee.signal(number)
        assert referee.code() == 130
    assert referee.out == []
    assert referee.err[-1].startswith("interrupted: the running games are finished, no more begin")


@pytest.mark.once
def test_interrupted_once_the_game_is_finished_and_recorded(tmp_path):
    file = tmp_path / "games.jsonl"
    with RefereeProcess("--record", file) as referee:

        async def play():
            wires = [await referee.sit(name) for name in ("anna", "ben")]
            first = HpsPlayer(wires[0], SMALL)
            await first.answer(await wires[0].line())
            referee.signal(signal.SIGINT)
            referee.until("^interrupted: ")
            await asyncio.gather(first.play(), HpsPlayer(wires[1], SMALL).play())
            for wire in wires:
                wire.close()

        asyncio.run(play())
        assert referee.code() == 130
    (kept,) = games_in(file)
    assert kept.reason == "complete"
    assert any(line.split()[:2] == ["player", "game"] for line in referee.out)


def test_interrupted_twice_the_game_is_void_and_not_recorded(tmp_path):
    file = tmp_path / "games.jsonl"
    with RefereeProcess("--record", file) as referee:

        async def play():
            wires = [await referee.sit(name) for name in ("anna", "ben")]
            await wires[0].line()
            referee.signal(signal.SIGINT)
            referee.until("^interrupted: ")
            referee.signal(signal.SIGINT)
            assert await wires[0].rest() == ["1 0 0"]
            for wire in wires:
                wire.close()

        asyncio.run(play())
        assert referee.code() == 131
    assert file.read_bytes() == b""
    assert "game 1 is void: the operator ended it" in referee.err
    assert referee.out == []


@pytest.mark.once
def test_interrupted_while_the_operator_is_asked():
    with RefereeProcess("--confirm") as referee:

        async def play():
            wires = [await referee.sit(name) for name in ("anna", "ben")]
            referee.until("press Enter")
            referee.signal(signal.SIGINT)
            for wire in wires:
                assert await wire.rest() == ["the referee is closing"]
                wire.close()

        asyncio.run(play())
        assert referee.code() == 130


# What cannot be


def test_a_port_in_use_is_one_line(capsys):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert run(["referee", "gravity", *BOARD, "--port", str(port)]) == 2
    told = capsys.readouterr()
    assert told.err == f"hinterland: port {port} on 127.0.0.1 is in use; choose another with --port\n"
    assert told.out == ""


BAD = [
    (["--port", "65536"], "a port is a number from 0 to 65535, not 65536"),
    (["--port", "-1"], "a port is a number from 0 to 65535"),
    (["--host", "192.0.2.1", "--port", "0"], "192.0.2.1 is no address of this machine"),
    (["--host", "no such host", "--port", "0"], "no such host is no address to listen on"),
    (["--protocol", "gtp"], "unknown protocol 'gtp'; known: hps, hps-2016, hps-2018, json"),
    (["--protocol", "hps-2016", "--weight", "9"], "protocol hps-2016 cannot express weights; use"),
    (["--illegal", "laugh"], "unknown cost of an illegal move 'laugh'; known: forfeit, skip, retry"),
    (["--pause", "-1"], "--pause is a number of seconds from 0 to 3600, not -1"),
    (["--hello", "nan"], "--hello is a number of seconds from 0.1 to 3600, not nan"),
    (["--clock", "0"], "clock: from 0.001 to 1,000,000 seconds, not 0"),
    (["--clock", "inf"], "clock: from 0.001 to 1,000,000 seconds, not inf"),
    (["--increment", "-1"], "increment: 0, or from 0.001"),
    (["--matches", "0"], "--matches is a whole number from 1, not 0"),
    (["--players", "1"], "a match needs at least 2 players, not 1"),
    (["--players", "13"], "players must be a whole number from 2 to 12, not 13"),
    (
        ["--seat", "random", "--seat", "random"],
        "2 of 2 players are seated here; leave a seat for a player that connects",
    ),
    (["--seat", "nobody"], "unknown player of gravity 'nobody'"),
    (["--seat", "cmd:./no-such-bot"], "no program './no-such-bot' in"),
    (["--token", "/no/such"], "/no/such cannot be read: No such file or directory"),
    (["--record", "/no/such/file"], "/no/such/file cannot be written: No such file or directory"),
    (["--colour", "red"], "unknown rule of gravity 'colour'"),
    (["--watch-port", "many"], "many"),
]


@pytest.mark.parametrize(("options", "words"), BAD, ids=[" ".join(options) for options, _ in BAD])
def test_bad_options_are_one_line(options, words, capsys):
    ends = [] if "--port" in options else ["--port", "0"]
    before = time.monotonic()
    assert run(["referee", "gravity", *BOARD, *options, *ends]) == 2
    assert time.monotonic() - before < 10
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert told.err.startswith("hinterland: ")
    assert words in told.err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("anna short\n", "line 1 of the tokens: a token has 8 to 200 characters, not 5"),
        ("anna long-enough\n", "the tokens name 1 players, 2 are needed"),
        ("anna long-enough\nanna other-token\n", "line 2 of the tokens: this name or token is on an earlier line too"),
        ("long-enough\n", "line 1 of the tokens: a name and a token are needed"),
        ("\x1b[31manna long-enough\n", "line 1 of the tokens: "),
        (b"\xff\xfe", "cannot be read: it is not text in UTF-8"),
    ],
    ids=["short", "too few", "twice", "no name", "terminal code", "not UTF-8"],
)
def test_a_bad_file_of_tokens_is_one_line(text, words, tmp_path, capsys):
    file = tmp_path / "tokens"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    assert run(["referee", "gravity", *BOARD, "--port", "0", "--token", str(file)]) == 2
    told = capsys.readouterr()
    assert words in told.err
    assert told.err.count("\n") == 1
    assert "\x1b" not in told.err


@pytest.mark.once
def test_a_record_that_another_referee_writes_is_refused(tmp_path, capsys):
    file = tmp_path / "games.jsonl"
    with RefereeProcess("--record", file):
        assert run(["referee", "gravity", *BOARD, "--port", "0", "--record", str(file)]) == 2
    assert capsys.readouterr().err == (
        f"hinterland: another referee writes {file}; stop it or choose another file\n"
    )  # fmt: skip


@pytest.mark.once
def test_a_full_disk_is_one_line_and_exit_2():
    with RefereeProcess("--record", "/dev/full") as referee:

        async def play():
            wires = [await referee.sit(name) for name in ("anna", "ben")]
            lines = await asyncio.gather(*(until_told(wire) for wire in wires))
            for wire in wires:
                wire.close()
            return lines

        async def until_told(wire):
            player = HpsPlayer(wire, SMALL)
            try:
                while not (line := await wire.line()).startswith("the referee"):
                    assert line.startswith("0 "), "nobody is told of the end of a game that is not recorded"
                    await player.answer(line)
            except Gone:
                return None
            return line

        told = asyncio.run(play())
        assert referee.code() == 2
    words = "/dev/full cannot be written: No space left on device"
    assert told == [f"the referee had to end the match: {words}"] * 2
    assert referee.err[-1] == f"hinterland: {words}"
    assert not any("Traceback" in line for line in referee.err)


# The machine


@pytest.mark.once
def test_a_referee_that_is_stopped_for_a_while_flags_nobody(tmp_path):
    file = tmp_path / "games.jsonl"
    with RefereeProcess("--clock", "0.5", "--protocol", "json", "--record", file) as referee:

        async def play():
            wires = [await referee.join(name) for name in ("anna", "ben")]
            turn = await wires[0].until("turn")
            await asyncio.sleep(0.05)  # its clock runs as soon as the question has left
            referee.signal(signal.SIGSTOP)
            await asyncio.sleep(0.7)
            await answer_json(wires[0], turn, SMALL)
            referee.signal(signal.SIGCONT)
            asked = await wires[1].until("turn")
            await asyncio.sleep(0.05)
            referee.signal(signal.SIGSTOP)
            await asyncio.sleep(0.7)
            referee.signal(signal.SIGCONT)
            await answer_json(wires[1], asked, SMALL)
            await asyncio.gather(*(play_json(wire, SMALL) for wire in wires))
            for wire in wires:
                wire.close()

        asyncio.run(play())
        assert referee.code() == 0
    first, second = games_in(file)
    assert (first.departures, second.departures) == ((), ())
    assert first.times.lag_ms > 1200
    assert all(ms < 500 for ms in first.times.ms)
    assert sum("this machine stood still for 0." in line for line in referee.err) >= 2
    assert Verdict.TIME not in referee.err


@pytest.mark.thorough
@pytest.mark.once
def test_a_match_that_is_stopped_for_a_while_says_so_and_charges_nobody(tmp_path):
    """In one process, without an event loop, and with a program beside."""
    for players in (["search:seconds=1", "random"], ["search:seconds=1", f"cmd:{sys.executable} {CLIENT}"]):
        file = tmp_path / f"{len(players[1])}.jsonl"
        words = ["match", "gravity", *players, "--size", "60", "--spacing", "5", "--stones", "3", "--record", str(file)]
        with subprocess.Popen([sys.executable, "-m", "hinterland", *words], stderr=subprocess.PIPE, text=True) as match:
            while match.poll() is None and not (file.exists() and file.stat().st_size):
                time.sleep(0.01)
            time.sleep(0.3)  # the second game goes on, and search thinks
            match.send_signal(signal.SIGSTOP)
            time.sleep(1.5)
            match.send_signal(signal.SIGCONT)
            said = match.stderr.read()
        assert re.search(r"this machine stood still for 1\.[0-9]+ s; no player was charged for it", said), said
        second = games_in(file)[1]
        assert second.times.lag_ms > 1200
        assert second.departures == ()


@pytest.mark.once
@pytest.mark.thorough
def test_killed_at_random_moments_nobody_was_told_of_a_game_that_is_not_recorded(tmp_path):
    file = tmp_path / "games.jsonl"
    _, kept = rounds(file, 3, seed=2026)
    with RefereeProcess("--protocol", "json", "--record", file) as referee:
        asyncio.run(play_json_match(referee, "last", "one"))
        assert referee.code() == 0
    assert len(games_in(file)) == kept + 2


def test_the_check_after_a_kill_finds_what_is_lost_and_what_is_twice(tmp_path):
    async def play():
        async with Table(make_plan(protocol="json")) as table:
            wires = [await table.join(name) for name in ("anna", "ben")]
            await asyncio.gather(*(play_json(wire, SMALL) for wire in wires))
            await table.done()
            return [record.to_line(kept) for kept in table.log.records]

    first, second = asyncio.run(play())
    told = {(("anna", "ben"), 1), (("ben", "anna"), 2)}
    file = tmp_path / "games.jsonl"
    file.write_bytes(first + second + second[:40])
    assert check(file, told) == 2
    for damaged, words in ((first, "not in the record"), (first + second + second, "twice"), (first[40:], "not a")):
        file.write_bytes(damaged)
        with pytest.raises((AssertionError, record.RecordError), match=words):
            check(file, told)


@pytest.mark.once
def test_a_client_that_sends_terminal_codes_cannot_steer_the_terminal():
    with RefereeProcess("--protocol", "json") as referee:

        async def play():
            evil = await referee.join("\x1b]0;owned\x07\x1b[2Jevil\u202e")
            ben = await referee.join("ben")
            turn = await evil.until("turn")
            await evil.send_json(type="move", game_id=turn["game_id"], turn=1, move="\x1b[31m")
            await asyncio.gather(*(play_json(wire, SMALL) for wire in (evil, ben)))
            evil.close()
            ben.close()

        asyncio.run(play())
        assert referee.code() == 0
    text = "\n".join(referee.err + referee.out)
    assert "player 1 is evil, from" in text
    assert not {character for character in text if not character.isprintable()} - {"\n"}


@pytest.mark.once
def test_the_port_stays_open_without_descriptors_and_the_terminal_readable():
    """A process that may open few files refuses nobody for good."""
    import resource

    with RefereeProcess("--protocol", "json") as referee:
        before = resource.prlimit(referee.process.pid, resource.RLIMIT_NOFILE)
        used = len(list(Path(f"/proc/{referee.process.pid}/fd").iterdir()))
        resource.prlimit(referee.process.pid, resource.RLIMIT_NOFILE, (used, before[1]))
        with socket.create_connection(("127.0.0.1", referee.port)):
            time.sleep(0.1)
            resource.prlimit(referee.process.pid, resource.RLIMIT_NOFILE, before)
        asyncio.run(play_json_match(referee, "anna", "ben"))
        assert referee.code() == 0


DAEMONS = """
import os, signal, sys, time
sys.stdin.readline()
print('{"type":"join","name":"bot"}', flush=True)
for _ in range(20):
    if os.fork() == 0:
        os.setsid()
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)
        if os.fork() == 0:
            os.closerange(0, 100)
            open(f"{sys.argv[1]}/{os.getpid()}", "w").close()
            time.sleep(600)
        os._exit(0)
sys.stdin.read()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux finds processes that left their group")
@pytest.mark.parametrize("number", first_shows(signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
def test_a_match_that_is_ended_leaves_no_process(tmp_path, number):
    """Neither of a program that thinks for ever, nor of its daemons, that ignore signals."""
    from programs import find_left_behind

    (tmp_path / "there").mkdir()
    (tmp_path / "bot.py").write_text(DAEMONS)
    bot = f"cmd:{sys.executable} {tmp_path / 'bot.py'} {tmp_path / 'there'}"
    starter = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    starter += "signal.signal(signal.SIGHUP, signal.SIG_DFL)\n"  # ignored where the tests run under nohup
    starter += "from hinterland.cli import main; main()"
    words = ["match", "dots", bot, "random", "--dots", "5", "--seed", "1"]
    with subprocess.Popen([sys.executable, "-c", starter, *words], stderr=subprocess.PIPE, text=True) as match:
        until = time.monotonic() + 30
        while len(list((tmp_path / "there").iterdir())) < 20 and time.monotonic() < until:
            time.sleep(0.02)
        assert len(find_left_behind(tmp_path)) >= 20
        match.send_signal(number)
        _, told = match.communicate(timeout=20)
    assert (match.returncode, told.strip().splitlines()[-1]) == (128 + number, "hinterland: interrupted")
    assert find_left_behind(tmp_path) == []
