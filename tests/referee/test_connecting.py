"""Bots of hps as players: started and connecting, or waited for at a port; judged, started anew, never left behind."""

import asyncio
import contextlib
import json
import socket
import sys

import pytest

from hinterland.cli import run
from hinterland.errors import ArenaError
from hinterland.host.players import connecting_program, program_player, remote_player
from hinterland.host.processes.command import Command
from hinterland.host.specs import make_player
from programs import make_bot_writer, starts
from referee_clients import (
    SMALL,
    HpsPlayer,
    Log,
    Table,
    Wire,
    list_departures,
    make_plan,
    play_specs,
    play_verified_match,
)

BOT = """
import os, socket, sys, time

starts, manner, host, port = sys.argv[1:5]
with open(starts, "a") as file:
    file.write("x")
start = os.path.getsize(starts)
connection = socket.create_connection((host, int(port)))
lines = connection.makefile("r")
players = int(lines.readline().split()[0])
connection.sendall(b"I am called otherwise\\n")
taken = []
for line in lines:
    flag, *numbers = map(int, line.split())
    taken += [tuple(numbers[at : at + 2]) for at in range(players, len(numbers), 3)]
    if flag == 1:
        taken = []
        continue
    cells = ((row, col) for row in range(12) for col in range(12))
    move = next((y, x) for y, x in cells if all((y - row) ** 2 + (x - col) ** 2 >= 9 for row, col in taken))
    #HERE
    connection.sendall(("%d %d\\n" % move).encode())
    taken.append(move)
"""
TURNS = {
    "plays": "",
    "prints": "print('thinking ' * 40_000, flush=True)",
    "exits": "print('out of cheese', file=sys.stderr); sys.exit(3)",
    "exits once": "start == 1 and sys.exit(3)",
    "hangs up": "connection.shutdown(socket.SHUT_RDWR); time.sleep(600)",
    "half an answer": "connection.sendall(b'0 0'); sys.exit(0)",
    "says nothing": "continue",
    "illegal once": "len(taken) == 1 and connection.sendall(b'99 0\\n') and lines.readline()",
    "illegal": "move = (99, 0)",
}


@pytest.fixture
def bot(tmp_path):
    return make_bot_writer(tmp_path, "hps:", BOT, TURNS)


def play(specs, clock_ms=60_000):
    return play_verified_match(specs, make_plan(clock_ms=clock_ms, illegal=None).config)


@pytest.fixture
def no_pause(monkeypatch):
    monkeypatch.setitem(make_player.__kwdefaults__, "pause_s", 0.0)


pytestmark = pytest.mark.usefixtures("no_pause", "nothing_left")


# Started


@pytest.mark.parametrize("manner", ["plays", "prints"])
def test_bots_play_whole_matches_and_stay_through_them(manner, bot, tmp_path):
    records, log = play([bot(manner), "random"])
    assert [(kept.players, kept.reason) for kept in records] == [(("p0", "p1"), "complete"), (("p1", "p0"), "complete")]
    assert starts(tmp_path, manner) == 1
    assert log.all("went") == log.all("last words") == []


def test_a_bot_that_ends_is_told_with_its_status_and_started_anew(bot, tmp_path):
    records, log = play([bot("exits"), "random"])
    assert list_departures(records) == [[("p0", "crash")], [("p0", "crash")]]
    words = "the program ended: exit status 3; its last words: 'out of cheese'"
    assert [kept.departures[0].detail for kept in records] == [words, words]
    assert starts(tmp_path, "exits") == 2
    assert log.all("last words") == [("p0", "out of cheese\n")] * 2


def test_a_bot_that_failed_once_plays_the_next_game(bot, tmp_path):
    records, _ = play([bot("exits once"), "random"])
    assert list_departures(records) == [[("p0", "crash")], []]
    assert starts(tmp_path, "exits once") == 2


def test_a_bot_that_hangs_up_and_lives_on_is_replaced(bot, tmp_path):
    records, _ = play([bot("hangs up"), "random"])
    assert list_departures(records) == [[("p0", "disconnect")], [("p0", "disconnect")]]
    assert starts(tmp_path, "hangs up") == 2


def test_the_end_of_its_connection_ends_no_answer(bot):
    records, _ = play([bot("half an answer"), "random"])
    assert list_departures(records)[0] == [("p0", "crash")]
    assert records[0].moves == ()


