"""Misbehaviour in lines: too many bytes, lines cut anywhere, and answers to no question."""

from __future__ import annotations

import os
import time

from conformance.scripts.hostile_player import HostilePlayer, misbehaviour


@misbehaviour
def endless_line(player: HostilePlayer) -> None:
    """Send bytes and never a line end."""
    player.until_asked()
    player.repeat(b"x" * 65536)


@misbehaviour
def short_lines(player: HostilePlayer) -> None:
    """Send very many short lines."""
    lines = (b'{"type":"info","text":""}\n' if player.is_json else b"\n") * 1000
    player.until_asked()
    player.repeat(lines)


@misbehaviour
def long_line(player: HostilePlayer) -> None:
    """Send one line of 16 MB."""
    line = b" " * 16_000_000 + b"\n"
    player.until_asked()
    player.say(line)
    player.idle()


@misbehaviour
def byte_by_byte(player: HostilePlayer) -> None:
    """Send each answer in packets of one byte."""

    def answer() -> None:
        for byte in player.speaker.answer():
            player.say(bytes([byte]))
            time.sleep(0.0005)

    player.until_asked()
    player.play_on(answer)


@misbehaviour
def two_in_a_packet(player: HostilePlayer) -> None:
    """Send something harmless and the answer in one packet."""
    first = b'{"type":"info","text":"first"}\n' if player.is_json else b"\n"
    player.until_asked()
    player.play_on(lambda: player.say(first + player.speaker.answer()))


@misbehaviour
def spaces_and_crlf(player: HostilePlayer) -> None:
    """Put spaces around answers and end lines as Windows does."""
    player.until_asked()
    player.play_on(lambda: player.say(b"  " + player.speaker.answer().rstrip() + b" \t\r\n"))


@misbehaviour
def no_line_end(player: HostilePlayer) -> None:
    """End the connection behind an answer that has no line end."""
    player.until_asked()
    player.say(player.speaker.answer().rstrip())
    os._exit(0)


@misbehaviour
def before_the_question(player: HostilePlayer) -> None:
    """Answer, and at once answer what will be asked next."""

    def answer() -> None:
        answered = player.speaker.answer()
        ahead = player.speaker.answer("0, 0", player.speaker.turn + 2) if player.is_json else b"0 0\n"
        player.say(answered + ahead)

    player.until_asked()
    player.play_on(answer)


@misbehaviour
def many_strays(player: HostilePlayer) -> None:
    """Answer once, and then seventeen times more."""
    player.until_asked()
    answered = player.speaker.answer()
    player.say(answered + (player.speaker.answer("0, 0", 99) if player.is_json else b"0 0\n") * 17)
    player.idle()


@misbehaviour
def everything_twice(player: HostilePlayer) -> None:
    """Send each answer twice."""
    player.until_asked()
    player.play_on(lambda: player.say(player.speaker.answer() * 2))
