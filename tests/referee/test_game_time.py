"""Games over sockets with late players, and answers that come when they are no longer awaited."""

import asyncio

import pytest

from hinterland.gravity import Rules
from hinterland.host.players import remote_player
from hinterland.referee import judge
from referee_clients import (
    PATIENCE_S,
    SMALL,
    HpsPlayer,
    Table,
    expected_lines,
    make_admission,
    make_plan,
    play_json,
)
from referee_games import NO_GRACE, PROMPT_NS, THREE, Stalls, joined, lateness_ns, play_all, play_hps, reasons, seated


@pytest.fixture(autouse=True)
def short_debts(monkeypatch):
    monkeypatch.setattr(remote_player, "LATE_REPLY_S", 0.1)


@pytest.mark.parametrize("protocol", ["hps", "json"])
def test_who_never_answers_loses_at_the_deadline_and_is_closed_a_moment_later(protocol):
    async def play():
        async with Table(make_plan(protocol=protocol, clock_ms=100, admission=make_admission(grace_ms=30))) as table:
            enter, go_on = (seated, play_hps) if protocol == "hps" else (joined, play_all)
            silent, ben = await enter(table, "silent", "ben")
            await go_on(table, ben)
            assert reasons(table.verified()) == [["time"], ["disconnect"]]
            assert table.log.records[1].departures[0].detail == "no answer within 0.1 s after its time was up"
            assert -20_000_000 <= lateness_ns(table) <= PROMPT_NS
            last = (await silent.rest())[-1]
            assert "no answer within 0.1 s after its time was up" in last
            assert table.log.all("went") == [(0, "silent", "no answer within 0.1 s after its time was up")]

    asyncio.run(play())


def test_bytes_do_not_move_the_deadline():
    async def play():
        async with Table(make_plan(protocol="json", clock_ms=150, admission=NO_GRACE)) as table:
            dripping, ben = await joined(table, "dripping", "ben")
            await dripping.until("turn")
            other = asyncio.get_running_loop().create_task(play_json(ben, SMALL))
            while not table.log.all("Departure"):
                await dripping.send(" ")
                await asyncio.sleep(0.002)
            assert lateness_ns(table) <= PROMPT_NS
            dripping.close()
            await other
            await table.done()
            counted = [game for game in table.verified() if game.reason != "void"]  # one may begin before it is gone
            assert reasons(counted) == [["time"], ["disconnect"]]

    asyncio.run(play())


def test_an_answer_is_stamped_when_it_comes_and_the_grace_is_not_charged():
    async def play():
        rules = Rules(size=12, stones=3, spacing=3)
        async with Table(make_plan(rules, clock_ms=60_000, admission=make_admission(grace_ms=1000))) as table:
            await play_hps(table, *await seated(table, "anna", "ben"))
            table.verified()
            assert table.log.games[0].judged.clocks.left_ns == (60_000_000_000,) * 2

    asyncio.run(play())


def test_half_an_answer_at_the_deadline_is_taken_if_it_can_be_one():
    from hinterland.referee.protocol.session import InboundLimits

    async def play():
        admission = make_admission(grace_ms=0, limits=InboundLimits(quiet_ns=10**13))
        async with Table(make_plan(admission=admission, clock_ms=80, illegal="forfeit")) as table:
            anna, ben = await seated(table, "anna", "ben")
            await anna.line()
            await anna.send("0 0")
            assert (await ben.line()).endswith(" 0 0 1"), "two numbers are a move"
            await ben.send("7")
            assert (await anna.line()).startswith("1 "), "one number is none"
            await table.log.until("game over")
            assert reasons(table.verified()) == [["time"]]

    asyncio.run(play())


def test_a_late_answer_of_one_game_is_never_a_move_of_the_next():
    async def play():
        async with Table(make_plan(clock_ms=200, admission=NO_GRACE)) as table:
            remote_player.LATE_REPLY_S = PATIENCE_S
            anna, ben = await seated(table, "anna", "ben")
            assert await anna.line() == "0 0 0"
            assert await anna.line() == "1 -2 0"
            assert await ben.line() == "1 -2 0"
            await asyncio.sleep(0.02)
            assert len(table.log.games) == 1, "who owes an answer gets no request of another game"
            await anna.send("5 5\n")
            assert await ben.line() == "0 0 0"
            await ben.send("0 0\n")
            assert await anna.line() == "0 0 144 0 0 2"
            await anna.send("11 11\n")
            await ben.line()
            await ben.send("0 11\n")
            await anna.line()
            await anna.send("11 0\n")
            await table.done()
            first, second = table.verified()
            assert first.moves == ()
            assert list(second.moves) == [(0, 0), (11, 11), (0, 11), (11, 0)]
            assert second.reason == "complete"

    asyncio.run(play())


