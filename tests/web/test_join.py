"""Players over a WebSocket: a whole match, and whatever else may come over one."""

import asyncio
import json

import pytest
from match_show import Frames, show_of, socket_url
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from hinterland.gravity import Rules
from hinterland.web.matches import join
from referee_clients import PATIENCE_S, SMALL, make_plan, play_json

JSON = make_plan(protocol="json")


async def end_of(socket):
    """Return the last message before the connection is closed, and the code it is closed with."""
    last = None
    try:
        async with asyncio.timeout(PATIENCE_S):
            while True:
                last = await socket.recv()
    except ConnectionClosed as closed:
        return last and json.loads(last), closed.rcvd and closed.rcvd.code


def test_a_match_over_websocket_and_tcp():
    async def play():
        async with (
            show_of(JSON) as (show, table),
            connect(socket_url(show, "join"), proxy=None) as socket,
        ):
            ann = asyncio.create_task(Frames(socket).play("ann", SMALL))
            await table.log.until("came")
            ben = asyncio.create_task(play_json(await table.join("ben"), SMALL))
            (result,) = await table.done()
            return result, await ann, await ben, table.verified(), table.log.all("came")

    result, ann, _, kept, came = asyncio.run(play())
    assert [game.reason for game in kept] == ["complete", "complete"]
    assert [message["type"] for message in ann if message["type"] in ("hello", "welcome", "over", "bye")] == [
        "hello", "welcome", "over", "over", "bye"
    ]  # fmt: skip
    assert ann[-1]["totals"] == [player.total for player in result.players]
    assert came[0][1] == "ann"
    assert "WebSocket" in came[0][2]


def test_a_program_that_ends_its_frames_with_a_newline_is_understood():
    async def play():
        async with show_of(JSON) as (show, table), connect(socket_url(show, "join"), proxy=None) as socket:
            await socket.send('{"type":"join","name":"ann"}\n')
            await table.log.until("came")

    asyncio.run(play())


FRAMES = {
    "no json": ("hello", "protocol"),
    "two lines": ('{"type":"info","text":""}\n{"type":', "protocol"),
    "a long line": ("x" * 5000, "oversize"),
    "no utf-8": ([b'{"type":"info","text":"\xff"}'], "protocol"),
    "controls": ('{"type":"info","text":"\x01"}', "protocol"),
}


@pytest.mark.parametrize("kind", FRAMES)
def test_what_is_no_message_ends_the_connection_in_words(kind):
    frame, verdict = FRAMES[kind]

    async def say():
        async with show_of(JSON) as (show, table), connect(socket_url(show, "join"), proxy=None) as socket:
            await socket.send('{"type":"join","name":"ann"}')
            await table.log.until("came")
            await socket.send(frame, text=True)
            return await end_of(socket)

    bye, code = asyncio.run(say())
    assert bye["type"] == "bye"
    assert bye["detail"].startswith(f"{verdict}: ")
    assert code == 1000


@pytest.mark.parametrize(("frame", "verdict"), [(b"\x00\xff", "protocol"), ("x" * 100_000, "oversize")])
def test_a_frame_that_can_be_no_line_is_a_verdict(frame, verdict):
    """In a game it costs the game, as over TCP."""

    async def play():
        async with (
            show_of(JSON) as (show, table),
            connect(socket_url(show, "join"), proxy=None) as socket,
        ):
            await Frames(socket).send_json(type="join", name="ann")
            await table.log.until("came")
            ben = asyncio.create_task(play_json(await table.join("ben"), SMALL))
            await table.log.until("Request")
            await socket.send(frame, text=True)
            await table.done()
            await ben
            return table.verified()

    assert [game.reason for game in asyncio.run(play())] == [verdict, verdict]


def test_who_hangs_up_loses_and_the_chair_of_who_waits_is_free_again():
    async def play():
        async with show_of(JSON) as (show, table):
            async with connect(socket_url(show, "join"), proxy=None) as socket:
                await Frames(socket).send_json(type="join", name="ann")
                await table.log.until("came")
            await table.log.until("went")
            async with connect(socket_url(show, "join"), proxy=None) as socket:
                await Frames(socket).send_json(type="join", name="eve")
                await table.log.until("came", 2)
                ben = asyncio.create_task(play_json(await table.join("ben"), SMALL))
                await table.log.until("Request")
            await table.done()
            await ben
            return table.verified()

    assert [game.reason for game in asyncio.run(play())] == ["disconnect", "disconnect"]


def test_who_reads_nothing_is_hung_up_on(monkeypatch):
    monkeypatch.setattr(join, "MAX_UNSENT_BYTES", 1000)

    async def play():
        async with show_of(JSON) as (show, table):
            connection = await connect(socket_url(show, "join"), proxy=None)
            await connection.send('{"type":"join","name":"ann"}')
            await table.log.until("came")
            player = table.host.lobby.queues[0].players[0]
            for _ in range(10):
                player._link.say(b'{"type":"something"}' * 10 + b"\n")
            (_, _, detail) = await table.log.until("went")
            await connection.close()
            return detail

    assert "KiB unread" in asyncio.run(play())


@pytest.mark.parametrize(
    ("what", "path", "words"),
    [
        (make_plan(), "join", "protocol hps, which has no WebSocket"),
        (JSON, "../none/join", "there is no such match here"),
    ],
)
def test_where_nobody_can_join_the_reason_is_told(what, path, words):
    async def say():
        async with show_of(what) as (show, _):
            url = socket_url(show, "join")
            if path != "join":
                url = url.replace(show.match_show.id, "none")
            async with connect(url, proxy=None) as socket:
                return await end_of(socket)

    bye, code = asyncio.run(say())
    assert words in bye["detail"]
    assert code == 1008


def test_a_full_table_says_so():
    async def say():
        async with show_of(JSON) as (show, table):
            await table.join("ann")
            await table.join("ben")
            async with connect(socket_url(show, "join"), proxy=None) as socket:
                return await end_of(socket)

    bye, _ = asyncio.run(say())
    assert bye["detail"] == "all seats are taken"


def test_after_the_match_nobody_joins():
    rules = Rules(size=9, players=2, stones=1, spacing=3)

    async def say():
        async with show_of(make_plan(rules, protocol="json")) as (show, table):
            players = [await table.join("ann"), await table.join("ben")]
            await asyncio.gather(*(play_json(player, rules) for player in players))
            await table.done()
            async with connect(socket_url(show, "join"), proxy=None) as socket:
                return await end_of(socket)

    bye, _ = asyncio.run(say())
    assert bye["detail"] == "all seats are taken"
