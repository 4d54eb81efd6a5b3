"""Games over sockets in which somebody is late, leaves or breaks something; and the referee itself standing still."""

import asyncio
import errno
import os
import re
import time

import pytest

from hinterland.errors import ArenaError, RecordError
from hinterland.gravity import Rules
from hinterland.referee import judge, record
from hinterland.referee.shell import remote, tcp
from hinterland.referee.shell.heartbeat import MEMORY_S, PERIOD_NS, TOLERANCE_NS, UNREST_NS, Heartbeat
from hinterland.referee.shell.tcp import TcpCarrier
from referee_clients import (
    PATIENCE_S,
    SMALL,
    HpsPlayer,
    Log,
    Table,
    answer_json,
    expected_lines,
    opened,
    plan,
    play_json,
)

THREE = Rules(size=16, players=3, stones=2, spacing=3)
NO_GRACE = opened(grace_ms=0)
PROMPT_NS = 50_000_000
"""How long after its deadline a verdict may come."""


@pytest.fixture(autouse=True)
def short_debts(monkeypatch):
    monkeypatch.setattr(remote, "OWING_S", 0.1)


async def seated(table, *names):
    return [await table.sit(name) for name in names]


async def joined(table, *names):
    return [await table.join(name) for name in names]


async def play_hps(table, *wires):
    players = [HpsPlayer(wire, table.plan.terms.rules) for wire in wires]
    await asyncio.gather(*(player.play() for player in players))
    await table.done()
    return [player.lines for player in players]


async def play_all(table, *wires):
    told = await asyncio.gather(*(play_json(wire, table.plan.terms.rules) for wire in wires))
    await table.done()
    return told


def reasons(records):
    return [[left.reason for left in kept.departures] for kept in records]


def lateness_ns(table, number=0):
    """Return how long after its deadline a seat was flagged, without the time in which this process stood still."""
    game, departed, at_ns = [what for what in table.log.all("Departed") if what[1].verdict == "time"][number]
    asked = [effect for of, effect, _ in table.log.all("Ask") if of is game and effect.seat == departed.seat][-1]
    return at_ns - asked.deadline_ns - game.judged.lag_ns


# Time


@pytest.mark.parametrize("protocol", ["hps", "json"])
def test_who_never_answers_loses_at_the_deadline_and_is_closed_a_moment_later(protocol):
    async def play():
        async with Table(plan(protocol=protocol, clock_ms=100, doors=opened(grace_ms=30))) as table:
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
        async with Table(plan(protocol="json", clock_ms=150, doors=NO_GRACE)) as table:
            dripping, ben = await joined(table, "dripping", "ben")
            await dripping.until("turn")
            other = asyncio.get_running_loop().create_task(play_json(ben, SMALL))
            while not table.log.all("Departed"):
                await dripping.send(" ")
                await asyncio.sleep(0.002)
            assert lateness_ns(table) <= PROMPT_NS
            dripping.close()
            await other
            await table.done()
            assert reasons(table.verified()) == [["time"], ["disconnect"]]

    asyncio.run(play())


def test_an_answer_is_stamped_when_it_comes_and_the_grace_is_not_charged():
    async def play():
        rules = Rules(size=12, stones=3, spacing=3)
        async with Table(plan(rules, clock_ms=60_000, doors=opened(grace_ms=1000))) as table:
            await play_hps(table, *await seated(table, "anna", "ben"))
            table.verified()
            assert table.log.games[0].judged.clocks.left_ns == (60_000_000_000,) * 2

    asyncio.run(play())


