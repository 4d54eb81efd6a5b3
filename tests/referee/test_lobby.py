"""Who comes in, under which name and number, who is sent away and with which words: over real sockets."""

import asyncio
import socket
import time

import pytest

from hinterland.gravity import Rules
from hinterland.host import lobby, pending_connection
from referee_clients import (
    SMALL,
    HpsPlayer,
    Table,
    answer_json,
    opened,
    plan,
)
from referee_games import THREE, play_all, play_hps

TOKENS = {"anna": "a-secret-of-anna", "ben": "a-secret-of-ben"}


def with_tokens(**fields):
    return plan(protocol="json", tokens=TOKENS, **fields)


def names_of(*given):
    """Return under which names players that call themselves so are known, in protocol json."""

    async def play():
        rules = Rules(size=16, players=len(given), stones=1, spacing=3)
        async with Table(plan(rules, protocol="json")) as table:
            wires = [await table.join(name) for name in given]
            await play_all(table, *wires)
            return [name for _, name, _ in table.log.all("came")], table.verified()[0].players

    came, recorded = asyncio.run(play())
    assert tuple(came) == recorded
    return came


def test_names_are_told_apart_and_made_harmless():
    assert names_of("bot", "bot", "bot", "") == ["bot", "bot#2", "bot#3", "player"]
    assert names_of("\x1b[31mred\x07", "<b>&\"'", "\u202egnp.exe", "../../x") == ["red", "<b>&\"'", "gnp.exe", "._._x"]
    assert names_of("x" * 3000, "x" * 3000) == ["x" * 32, "x" * 32 + "#2"]


@pytest.mark.parametrize("name", ["bo\x00b", "bo\x1b[31mb", "\ufeffbob", "bo\x7fb"])
def test_a_name_in_hps_with_control_characters_is_refused_and_its_seat_is_free(name):
    async def play():
        async with Table() as table:
            bad = await table.wire()
            await bad.line()
            await bad.send(f"{name}\n")
            (line,) = await bad.rest()
            assert line.startswith("protocol: ")
            assert line.isprintable()
            await play_hps(table, await table.sit("anna"), await table.sit("ben"))
            assert [number for number, *_ in table.log.all("came")] == [0, 1]
            assert all(note.isprintable() for note in table.log.notes)

    asyncio.run(play())


def test_names_in_hps_need_no_newline_and_may_come_byte_by_byte():
    async def play():
        async with Table() as table:
            first, second = await table.wire(), await table.wire()
            assert await first.line() == "2 2 1"
            assert await second.line() == "2 2 2"
            await second.drip("Zoë der Große\r\n".encode())
            await first.send("bob  ")
            await table.log.until("came", 2)
            await play_hps(table, first, second)
            assert table.verified()[0].players == ("bob", "Zoë der Große")

    asyncio.run(play())


def test_a_silent_client_is_sent_away_and_its_number_goes_to_the_next():
    async def play():
        async with Table(plan(admission=opened(hello_s=0.05))) as table:
            silent = await table.wire()
            started = asyncio.get_running_loop().time()
            assert await silent.rest() == ["2 2 1", "no name within 0.05 s"]
            assert asyncio.get_running_loop().time() - started < 2
            wires = [await table.sit("anna"), await table.sit("ben")]
            assert wires[0].heard == ["2 2 1"]
            await play_hps(table, *wires)
            assert table.log.notes == [f"{silent.origin} was sent away: no name within 0.05 s"]

    asyncio.run(play())


def test_dripping_without_an_end_does_not_move_the_deadline_of_the_introduction():
    async def play():
        async with Table(plan(protocol="json", admission=opened(hello_s=0.1))) as table:
            slow = await table.wire()
            await slow.until("hello")
            answer = asyncio.get_running_loop().create_task(slow.until("bye"))
            while not answer.done():
                await slow.send(" ")
                await asyncio.sleep(0.005)
            assert (await answer)["detail"] == "no name within 0.1 s"
            await play_all(table, await table.join("anna"), await table.join("ben"))

    asyncio.run(play())


