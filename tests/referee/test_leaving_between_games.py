"""Players that leave between two games: the order of hanging up does not decide the winner."""

import asyncio
import json
from functools import partial

import pytest

from hinterland.cli.console import encode_result, print_result
from hinterland.cli.terminal import Asides
from hinterland.gravity import Rules
from hinterland.host import live_match, specs
from hinterland.referee import match
from programs import make_bot_writer, starts
from referee_clients import (
    SMALL,
    HpsPlayer,
    Table,
    answer_json,
    find_first_free,
    list_departures,
    make_admission,
    make_plan,
    play_json,
    play_verified_match,
)

TRIO = Rules(size=14, players=3, stones=2, spacing=3)
LEAVING_S = 0.6


@pytest.fixture(autouse=True)
def _short(monkeypatch):
    monkeypatch.setattr(live_match, "OTHERS_LEAVING_S", LEAVING_S)


async def hps_player(table, name, nap):
    """Play one game and hang up after a nap; None: play on."""
    player = HpsPlayer(await table.sit(name), table.plan.config.rules)

    async def play():
        await player.play_one()
        if nap is None:
            await player.play()
        else:
            await asyncio.sleep(nap)
            player.wire.close()

    return play()


async def json_player(table, name, nap, resets=False):
    wire = await table.join(name)

    async def play():
        while (message := await wire.message())["type"] != "over":
            if message["type"] == "turn":
                await answer_json(wire, message, table.plan.config.rules)
        if nap is None:
            await play_json(wire, table.plan.config.rules)
        else:
            await asyncio.sleep(nap)
            (wire.reset if resets else wire.close)()

    return play()


async def player_of_2018(table, name, nap):
    wire = await table.sit(name, json.dumps({"player_name": name}))
    rules = table.plan.config.rules

    async def play():
        stones = []
        while not (message := await wire.message())["game_over"]:
            stones += [tuple(move[:2]) for move in message["moves"]]
            stones.append(find_first_free(stones, rules))
            await wire.send_json(move_row=stones[-1][0], move_col=stones[-1][1])
        await asyncio.sleep(nap)
        wire.close()

    return play()


SIT = {"hps": hps_player, "json": json_player, "hps-2018": player_of_2018}


def played(protocol, naps, rules=SMALL, **fields):
    """Play a match in which each player hangs up so many seconds after the first game; None: it stays."""

    async def matched():
        async with Table(make_plan(rules, protocol=protocol, **fields)) as table:
            players = [await SIT[protocol](table, name, nap) for name, nap in zip("abc", naps, strict=False)]
            await asyncio.gather(*players)
            await table.done()
            return table.verified(), table.log.results[0]

    return asyncio.run(matched())


def assert_one_game(records, result, unplayed):
    first = records[0]
    assert (first.number, first.reason, first.departures) == (1, "complete", ())
    assert {kept.reason for kept in records[1:]} <= {"void"}
    best = max(first.scores)
    assert set(result.winners) == {n for n, score in zip(first.players, first.scores, strict=True) if score == best}
    assert [player.departures for player in result.players] == [0] * len(first.players)
    assert result.unplayed == unplayed


@pytest.mark.parametrize("naps", [(0, 0.1), (0.1, 0), (0, 0), (0.2, 0.4), (0.4, 0.2)], ids=str)
@pytest.mark.parametrize("protocol", ["hps", "json", "hps-2018"])
@pytest.mark.parametrize("pause_s", [0, 0.3])
def test_where_all_leave_between_two_games_those_played_count(protocol, naps, pause_s):
    records, result = played(protocol, naps, admission=make_admission(pause_s=pause_s))
    assert_one_game(records, result, "game 2 was not played: a, b had left")


@pytest.mark.parametrize("naps", [(0, 0.2, 0.4), (0.4, 0.2, 0), (0, 0, 0.3), (0.1, 0, 0)], ids=str)
@pytest.mark.parametrize("protocol", ["hps", "json"])
def test_so_do_those_of_three(protocol, naps):
    records, result = played(protocol, naps, TRIO)
    assert_one_game(records, result, "games 2, 3 were not played: a, b, c had left")