def test_half_an_answer_at_the_deadline_is_taken_if_it_can_be_one():
    from hinterland.referee.wire.talk import Limits

    async def play():
        doors = opened(grace_ms=0, limits=Limits(quiet_ns=10**13))
        async with Table(plan(doors=doors, clock_ms=80, illegal="forfeit")) as table:
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
        async with Table(plan(clock_ms=200, doors=NO_GRACE)) as table:
            remote.OWING_S = PATIENCE_S
            anna, ben = await seated(table, "anna", "ben")
            assert await anna.line() == "0 0 0"
            assert await anna.line() == "1 -2 0"
            assert await ben.line() == "1 -2 0"
            await asyncio.sleep(0.02)
            assert len(table.log.games) == 1, "who owes an answer gets no question of another game"
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
            assert [numbers for _, numbers in second.moves] == [(0, 0), (11, 11), (0, 11), (11, 0)]
            assert second.reason == "complete"

    asyncio.run(play())


def test_a_late_answer_in_a_melee_is_never_a_move_later():
    async def play():
        async with Table(plan(THREE, clock_ms=250, doors=NO_GRACE)) as table:
            remote.OWING_S = PATIENCE_S
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
            assert all((15, 15) not in [numbers for _, numbers in kept.moves] for kept in records)
            for number, wire in enumerate((late, ben, cleo)):
                assert wire.heard[1:] == expected_lines(records, number)

    asyncio.run(play())


@pytest.mark.parametrize("leaves", [True, False])
def test_an_answer_on_its_way_when_another_seat_leaves_is_no_move_of_the_next_game(leaves):
    """Ben leaves the first game by what he sends, or has left for good, while anna thinks."""

    async def play():
        remote.OWING_S = PATIENCE_S
        rules = THREE if leaves else SMALL
        async with Table(plan(rules)) as table:
            anna, ben, *cleo = await seated(table, *("anna", "ben", "cleo")[: rules.players])
            await anna.line()
            if leaves:
                cleo[0].close()
                await table.log.until("Departed")
            ben.close()
            await table.log.until("game over")
            await asyncio.sleep(0.03)
            assert len(table.log.games) == 1, "the answer to the old question is waited for"
            await anna.send("5 5\n")
            assert len(await anna.rest()) == rules.players
            await table.done()
            assert [kept.moves for kept in table.verified()] == [()] * rules.players

    asyncio.run(play())


def test_an_answer_on_its_way_when_a_game_is_void_is_no_move_of_its_repetition(monkeypatch):
    monkeypatch.setattr(judge, "LONGEST_LAG_NS", 500_000_000)

    async def play():
        remote.OWING_S = PATIENCE_S
        log = Stalls([0.6])
        async with Table(plan(clock_ms=700, doors=NO_GRACE), log=log) as table:
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
        async with Table(plan(doors=opened(pause_s=0.1))) as table:
            await play_hps(table, *await seated(table, "anna", "ben"))
            ended, asked = table.log.all("Ended")[0], table.log.all("Ask")[4]
            assert table.log.games[1] is asked[0]
            assert asked[2] - ended[2] >= 100_000_000

    asyncio.run(play())


def test_who_owes_an_answer_to_a_game_that_another_ended_is_not_closed():
    """It may have dropped its thought when it read that the game was over."""

    async def play():
        async with Table(plan(THREE, illegal="forfeit")) as table:
            anna, ben, cleo = await seated(table, "anna", "ben", "cleo")
            first = HpsPlayer(anna, THREE)
            await first.answer(await anna.line())
            await ben.line()
            anna.close()
            await table.log.until("Departed")
            cleo.close()
            await table.log.until("game over")
            assert len(await ben.rest()) == 3, "it is told of all games"
            await table.done()
            assert [kept.winners for kept in table.verified()] == [(1,), (0,), (2,)]

    asyncio.run(play())


# Answers that nobody asked for


