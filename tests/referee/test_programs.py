"""Programs in the seats of a match: started, asked, judged by how they end, started anew, and never left behind."""

import asyncio
import contextlib
import json

import pytest

from hinterland.cli import run
from hinterland.errors import ArenaError
from hinterland.gravity import Rules
from hinterland.host.players import program_player, remote_player
from hinterland.host.specs import play_match
from hinterland.storage import records as record_files
from programs import make_bot_writer, starts
from referee_clients import SMALL, HpsPlayer, Log, Table, list_departures, make_plan, play_json, play_verified_match

BOT = """
import json, os, signal, sys, time

starts, manner = sys.argv[1], sys.argv[2]
with open(starts, "a") as file:
    file.write("x")
start = os.path.getsize(starts)


def say(**message):
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        rules = message["rules"]
        say(type="join", name="I am called otherwise")
    elif message["type"] == "turn":
        taken = [tuple(move[:2]) for _, move in message["moves"]]
        cells = ((row, col) for row in range(rules["size"]) for col in range(rules["size"]))
        near = lambda cell: any((cell[0] - row) ** 2 + (cell[1] - col) ** 2 < 9 for row, col in taken)
        move = next(cell for cell in cells if not near(cell))
        #HERE
        say(type="move", game_id=message["game_id"], turn=message["turn"], move=move)
"""
TURNS = {
    "plays": "",
    "exits": "print('out of cheese', file=sys.stderr); sys.exit(3)",
    "exits well": "sys.exit(0)",
    "dies": "os.kill(os.getpid(), signal.SIGSEGV)",
    "exits once": "start == 1 and sys.exit(3)",
    "stops": "os.kill(os.getpid(), signal.SIGSTOP)",
    "says nothing": "continue",
    "floods": "sys.stdout.write('x' * 100_000)",
    "illegal": "move = (0, 0) if taken else (99, 0)",
    "leaves a child": "os.fork() and os._exit(3); time.sleep(600)",
    "removes itself": "os.remove(sys.argv[0]); sys.exit(3)",
    "prints and fails": "print('Exception: no cheese'); sys.exit(3)",
    "prints and ends": "print('Exception: no cheese'); sys.exit()",
    "prints and stays": "print('Exception: no cheese', flush=True); time.sleep(600)",
    "closes its output": "os.close(1); time.sleep(600)",
}


pytestmark = pytest.mark.usefixtures("nothing_left")


@pytest.fixture
def bot(tmp_path):
    return make_bot_writer(tmp_path, "cmd:", BOT, TURNS)


def play(specs, clock_ms=60_000, rules=SMALL):
    return play_verified_match(specs, make_plan(rules, clock_ms=clock_ms).config)


def test_programs_play_whole_matches_and_stay_through_them(bot, tmp_path):
    records, log = play([bot("plays"), bot("plays"), "random"], rules=Rules(size=24, players=3, stones=3, spacing=3))
    assert [kept.players for kept in records] == [("p0", "p1", "p2"), ("p1", "p2", "p0"), ("p2", "p0", "p1")]
    assert all(kept.reason == "complete" and not kept.departures for kept in records)
    assert starts(tmp_path, "plays") == 2
    assert log.all("last words") == []


@pytest.mark.parametrize(
    ("manner", "words"),
    [
        ("exits", "the program ended: exit status 3; its last words: 'out of cheese'"),
        ("exits well", "the program ended: exit status 0"),
        ("dies", "the program ended: killed by SIGSEGV"),
        ("leaves a child", "the program ended: exit status 3"),
    ],
)
def test_a_program_that_ends_is_told_with_its_status_and_started_anew(manner, words, bot, tmp_path):
    records, log = play([bot(manner), bot("plays")])
    assert list_departures(records) == [[("p0", "crash")], [("p0", "crash")]]
    assert all(kept.departures[0].detail == words for kept in records)
    assert starts(tmp_path, manner) == 2
    assert starts(tmp_path, "plays") == 1
    assert log.all("last words") == ([("p0", "out of cheese\n")] * 2 if manner == "exits" else [])


def test_a_program_that_failed_once_plays_the_next_game(bot, tmp_path):
    records, _ = play([bot("exits once"), bot("plays")])
    assert list_departures(records) == [[("p0", "crash")], []]
    assert records[1].reason == "complete"
    assert starts(tmp_path, "exits once") == 2


@pytest.mark.parametrize("manner", ["stops", "says nothing", "closes its output"])
def test_a_program_that_does_not_answer_loses_on_time_and_is_replaced_before_the_next_game(
    manner, bot, tmp_path, monkeypatch
):
    monkeypatch.setattr(remote_player, "LATE_REPLY_S", 0.05)
    records, _ = play([bot(manner), "random"], clock_ms=150)
    assert list_departures(records) == [[("p0", "time")], [("p0", "time")]]
    assert starts(tmp_path, manner) == 2


@pytest.mark.parametrize(
    ("manner", "told"),
    [
        ("fails", "crash: the program ended: exit status 3; it said 'Exception: no cheese'"),
        ("ends", "protocol: not JSON: Expecting value at character 1; it said 'Exception: no cheese', and ended"),
        ("stays", "protocol: not JSON: Expecting value at character 1; it said 'Exception: no cheese'"),
    ],
)
def test_words_in_the_place_of_a_message(manner, told, bot):
    records, _ = play([bot(f"prints and {manner}"), "random"])
    assert [f"{left.reason}: {left.detail}" for kept in records for left in kept.departures] == [told] * 2


def test_a_program_that_floods_is_out(bot, tmp_path):
    records, _ = play([bot("floods"), "random"])
    assert list_departures(records) == [[("p0", "oversize")], [("p0", "oversize")]]
    assert starts(tmp_path, "floods") == 2


