"""Connections that talk nonsense, too much or not at all; viewers are bounded and hear what they should."""

import asyncio
import contextlib
import json
import time

import pytest
from litestar.exceptions import WebSocketDisconnect
from web_play import PERSON, Viewer, mine, plies, start, watching

from hinterland.web.live.audience import Audience
from hinterland.web.live.audience import Viewer as Seen

BOB = {"kind": "person", "name": "Bob"}
GARBAGE = [
    "",
    "hello",
    "null",
    "[]",
    "{}",
    '{"type":"mov',
    '{"type":"dance"}',
    '{"type":"move"}',
    '{"type":"move","ply":0,"move":"e4"}',
    '{"type":"move","ply":0,"move":[1.5,2]}',
    '{"type":"move","ply":"0","move":[1,2]}',
    '{"type":"move","ply":0,"move":[null,2]}',
    "[" * 16_000,
    "\x1b]0;title\x07",
    "\u202e",
]


@pytest.mark.parametrize("text", GARBAGE)
def test_garbage_gets_one_clear_line(client, text):
    game, key = start(client, PERSON, BOB)
    with watching(client, game, key) as ann:
        ann.see(mine)
        ann.socket.send_text(text)
        words = ann.complaint()
        assert words.isprintable()
        assert len(words) < 300
        ann.move(5, 5, ply=0)
        ann.see(plies(1))


def test_garbage_in_a_row_closes_the_connection(client, settings):
    game, key = start(client, PERSON, BOB)
    with watching(client, game, key) as ann:
        for _ in range(settings.limits.faults_in_a_row - 1):
            ann.socket.send_text("garbage")
            ann.complaint()
        ann.move(5, 5, ply=0)  # forgiven
        ann.see(plies(1))
        for _ in range(settings.limits.faults_in_a_row):
            ann.socket.send_text("garbage")
            words = ann.complaint()
        assert "5 messages in a row" in words
        with pytest.raises(WebSocketDisconnect) as closed:
            ann.hear()
    assert closed.value.code == 1008


@pytest.mark.parametrize(
    ("first", "words"),
    [
        ({"text": "garbage"}, "no message of type"),
        ({"text": '{"type":"undo"}'}, "the first message is"),
        ({"text": '{"type":"hello","key":5}'}, "Expected `str | null`"),
        ({"bytes": b'{"type":"hello"}'}, "text, not binary"),
    ],
)
def test_bad_greeting(client, first, words):
    game, _ = start(client)
    with client.websocket_connect(f"/games/{game}/live") as socket:
        socket.send(first.get("text") or first["bytes"], mode="text" if "text" in first else "binary")
        assert words in socket.receive_json(timeout=10)["message"]
        with pytest.raises(WebSocketDisconnect):
            socket.receive_json(timeout=10)


def test_no_greeting(opened, limited):
    client = opened(limited(hello_s=0.05))
    game, _ = start(client)
    with client.websocket_connect(f"/games/{game}/live") as socket:
        assert "no greeting came" in socket.receive_json(timeout=10)["message"]


def test_message_too_large(client, settings):
    game, key = start(client, PERSON, BOB)
    with watching(client, game, key) as ann:
        ann.see(mine)
        ann.socket.send_text(" " * (settings.limits.frame_bytes + 1))
        assert "at most 16384 bytes" in ann.complaint()
        with pytest.raises(WebSocketDisconnect) as closed:
            ann.hear()
    assert closed.value.code == 1009


def test_too_many_messages(opened, limited):
    client = opened(limited(messages_per_second=3, faults_in_a_row=1000))
    game, key = start(client, PERSON, BOB)
    with watching(client, game, key) as ann:
        with contextlib.suppress(WebSocketDisconnect):
            for _ in range(20):
                ann.socket.send_text('{"type":"pong"}')
        assert "too many messages: 3 a second" in ann.complaint()


def test_no_such_game(client):
    with client.websocket_connect("/games/nosuchgame/live") as socket:
        socket.send_text('{"type":"hello","key":null}')
        assert "no such game" in socket.receive_json(timeout=10)["message"]


def test_pings(opened, limited):
    client = opened(limited(ping_s=0.05))
    game, _ = start(client)
    with client.websocket_connect(f"/games/{game}/live") as socket:
        socket.send_text('{"type":"hello","key":null}')
        kinds = {socket.receive_json(timeout=10)["type"] for _ in range(4)}
    assert kinds == {"snapshot", "ping"}


def test_viewers_are_counted(client):
    game, key = start(client, PERSON, BOB)
    with watching(client, game, key) as ann:
        with watching(client, game), watching(client, game):
            ann.see(lambda snapshot: snapshot["viewers"] == 3)
        ann.see(lambda snapshot: snapshot["viewers"] == 1)


def test_too_many_viewers(opened, limited):
    client = opened(limited(viewers=3, viewers_per_table=2))
    one, _ = start(client, PERSON, BOB)
    two, _ = start(client, PERSON, BOB)
    with watching(client, one) as ann, watching(client, one) as bob:
        ann.see()
        bob.see()
        with watching(client, one) as eve:
            assert "too many are watching this game" in eve.complaint()
        with watching(client, two) as eve:
            eve.see()
            with client.websocket_connect(f"/games/{two}/live") as socket:
                assert "too many are watching in this arena" in socket.receive_json(timeout=10)["message"]
    until = time.monotonic() + 20
    while client.app.state.arena.viewers and time.monotonic() < until:  # the server hears of it a moment later
        time.sleep(0.005)
    with watching(client, one) as ann:
        ann.see()


def test_a_viewer_holds_no_queue():
    """However much happens, a viewer that has not looked holds one mark and a few complaints."""

    async def play():
        audience, viewer = Audience(), Seen(None, None)
        audience.join(viewer)
        for number in range(10_000):
            audience.wake()
            viewer.complain(str(number))
        await viewer.news()
        assert viewer.is_stale
        assert list(viewer.complaints) == [str(number) for number in range(9992, 10_000)]
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await viewer.news()

    asyncio.run(play())


def test_late_viewer_sees_everything_at_once(client):
    game, key = start(client, PERSON, BOB)
    with watching(client, game, key) as ann:
        for ply, move in enumerate([(5, 5), (20, 20), (5, 20)]):
            ann.move(*move, ply=ply)
            ann.see(plies(ply + 1))
        with client.websocket_connect(f"/games/{game}/live") as socket:
            assert len(Viewer(socket, None).hear()["moves"]) == 3


def test_a_move_goes_through_when_its_sender_is_gone(client):
    game, key = start(client, PERSON, BOB)
    for ply in range(4):
        with watching(client, game, key) as ann:
            ann.see(mine)
            ann.move(*[(5, 5), (20, 20), (5, 20), (20, 5)][ply], ply=ply)
        with watching(client, game) as eve:
            eve.see(plies(ply + 1))
    assert json.loads(client.get(f"/games/{game}.jsonl").text)["reason"] == "complete"