def test_early_double_and_foreign_answers_change_nothing():
    async def play():
        async with Table(plan(protocol="json")) as table:
            anna, ben = await joined(table, "anna", "ben")
            turn = await anna.until("turn")
            echo = {"game_id": turn["game_id"], "turn": turn["turn"]}
            await ben.send_json(type="move", game_id=turn["game_id"], turn=2, move=[3, 3])
            await ben.send_json(type="move", **echo, move=[3, 3])
            await anna.send_json(type="move", game_id="another", turn=1, move=[6, 6])
            await anna.send_json(type="move", game_id=turn["game_id"], turn=99, move=[6, 6])
            for _ in range(2):
                assert (await anna.message())["type"] == "ignored"
            assert (await ben.until("ignored"))["detail"].startswith("an answer to turn 2 of game")
            await anna.send_json(type="info", text="thinking")
            await anna.send_json(type="move", **echo, move=[0, 0])
            await anna.send_json(type="move", **echo, move=[9, 9])
            asked = await ben.until("turn")
            assert asked["moves"] == [[0, [0, 0]]]
            await ben.send_json(type="join", name="again")
            await answer_json(ben, asked, SMALL)
            await play_all(table, anna, ben)
            records = table.verified()
            assert reasons(records) == [[], []]
            assert not {(3, 3), (6, 6), (9, 9)} & {numbers for kept in records for _, numbers in kept.moves}

    asyncio.run(play())


def test_an_answer_of_the_first_game_is_none_in_the_second():
    async def play():
        async with Table(plan(protocol="json")) as table:
            anna, ben = await joined(table, "anna", "ben")
            old = await anna.until("turn")
            await ben.send("[]\n")
            await anna.until("over")
            await answer_json(anna, old, SMALL)
            await anna.rest()
            await table.done()
            assert reasons(table.verified()) == [["protocol"], ["protocol"]]

    asyncio.run(play())


def test_too_many_answers_to_no_question_break_the_protocol():
    async def play():
        async with Table(plan(protocol="json")) as table:
            anna, ben = await joined(table, "anna", "ben")
            asked = await anna.until("turn")
            for _ in range(17):
                await ben.send_json(type="move", game_id=asked["game_id"], turn=1, move=[3, 3])
            bye = await ben.until("bye")
            assert bye["detail"].startswith("protocol: more than 16 answers in a row")
            await anna.rest()
            await table.done()
            assert reasons(table.verified()) == [["protocol"], ["protocol"]]
            assert [kept.winners for kept in table.log.records] == [(0,), (1,)]

    asyncio.run(play())


@pytest.mark.parametrize(
    ("data", "verdict"),
    [
        (b"x" * 5000, "oversize"),
        (b"x" * 16_000_000, "oversize"),
        (b" \n" * 70, "flood"),
        ((b"1 " * 1000 + b"\n") * 70, "flood"),
        (b"0 0\x00\n", "protocol"),
        (b"\xff\xfe0 0\n", "protocol"),
    ],
    ids=["no newline", "16 MB", "short lines", "long lines", "NUL", "not UTF-8"],
)
def test_who_floods_or_sends_rubbish_is_out_and_is_told_why(data, verdict):
    async def play():
        async with Table() as table:
            anna, ben = await seated(table, "anna", "ben")
            await anna.line()
            lines = []

            async def pour():
                await ben.send(data)

            pouring = asyncio.get_running_loop().create_task(pour())
            await table.log.until("Departed")
            lines = await anna.rest()
            await table.done()
            await pouring
            assert reasons(table.verified()) == [[verdict], [verdict]]
            assert lines == ["1 0 -1", "1 0 -1"], "no question in the second game, which is over at once"

    asyncio.run(play())


# Illegal moves


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("0 0", "stone 1 stands on 0,0 already"),
        ("0 1", "3 from stone 1 needed, here 1.0"),
        ("12 0", "12,0 is outside the board"),
        ("-1 0", "-1,0 is outside the board"),
        ("1", "a move is written as whole numbers, row col; '1' is not"),
        ("5 5 1", "a move is written as whole numbers, row col; '5 5 1' is not"),
        ("5.0 5", "a move is written as whole numbers"),
        ("resign", "a move is written as whole numbers"),
    ],
)
def test_an_illegal_move_forfeits_with_the_rule_and_the_value(answer, words):
    async def play():
        async with Table() as table:
            anna, ben = await seated(table, "anna", "ben")
            await anna.line()
            await anna.send("0 0\n")
            await ben.line()
            await ben.send(f"{answer}\n")
            assert await anna.line() == "1 144 -1"
            assert await ben.line() == "1 144 -1"
            assert await ben.line() == "0 0 0", "it plays the next game"
            await table.log.until("game over")
            (left,) = table.verified()[0].departures
            assert left.reason == "illegal"
            assert words in left.detail

    asyncio.run(play())


