"""Games over sockets in which somebody breaks the rules or the protocol, leaves, or does not read."""

import asyncio

import pytest

from hinterland.host.network import tcp
from hinterland.host.network.tcp import TcpCarrier
from hinterland.host.players import remote_player
from referee_clients import (
    PATIENCE_S,
    SMALL,
    HpsPlayer,
    Table,
    answer_json,
    expected_lines,
    make_plan,
)
from referee_games import NO_GRACE, PROMPT_NS, THREE, joined, lateness_ns, play_all, play_hps, reasons, seated


@pytest.fixture(autouse=True)
def short_debts(monkeypatch):
    monkeypatch.setattr(remote_player, "LATE_REPLY_S", 0.1)


# Answers that nobody asked for


def test_early_double_and_foreign_answers_change_nothing():
    async def play():
        async with Table(make_plan(protocol="json")) as table:
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
            assert not {(3, 3), (6, 6), (9, 9)} & {numbers for kept in records for _, numbers in kept.played}

    asyncio.run(play())


def test_an_answer_of_the_first_game_is_none_in_the_second():
    async def play():
        async with Table(make_plan(protocol="json")) as table:
            anna, ben = await joined(table, "anna", "ben")
            old = await anna.until("turn")
            await ben.send("[]\n")
            await anna.until("over")
            await answer_json(anna, old, SMALL)
            await anna.rest()
            await table.done()
            assert reasons(table.verified()) == [["protocol"], ["protocol"]]

    asyncio.run(play())


def test_too_many_answers_to_no_request_break_the_protocol():
    async def play():
        async with Table(make_plan(protocol="json")) as table:
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
        ((b"no " * 1000 + b"\n") * 70, "flood"),
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
            await table.log.until("Departure")
            lines = await anna.rest()
            await table.done()
            await pouring
            assert reasons(table.verified()) == [[verdict], [verdict]]
            assert lines == ["1 0 -1", "1 0 -1"], "no request in the second game, which is over at once"

    asyncio.run(play())


# Illegal moves


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("0 0", "stone 1 stands on 0,0 already"),
        ("0 1", "is too close to stone 1: 1.0 away, 3 needed"),
        ("12 0", "12,0 is outside the board"),
        ("-1 0", "-1,0 is outside the board"),
        ("1", "a move is written as whole numbers, row col; '1' is not"),
        ("5 x 1", "a move is written as whole numbers, row col; '5 x 1' is not"),
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


@pytest.mark.parametrize("protocol", ["hps", "json"])
def test_in_hps_an_illegal_move_is_asked_again_and_in_json_it_forfeits(protocol):
    async def play():
        async with Table(make_plan(protocol=protocol, illegal=None)) as table:
            if protocol == "hps":
                anna, ben = await seated(table, "anna", "ben")
                for answer in ("99 99", "what?"):
                    assert await anna.line() == "0 0 0"
                    await anna.send(f"{answer}\n")
                await play_hps(table, anna, ben)
            else:
                anna, ben = await joined(table, "anna", "ben")
                asked = await anna.until("turn")
                await anna.send_json(type="move", game_id=asked["game_id"], turn=1, move=[99, 99])
                await play_all(table, anna, ben)
            refused = len(table.log.all("Refused"))
            expected = ([[], []], 2) if protocol == "hps" else ([["illegal"], []], 0)
            assert (reasons(table.verified()), refused) == expected

    asyncio.run(play())


@pytest.mark.parametrize("move", ["5 5", "[5.0, 5]", "[true, 5]", '["5", 5]', "[5]", "[5, 5, 1, 1]", "null", "[5, -1]"])
def test_no_move_in_json_forfeits(move):
    async def play():
        async with Table(make_plan(protocol="json")) as table:
            anna, _ben = await joined(table, "anna", "ben")
            turn = await anna.until("turn")
            await anna.send(f'{{"type":"move","game_id":"{turn["game_id"]}","turn":1,"move":{move}}}\n')
            await table.log.until("game over")
            (left,) = table.verified()[0].departures
            assert left.reason == ("protocol" if move == "5 5" else "illegal")

    asyncio.run(play())


