"""Connections that talk nonsense, too much or not at all; viewers are bounded and hear what they should."""

import asyncio
import contextlib
import json
import time

import pytest
from litestar.exceptions import WebSocketDisconnect
from web_play import PERSON, mine, plies, start, watching

from hinterland.web.live.audience import Audience
from hinterland.web.live.audience import Viewer as Seen
from hinterland.web.settings import Limits

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


def until_closed(viewer):
    """Return the last message, and with what code the connection is closed then."""
    last = None
    try:
        while True:
            last = viewer.hear()
    except WebSocketDisconnect as closed:
        return last, closed.code


def test_who_watches_talks_no_nonsense_and_not_too_much(house):
    at = house(messages_per_second=3, faults_in_a_row=2)
    game, _ = start(at.arena, PERSON, BOB)
    for texts, code, words in (
        (["garbage"] * 2, 1008, "2 messages in a row were invalid"),
        ([" " * (Limits().frame_bytes + 1)], 1009, "at most 16384 bytes"),
        (['{"type":"pong"}'] * 20, 1008, "too many messages: at most 3 per second"),
    ):
        with at.watching(game) as eve:
            eve.see()
            with contextlib.suppress(WebSocketDisconnect):
                for text in texts:
                    eve.socket.send_text(text)
            last, closed = until_closed(eve)
        assert words in last["message"]
        assert closed == code


@pytest.mark.parametrize("said", [{"type": "move", "ply": 0, "move": [5, 5]}, {"type": "undo"}, {"type": "resign"}])
def test_who_watches_moves_nothing(house, said):
    at = house()
    game, key = start(at.arena, PERSON, BOB)
    with at.watching(game, key) as ann, at.watching(game) as eve:
        eve.see()
        eve.send(**said)
        assert "you are watching" in eve.complaint()
        ann.move(5, 5, ply=0)
        eve.see(plies(1))


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
        ({"text": "garbage"}, "not a message of type"),
        ({"text": '{"type":"undo"}'}, "the first message is"),
        ({"text": '{"type":"hello","key":5}'}, "Expected `str | null`"),
        ({"bytes": b'{"type":"hello"}'}, "text, not binary"),
    ],
)
def test_bad_greeting(house, first, words):
    at = house()
    game, _ = start(at.arena)
    with at.connect(f"/games/{game}/live") as socket:
        socket.send(first.get("text") or first["bytes"], mode="text" if "text" in first else "binary")
        assert words in socket.receive_json(timeout=10)["message"]
        with pytest.raises(WebSocketDisconnect):
            socket.receive_json(timeout=10)


def test_no_greeting(house):
    at = house(hello_s=0.05)
    game, _ = start(at.arena)
    with at.connect(f"/games/{game}/live") as socket:
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
        assert "too many messages: at most 3 per second" in ann.complaint()


@pytest.mark.parametrize("path", ["/games/nosuchgame/live", "/tables/nosuchtable/live"])
def test_no_such_game(house, path):
    with house().connect(path) as socket:
        socket.send_text('{"type":"hello","key":null}')
        assert "no such game" in socket.receive_json(timeout=10)["message"]
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json(timeout=10)
    assert closed.value.code == 1008


def test_pings(house):
    at = house(ping_s=0.05)
    game, _ = start(at.arena)
    with at.connect(f"/games/{game}/live") as socket:
        socket.send_text('{"type":"hello","key":null}')
        kinds = {socket.receive_json(timeout=10)["type"] for _ in range(4)}
    assert kinds == {"snapshot", "ping"}


def test_viewers_are_counted(house):
    at = house()
    game, key = start(at.arena, PERSON, BOB)
    with at.watching(game, key) as ann:
        with at.watching(game) as eve, at.watching(game):
            eve.see(lambda snapshot: snapshot["viewers"] == 3)
            ann.see(lambda snapshot: snapshot["viewers"] == 3)
        ann.see(lambda snapshot: snapshot["viewers"] == 1)


def test_too_many_viewers(house):
    at = house(viewers=3, viewers_per_game=2)
    one, _ = start(at.arena, PERSON, BOB)
    two, _ = start(at.arena, PERSON, BOB)
    with at.watching(one) as ann, at.watching(one) as bob:
        ann.see()
        bob.see()
        with at.watching(one) as eve:
            assert "too many are watching this game" in eve.complaint()
        with at.watching(two) as eve:
            eve.see()
            with at.watching(two) as fay:
                assert "too many are watching in this arena" in fay.complaint()
    until = time.monotonic() + 20
    server = (at.relay or at.arena).app.state.context
    while server.viewers and time.monotonic() < until:  # the server hears of it a moment later
        time.sleep(0.005)
    with at.watching(one) as ann:
        ann.see()


def test_a_viewer_holds_no_queue():
    """However much happens, a viewer that has not looked holds one mark and a few complaints."""

    async def play():
        audience, viewer = Audience(), Seen(None, None)
        audience.join(viewer)
        for number in range(10_000):
            audience.wake()
            viewer.complain(str(number))
        await viewer.wait_for_news()
        assert viewer.is_stale
        assert list(viewer.complaints) == [str(number) for number in range(9992, 10_000)]
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await viewer.wait_for_news()

    asyncio.run(play())


def test_late_viewer_sees_everything_at_once(house):
    at = house()
    game, key = start(at.arena, PERSON, BOB)
    with at.watching(game, key) as ann, at.watching(game) as early:
        for ply, move in enumerate([(5, 5), (20, 20), (5, 20)]):
            ann.move(*move, ply=ply)
            ann.see(plies(ply + 1))
        early.see(plies(3))
        with at.watching(game) as late:
            assert len(late.hear()["moves"]) == 3


def test_a_move_goes_through_when_its_sender_is_gone(house):
    at = house()
    game, key = start(at.arena, PERSON, BOB)
    for ply in range(4):
        with at.watching(game, key) as ann:
            ann.see(mine)
            ann.move(*[(5, 5), (20, 20), (5, 20), (20, 5)][ply], ply=ply)
        with at.watching(game) as eve:
            eve.see(plies(ply + 1))
    assert json.loads(at.arena.get(f"/games/{game}.jsonl").text)["reason"] == "complete"