@pytest.mark.parametrize("move", ["5 5", "[5.0, 5]", "[true, 5]", '["5", 5]', "[5]", "[5, 5, 1, 1]", "null", "[5, -1]"])
def test_no_move_in_json_forfeits(move):
    async def play():
        async with Table(plan(protocol="json")) as table:
            anna, _ben = await joined(table, "anna", "ben")
            turn = await anna.until("turn")
            await anna.send(f'{{"type":"move","game_id":"{turn["game_id"]}","turn":1,"move":{move}}}\n')
            await table.log.until("game over")
            (left,) = table.verified()[0].departures
            assert left.reason == ("protocol" if move == "5 5" else "illegal")

    asyncio.run(play())


def test_an_illegal_move_may_cost_the_turn():
    async def play():
        async with Table(plan(illegal="skip")) as table:
            anna, ben = await seated(table, "anna", "ben")
            await anna.line()
            await anna.send("99 99\n")
            assert await ben.line() == "0 0 0"
            await ben.send("0 0\n")
            assert await anna.line() == "0 0 144 0 0 2"
            await anna.send("what?\n")
            await ben.line()
            await ben.send("11 11\n")
            await table.log.until("game over")
            (kept,) = table.verified()
            assert kept.skipped == ((0, 0), (1, 0))
            assert (kept.reason, kept.departures, kept.scores) == ("complete", (), (0, 144))

    asyncio.run(play())


def test_an_illegal_move_may_cost_nothing_but_time():
    async def play(protocol):
        async with Table(plan(protocol=protocol, illegal="retry")) as table:
            if protocol == "hps":
                anna, ben = await seated(table, "anna", "ben")
                await anna.line()
                await anna.send("0 0\n")
                asked = await ben.line()
                await ben.send("0 0\n")
                again = await ben.line()
                assert asked == f"{again} 0 0 1", "the question again, without the moves that are told"
                await ben.send("11 11\n")
            else:
                anna, ben = await joined(table, "anna", "ben")
                await answer_json(anna, await anna.until("turn"), SMALL)
                asked = await ben.until("turn")
                echo = {"game_id": asked["game_id"], "turn": asked["turn"]}
                await ben.send_json(type="move", **echo, move=[0, 0])
                refused = await ben.until("refused")
                detail = "stone 1 stands on 0,0 already"
                assert refused == {"type": "refused", **echo, "code": "occupied", "detail": detail}
                await ben.send_json(type="move", **echo, move=[11, 11])
            await table.log.until("Played", 2)
            assert len(table.log.all("Refused")) == 1
            assert [seat for seat, _ in table.log.games[0].judged.position.moves] == [0, 1]

    asyncio.run(play("hps"))
    asyncio.run(play("json"))


def test_who_tries_for_ever_loses_for_the_flood():
    async def play():
        async with Table(plan(illegal="retry", clock_ms=60_000)) as table:
            anna, ben = await seated(table, "anna", "ben")
            for _ in range(65):
                assert await anna.line() == "0 0 0"
                await anna.send("99 99\n")
            assert await ben.line() == "1 -1 0"
            assert await anna.rest() == ["flood: more than 64 lines from one question to the next"]

    asyncio.run(play())


# Who leaves


@pytest.mark.parametrize("leave", ["close", "reset", "half_close"])
@pytest.mark.parametrize("who", [0, 1], ids=["in its turn", "in the other's turn"])
def test_who_leaves_loses_this_game_and_the_next(leave, who):
    async def play():
        async with Table() as table:
            wires = await seated(table, "anna", "ben")
            await wires[0].line()
            if leave == "half_close":
                await wires[who].send("5 5")
            getattr(wires[who], leave)()
            lines = await wires[1 - who].rest()
            await table.done()
            records = table.verified()
            assert reasons(records) == [["disconnect"], ["disconnect"]]
            assert [kept.moves for kept in records] == [(), ()], "half a line is never a move"
            assert [kept.winners for kept in records] == [(1 - who,), (who,)]
            assert lines == (["1 -1 0"] * 2 if who == 0 else ["1 0 -1"] * 2)
            words = "reset" if leave == "reset" else "closed"
            assert records[0].departures[0].detail == f"the connection was {words}"

    asyncio.run(play())


