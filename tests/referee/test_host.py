"""Whole matches over real sockets, in both protocols, with clients of all manners."""

import asyncio

import pytest

from hinterland.gravity import Rules
from hinterland.jit import JIT_ON
from hinterland.referee import verification
from hinterland.referee.protocol.session import InboundLimits
from hinterland.storage import records as record_files
from referee_clients import (
    SMALL,
    HpsPlayer,
    Table,
    bare,
    dripped,
    expected_lines,
    make_admission,
    make_plan,
    merged,
    play_json,
    whole,
    windows,
)

BOARD = {"size": 60, "spacing": 4} if JIT_ON else {"size": 20, "spacing": 3}
COURSE = Rules(**BOARD, players=2, stones=10)
MELEE = Rules(**BOARD, players=4, stones=10)
BRIEF_SILENCE = make_admission(limits=InboundLimits(quiet_ns=20_000_000))
LONG_SILENCE = make_admission(limits=InboundLimits(quiet_ns=5_000_000_000))
"""So that bytes which come one by one are never taken for an answer, however busy the machine is."""


async def hps_match(rules, manners, admission=None, **fields):
    """Play a match of hps; return the records and what each player was told."""
    async with Table(make_plan(rules, admission=admission, **fields)) as table:
        wires = [await table.sit(f"p{number}") for number in range(len(manners))]
        players = [HpsPlayer(wire, rules, say) for wire, say in zip(wires, manners, strict=True)]
        lines = await asyncio.gather(*(player.play() for player in players))
        (result,) = await table.done()
        greetings = [wire.heard[0] for wire in wires]
        return table.verified(), lines, greetings, result


@pytest.mark.parametrize(
    ("rules", "manners", "admission"),
    [
        (COURSE, (whole, bare), BRIEF_SILENCE),
        (COURSE, (dripped, dripped), LONG_SILENCE),
        (COURSE, (merged, windows), None),
        (MELEE, (whole, merged, windows, dripped), LONG_SILENCE),
        (Rules(size=24, players=2, stones=4, spacing=3, weight=9), (whole, windows), None),
    ],
    ids=["no newline", "one byte a packet", "merged and crlf", "melee", "weighted"],
)
def test_a_match_of_hps_is_told_line_by_line(rules, manners, admission):
    records, lines, greetings, result = asyncio.run(hps_match(rules, manners, admission))
    assert len(records) == rules.players
    for number, kept in enumerate(records):
        assert (kept.reason, kept.departures, kept.number) == ("complete", (), number + 1)
        assert len(kept.moves) == rules.players * rules.stones
        assert kept.players == tuple(f"p{(seat + number) % rules.players}" for seat in range(rules.players))
    weight = "" if rules.weight is None else f" {rules.weight}"
    assert greetings == [f"{rules.players} {rules.stones}{weight} {order + 1}" for order in range(rules.players)]
    assert [expected_lines(records, number) for number in range(rules.players)] == lines
    totals = [0] * rules.players
    for kept in records:
        for name, score in zip(kept.players, kept.scores, strict=True):
            totals[int(name[1:])] += score
    assert [player.total for player in result.players] == totals
    assert set(result.winners) == {f"p{n}" for n, total in enumerate(totals) if total == max(totals)}


def test_the_silence_that_ends_a_line_is_a_tenth_of_a_second():
    records, *_ = asyncio.run(hps_match(Rules(size=12, stones=1, spacing=3), (bare, whole)))
    assert all(kept.reason == "complete" for kept in records)
    for kept in records:
        seat = kept.players.index("p0")
        own_ms = [ms for mover, ms in zip(kept.movers, kept.times.ms, strict=True) if mover == seat]
        assert all(ms < 100 for ms in own_ms), "the silence after an answer is charged to the player"


def test_the_first_moves_are_known_exactly():
    """Two stones each on a board of 12: what the client sees, digit for digit."""

    async def play():
        async with Table() as table:
            anna, ben = await table.sit("anna"), await table.sit("ben")
            assert await anna.line() == "0 0 0"
            await anna.send("0 0\n")
            assert await ben.line() == "0 144 0 0 0 1"
            await ben.send("11 11\n")
            assert await anna.line() == "0 66 66 11 11 2"
            await anna.send("0 11\n")
            third = (await ben.line()).split()
            assert (third[0], third[3:]) == ("0", ["0", "11", "1"])
            await ben.send("11 0\n")
            assert await anna.line() == "1 72 72 11 0 2", "upper and lower half"
            assert await ben.line() == "1 72 72"
            assert await ben.line() == "0 0 0", "in the second game the other begins"
            await ben.send("0 0\n")
            assert await anna.line() == "0 0 144 0 0 2", "player numbers stay"

    asyncio.run(play())