def test_a_name_that_stands_without_an_end_at_the_deadline_counts():
    from hinterland.referee.protocol.session import InboundLimits

    async def play():
        admission = opened(hello_s=0.05, limits=InboundLimits(quiet_ns=10**13))
        async with Table(plan(admission=admission)) as table:
            await table.sit("anna", b"anna")
            assert table.log.all("came")[0][:2] == (0, "anna")

    asyncio.run(play())


@pytest.mark.parametrize("leave", ["close", "reset", "half_close"])
@pytest.mark.parametrize("protocol", ["hps", "json"])
def test_who_leaves_before_the_match_makes_room(leave, protocol):
    async def play():
        async with Table(plan(protocol=protocol)) as table:
            nameless = await table.wire()
            await nameless.line()
            getattr(nameless, leave)()
            await table.log.until("noted")
            enter, play_them = (table.sit, play_hps) if protocol == "hps" else (table.join, play_all)
            gone = await enter("gone")
            getattr(gone, leave)()
            await table.log.until("went")
            wires = [await enter("anna"), await enter("ben")]
            await play_them(table, *wires)
            assert [what[:2] for what in table.log.all("came")] == [(0, "gone"), (0, "anna"), (1, "ben")]
            assert table.log.all("went")[0][:2] == (0, "gone")
            assert "left without a name" in table.log.notes[0]

    asyncio.run(play())


def test_the_lowest_free_number_is_given_first():
    async def play():
        async with Table(plan(THREE)) as table:
            first, second, third = [await table.wire() for _ in range(3)]
            assert [await wire.line() for wire in (first, second, third)] == ["3 2 1", "3 2 2", "3 2 3"]
            second.close()
            await table.log.until("noted")
            again = await table.sit("again")
            assert again.heard == ["3 2 2"]
            for wire, name in ((third, "third"), (first, "first")):
                await wire.send(f"{name}\n")
            await play_hps(table, first, again, third)
            assert table.verified()[0].players == ("first", "again", "third")

    asyncio.run(play())


@pytest.mark.parametrize("protocol", ["hps", "json"])
def test_who_comes_when_all_seats_are_taken_is_told_so(protocol):
    async def play():
        async with Table(plan(protocol=protocol)) as table:
            enter, play_them = (table.sit, play_hps) if protocol == "hps" else (table.join, play_all)
            first, second = await enter("anna"), await enter("ben")
            refused = "all seats are taken"
            assert refused in (await (await table.wire()).rest())[-1]
            await play_them(table, first, second)
            assert sum(refused in note for note in table.log.notes) == 1

    asyncio.run(play())


def test_a_seat_is_had_by_whoever_says_a_name_first():
    async def play():
        async with Table(plan()) as table:
            first, nameless = await table.sit("anna"), await table.wire()
            assert await nameless.line() == "2 2 2"
            late = await table.sit("ben")
            assert late.heard == ["2 2 2"]
            assert (await nameless.rest())[-1] == "all seats are taken"
            await play_hps(table, first, late)
            assert table.verified()[0].players == ("anna", "ben")

    asyncio.run(play())


def test_who_was_told_a_number_that_is_gone_gets_another_where_that_can_still_be_said():
    async def play(protocol):
        async with Table(plan(THREE, protocol=protocol)) as table:
            wires = [await table.wire() for _ in range(4)]
            for wire in wires:
                await wire.line()
            slow, quick = wires[0], wires[3]  # both are told that they are the first
            for wire, name in ((quick, "quick"), (slow, "slow")):
                await (wire.send(f"{name}\n") if protocol == "hps" else wire.send_json(type="join", name=name))
                if wire is quick:
                    await table.log.until("came")
            if protocol == "hps":
                assert "has your number; connect again" in (await slow.rest())[-1]
            else:
                assert await slow.until("welcome") == {"type": "welcome", "player": 1, "name": "slow"}

    asyncio.run(play("hps"))
    asyncio.run(play("json"))