def test_who_leaves_in_the_second_game_keeps_the_first():
    async def play():
        async with Table() as table:
            wires = await seated(table, "anna", "ben")
            players = [HpsPlayer(wire, SMALL) for wire in wires]
            await asyncio.gather(*(player.play_one() for player in players))
            wires[0].reset()
            await players[1].play()
            (result,) = await table.done()
            assert reasons(table.verified()) == [[], ["disconnect"]]
            assert result.winners == ("ben",)
            assert [player.departures for player in result.players] == [1, 0]

    asyncio.run(play())


def test_when_both_leave_there_is_still_a_result():
    async def play():
        async with Table() as table:
            anna, ben = await seated(table, "anna", "ben")
            await anna.line()
            anna.reset()
            ben.reset()
            await table.done()
            assert [len(kept.departures) for kept in table.verified()] == [1, 1]

    asyncio.run(play())


def test_a_melee_of_three_goes_on():
    async def play():
        async with Table(plan(THREE)) as table:
            anna, ben, cleo = await seated(table, "anna", "ben", "cleo")
            players = [HpsPlayer(wire, THREE) for wire in (anna, cleo)]
            await players[0].answer(await anna.line())
            await ben.line()
            ben.close()
            await asyncio.gather(*(player.play() for player in players))
            await table.done()
            records = table.verified()
            assert reasons(records) == [["disconnect"]] * 3
            assert [len(kept.moves) for kept in records] == [4, 4, 4]
            assert all(kept.reason == "complete" for kept in records)
            assert players[0].lines == expected_lines(records, 0)
            assert players[1].lines == expected_lines(records, 2)

    asyncio.run(play())


# A slow reader


class Ear:
    def __init__(self):
        self.losses = []

    def received(self, data, stamp_ns):
        pass

    def lost(self, verdict, detail):
        self.losses.append((verdict, detail))


def test_who_does_not_read_is_hung_up_on_in_bounded_memory():
    async def play():
        loop = asyncio.get_running_loop()
        ear, carriers, gone = Ear(), [], asyncio.Event()

        def welcome(carrier):
            carriers.append(carrier)
            return ear

        listener = tcp.listen("127.0.0.1", 0)
        server = await loop.create_server(lambda: TcpCarrier(welcome, lambda _: gone.set()), sock=listener)
        from referee_clients import Wire

        wire = await Wire.to(listener.getsockname()[1], receive_bytes=4096)
        while not carriers:
            await asyncio.sleep(0)
        written = 0
        while not ear.losses and written < 10_000_000:
            carriers[0].write(b"x" * 10_000)
            written += 10_000
        assert ear.losses == [("disconnect", "it left more than 256 KiB unread")]
        assert written < 2_000_000
        await asyncio.wait_for(gone.wait(), PATIENCE_S)
        server.close()
        wire.close()

    asyncio.run(play())


def test_who_stops_reading_is_judged_by_its_clock_and_the_match_ends(monkeypatch):
    monkeypatch.setattr(tcp, "LAST_WORDS_S", 0.05)

    async def play():
        async with Table(plan(clock_ms=100, doors=NO_GRACE)) as table:
            deaf = await table.wire(receive_bytes=1024)
            await deaf.send("deaf\n")
            await table.log.until("came")
            ben = await table.sit("ben")
            await play_hps(table, ben)
            assert reasons(table.verified()) == [["time"], ["disconnect"]]
            assert lateness_ns(table) <= PROMPT_NS

    asyncio.run(play())


# The operator


