"""Whole matches over sockets with clients of the course's older years, and old clients at the wrong port."""

import asyncio
import itertools
import json

import pytest

from hinterland import graph
from hinterland.errors import HinterlandError
from hinterland.gravity import Rules
from hinterland.host.live_match import MatchConfig
from hinterland.host.match_host import HostConfig
from old_clients import Player2016, Player2018, packet
from referee_clients import SMALL, Table, make_admission, make_plan
from referee_games import THREE, reasons

PAUSED = make_admission(pause_s=0.05)
"""Clients that read packets need a pause between two games."""


async def play_2016(table, rules):
    players = []
    for count in range(rules.players):
        players.append(Player2016(await table.wire(), rules))
        await table.log.until("came", count + 1)
    told = await asyncio.gather(*(player.play() for player in players))
    await table.done()
    return told


async def play_2018(table, rules):
    players = []
    for count in range(rules.players):
        players.append(Player2018(await table.wire(), rules, f"team {count}"))
        await players[-1].come()
        await table.log.until("came", count + 1)
    told = await asyncio.gather(*(player.play() for player in players))
    await table.done()
    return players, told


@pytest.mark.parametrize("rules", [SMALL, THREE, Rules(size=30, stones=10, spacing=3)], ids=["2", "3", "ten stones"])
def test_a_match_of_2016_is_one_game_in_which_all_stones_are_told(rules):
    async def play():
        async with Table(make_plan(rules, protocol="hps-2016")) as table:
            told = await play_2016(table, rules)
            (kept,) = table.verified()
            assert (kept.reason, kept.departures) == ("complete", ())
            assert kept.players[:2] == ("player", "player#2")
            flat = [[*numbers, seat + 1] for seat, numbers in kept.played]
            for seat, lines in enumerate(told):
                plies = [*range(seat, len(flat), rules.players), len(flat)]
                assert lines == [[int(ply == len(flat)), ply, *itertools.chain(*flat[:ply])] for ply in plies]
            (result,) = table.log.results
            assert [player.scores for player in result.players] == [(score,) for score in kept.scores]

    asyncio.run(play())


@pytest.mark.parametrize("rules", [SMALL, THREE, Rules(size=30, stones=10, spacing=3)], ids=["2", "3", "ten stones"])
def test_a_match_of_2018_in_objects(rules):
    async def play():
        async with Table(make_plan(rules, protocol="hps-2018", admission=PAUSED, illegal=None)) as table:
            players, told = await play_2018(table, rules)
            records = table.verified()
            assert reasons(records) == [[]] * rules.players
            assert [player.number for player in players] == list(range(1, rules.players + 1))
            for game, kept in enumerate(records):
                for player in players:
                    seat = kept.players.index(player.name)
                    states = [state for state in told[player.number - 1] if state["game_over"]]
                    numbers = [kept.players.index(other.name) for other in players]
                    assert states[game]["scores"] == [kept.scores[number] for number in numbers]
                    others = [numbers_ for mover, numbers_ in kept.played if mover != seat]
                    heard = heard_in(told[player.number - 1], game)
                    assert [tuple(stone[:2]) for stone in heard] == others
            seconds = [state["remaining_time"] for state in told[0]]
            assert all(0 < left <= 60 for left in seconds)

    asyncio.run(play())


def heard_in(states, game):
    """Return the stones that a player was told in one of its games."""
    ends = [place for place, state in enumerate(states) if state["game_over"]]
    first = 0 if game == 0 else ends[game - 1] + 1
    return [stone for state in states[first : ends[game] + 1] for stone in state["moves"]]


def test_an_illegal_move_of_2018_costs_the_stone_and_one_of_2016_the_game():
    async def play():
        async with Table(make_plan(protocol="hps-2018", admission=PAUSED, illegal=None)) as table:
            players = [Player2018(await table.wire(), SMALL, name) for name in "ab"]
            for player in players:
                await player.come()
            await packet(players[0].wire)
            await players[0].wire.send('{"move_row": 12, "move_col": 0}')
            assert json.loads(await packet(players[1].wire))["moves"] == []
        async with Table(make_plan(protocol="hps-2016", illegal=None)) as table:
            wires = [await table.wire() for _ in range(2)]
            await packet(wires[0])
            await wires[0].send("12 0")
            assert await packet(wires[1]) == "1 0\n"
            await table.done()
            assert reasons(table.verified()) == [["illegal"]]

    asyncio.run(play())


