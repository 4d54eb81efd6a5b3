"""Misbehaviour on the network: connections that are dropped, doubled, stuck, or never say who they are."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from functools import partial

from conformance.scripts.hostile_player import FOR_EVER_S, MISBEHAVIOURS, HostilePlayer, misbehaviour

FIRST_WORDS = {
    "http": b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "tls": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(32),
    "telnet": b"\xff\xfd\x18\xff\xfd\x20",
}
"""What those say first who are no players."""


@misbehaviour
def closes(player: HostilePlayer) -> None:
    """Close the connection when asked."""
    player.until_asked()
    os._exit(0)


@misbehaviour
def resets(player: HostilePlayer) -> None:
    """Reset the connection when asked."""
    import socket

    player.until_asked()
    assert player.connection is not None
    player.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    player.connection.close()
    time.sleep(FOR_EVER_S)


@misbehaviour
def comes_back(player: HostilePlayer) -> None:
    """Lose the connection, come back with the token, and play on."""
    player.until_asked()
    assert player.connection is not None
    player.connection.close()
    player.until_asked()
    player.play_on()


@misbehaviour
def comes_twice(player: HostilePlayer) -> None:
    """Take the seat with a second connection, play on there, and send answers on the first."""
    player.until_asked()
    first, stale = player.connection, player.speaker
    player.until_asked()
    assert first is not None

    def answer() -> None:
        with contextlib.suppress(OSError):
            first.sendall(stale.answer("0, 0"))
        player.say(player.speaker.answer())

    player.play_on(answer)


@misbehaviour
def stops_reading(player: HostilePlayer) -> None:
    """Make the referee talk, and do not listen."""
    player.connect(receive_bytes=1)
    player.say(player.speaker.join("hostile", player.token))
    player.until("ask")
    stray = player.speaker.answer("0, 0", 99) if player.is_json else b""
    player.say(stray * 16)
    player.idle()


@misbehaviour
def says_nothing(player: HostilePlayer) -> None:
    """Connect and never say a name."""
    player.connect()
    player.idle()


@misbehaviour
def crowd(player: HostilePlayer) -> None:
    """Connect fifty times and never say a name."""
    kept = []
    for _ in range(50):
        player.connect()
        kept.append(player.connection)
    player.idle()


@misbehaviour
def slow_name(player: HostilePlayer) -> None:
    """Send one byte of an introduction now and then."""
    player.connect()
    player.repeat(b" ", 0.05)


@misbehaviour
def wrong_token(player: HostilePlayer) -> None:
    """Join with a token that is nobody's."""
    player.connect(origin="127.0.0.2" if sys.platform == "linux" else "")
    player.say(player.speaker.join("hostile", "wrong-" + player.token))
    player.idle()


@misbehaviour
def half_a_token(player: HostilePlayer) -> None:
    """Join with the beginning of a token."""
    player.connect(origin="127.0.0.3" if sys.platform == "linux" else "")
    player.say(player.speaker.join("hostile", player.token[: len(player.token) // 2]))
    player.idle()


@misbehaviour
def no_token(player: HostilePlayer) -> None:
    """Join without a token."""
    player.connect(origin="127.0.0.4" if sys.platform == "linux" else "")
    player.say(player.speaker.join("hostile"))
    player.idle()


def _knock(player: HostilePlayer, first_words: bytes) -> None:
    """Send something as the first words."""
    player.connect()
    player.say(first_words)
    player.idle()


for _name, _words in FIRST_WORDS.items():
    MISBEHAVIOURS[_name] = partial(_knock, first_words=_words)