def test_a_program_that_plays_illegally_forfeits_and_stays(bot, tmp_path):
    records, _ = play([bot("illegal"), "random"])
    assert list_departures(records) == [[("p0", "illegal")], [("p0", "illegal")]]
    assert "99,0 is outside the board" in records[0].departures[0].detail
    assert starts(tmp_path, "illegal") == 1


def test_a_program_that_cannot_be_started_anew_loses_the_next_game_at_its_start(bot):
    records, _ = play([bot("removes itself"), "random"])
    assert list_departures(records) == [[("p0", "crash")], [("p0", "start")]]
    assert records[1].moves == ()
    assert "p0: the program ended: exit status 2" in records[1].departures[0].detail


ADVICE = (
    r'it must read lines of JSON and answer the first with \{"type":"join","name":"…"\};'
    r" start a bot that connects and speaks hps with hps:…"
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("import time; time.sleep(600)", "p0 did not introduce itself within 0.3 s"),
        ("import os; os.close(0); os.close(1); import time; time.sleep(600)", "p0.*"),
        ("import sys; sys.exit('no way')", "p0: the program ended: exit status 1; its last words: 'no way'"),
        ("print('hello')", "p0: (not_protocol|protocol): .*"),
        ("print('[]')", "p0: protocol: .*"),
        ("print('x' * 5000)", "p0: oversize: .*|p0: .*not_protocol: .*"),
    ],
    ids=["silent", "deaf", "exits", "plain", "no object", "long"],
)
def test_a_program_that_does_not_introduce_itself_ends_the_match_before_it_begins(text, words, bot, monkeypatch):
    monkeypatch.setattr(program_player, "START_TIMEOUT_S", 0.3 if "sleep" in text else 10.0)
    log = Log()
    with pytest.raises(ArenaError, match=f"^({words}); {ADVICE}$"):
        asyncio.run(play_match(make_plan().config, [bot("plays", text), "random"], ["p0", "p1"], log))
    assert log.games == []


def test_a_program_sits_with_players_from_the_network(bot):
    async def play_it():
        async with Table(make_plan(own_players=(bot("plays"),))) as table:
            wire = await table.sit("anna")
            await HpsPlayer(wire, SMALL).play()
            await table.done()
            return table.verified()

    records = asyncio.run(play_it())
    assert [kept.reason for kept in records] == ["complete", "complete"]
    assert records[0].players[0] == "anna"
    assert records[0].players[1].startswith("cmd:")
    assert "/" not in records[0].players[1]


def test_when_a_program_cannot_be_started_the_guests_are_told(bot, monkeypatch):
    async def play_it():
        async with Table(make_plan(protocol="json", own_players=(bot("plays", "import sys; sys.exit(4)"),))) as table:
            wire = await table.join("anna")
            bye = (await play_json(wire, SMALL))[-1]
            assert bye["type"] == "bye"
            assert "the program ended: exit status 4" in bye["detail"]
            with pytest.raises(ArenaError, match="the program ended: exit status 4"):
                await table.done()

    asyncio.run(play_it())


def test_nothing_is_left_when_the_host_is_stopped_or_the_match_cancelled(bot):
    async def play_it():
        async with Table(make_plan(own_players=(bot("says nothing"),))) as table:
            await table.sit("anna")
            await table.log.until("Request")
            table.host.abort("the operator ended it")
            await table.done()
        async with Table(make_plan(own_players=(bot("stops"),))) as table:
            await table.sit("anna")
            await table.log.until("Request")
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0.3):
                await play_match(make_plan().config, [bot("plays"), bot("says nothing")], ["p0", "p1"], Log())

    asyncio.run(play_it())


# As typed


BOARD = ["--size", "12", "--spacing", "3", "--stones", "2"]


def test_hinterland_match_with_a_program(bot, tmp_path, capsys):
    kept = tmp_path / "games.jsonl"
    assert run(["match", "gravity", bot("exits once"), "random", *BOARD, "--record", str(kept), "--json"]) == 0
    told = capsys.readouterr()
    result = json.loads(told.out)
    assert result["players"][0]["name"].startswith("cmd:")
    assert result["winners"] == ["random"]
    records = [one for _, one in record_files.read(kept)]
    assert [[left.reason for left in one.departures] for one in records] == [["crash"], []]
    assert run(["verify", str(kept)]) == 0


def test_hinterland_match_prints_the_last_words_of_a_program(bot, capsys):
    assert run(["match", "gravity", bot("exits"), "random", *BOARD, "--quiet"]) == 0
    told = capsys.readouterr()
    assert told.out == "random\n"
    assert told.err.count("  | out of cheese\n") == 2
    assert told.err.count("\n") == 4


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("cmd:./no-such-bot", "no program './no-such-bot' in"),
        ("cmd:no-such-bot-on-the-path", "no program 'no-such-bot-on-the-path' on the PATH"),
        ("cmd:", "names no program; the form is cmd:PROGRAM ARGUMENT…, quoted as in a shell"),
        ("cmd:'./bot", "cannot be read (no closing quotation)"),
        ("cmd:/", "is a directory, not a program"),
        ("cmd:\x1b[31m", "control characters"),
    ],
)
def test_a_program_that_is_not_there_is_one_line(spec, words, capsys):
    for arguments in (
        ["match", "gravity", spec, "random", *BOARD],
        ["match", "gravity", "random", "random", spec, *BOARD],
    ):
        assert run(arguments) == 2
        told = capsys.readouterr()
        assert told.out == ""
        assert told.err.count("\n") == 1
        assert told.err.startswith("hinterland: ")
        assert words in told.err
        assert "\x1b" not in told.err