def test_a_match_waits_until_it_is_confirmed():
    async def play():
        asked, pressed = asyncio.Event(), asyncio.Event()

        async def confirm():
            asked.set()
            await pressed.wait()

        async with Table(confirm=confirm) as table:
            wires = await seated(table, "anna", "ben")
            await asked.wait()
            assert table.log.all("match began") == []
            pressed.set()
            await play_hps(table, *wires)
            assert reasons(table.verified()) == [[], []]

    asyncio.run(play())


def test_who_takes_a_seat_while_the_operator_hesitates_plays():
    async def play():
        asked, pressed = asyncio.Semaphore(0), asyncio.Event()

        async def confirm():
            asked.release()
            await pressed.wait()

        async with Table(confirm=confirm) as table:
            anna, ben = await seated(table, "anna", "ben")
            await asked.acquire()
            ben.close()
            await table.log.until("went")
            cleo = await table.sit("cleo")
            pressed.set()
            await play_hps(table, anna, cleo)
            assert table.verified()[0].players == ("anna", "cleo")
            assert reasons(table.log.records) == [[], []]

    asyncio.run(play())


def test_confirmed_too_soon_it_is_asked_for_again():
    async def play():
        asked, answers = asyncio.Semaphore(0), asyncio.Queue()

        async def confirm():
            asked.release()
            await answers.get()

        async with Table(confirm=confirm) as table:
            anna, ben = await seated(table, "anna", "ben")
            await asked.acquire()
            ben.close()
            await table.log.until("went")
            await answers.put(None)
            cleo = await table.sit("cleo")
            await asked.acquire()
            assert table.log.all("match began") == []
            await answers.put(None)
            await play_hps(table, anna, cleo)

    asyncio.run(play())


def test_stopped_before_anybody_came_or_while_they_gather():
    async def play(names):
        async with Table() as table:
            wires = await seated(table, *names)
            table.host.stop()
            assert await table.done() == []
            for wire in wires:
                assert await wire.rest() == ["the referee is closing"]
            assert table.log.results == []

    asyncio.run(play([]))
    asyncio.run(play(["anna"]))


def test_stopped_in_a_game_it_is_finished_and_no_other_begins():
    async def play():
        async with Table(plan(matches=2)) as table:
            anna, ben = await seated(table, "anna", "ben")
            first = HpsPlayer(anna, SMALL)
            await first.answer(await anna.line())
            table.host.stop()
            assert await (await table.wire()).rest() == ["all seats are taken"]
            lines = await asyncio.gather(first.play(), HpsPlayer(ben, SMALL).play())
            (result,) = await table.done()
            (kept,) = table.verified()
            assert kept.reason == "complete"
            assert [len(player.scores) for player in result.players] == [1, 1]
            assert all(line[-1].startswith("1 ") for line in lines)

    asyncio.run(play())


def test_aborted_in_a_game_it_is_void_and_nothing_is_recorded(tmp_path):
    async def play(protocol):
        ledger = record.Ledger(tmp_path / f"{protocol}.jsonl")
        async with Table(plan(protocol=protocol), ledger=ledger) as table:
            enter = seated if protocol == "hps" else joined
            anna, ben = await enter(table, "anna", "ben")
            await table.log.until("Ask")
            table.host.abort("the operator ended it")
            (result,) = await table.done()
            assert result.winners == ()
            assert [kept.reason for kept in table.log.records] == ["void"]
            if protocol == "json":
                over = await ben.until("over")
                assert (over["reason"], over["detail"]) == ("void", "the operator ended it")
                assert over["winners"] == []
                assert (await ben.until("bye"))["winners"] == []
            else:
                assert await ben.rest() == ["1 0 0"]
                assert await anna.rest() == ["0 0 0", "1 0 0"]
        ledger.close()
        assert (tmp_path / f"{protocol}.jsonl").read_bytes() == b""

    asyncio.run(play("hps"))
    asyncio.run(play("json"))