@pytest.mark.parametrize("protocol", ["hps", "json"])
def test_the_silent_keep_nobody_out(protocol):
    """Not even for as long as they may be silent, however many they are and whatever match they are in front of."""

    async def play():
        admission = opened(hello_s=60, connections=400)
        async with Table(plan(protocol=protocol, admission=admission, matches=2)) as table:
            silent = [await table.wire() for _ in range(500)]
            enter, play_them = (table.sit, play_hps) if protocol == "hps" else (table.join, play_all)
            await play_them(table, *[await enter(name) for name in ("anna", "ben", "mia", "zoe")])
            assert len(table.log.all("came")) == 4
            ends = [(await wire.rest())[-1] for wire in silent]
            assert sum("have said no name" in end for end in ends) == 101
            assert sum("all seats are taken" in end for end in ends) == 399

    asyncio.run(play())


STRANGERS = {
    "http": b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    "tls": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "ssh": b"SSH-2.0-OpenSSH_9.6\r\n",
    "telnet": b"\xff\xfd\x18\xff\xfd\x20",
    "json": b'{"type":"join","name":"x"}\n',
}


@pytest.mark.parametrize("kind", STRANGERS)
def test_a_stranger_gets_one_line(kind):
    async def play():
        async with Table() as table:
            stranger = await table.wire()
            await stranger.send(STRANGERS[kind])
            lines = await stranger.rest()
            assert lines[0] == "2 2 1"
            assert sum("not_protocol" in line for line in lines) == 1
            assert lines[-1].startswith("not_protocol: ")
            if kind == "http":
                assert lines[1] == "HTTP/1.1 400 Bad Request\r"
            else:
                assert len(lines) == 2
            assert "was sent away: not_protocol: " in table.log.notes[0]
            await play_hps(table, await table.sit("anna"), await table.sit("ben"))
            assert len(table.log.notes) == 1

    asyncio.run(play())


def test_a_player_of_hps_at_the_door_of_json_gets_one_line():
    async def play():
        async with Table(plan(protocol="json")) as table:
            stranger = await table.wire()
            await stranger.until("hello")
            await stranger.send("bob\n")
            bye = await stranger.until("bye")
            assert bye["detail"].startswith("not_protocol: a plain line")
            assert await stranger.rest() == []

    asyncio.run(play())


@pytest.mark.parametrize(
    ("data", "verdict"),
    [
        (b'{"' + b"x" * 5000, "oversize: "),
        (b'{"type":"move","game_id":"x","turn":1,"move":[1,1]}\n', "protocol: the first message is "),
        (b'{"type":"join"}\n', "protocol: "),
        (b'{"type":"join","name":"x","name":"y"}\n', "protocol: "),
        (b'{"type":"join","name":' + b"[" * 3000 + b"\n", "protocol: "),
        (b"{" + b'"type":"info","text":"x"}\n{' * 70, "flood: "),
    ],
)
def test_who_breaks_the_protocol_at_the_door_is_told_how(data, verdict):
    async def play():
        async with Table(plan(protocol="json")) as table:
            wire = await table.wire()
            await wire.until("hello")
            await wire.send(data)
            assert (await wire.until("bye"))["detail"].startswith(verdict)
            await play_all(table, await table.join("anna"), await table.join("ben"))

    asyncio.run(play())


def test_two_hundred_that_say_nothing_disturb_no_match():
    async def play():
        async with Table(plan(matches=2, admission=opened(hello_s=1.0, connections=50))) as table:
            wires = [await table.sit("anna"), await table.sit("ben")]
            await table.log.until("match began")
            crowd = [await table.wire() for _ in range(200)]
            match = asyncio.gather(*(HpsPlayer(wire, SMALL).play() for wire in wires))
            sent_away = await asyncio.gather(*(wire.rest() for wire in crowd[:150]))
            words = "too many connections from this address have said no name"
            assert {line for *_, line in sent_away} == {words}
            await match
            await table.log.until("match over")
            for kept in table.verified():
                assert kept.reason == "complete"
            for wire in reversed(crowd[150:]):
                wire.close()
            await play_hps(table, await table.sit("mia"), await table.sit("zoe"))

    asyncio.run(play())