def test_a_bot_that_does_not_answer_loses_on_time_and_is_replaced(bot, tmp_path, monkeypatch):
    monkeypatch.setattr(remote_player, "LATE_REPLY_S", 0.05)
    records, _ = play([bot("says nothing"), "random"], clock_ms=150)
    assert list_departures(records) == [[("p0", "time")], [("p0", "time")]]


def test_an_illegal_move_is_asked_again_where_a_built_in_player_would_be_out(bot):
    records, log = play([bot("illegal once"), bot("plays")])
    assert list_departures(records) == [[], []]
    assert len(log.all("Refused")) == 2
    records, log = play([bot("illegal"), "random"])
    assert list_departures(records) == [[("p0", "illegal")], [("p0", "illegal")]]
    assert len(log.all("Refused")) == 40


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("import time; time.sleep(600)", "p0 did not connect and introduce itself within 0.5 s; hps:… starts"),
        ("print('{\"type\":\"join\"}', flush=True); import time; time.sleep(600)", "its standard output looks like"),
        ("import sys; sys.exit('no way')", "p0: the program ended: exit status 1; its last words: 'no way'"),
        (
            "import socket, sys; c = socket.create_connection((sys.argv[-2], int(sys.argv[-1])));"
            "c.sendall(b'{\"type\":\"join\"}'); c.recv(999); c.recv(999)",
            "p0: protocol: not_protocol: a player of the JSON protocol",
        ),
    ],
    ids=["silent", "json on its pipes", "exits", "json"],
)
def test_a_bot_that_does_not_come_ends_the_match_before_it_begins(text, words, bot, monkeypatch):
    monkeypatch.setattr(program_player, "START_TIMEOUT_S", 0.5 if "sleep" in text else 10.0)
    with pytest.raises(ArenaError) as raised:
        play([bot("plays", text), "random"])
    assert words in str(raised.value)
    assert "cmd:…" in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_bot_that_speaks_hps_and_is_started_with_cmd_is_told_so(bot, capsys):
    spec = bot("plays", "print('anna', flush=True); input(); input()").replace("hps:", "cmd:")
    assert run(["match", "gravity", spec, "random", "--size", "12", "--spacing", "3"]) == 2
    told = capsys.readouterr().err
    assert "a plain line, as players of hps send" in told
    assert "start a bot that connects and speaks hps with hps:…" in told


@pytest.mark.parametrize(
    ("words", "argv"),
    [
        ("./bot", ("./bot", "127.0.0.1", "81")),
        ("./bot --fast", ("./bot", "--fast", "127.0.0.1", "81")),
        ("java Bot {host} {port} {name}", ("java", "Bot", "127.0.0.1", "81", "a b")),
        ("./bot --at={host}:{port}", ("./bot", "--at=127.0.0.1:81")),
        ("./bot {name}", ("./bot", "a b", "127.0.0.1", "81")),
    ],
)
def test_where_to_connect_stands_where_it_is_asked_for_or_at_the_end(words, argv):
    command = Command.parse(f"hps:{words}", prefix="hps:")
    assert connecting_program.add_address(command, "127.0.0.1", 81, "a b").argv == argv


# Waited for


@contextlib.contextmanager
def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    yield port


async def wire_to(port, log):
    """Connect once the port is open."""
    await log.until("noted")
    return await Wire.to(port)


def test_a_bot_is_waited_for_at_a_port():
    async def play_it(port):
        log = Log()
        match = asyncio.create_task(play_specs([f"hps:{port}", "random"], log, make_plan(illegal=None).config))
        wire = await wire_to(port, log)
        assert log.notes == [f"p0: waiting for a bot at 127.0.0.1:{port}"]
        assert await wire.line() == "2 2 1"
        await wire.send("anna\n")
        lines = await HpsPlayer(wire, SMALL).play()
        wire.close()
        assert [line[0] for line in lines] == list("001001")
        return await match

    with free_port() as port:
        records = asyncio.run(play_it(port))
    assert [(kept.reason, kept.departures) for kept in records] == [("complete", ())] * 2