def test_a_match_of_json_with_ids_and_everything_told():
    async def play():
        async with Table(make_plan(COURSE, protocol="json", clock_ms=50_000)) as table:
            wires = [await table.join("bot"), await table.join("bot")]
            told = await asyncio.gather(*(play_json(wire, COURSE) for wire in wires))
            await table.done()
            return table.verified(), told

    records, told = asyncio.run(play())
    assert [kept.players for kept in records] == [("bot", "bot#2"), ("bot#2", "bot")]
    for number, messages in enumerate(told):
        begun = [message for message in messages if message["type"] == "game"]
        assert [(m["number"], m["of"], m["seat"]) for m in begun] == [(1, 2, number), (2, 2, 1 - number)]
        assert begun[0]["game_id"] != begun[1]["game_id"]
        assert begun[0]["clock"] == {"budget_ms": 50_000, "increment_ms": 0, "move_ms": None}
        assert begun[0]["grace_ms"] == 100
        check_turns(messages, records, number)
        assert messages[-1]["type"] == "bye"
        assert messages[-1]["players"] == ["bot", "bot#2"]
        totals = messages[-1]["totals"]
        assert messages[-1]["winners"] == [n for n, total in enumerate(totals) if total == max(totals)]


def check_turns(messages, records, number):
    """Compare the requests and ends of games that a player of JSON saw with the records."""
    for game, kept in enumerate(records):
        game_id = [m["game_id"] for m in messages if m["type"] == "game"][game]
        turns = [m for m in messages if m["type"] == "turn" and m["game_id"] == game_id]
        seat = (number - game) % 2
        assert [turn["turn"] for turn in turns] == [
            ply + 1 for ply, (mover, _) in enumerate(kept.played) if mover == seat
        ]
        assert len({turn["turn"] for turn in turns}) == len(turns)
        for turn in turns:
            assert turn["moves"] == [[mover, list(cells)] for mover, cells in kept.played[: turn["turn"] - 1]]
            assert turn["clock"]["left_ms"] <= 50_000
            assert "weight_left" not in turn
        (over,) = [m for m in messages if m["type"] == "over" and m["game_id"] == game_id]
        assert over["scores"] == list(kept.scores)
        assert (over["winners"], over["reason"]) == (list(kept.winners), kept.reason)
        assert over["moves"] == [[mover, list(cells)] for mover, cells in kept.played]


def test_several_matches_go_on_at_once_and_do_not_mix(tmp_path):
    async def play():
        with_ledger = record_files.RecordFile(tmp_path / "games.jsonl")
        try:
            async with Table(make_plan(matches=3), records=with_ledger) as table:
                wires = [await table.sit(f"p{number}") for number in range(6)]
                await table.log.until("match began", 3)
                players = [HpsPlayer(wire, SMALL) for wire in wires]
                await asyncio.gather(*(player.play() for player in players))
                return await table.done()
        finally:
            with_ledger.close()

    results = asyncio.run(play())
    assert sorted(player.name for result in results for player in result.players) == [f"p{n}" for n in range(6)]
    kept = [one for _, one in record_files.read(tmp_path / "games.jsonl")]
    assert sorted(one.players for one in kept) == [
        (f"p{a}", f"p{b}") for a, b in ((0, 1), (1, 0), (2, 3), (3, 2), (4, 5), (5, 4))
    ]
    for one in kept:
        verification.verify(one)


def test_those_play_together_who_are_the_first_to_say_their_names():
    async def play():
        async with Table(make_plan(matches=3)) as table:
            wires = [await table.wire() for _ in range(6)]
            greetings = [await wire.line() for wire in wires]
            assert greetings == ["2 2 1", "2 2 2"] * 3
            seventh = await table.wire()
            for number in (5, 2, 4, 3, 0, 1):
                await wires[number].send(f"p{number}\n")
                await table.log.until_true(lambda name=f"p{number}": name in str(table.log.all("came")))
            assert await seventh.rest() == ["2 2 1", "all seats are taken"], "told when somebody had the last seat"
            await asyncio.gather(*(HpsPlayer(wire, SMALL).play() for wire in wires))
            results = await table.done()
            results.sort(key=lambda result: result.number)
            names = [[player.name for player in result.players] for result in results]
            assert names == [["p2", "p5"], ["p4", "p3"], ["p0", "p1"]], "in the order in which they said their names"

    asyncio.run(play())


def test_more_games_than_allowed_wait_for_their_turn():
    async def play():
        async with Table(make_plan(matches=2, games_at_once=1)) as table:
            wires = [await table.sit(f"p{number}") for number in range(4)]
            players = [HpsPlayer(wire, SMALL) for wire in wires]
            await table.log.until("match began", 2)
            await table.log.until("game began")
            first = asyncio.gather(*(player.play() for player in players[:2]))
            await asyncio.gather(*(player.play() for player in players[2:]))
            await first
            await table.done()
            running = 0
            for kind, *_ in table.log.heard:
                running += (kind == "game began") - (kind == "Ended")
                assert running <= 1

    asyncio.run(play())


def test_built_in_players_take_the_last_seats():
    async def play():
        rules = Rules(size=24, players=3, stones=2, spacing=3)
        async with Table(make_plan(rules, own_players=("random", "random"))) as table:
            wire = await table.sit("random")
            assert wire.heard == ["3 2 1"]
            await HpsPlayer(wire, table.plan.config.rules).play()
            await table.done()
            return table.verified()

    records = asyncio.run(play())
    assert [kept.players[0] for kept in records] == ["random", "random#2", "random#3"]
    assert all(kept.reason == "complete" for kept in records)
    assert records[0].seed == 7