def test_connections_without_a_name_are_counted_in_all_and_by_address():
    async def play(admission, words):
        async with Table(with_tokens(admission=admission)) as table:
            inside = [await table.wire() for _ in range(3)]
            for wire in inside:
                await wire.until("hello")
            next_one = await table.wire()
            refused = inside[0] if admission.connections == 3 else next_one
            assert (await refused.until("bye"))["detail"] == words
            inside[1].close()
            await table.log.until("noted", 2)
            await table.join("anna", token=TOKENS["anna"])
            await table.join("ben", token=TOKENS["ben"])

    few = "more than 3 connections from one address have said no name"
    asyncio.run(play(opened(connections=3), "too many connections from this address have said no name"))
    asyncio.run(play(opened(connections_per_address=3), few))


# Tokens


def test_the_token_decides_the_name():
    async def play():
        async with Table(with_tokens()) as table:
            wire = await table.wire()
            hello = await wire.until("hello")
            assert hello["needs_token"] is True
            assert hello["player"] is None
            await wire.send_json(type="join", name="I am not ben", token=TOKENS["ben"])
            assert await wire.until("welcome") == {"type": "welcome", "player": 0, "name": "ben"}
            await play_all(table, wire, await table.join("anna", token=TOKENS["anna"]))
            assert table.verified()[0].players == ("ben", "anna")

    asyncio.run(play())


@pytest.mark.parametrize(
    "token", [None, "", "a-secret-of-ann", "a-secret-of-anna ", "A-SECRET-OF-ANNA", "anna", "x" * 3000, "\u00e4\ud7ff"]
)
def test_a_wrong_token_is_refused_without_a_hint(token):
    async def play():
        async with Table(with_tokens()) as table:
            wire = await table.wire()
            await wire.until("hello")
            told = {} if token is None else {"token": token}
            await wire.send_json(type="join", name="anna", **told)
            assert (await wire.until("bye"))["detail"] == "this token is not known here"
            assert not any("secret" in note for note in table.log.notes)
            await table.join("anna", token=TOKENS["anna"])

    asyncio.run(play())


def test_who_guesses_has_to_wait_and_who_knows_does_not(monkeypatch):
    monkeypatch.setattr(pending_connection, "GUESS_S", 0.5)

    async def guess(table, *, more=False):
        """Return how long the answer took."""
        wire = await table.wire()
        await wire.until("hello")
        began = time.monotonic()
        await wire.send_json(type="join", name="anna", token="a guess of anna")
        if more:
            await wire.send_json(type="join", name="anna", token=TOKENS["anna"])  # one connection, one token
        assert (await wire.until("bye"))["detail"] == "this token is not known here"
        return time.monotonic() - began

    async def play():
        async with Table(with_tokens()) as table:
            for _ in range(lobby.WRONG_TOKENS - 1):
                assert await guess(table) < 0.5
            guessing = asyncio.gather(*(guess(table, more=True) for _ in range(5)))
            await asyncio.sleep(0.1)
            await table.join("anna", token=TOKENS["anna"])
            assert not guessing.done(), "the right token of the same address did not wait"
            assert min(await guessing) >= 0.5
            monkeypatch.setattr(lobby, "WRONG_TOKENS_S", 0.0)
            assert await guess(table) < 0.5

    asyncio.run(play())


async def seated_by_token(table):
    anna = await table.join("anna", token=TOKENS["anna"])
    ben = await table.join("ben", token=TOKENS["ben"])
    return anna, ben


async def come_back(table, name):
    """Connect again with a player's token; return the wire behind its welcome."""
    wire = await table.wire()
    await wire.until("hello")
    await wire.send_json(type="join", name="whoever", token=TOKENS[name])
    welcome = await wire.until("welcome")
    assert welcome["name"] == name
    return wire