@pytest.mark.parametrize("how", ["stop", "abort"])
def test_between_two_games_no_other_begins(how):
    async def play():
        async with Table(plan(clock_ms=100, doors=NO_GRACE)) as table:
            remote.OWING_S = PATIENCE_S
            late, _ = await seated(table, "late", "ben")
            await table.log.until("game over")
            if how == "stop":
                table.host.stop()
            else:
                table.host.abort("the operator ended it")
            await late.send("0 0\n")
            await table.done()
            assert len(table.log.games) == 1
            assert reasons(table.verified()) == [["time"]]

    asyncio.run(play())


# The disk


@pytest.fixture
def full_disk(tmp_path, monkeypatch):
    """A ledger whose file takes nothing more once a match goes on."""

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    ledger = record.Ledger(tmp_path / "games.jsonl")
    monkeypatch.setattr(os, "fsync", full)
    yield ledger
    ledger.close()


FULL = "the referee had to end the match: .*cannot be written: No space left on device"


def test_a_full_disk_ends_a_match_of_json_in_one_line_and_nobody_was_told_of_the_game(full_disk):
    async def play():
        async with Table(plan(protocol="json"), ledger=full_disk) as table:
            wires = await joined(table, "anna", "ben")
            for messages in await asyncio.gather(*(play_json(wire, SMALL) for wire in wires)):
                assert "over" not in [message["type"] for message in messages]
                assert messages[-1]["type"] == "bye"
                assert re.fullmatch(FULL, messages[-1]["detail"])
            with pytest.raises(RecordError, match="cannot be written: No space left on device"):
                await table.done()
            assert table.log.all("game over") == []

    asyncio.run(play())


def test_a_full_disk_ends_a_match_of_hps_in_one_line_and_nobody_was_told_of_the_game(full_disk):
    async def play():
        async with Table(ledger=full_disk) as table:
            anna, ben = await seated(table, "anna", "ben")
            for wire, move in ((anna, "0 0"), (ben, "11 11"), (anna, "0 11"), (ben, "11 0")):
                assert (await wire.line()).startswith("0 ")
                await wire.send(f"{move}\n")
            for wire in (anna, ben):
                (line,) = await wire.rest()
                assert re.fullmatch(FULL, line)
            with pytest.raises(RecordError, match="cannot be written: No space left on device"):
                await table.done()

    asyncio.run(play())


# The referee itself


class Stalls(Log):
    """Stands still for a moment, and with it the whole process, after so many questions."""

    def __init__(self, stalls):
        super().__init__()
        self.stalls = stalls

    def happened(self, game, effects):
        super().happened(game, effects)
        if any(isinstance(effect, judge.Ask) for effect in effects) and self.stalls:
            pause_s = self.stalls.pop(0)
            if pause_s:
                asyncio.get_running_loop().call_soon(time.sleep, pause_s)


def test_when_the_referee_stands_still_nobody_pays():
    async def play():
        log = Stalls([0.4])
        async with Table(plan(clock_ms=200, doors=NO_GRACE), log=log) as table:
            anna, ben = await seated(table, "anna", "ben")
            await anna.line()
            await log.until("Delayed")
            await anna.send("0 0\n")
            await ben.line()
            await ben.send("11 11\n")
            await anna.line()
            await anna.send("0 11\n")
            await ben.line()
            await ben.send("11 0\n")
            await log.until("game over")
            (kept,) = table.verified()
            assert kept.departures == ()
            assert kept.times.lag_ms >= 350
            assert kept.times.ms[0] < 200

    asyncio.run(play())


def test_a_game_in_which_the_referee_stood_still_too_long_is_played_again(monkeypatch):
    monkeypatch.setattr(judge, "LONGEST_LAG_NS", 500_000_000)

    async def play():
        log = Stalls([0.6])
        async with Table(plan(protocol="json"), log=log) as table:
            anna, ben = await joined(table, "anna", "ben")
            told, _ = await play_all(table, anna, ben)
            records = table.log.records
            assert [(kept.number, kept.reason) for kept in records] == [(1, "void"), (1, "complete"), (2, "complete")]
            assert records[0].detail.startswith("the referee stood still for 0.")
            begun = [message for message in told if message["type"] == "game"]
            assert [message["number"] for message in begun] == [1, 1, 2]
            assert len({message["game_id"] for message in begun}) == 3

    asyncio.run(play())