def test_an_awaited_bot_that_leaves_is_out_of_the_games_that_follow():
    async def play_it(port):
        log = Log()
        match = asyncio.create_task(play_specs([f"hps:{port}", "random"], log, make_plan(illegal=None).config))
        wire = await wire_to(port, log)
        await wire.send("anna\n")
        await log.until("Request")
        wire.close()
        return await match

    with free_port() as port:
        assert list_departures(asyncio.run(play_it(port))) == [[("p0", "disconnect")], [("p0", "disconnect")]]


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (None, "p0: no bot did connect to 127.0.0.1:"),
        (b"", "p0: no bot did say its name within 0.3 s"),
        (b'{"type":"join","name":"anna"}\n', "p0: protocol: not_protocol: a player of the JSON protocol"),
    ],
    ids=["nobody", "silent", "json"],
)
def test_a_bot_that_does_not_connect_ends_the_match_before_it_begins(said, words, monkeypatch):
    monkeypatch.setattr(connecting_program, "CONNECT_WAIT_S", 0.3 if said is None else 10.0)
    monkeypatch.setattr(connecting_program, "INTRODUCTION_S", 0.3)

    async def play_it(port):
        log = Log()
        match = asyncio.create_task(play_specs([f"hps:{port}", "random"], log, make_plan(illegal=None).config))
        if said is not None:
            wire = await wire_to(port, log)
            await wire.send(said)
            await wire.rest()
            wire.close()
        await match

    with free_port() as port, pytest.raises(ArenaError) as raised:
        asyncio.run(play_it(port))
    assert words in str(raised.value)


# As typed


BOARD = ["--size", "12", "--spacing", "3", "--stones", "2"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["gravity", "hps:./no-such-bot"], "no program './no-such-bot' in"),
        (["gravity", "hps:"], "names no program; the form is hps:PROGRAM ARGUMENT…, quoted as in a shell"),
        (["gravity", "hps:65536"], "a port is a number from 0 to 65535, not '65536'; the form is hps:PORT"),
        (["gravity", "hps:99999999999999"], "a port is a number from 0 to 65535"),
        (["graph", "hps:9001"], "hps is for games with stones, graph has none; start its bot with cmd:…"),
        (["dots", f"hps:{sys.executable}"], "hps is for games with stones, dots has none"),
        (["gravity", f"hps:{sys.executable}", "--sandbox"], "in a sandbox there is no network: leave --sandbox out"),
    ],
)
def test_an_impossible_match_is_one_line(arguments, words, capsys):
    game, spec, *more = arguments
    table = [] if game != "gravity" else BOARD
    for typed in (
        ["match", game, spec, "random", *table, *more],
        ["arena-test", game, spec, "--against", "random", *table, *more],
        ["check-bot", spec, "--game", game, *table, *more],
        *([["referee", game, "--seat", spec, "--port", "0", *table, *more]] if game == "gravity" else []),
    ):
        assert run(typed) == 2, typed
        told = capsys.readouterr()
        assert told.out == ""
        assert told.err.count("\n") == 1
        assert words in told.err


def test_a_port_that_is_taken_is_one_line(capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert run(["match", "gravity", f"hps:{port}", "random", *BOARD]) == 2
    assert f"port {port} on 127.0.0.1 is in use\n" in capsys.readouterr().err


def test_a_bot_in_a_test_of_strength_and_at_the_referee(bot, capsys):
    assert run(["arena-test", "gravity", bot("plays"), "--against", "random", *BOARD, "--pairings", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"][0]["pairings"] == 2

    async def play_it():
        async with Table(make_plan(own_players=(bot("plays"),), illegal=None)) as table:
            wire = await table.sit("anna")
            await HpsPlayer(wire, SMALL).play()
            await table.done()
            return table.verified()

    assert list_departures(asyncio.run(play_it())) == [[], []]


@pytest.mark.thorough
def test_check_bot_starts_a_bot_that_connects(bot, capsys):
    assert run(["check-bot", bot("plays"), *BOARD, "--without", "weighted", "--without", "long_game"]) == 0
    assert "plays a whole game legally" in capsys.readouterr().out
    text = "import sys; print('no cheese', file=sys.stderr); sys.exit(4)"
    assert run(["check-bot", bot("exits", text), *BOARD, "--hello", "0.5"]) == 1
    told = capsys.readouterr().out
    assert "it did not connect within 0.5 s (exit status 4)" in told
    assert "no cheese" in told