def test_tokens_in_hps_stand_behind_the_name_and_bring_a_player_back():
    async def play():
        async with Table(plan(tokens=TOKENS)) as table:
            wires = {}
            for number, name in enumerate(("anna", "ben"), start=1):
                wires[name] = await table.wire()
                assert await wires[name].line() == "2 2 0"
                await wires[name].send(f"whoever {TOKENS[name]}\n")
                assert await wires[name].line() == f"2 2 {number}"
            assert await wires["anna"].line() == "0 0 0"
            await wires["anna"].send("0 0\n")
            assert await wires["ben"].line() == "0 144 0 0 0 1"
            wires["ben"].close()
            await table.log.until("went")
            back = await table.wire()
            await back.send(f"ben {TOKENS['ben']}\n")
            assert [await back.line() for _ in range(3)] == ["2 2 0", "2 2 2", "0 144 0 0 0 1"]
            await back.send("11 11\n")
            line = await wires["anna"].line()
            assert line.endswith(" 11 11 2"), line
            back.close()
            await table.log.until("went", 2)
            again = await table.wire()
            await again.send(f"ben {TOKENS['ben']}\n")
            assert [await again.line() for _ in range(2)] == ["2 2 0", "2 2 2"]
            await wires["anna"].send("0 11\n")
            assert (await again.line()).endswith(" 0 0 1 11 11 2 0 11 1"), "it is told its own moves too"
            for wire in (wires["anna"], again):
                wire.close()

    asyncio.run(play())


@pytest.mark.parametrize("line", ["ben", "ben wrong-secret-of-ben", "a-secret-of-ben"])
def test_a_name_without_its_token_is_sent_away_in_hps(line):
    async def play():
        async with Table(plan(tokens=TOKENS)) as table:
            wire = await table.wire()
            assert await wire.line() == "2 2 0"
            await wire.send(f"{line}\n")
            assert await wire.rest() == ["this token is not known here"]

    asyncio.run(play())


@pytest.mark.parametrize("leave", ["close", "reset", "half_close", "stay"])
def test_who_comes_back_in_its_own_turn_is_asked_again_and_the_game_is_finished(leave):
    async def play():
        async with Table(with_tokens()) as table:
            anna, ben = await seated_by_token(table)
            await answer_json(anna, await anna.until("turn"), SMALL)
            await answer_json(ben, await ben.until("turn"), SMALL)
            asked = await anna.until("turn")
            if leave != "stay":
                getattr(anna, leave)()
                await table.log.until("went")
            back = await come_back(table, "anna")
            if leave == "stay":
                assert (await anna.until("bye"))["detail"] == "another connection took this seat"
                assert await anna.rest() == []
            game, turn = await back.message(), await back.message()
            assert (game["type"], game["game_id"], game["seat"]) == ("game", asked["game_id"], 0)
            assert turn["type"] == "turn"
            assert [turn[key] for key in ("turn", "moves", "scores")] == [
                asked[key] for key in ("turn", "moves", "scores")
            ]
            await answer_json(back, turn, SMALL)
            await play_all(table, back, ben)
            assert [kept.reason for kept in table.verified()] == ["complete", "complete"]
            assert [what[:2] for what in table.log.all("returned")] == [(0, "anna")]

    asyncio.run(play())


def test_who_comes_back_while_the_other_thinks_is_not_asked():
    async def play():
        async with Table(with_tokens()) as table:
            anna, ben = await seated_by_token(table)
            await answer_json(anna, await anna.until("turn"), SMALL)
            asked = await ben.until("turn")
            anna.close()
            await table.log.until("went")
            back = await come_back(table, "anna")
            assert (await back.message())["type"] == "game"
            await answer_json(ben, asked, SMALL)
            turn = await back.message()
            assert (turn["type"], turn["turn"], len(turn["moves"])) == ("turn", 3, 2)
            await answer_json(back, turn, SMALL)
            await play_all(table, back, ben)
            assert [kept.reason for kept in table.verified()] == ["complete", "complete"]
            assert [game.discarded for game in table.log.games] == [0, 0]

    asyncio.run(play())