@pytest.mark.parametrize(
    ("protocol", "words", "said"),
    [
        ("hps", '{"player_name": "a"}', "a player of protocol hps-2018; this port speaks the line protocol hps"),
        ("hps", "500 500", "'500 500' is a move; protocol hps begins with a name, hps-2016 without"),
        ("hps-2016", "anna", "a plain line, as players of hps send; this port speaks hps-2016: send nothing"),
        ("hps-2016", '{"player_name": "a"}', "a player of protocol hps-2018; this port speaks hps-2016"),
        ("hps-2016", "GET / HTTP/1.1\r\n\r\n", "a browser or another HTTP client; this port speaks hps-2016"),
        ("hps-2018", "anna", "a plain line, as players of hps send; this port speaks hps-2018: send {"),
        ("hps-2018", '{"type":"join","name":"a"}\n', "a player of the JSON protocol; this port speaks hps-2018"),
        ("json", '{"player_name": "a"}', "a player of protocol hps-2018; this port speaks hinterland-json/1"),
        ("json", "anna", "a plain line, as players of hps send; this port speaks hinterland-json/1"),
    ],
)
def test_who_speaks_another_dialect_is_told_which_in_one_line(protocol, words, said):
    async def play():
        async with Table(make_plan(protocol=protocol)) as table:
            wire = await table.wire()
            if protocol not in ("hps-2016",):
                await wire.line()
            await wire.send(words)
            last = "".join(await wire.rest())
            assert said.split(";")[0] in last.replace('\\"', '"')
            (note,) = table.log.notes
            assert "was sent away: not_protocol: " in note
            assert said in note

    asyncio.run(play())


@pytest.mark.parametrize(
    ("protocol", "answer", "said"),
    [
        ("hps-2016", "anna\n", "'anna' is not; only in protocol hps a name is sent"),
        ("hps-2016", '{"move_row":1,"move_col":2}\n', "it seems to be of protocol hps-2018"),
        ("hps-2018", "5 5\n", "it seems to be of protocol hps"),
        ("hps-2018", '{"type":"move","game_id":"x","turn":1,"move":[1,1]}', "it seems to be of protocol json"),
    ],
)
def test_an_answer_in_another_dialect_is_told_so_in_the_verdict(protocol, answer, said):
    async def play():
        async with Table(make_plan(protocol=protocol)) as table:
            wires = [await table.wire() for _ in range(2)]
            if protocol == "hps-2018":
                for wire in wires:
                    await Player2018(wire, SMALL, "x").come()
            await packet(wires[0])
            await wires[0].send(answer)
            await table.log.until("game over")
            (left,) = table.verified()[0].departures
            assert left.reason == "illegal"
            assert said in left.detail

    asyncio.run(play())


def test_a_silent_connection_of_2016_that_leaves_makes_room():
    async def play():
        async with Table(make_plan(protocol="hps-2016")) as table:
            gone = await table.wire()
            await table.log.until("came")
            gone.close()
            await table.log.until("went")
            told = await play_2016_after(table, 1)
            assert [len(lines) for lines in told] == [SMALL.stones + 1] * 2
            assert reasons(table.verified()) == [[]]

    asyncio.run(play())


async def play_2016_after(table, came):
    players = []
    for count in range(SMALL.players):
        players.append(Player2016(await table.wire(), SMALL))
        await table.log.until("came", came + count + 1)
    told = await asyncio.gather(*(player.play() for player in players))
    await table.done()
    return told


HEAVY = Rules(size=12, stones=2, spacing=3, weight=9)


@pytest.mark.parametrize("protocol", ["hps-2016", "hps-2018"])
@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"rules": HEAVY}, "protocol {} cannot express weights; use --protocol hps or json"),
        ({"tokens": {"a": "b"}}, "protocol {} cannot express tokens; use --protocol hps or json"),
    ],
)
def test_what_an_old_dialect_has_no_word_for_is_refused(protocol, changes, said):
    with pytest.raises(HinterlandError) as refused:
        make_plan(protocol=protocol, **changes).check()
    assert str(refused.value) == said.format(protocol)


@pytest.mark.parametrize("protocol", ["hps", "hps-2016", "hps-2018"])
def test_a_game_without_stones_is_refused(protocol):
    rules = graph.Rules(edges=((0, 1, 1.0),), values=(1, 1), tokens=1)
    with pytest.raises(HinterlandError, match=f"protocol {protocol} is for games with stones; play graph with"):
        HostConfig(config=MatchConfig(rules=rules), protocol=protocol).check()
