"""Misbehaviour of programs: hostile players that end, fork, run away, eat the machine or look around."""

from __future__ import annotations

import os
import select
import signal
import sys

from conformance.scripts.hostile_player import HostilePlayer, misbehaviour


@misbehaviour
def says_nothing_at_all(player: HostilePlayer) -> None:
    """Start, and never introduce oneself."""
    player.idle()


@misbehaviour
def exits_0(player: HostilePlayer) -> None:
    """End as if all were well."""
    player.until_asked()
    os._exit(0)


@misbehaviour
def exits_1(player: HostilePlayer) -> None:
    """End with an error and something to say about it."""
    player.until_asked()
    os.write(2, b"\x1b[31mno idea what to do\n")
    os._exit(1)


@misbehaviour
def segfaults(player: HostilePlayer) -> None:
    """Die of a signal."""
    player.until_asked()
    os.kill(os.getpid(), signal.SIGSEGV)
    player.idle()


@misbehaviour
def is_killed(player: HostilePlayer) -> None:
    """Die as if the system were out of memory."""
    player.until_asked()
    os.kill(os.getpid(), signal.SIGKILL)
    player.idle()


@misbehaviour
def leaves_a_child(player: HostilePlayer) -> None:
    """End, while a child holds the pipes open."""
    player.until_asked()
    if os.fork() == 0:
        player.idle()
    os._exit(0)


@misbehaviour
def runs_away(player: HostilePlayer) -> None:
    """Ignore signals, leave the session, fork twice."""
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    player.until_asked()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            player.idle()
        os._exit(0)
    player.idle()


@misbehaviour
def stops_itself(player: HostilePlayer) -> None:
    """Stand still."""
    player.until_asked()
    os.kill(os.getpid(), signal.SIGSTOP)
    player.idle()


@misbehaviour
def multiplies(player: HostilePlayer) -> None:
    """Fork and fork."""
    player.until_asked()
    for _ in range(400):
        if os.fork() == 0:
            player.idle()
    player.idle()


@misbehaviour
def takes_memory(player: HostilePlayer) -> None:
    """Take 50 GB."""
    player.until_asked()
    bytearray(50_000_000_000)
    player.idle()


@misbehaviour
def fills_the_disk(player: HostilePlayer) -> None:
    """Write a file until something breaks."""
    import tempfile

    player.until_asked()
    with tempfile.TemporaryFile(buffering=0) as file:
        while True:
            file.write(bytes(1 << 20))


@misbehaviour
def burns(player: HostilePlayer) -> None:
    """Use the processor while others think."""

    def answer() -> None:
        player.say(player.speaker.answer())
        while not select.select([0], [], [], 0)[0]:
            pass

    player.until_asked()
    player.play_on(answer)


@misbehaviour
def pries(player: HostilePlayer) -> None:
    """End badly if others' files or the network can be reached; else play on."""
    import socket

    player.until_asked()
    port = sys.argv[5].rpartition(":")[2]
    for way in (
        lambda: open("/etc/passwd"),  # noqa: PTH123, SIM115
        lambda: os.stat(os.path.join(os.path.dirname(__file__), "..", "suite.py")),  # noqa: PTH116, PTH118, PTH120
        lambda: os.kill(os.getppid(), 0) if os.getppid() > 1 else os.listdir("/nowhere"),  # noqa: PTH208
        lambda: socket.create_connection(("127.0.0.1", int(port)), 1),
    ):
        try:
            way()
        except OSError:
            continue
        os._exit(42)
    player.play_on()