@pytest.mark.parametrize("naps", [(0, None), (None, 0), (0.2, None), (None, 0.2)], ids=str)
def test_in_hps_one_of_two_that_leaves_ends_the_match(naps):
    """Nobody in hps is told that another game follows."""
    records, result = played("hps", naps, admission=make_admission(pause_s=0.4))
    gone = "a" if naps[1] is None else "b"
    assert_one_game(records, result, f"game 2 was not played: {gone} had left")


def test_in_hps_one_guest_that_leaves_a_player_of_the_house_ends_the_match():
    records, result = played("hps", (0,), own_players=("random",))
    assert_one_game(records, result, "game 2 was not played: a had left")


@pytest.mark.parametrize("naps", [(0, None), (None, 0)], ids=str)
def test_in_json_who_leaves_while_another_stays_gives_the_next_game_up(naps):
    """It was told how many games there are, and would else save a lead by hanging up."""
    records, result = played("json", naps)
    gone, stayed = ("a", "b") if naps[1] is None else ("b", "a")
    counted = [kept for kept in records if kept.reason != "void"]
    assert list_departures(counted) == [[], [(gone, "disconnect")]]
    assert (result.winners, result.unplayed) == ((stayed,), "")


@pytest.mark.parametrize("protocol", ["hps", "json"])
def test_of_three_two_play_on_without_the_one_that_left(protocol):
    records, result = played(protocol, (0, None, None), TRIO)
    counted = [kept for kept in records if kept.reason != "void"]
    assert list_departures(counted) == [[], [("a", "disconnect")], [("a", "disconnect")]]
    assert "a" not in result.winners
    assert result.unplayed == ""


@pytest.mark.parametrize("protocol", ["hps", "json"])
def test_of_three_the_two_that_stay_leave_before_anybody_has_moved(protocol):
    """Game 2 had begun by then, and does not count."""
    records, result = played(protocol, (0, 2 * LEAVING_S, 2 * LEAVING_S + 0.3), TRIO)
    assert_one_game(records, result, "games 2, 3 were not played: a, b, c had left")


BOT = """
import json, os, sys, time

starts, manner = sys.argv[1], sys.argv[2]
with open(starts, "a") as file:
    file.write("x")
played = 0
for line in sys.stdin:
    message = json.loads(line)
    answer = None
    if message["type"] == "hello":
        answer, rules = {"type": "join", "name": "bot"}, message["rules"]
    elif message["type"] == "turn":
        taken = [tuple(move[:2]) for _, move in message["moves"]]
        cells = ((row, col) for row in range(rules["size"]) for col in range(rules["size"]))
        near = lambda cell: any((cell[0] - row) ** 2 + (cell[1] - col) ** 2 < 9 for row, col in taken)
        if played:
            #LATER
        answer = {"type": "move", "game_id": message["game_id"], "turn": message["turn"]}
        answer["move"] = next(cell for cell in cells if not near(cell))
    elif message["type"] == "over":
        played += 1
        #OVER
    if answer:
        print(json.dumps(answer), flush=True)
"""


@pytest.fixture
def bot(tmp_path):
    def command(manner):
        over, later = ENDINGS[manner]
        source = BOT.replace("#OVER", over).replace("#LATER", later)
        return make_bot_writer(tmp_path, "cmd:", source, {manner: ""})(manner)

    return command


ENDINGS = {
    "stays": ("pass", "pass"),
    "ends": ("sys.exit()", "pass"),
    "ends late": ("time.sleep(0.3); sys.exit()", "pass"),
    "fails": ("raise KeyError('turn')", "pass"),
    "ends when asked": ("pass", "sys.exit(3)"),
    "closes and waits": ("os.close(1); os.close(0); time.sleep(0.2); sys.exit()", "pass"),
}


@pytest.mark.parametrize("manner", [manner for manner in ENDINGS if manner != "stays"])
def test_a_program_that_ends_between_two_games_is_started_again(manner, bot, tmp_path):
    records, log = play_verified_match([bot(manner), bot("stays")], make_plan(SMALL).config)
    assert [(kept.reason, kept.departures) for kept in records] == [("complete", ())] * 2
    assert starts(tmp_path, manner) == 2
    assert log.notes == ["p0 ended between two games: it is started again"]