def test_who_comes_back_between_two_games_plays_the_next():
    async def play():
        async with Table(with_tokens()) as table:
            anna, ben = await seated_by_token(table)
            await answer_json(anna, await anna.until("turn"), SMALL)
            await answer_json(ben, await ben.until("turn"), SMALL)
            await answer_json(anna, await anna.until("turn"), SMALL)
            anna.close()
            await table.log.until("went")
            await answer_json(ben, await ben.until("turn"), SMALL)
            await table.log.until("game over")
            await ben.until("turn")
            back = await come_back(table, "anna")
            assert (await back.until("game"))["number"] == 2
            await come_back_and_finish(table, back, ben)

    async def come_back_and_finish(table, anna, ben):
        again = await come_back(table, "ben")
        await play_all(table, anna, again)
        assert [kept.reason for kept in table.verified()] == ["complete", "complete"]

    asyncio.run(play())


def test_who_does_not_come_back_leaves_when_its_own_clock_has_run_out():
    async def play():
        async with Table(with_tokens(clock_ms=150, admission=opened(grace_ms=0))) as table:
            anna, ben = await seated_by_token(table)
            await anna.until("turn")
            anna.close()
            await play_all(table, ben)
            first, second = table.verified()
            assert [left.reason for left in first.departures] == ["disconnect"]
            assert first.departures[0].detail == "anna did not come back in time"
            assert [left.reason for left in second.departures] == ["disconnect"]
            departed, asked = table.log.all("Departure")[0], table.log.all("Ask")[0]
            assert departed[2] - asked[1].deadline_ns >= 0, "not before its time is up"

    asyncio.run(play())


def test_who_was_taken_out_cannot_come_back():
    async def play():
        tokens = {**TOKENS, "cleo": "a-secret-of-cleo"}
        async with Table(plan(THREE, protocol="json", tokens=tokens)) as table:
            anna, ben, cleo = [await table.join(name, token=tokens[name]) for name in tokens]
            asked = await anna.until("turn")
            await ben.send("[]\n")
            await ben.until("bye")
            wire = await table.wire()
            await wire.until("hello")
            await wire.send_json(type="join", name="ben", token=TOKENS["ben"])
            assert (await wire.until("bye"))["detail"].startswith("ben was taken out of this match: ")
            await answer_json(anna, asked, THREE)
            await play_all(table, anna, cleo)
            assert [[left.reason for left in kept.departures] for kept in table.verified()] == [["protocol"]] * 3

    asyncio.run(play())


def test_a_waiting_player_with_a_token_that_leaves_makes_room_and_may_sit_down_again():
    async def play():
        async with Table(with_tokens()) as table:
            anna = await table.join("anna", token=TOKENS["anna"])
            anna.close()
            await table.log.until("went")
            ben = await table.join("ben", token=TOKENS["ben"])
            await play_all(table, ben, await table.join("anna", token=TOKENS["anna"]))
            assert table.verified()[0].players == ("ben", "anna")

    asyncio.run(play())


def test_the_door_stands_while_the_system_has_no_more_descriptors():
    """Accepting fails for lack of descriptors; when there are some again, the match is played."""
    import resource

    async def play():
        async with Table() as table:
            waiting = socket.socket()
            other = socket.socket()
            soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
            asyncio.get_running_loop().set_exception_handler(lambda *_: None)
            for sock in (waiting, other):
                sock.setblocking(False)
            resource.setrlimit(resource.RLIMIT_NOFILE, (other.fileno() + 1, hard))
            try:
                await asyncio.get_running_loop().sock_connect(waiting, ("127.0.0.1", table.port))
                for _ in range(5):
                    await asyncio.sleep(0.01)
                assert table.log.heard == []
            finally:
                resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
                waiting.close()
                other.close()
            await table.log.until("noted")
            await play_hps(table, await table.sit("anna"), await table.sit("ben"))

    asyncio.run(play())