def test_a_late_answer_in_a_melee_is_never_a_move_later():
    async def play():
        async with Table(make_plan(THREE, clock_ms=250, admission=NO_GRACE)) as table:
            remote_player.LATE_REPLY_S = PATIENCE_S
            late, ben, cleo = await seated(table, "late", "ben", "cleo")
            assert await late.line() == "0 0 0 0"
            others = [HpsPlayer(wire, THREE) for wire in (ben, cleo)]
            await asyncio.gather(*(other.play_one() for other in others))
            assert (await late.line()).startswith("1 -2 ")
            await late.send("15 15\n")
            wires = [HpsPlayer(late, THREE), *others]
            await asyncio.gather(*(player.play() for player in wires))
            await table.done()
            records = table.verified()
            assert reasons(records) == [["time"], [], []]
            assert all((15, 15) not in [numbers for _, numbers in kept.played] for kept in records)
            for number, wire in enumerate((late, ben, cleo)):
                assert wire.heard[1:] == expected_lines(records, number)

    asyncio.run(play())


@pytest.mark.parametrize("leaves", [True, False])
def test_an_answer_on_its_way_when_another_seat_leaves_is_no_move_of_the_next_game(leaves):
    """Ben leaves the first game by what he sends, or has left for good, while anna thinks."""

    async def play():
        remote_player.LATE_REPLY_S = PATIENCE_S
        rules = THREE if leaves else SMALL
        async with Table(make_plan(rules)) as table:
            anna, ben, *cleo = await seated(table, *("anna", "ben", "cleo")[: rules.players])
            await anna.line()
            if leaves:
                cleo[0].close()
                await table.log.until("Departure")
            ben.close()
            await table.log.until("game over")
            await asyncio.sleep(0.03)
            assert len(table.log.games) == 1, "the answer to the old request is waited for"
            await anna.send("5 5\n")
            assert len(await anna.rest()) == rules.players
            await table.done()
            assert [kept.moves for kept in table.verified()] == [()] * rules.players

    asyncio.run(play())


def test_an_answer_on_its_way_when_a_game_is_void_is_no_move_of_its_repetition(monkeypatch):
    monkeypatch.setattr(judge, "LONGEST_STANDSTILL_NS", 500_000_000)

    async def play():
        remote_player.LATE_REPLY_S = PATIENCE_S
        log = Stalls([0.6])
        async with Table(make_plan(clock_ms=700, admission=NO_GRACE), log=log) as table:
            anna, ben = await seated(table, "anna", "ben")
            assert await anna.line() == "0 0 0"
            await log.until("game over")
            assert log.records[0].reason == "void"
            assert await anna.line() == "1 0 0"
            assert await ben.line() == "1 0 0"
            await asyncio.sleep(0.03)
            assert len(log.games) == 1
            await anna.send("5 5\n")
            assert await anna.line() == "0 0 0"
            await anna.send("0 0\n")
            assert await ben.line() == "0 144 0 0 0 1"

    asyncio.run(play())


def test_between_two_games_of_hps_there_is_a_pause():
    async def play():
        async with Table(make_plan(admission=make_admission(pause_s=0.1))) as table:
            await play_hps(table, *await seated(table, "anna", "ben"))
            ended, asked = table.log.all("Ended")[0], table.log.all("Request")[4]
            assert table.log.games[1] is asked[0]
            assert asked[2] - ended[2] >= 100_000_000

    asyncio.run(play())


def test_who_owes_an_answer_to_a_game_that_another_ended_is_not_closed():
    """It may have dropped its thought when it read that the game was over."""

    async def play():
        async with Table(make_plan(THREE, illegal="forfeit")) as table:
            anna, ben, cleo = await seated(table, "anna", "ben", "cleo")
            first = HpsPlayer(anna, THREE)
            await first.answer(await anna.line())
            await ben.line()
            anna.close()
            await table.log.until("Departure")
            cleo.close()
            await table.log.until("game over")
            assert len(await ben.rest()) == 3, "it is told of all games"
            await table.done()
            assert [kept.winners for kept in table.verified()] == [(1,), (0,), (2,)]

    asyncio.run(play())