def test_an_illegal_move_may_cost_the_turn():
    async def play():
        async with Table(make_plan(illegal="skip")) as table:
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
            assert [(what.plies, what.seat) for what in kept.between if what.event == "lost"] == [(0, 0), (1, 0)]
            assert (kept.reason, kept.departures, kept.scores) == ("complete", (), (0, 144))

    asyncio.run(play())


def test_an_illegal_move_may_cost_nothing_but_time():
    async def play(protocol):
        async with Table(make_plan(protocol=protocol, illegal="retry")) as table:
            if protocol == "hps":
                anna, ben = await seated(table, "anna", "ben")
                await anna.line()
                await anna.send("0 0\n")
                asked = await ben.line()
                await ben.send("0 0\n")
                again = await ben.line()
                assert asked == f"{again} 0 0 1", "the request again, without the moves that are told"
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


def test_who_tries_for_ever_leaves_after_twenty_refusals():
    async def play():
        async with Table(make_plan(illegal="retry", clock_ms=60_000)) as table:
            anna, ben = await seated(table, "anna", "ben")
            for _ in range(21):
                assert await anna.line() == "0 0 0"
                await anna.send("99 99\n")
            assert await ben.line() == await anna.line() == "1 -1 0"
            await play_hps(table, anna, ben)
            first, second = table.verified()
            assert [left.reason for left in first.departures] == ["illegal"]
            assert first.departures[0].detail.startswith("refused 20 times in one turn, and again: 99,99 is outside")
            assert second.reason == "complete"

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


def test_a_match_from_which_one_of_two_leaves_between_games_ends_with_the_first():
    async def play():
        async with Table() as table:
            wires = await seated(table, "anna", "ben")
            players = [HpsPlayer(wire, SMALL) for wire in wires]
            await asyncio.gather(*(player.play_one() for player in players))
            wires[0].reset()
            await asyncio.sleep(0.2)  # the referee hears of it before the other moves in the second game
            await players[1].play()
            (result,) = await table.done()
            first, *void = table.verified()
            assert not first.departures
            assert [game.reason for game in void] in ([], ["void"])  # the second had begun, or not yet
            best = max(first.scores)
            assert result.winners == tuple(
                name for name, score in zip(first.players, first.scores, strict=True) if score == best
            )
            assert [player.departures for player in result.players] == [0, 0]

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
        async with Table(make_plan(THREE)) as table:
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

    def on_bytes(self, data, stamp_ns):
        pass

    def on_lost(self, verdict, detail):
        self.losses.append((verdict, detail))


def test_who_does_not_read_is_hung_up_on_in_bounded_memory():
    async def play():
        loop = asyncio.get_running_loop()
        ear, carriers, gone = Ear(), [], asyncio.Event()

        def welcome(carrier):
            carriers.append(carrier)
            return ear

        listener = tcp.listen("127.0.0.1", 0)
        server = await loop.create_server(lambda: TcpCarrier(welcome, lambda _: gone.set()), sock=listener.sockets[0])
        from referee_clients import Wire

        wire = await Wire.to(listener.port, receive_bytes=4096)
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
    monkeypatch.setattr(tcp, "CLOSE_TIMEOUT_S", 0.05)

    async def play():
        async with Table(make_plan(clock_ms=100, admission=NO_GRACE)) as table:
            deaf = await table.wire(receive_bytes=1024)
            await deaf.send("deaf\n")
            await table.log.until("came")
            ben = await table.sit("ben")
            await play_hps(table, ben)
            assert reasons(table.verified()) == [["time"], ["disconnect"]]
            assert lateness_ns(table) <= PROMPT_NS

    asyncio.run(play())