def test_after_three_void_games_the_referee_gives_up(monkeypatch):
    monkeypatch.setattr(judge, "LONGEST_LAG_NS", 30_000_000)

    async def play():
        async with Table(plan(protocol="json"), log=Stalls([0.1] * 3)) as table:
            anna, _ben = await joined(table, "anna", "ben")
            told = await play_json(anna, SMALL)
            with pytest.raises(ArenaError, match="game 1 was void 3 times, the last time because the referee stood"):
                await table.done()
            assert "the referee had to end the match: game 1 was void 3 times" in told[-1]["detail"]
            assert [kept.reason for kept in table.log.records] == ["void"] * 3

    asyncio.run(play())


def test_the_heartbeat_notices_delays_whoever_looks_first():
    async def beat():
        heart = Heartbeat()
        with heart:
            now_ns = time.monotonic_ns()
            heart.look(now_ns + PERIOD_NS + TOLERANCE_NS - 1_000_000)
            before = heart.lag_ns
            heart.look(now_ns + 500_000_000)
            assert heart.lag_ns - before == pytest.approx(500_000_000 - PERIOD_NS, abs=2_000_000)
            noticed = heart.lag_ns
            heart.look(now_ns + 500_000_000)
            assert heart.lag_ns == noticed, "a delay counts once"

    asyncio.run(beat())


def test_the_heartbeat_notices_a_busy_loop_and_rests_when_nobody_needs_it():
    async def beat():
        heart = Heartbeat()
        with heart, heart:
            time.sleep(0.1)
            await asyncio.sleep(0.02)
            assert heart.lag_ns >= 80_000_000
        noticed = heart.lag_ns
        time.sleep(0.05)
        heart.look(time.monotonic_ns())
        assert heart.lag_ns == noticed
        with heart:
            await asyncio.sleep(0)
            assert heart.lag_ns - noticed < 50_000_000, "what was before does not count"

    asyncio.run(beat())


def test_a_machine_that_stood_still_is_calm_again_after_a_while():
    async def beat():
        heart = Heartbeat()
        with heart:
            now_ns = time.monotonic_ns()
            assert heart.is_calm(now_ns)
            heart.look(now_ns + 2 * UNREST_NS)
            after_ns = now_ns + 2 * UNREST_NS
            assert not heart.is_calm(after_ns)
            assert not heart.is_calm(after_ns + int(MEMORY_S * 0.5e9))
            assert heart.is_calm(after_ns + int(MEMORY_S * 2e9))
            assert heart.is_calm(after_ns + int(MEMORY_S * 1e15))

    asyncio.run(beat())


def test_a_game_waits_until_the_machine_is_calm():
    from hinterland.referee.shell.admission import Admission

    async def play():
        heart = Heartbeat()
        admission = Admission(10, heart)
        began = []

        async def game():
            async with admission.game():
                began.append(time.monotonic_ns())

        with heart:
            async with admission.game():
                before_ns = time.monotonic_ns()
                heart.look(before_ns + 2 * UNREST_NS)
                second = asyncio.get_running_loop().create_task(game())
                await asyncio.sleep(0.02)
                assert began == [], "it waits"
                async with asyncio.timeout(PATIENCE_S):
                    await second
            assert admission.running == 0

    asyncio.run(play())


def test_a_fault_inside_the_referee_is_raised_and_everybody_is_sent_away():
    class Broken(Log):
        def happened(self, game, effects):
            raise RuntimeError("a fault of the referee")

    async def play():
        async with Table(log=Broken()) as table:
            anna, _ben = await seated(table, "anna", "ben")
            with pytest.raises(RuntimeError, match="a fault of the referee"):
                await table.done()
            assert await anna.rest() == ["0 0 0", "the referee had to end the match"]

    asyncio.run(play())
