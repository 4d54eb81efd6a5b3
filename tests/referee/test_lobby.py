"""Admission over real sockets: names, numbers, and the words for those that are sent away."""

import asyncio
import socket

import pytest

from hinterland.gravity import Rules
from referee_clients import (
    SMALL,
    TOKENS,
    HpsPlayer,
    Table,
    make_admission,
    make_plan,
    make_token_plan,
)
from referee_games import THREE, play_all, play_hps


def names_of(*given):
    """Return under which names players that call themselves so are known, in protocol json."""

    async def play():
        rules = Rules(size=16, players=len(given), stones=1, spacing=3)
        async with Table(make_plan(rules, protocol="json")) as table:
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
        async with Table(make_plan(admission=make_admission(hello_s=0.05))) as table:
            silent = await table.wire()
            started = asyncio.get_running_loop().time()
            assert await silent.rest() == ["2 2 1", "no name within 0.05 s; does it flush its output?"]
            assert asyncio.get_running_loop().time() - started < 2
            wires = [await table.sit("anna"), await table.sit("ben")]
            assert wires[0].heard == ["2 2 1"]
            await play_hps(table, *wires)
            told = f"{silent.origin} was sent away: no name within 0.05 s; does it flush its output?"
            assert table.log.notes == [told]

    asyncio.run(play())


def test_dripping_without_an_end_does_not_move_the_deadline_of_the_introduction():
    async def play():
        async with Table(make_plan(protocol="json", admission=make_admission(hello_s=0.1))) as table:
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
        admission = make_admission(hello_s=0.05, limits=InboundLimits(quiet_ns=10**13))
        async with Table(make_plan(admission=admission)) as table:
            await table.sit("anna", b"anna")
            assert table.log.all("came")[0][:2] == (0, "anna")

    asyncio.run(play())


@pytest.mark.parametrize("leave", ["close", "reset", "half_close"])
@pytest.mark.parametrize("protocol", ["hps", "json"])
def test_who_leaves_before_the_match_makes_room(leave, protocol):
    async def play():
        async with Table(make_plan(protocol=protocol)) as table:
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
        async with Table(make_plan(THREE)) as table:
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
        async with Table(make_plan(protocol=protocol)) as table:
            enter, play_them = (table.sit, play_hps) if protocol == "hps" else (table.join, play_all)
            first, second = await enter("anna"), await enter("ben")
            refused = "all seats are taken"
            assert refused in (await (await table.wire()).rest())[-1]
            await play_them(table, first, second)
            assert sum(refused in note for note in table.log.notes) == 1

    asyncio.run(play())


def test_a_seat_is_had_by_whoever_says_a_name_first():
    async def play():
        async with Table(make_plan()) as table:
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
        async with Table(make_plan(THREE, protocol=protocol)) as table:
            wires = [await table.wire() for _ in range(4)]
            for wire in wires:
                await wire.line()
            slow, quick = wires[0], wires[3]  # both are told that they are the first
            for wire, name in ((quick, "quick"), (slow, "slow")):
                await (wire.send(f"{name}\n") if protocol == "hps" else wire.send_json(type="join", name=name))
                if wire is quick:
                    await table.log.until("came")
            if protocol == "hps":
                taken = "another player took your number by sending its name first; connect again"
                assert taken in (await slow.rest())[-1]
            else:
                assert await slow.until("welcome") == {"type": "welcome", "player": 1, "name": "slow"}

    asyncio.run(play("hps"))
    asyncio.run(play("json"))


@pytest.mark.parametrize("protocol", ["hps", "json"])
def test_the_silent_keep_nobody_out(protocol):
    """Not even as long as they may be silent, however many they are, whatever match they wait for."""

    async def play():
        admission = make_admission(hello_s=60, connections=400)
        async with Table(make_plan(protocol=protocol, admission=admission, matches=2)) as table:
            silent = [await table.wire() for _ in range(500)]
            enter, play_them = (table.sit, play_hps) if protocol == "hps" else (table.join, play_all)
            await play_them(table, *[await enter(name) for name in ("anna", "ben", "mia", "zoe")])
            assert len(table.log.all("came")) == 4
            ends = [(await wire.rest())[-1] for wire in silent]
            assert sum("have sent no name" in end for end in ends) == 101
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


def test_a_player_of_hps_at_the_port_of_json_gets_one_line():
    async def play():
        async with Table(make_plan(protocol="json")) as table:
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
def test_who_breaks_the_protocol_before_a_name_is_told_how(data, verdict):
    async def play():
        async with Table(make_plan(protocol="json")) as table:
            wire = await table.wire()
            await wire.until("hello")
            await wire.send(data)
            assert (await wire.until("bye"))["detail"].startswith(verdict)
            await play_all(table, await table.join("anna"), await table.join("ben"))

    asyncio.run(play())


def test_two_hundred_that_say_nothing_disturb_no_match():
    async def play():
        async with Table(make_plan(matches=2, admission=make_admission(hello_s=1.0, connections=50))) as table:
            wires = [await table.sit("anna"), await table.sit("ben")]
            await table.log.until("match began")
            crowd = [await table.wire() for _ in range(200)]
            match = asyncio.gather(*(HpsPlayer(wire, SMALL).play() for wire in wires))
            sent_away = await asyncio.gather(*(wire.rest() for wire in crowd[:150]))
            words = "too many connections from this address have sent no name"
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
        async with Table(make_token_plan(admission=admission)) as table:
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

    few = "more than 3 connections from one address have sent no name"
    asyncio.run(play(make_admission(connections=3), "too many connections from this address have sent no name"))
    asyncio.run(play(make_admission(connections_per_address=3), few))


def test_the_port_stays_open_while_the_system_has_no_more_descriptors():
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