def test_two_programs_that_end_after_each_game_play_a_whole_match(bot, tmp_path):
    records, log = play_verified_match([bot("ends"), bot("ends late")], make_plan(SMALL).config)
    assert [(kept.reason, kept.departures) for kept in records] == [("complete", ())] * 2
    assert sorted(log.notes) == [f"p{number} ended between two games: it is started again" for number in (0, 1)]


CONNECTS = """
import socket, sys, time

starts, manner, host, port = sys.argv[1:5]
with open(starts, "a") as file:
    file.write("x")
connection = socket.create_connection((host, int(port)))
lines = connection.makefile("rw", newline="\\n")
players, stones, order = map(int, lines.readline().split())
lines.write("bot\\n")
lines.flush()
taken = []
for line in lines:
    flag, *numbers = map(int, line.split())
    if flag == 1:
        #OVER
        continue
    told = numbers[players:]
    taken += zip(told[::3], told[1::3])
    near = lambda cell: any((cell[0] - row) ** 2 + (cell[1] - col) ** 2 < 9 for row, col in taken)
    cell = next(cell for cell in ((row, col) for row in range(12) for col in range(12)) if not near(cell))
    taken.append(cell)
    lines.write("%d %d\\n" % cell)
    lines.flush()
"""


@pytest.mark.parametrize("pause_s", [0, 0.5])
@pytest.mark.parametrize("over", ["sys.exit()", "sys.exit(3)", "time.sleep(0.2); sys.exit()", "connection.shutdown(2)"])
def test_so_is_one_that_connects(over, pause_s, tmp_path, monkeypatch):
    monkeypatch.setattr(specs, "make_player", partial(specs.make_player, pause_s=pause_s))
    bot = make_bot_writer(tmp_path, "hps:", CONNECTS.replace("#OVER", over), {"ends": ""})
    records, log = play_verified_match([bot("ends"), "random"], make_plan(SMALL).config)
    assert [(kept.reason, kept.departures) for kept in records] == [("complete", ())] * 2
    assert starts(tmp_path, "ends") == 2
    assert log.notes == ["p0 ended between two games: it is started again"]


def test_a_program_that_ends_again_in_the_same_game_has_crashed(bot, tmp_path):
    """Its own clock runs while it is started, and it is started once a game."""
    ENDINGS["ends twice"] = ("sys.exit()", "pass")
    spec = bot("ends twice")
    script = tmp_path / "ends-twice.py"
    script.write_text(
        script.read_text()
        .replace("played = 0", "played = 0\nfirst = os.path.getsize(starts) == 1")
        .replace("taken = [", "first or sys.exit(3)\n        taken = [")
    )
    records, log = play_verified_match([spec, bot("stays")], make_plan(SMALL).config)
    assert list_departures(records) == [[], [("p0", "crash")]]
    assert records[1].departures[0].detail == "the program ended: exit status 3"
    assert log.notes == ["p0 ended between two games: it is started again"]


def test_one_that_cannot_be_started_again_has_not_started(bot, tmp_path):
    spec = bot("ends late")
    script = tmp_path / "ends-late.py"
    script.write_text(script.read_text().replace("time.sleep(0.3)", "time.sleep(0.3); os.remove(sys.argv[0])"))
    records, _ = play_verified_match([spec, bot("stays")], make_plan(SMALL).config)
    assert list_departures(records) == [[], [("p0", "start")]]


def test_the_terminal_and_json_say_what_was_not_played(capsys):
    unplayed = "game 2 was not played: a had left"
    played = match.Result("gravity", (match.PlayerResult("a", (60,), 60, 0),), ("a",), None, 1, unplayed)
    Asides().on_match_over(played)
    assert capsys.readouterr().err == f"{unplayed}\n"
    assert encode_result(played)["unplayed"] == unplayed
    print_result(played, [], "gravity")
    assert f"{unplayed}\na wins" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("games", "names", "words"),
    [
        ([2], ["a"], "game 2 was not played: a had left"),
        ([2, 3], ["a", "b"], "games 2, 3 were not played: a, b had left"),
        ([], ["a"], "another game was not played: a had left"),
    ],
)
def test_what_was_not_played_in_words(games, names, words):
    assert match.unplayed(games, names) == words
