"""The hostile players: a script that does one thing wrong. ``hostile.py DEED WAY SIZE CLOCK_MS MARK``.

WAY is ``pipes`` or ``tcp:PORT:PROTOCOL:TOKEN``; MARK is there to find its processes by. Over TCP the moment of
connecting is printed, in nanoseconds of the monotonic clock.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import time
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

    from hinterland.referee.shell.zoo.speaker import Speaker
else:
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120
    from speaker import Speaker

__all__ = ["DEEDS", "Hostile", "main"]

FOR_EVER_S = 600
DEEDS: dict[str, Callable[[Hostile], None]] = {}
"""By name, what a hostile player does."""


def deed(function: Callable[[Hostile], None]) -> Callable[[Hostile], None]:
    """Enter a deed in the list."""
    DEEDS[function.__name__] = function
    return function


class Hostile:
    """What every hostile player can do: talk, wait, and play on as if nothing had happened."""

    def __init__(self, way: str, size: int, clock_ms: int) -> None:
        self.clock_s = clock_ms / 1000
        self.connection: socket.socket | None = None
        self.is_json, self.token, self._port, self._size = True, "", 0, size
        if way != "pipes":
            _, port, protocol, self.token = way.split(":")
            self._port, self.is_json = int(port), protocol == "json"
        self.speaker = Speaker("json" if self.is_json else "hps", size)

    def connect(self, origin: str = "", receive_bytes: int = 0) -> None:
        """Open a (new) connection, where there is a network; join next."""
        if not self._port:
            return
        import socket  # noqa: PLC0415

        self.speaker = Speaker("json" if self.is_json else "hps", self._size)
        self.connection = socket.socket()
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if receive_bytes:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        if origin:
            self.connection.bind((origin, 0))
        print(time.monotonic_ns(), flush=True)  # noqa: T201
        self.connection.connect(("127.0.0.1", self._port))

    def read(self) -> bytes:
        """Read what there is."""
        return self.connection.recv(65536) if self.connection else os.read(0, 65536)

    def say(self, data: bytes) -> None:
        """Send bytes, all of them, if anybody takes them."""
        if self.connection:
            self.connection.sendall(data)
            return
        while data:
            data = data[os.write(1, data) :]

    def join(self) -> None:
        """Connect and introduce oneself."""
        self.connect()
        self.say(self.speaker.join("hostile", self.token))

    def until(self, wanted: str) -> None:
        """Listen until something is said; end where nothing more will be."""
        while True:
            data = self.read()
            if not data:
                os._exit(0)
            if wanted in self.speaker.hear(data):
                return

    def until_asked(self) -> None:
        """Join and wait for the first question."""
        self.join()
        self.until("ask")

    def play_on(self, answer: Callable[[], None] | None = None) -> None:
        """Answer every question, by default as one should."""
        while True:
            (answer or (lambda: self.say(self.speaker.answer())))()
            self.until("ask")

    def idle(self) -> NoReturn:
        """Do nothing for ever."""
        time.sleep(FOR_EVER_S)
        os._exit(0)

    def repeat(self, data: bytes, pause_s: float = 0.0) -> NoReturn:
        """Send the same for ever."""
        while True:
            self.say(data)
            time.sleep(pause_s)


# Time


@deed
def plays(me: Hostile) -> None:
    """Do nothing wrong: the control."""
    me.until_asked()
    me.play_on()


@deed
def never_answers(me: Hostile) -> None:
    """Say nothing when asked."""
    me.until_asked()
    me.idle()


@deed
def drips(me: Hostile) -> None:
    """Send a digit now and then, and never a line end."""
    me.until_asked()
    me.repeat(b"1", 0.02)


@deed
def comments(me: Hostile) -> None:
    """Send comments and no answer."""
    me.until_asked()
    me.repeat(b'{"type":"info","text":"thinking"}\n', 0.02)


@deed
def answers_late(me: Hostile) -> None:
    """Answer the first question when the time is up, and play on properly."""
    me.until_asked()
    late = me.speaker.answer()
    time.sleep(me.clock_s + 0.4)
    me.say(late)
    me.until("ask")
    me.play_on()


@deed
def answers_in_the_last_moment(me: Hostile) -> None:
    """Answer the first question when the budget is nearly used up, and play on."""
    me.until_asked()
    time.sleep(me.clock_s * 0.75)
    me.play_on()


@deed
def lives_on_the_increment(me: Hostile) -> None:
    """Answer too late, but not if the increment of the same move counted."""
    me.until_asked()
    time.sleep(me.clock_s + 0.6)
    me.play_on()


# Too much


@deed
def endless_line(me: Hostile) -> None:
    """Send bytes and never a line end."""
    me.until_asked()
    me.repeat(b"x" * 65536)


@deed
def short_lines(me: Hostile) -> None:
    """Send very many short lines."""
    lines = (b'{"type":"info","text":""}\n' if me.is_json else b"\n") * 1000
    me.until_asked()
    me.repeat(lines)


@deed
def long_line(me: Hostile) -> None:
    """Send one line of 16 MB."""
    line = b" " * 16_000_000 + b"\n"
    me.until_asked()
    me.say(line)
    me.idle()


# How bytes are cut


@deed
def byte_by_byte(me: Hostile) -> None:
    """Send each answer in packets of one byte."""

    def answer() -> None:
        for byte in me.speaker.answer():
            me.say(bytes([byte]))
            time.sleep(0.0005)

    me.until_asked()
    me.play_on(answer)


@deed
def two_in_a_packet(me: Hostile) -> None:
    """Send something harmless and the answer in one packet."""
    first = b'{"type":"info","text":"first"}\n' if me.is_json else b"\n"
    me.until_asked()
    me.play_on(lambda: me.say(first + me.speaker.answer()))


@deed
def spaces_and_crlf(me: Hostile) -> None:
    """Put spaces around answers and end lines as Windows does."""
    me.until_asked()
    me.play_on(lambda: me.say(b"  " + me.speaker.answer().rstrip() + b" \t\r\n"))


@deed
def no_line_end(me: Hostile) -> None:
    """End the connection behind an answer that has no line end."""
    me.until_asked()
    me.say(me.speaker.answer().rstrip())
    os._exit(0)


# Answers to no question


@deed
def before_the_question(me: Hostile) -> None:
    """Answer, and at once answer what will be asked next."""

    def answer() -> None:
        answered = me.speaker.answer()
        ahead = me.speaker.answer("0, 0", me.speaker.turn + 2) if me.is_json else b"0 0\n"
        me.say(answered + ahead)

    me.until_asked()
    me.play_on(answer)


@deed
def many_strays(me: Hostile) -> None:
    """Answer once, and then seventeen times more."""
    me.until_asked()
    answered = me.speaker.answer()
    me.say(answered + (me.speaker.answer("0, 0", 99) if me.is_json else b"0 0\n") * 17)
    me.idle()


@deed
def everything_twice(me: Hostile) -> None:
    """Send each answer twice."""
    me.until_asked()
    me.play_on(lambda: me.say(me.speaker.answer() * 2))


# The network


@deed
def closes(me: Hostile) -> None:
    """Close the connection when asked."""
    me.until_asked()
    os._exit(0)


@deed
def resets(me: Hostile) -> None:
    """Reset the connection when asked."""
    import socket  # noqa: PLC0415

    me.until_asked()
    assert me.connection is not None
    me.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    me.connection.close()
    time.sleep(FOR_EVER_S)


@deed
def comes_back(me: Hostile) -> None:
    """Lose the connection, come back with the token, and play on."""
    me.until_asked()
    assert me.connection is not None
    me.connection.close()
    me.until_asked()
    me.play_on()


@deed
def comes_twice(me: Hostile) -> None:
    """Take the seat with a second connection, play on there, and send answers on the first."""
    me.until_asked()
    first, stale = me.connection, me.speaker
    me.until_asked()
    assert first is not None

    def answer() -> None:
        with contextlib.suppress(OSError):
            first.sendall(stale.answer("0, 0"))
        me.say(me.speaker.answer())

    me.play_on(answer)


@deed
def stops_reading(me: Hostile) -> None:
    """Make the referee talk, and do not listen."""
    me.connect(receive_bytes=1)
    me.say(me.speaker.join("hostile", me.token))
    me.until("ask")
    stray = me.speaker.answer("0, 0", 99) if me.is_json else b""
    me.say(stray * 16)
    me.idle()


# At the door


@deed
def says_nothing(me: Hostile) -> None:
    """Connect and never say a name."""
    me.connect()
    me.idle()


@deed
def crowd(me: Hostile) -> None:
    """Connect fifty times and never say a name."""
    kept = []
    for _ in range(50):
        me.connect()
        kept.append(me.connection)
    me.idle()


@deed
def slow_name(me: Hostile) -> None:
    """Send one byte of an introduction now and then."""
    me.connect()
    me.repeat(b" ", 0.05)


@deed
def wrong_token(me: Hostile) -> None:
    """Join with a token that is nobody's."""
    me.connect(origin="127.0.0.2" if sys.platform == "linux" else "")
    me.say(me.speaker.join("hostile", "wrong-" + me.token))
    me.idle()


@deed
def half_a_token(me: Hostile) -> None:
    """Join with the beginning of a token."""
    me.connect(origin="127.0.0.3" if sys.platform == "linux" else "")
    me.say(me.speaker.join("hostile", me.token[: len(me.token) // 2]))
    me.idle()


@deed
def no_token(me: Hostile) -> None:
    """Join without a token."""
    me.connect(origin="127.0.0.4" if sys.platform == "linux" else "")
    me.say(me.speaker.join("hostile"))
    me.idle()


# Programs


@deed
def says_nothing_at_all(me: Hostile) -> None:
    """Start, and never introduce oneself."""
    me.idle()


@deed
def exits_0(me: Hostile) -> None:
    """End as if all were well."""
    me.until_asked()
    os._exit(0)


@deed
def exits_1(me: Hostile) -> None:
    """End with an error and something to say about it."""
    me.until_asked()
    os.write(2, b"\x1b[31mno idea what to do\n")
    os._exit(1)


@deed
def segfaults(me: Hostile) -> None:
    """Die of a signal."""
    me.until_asked()
    os.kill(os.getpid(), signal.SIGSEGV)
    me.idle()


@deed
def is_killed(me: Hostile) -> None:
    """Die as if the system were out of memory."""
    me.until_asked()
    os.kill(os.getpid(), signal.SIGKILL)
    me.idle()


@deed
def leaves_a_child(me: Hostile) -> None:
    """End, while a child holds the pipes open."""
    me.until_asked()
    if os.fork() == 0:
        me.idle()
    os._exit(0)


@deed
def runs_away(me: Hostile) -> None:
    """Ignore signals, leave the session, fork twice."""
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    me.until_asked()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            me.idle()
        os._exit(0)
    me.idle()


@deed
def stops_itself(me: Hostile) -> None:
    """Stand still."""
    me.until_asked()
    os.kill(os.getpid(), signal.SIGSTOP)
    me.idle()


@deed
def multiplies(me: Hostile) -> None:
    """Fork and fork."""
    me.until_asked()
    for _ in range(400):
        if os.fork() == 0:
            me.idle()
    me.idle()


@deed
def takes_memory(me: Hostile) -> None:
    """Take 50 GB."""
    me.until_asked()
    bytearray(50_000_000_000)
    me.idle()


@deed
def fills_the_disk(me: Hostile) -> None:
    """Write a file until something breaks."""
    import tempfile  # noqa: PLC0415

    me.until_asked()
    with tempfile.TemporaryFile(buffering=0) as file:
        while True:
            file.write(bytes(1 << 20))


@deed
def burns(me: Hostile) -> None:
    """Use the processor while others think."""

    def answer() -> None:
        me.say(me.speaker.answer())
        while not select.select([0], [], [], 0)[0]:
            pass

    me.until_asked()
    me.play_on(answer)


@deed
def pries(me: Hostile) -> None:
    """End badly if others' files or the network can be reached; else play on."""
    import socket  # noqa: PLC0415

    me.until_asked()
    port = sys.argv[5].rpartition(":")[2]
    for way in (
        lambda: open("/etc/passwd"),  # noqa: PTH123, SIM115
        lambda: os.stat(os.path.join(os.path.dirname(__file__), "..", "lobby.py")),  # noqa: PTH116, PTH118, PTH120
        lambda: os.kill(os.getppid(), 0) if os.getppid() > 1 else os.listdir("/nowhere"),  # noqa: PTH208
        lambda: socket.create_connection(("127.0.0.1", int(port)), 1),
    ):
        try:
            way()
        except OSError:
            continue
        os._exit(42)
    me.play_on()


def _sending(name: str, in_json: bytes, in_words: bytes | None = None) -> None:
    """Enter the deed of sending bytes when asked. What stands for {id} and {turn} is filled in."""

    def send(me: Hostile) -> None:
        me.until_asked()
        data = in_json if me.is_json or in_words is None else in_words
        data = data.replace(b"{id}", me.speaker.game_id.encode()).replace(b"{turn}", b"%d" % me.speaker.turn)
        me.say(data + b"\n")
        me.idle()

    DEEDS[name] = send


def _moving(name: str, in_json: bytes, in_words: bytes) -> None:
    _sending(name, b'{"type":"move","game_id":"{id}","turn":{turn},"move":%b}' % in_json, in_words)


def _knocking(name: str, data: bytes) -> None:
    """Enter the deed of sending bytes as the first words."""

    def knock(me: Hostile) -> None:
        me.connect()
        me.say(data)
        me.idle()

    DEEDS[name] = knock


_sending("byte_order_mark", b'\xef\xbb\xbf{"type":"info","text":""}', b"\xef\xbb\xbf4 4")
_sending("invalid_utf8", b'{"type":"info","text":"\xff\xfe"}', b"\xff\xfe 4")
_sending("nul", b'{"type":"info","text":"\0"}', b"4 \0 4")
_sending("terminal_codes", b'{"type":"info","text":"\x1b[2J"}', b"\x1b[2J 4 4")
_sending("half_a_character", b'{"type":"info","text":"\\ud800"}', b"\xed\xa0\x80 4")
_sending("deep_json", b"[" * 4000)
_sending("huge_number", b'{"type":"move","game_id":"{id}","turn":{turn},"move":[%b,4]}' % (b"9" * 3900))
_sending("not_a_number", b'{"type":"move","game_id":"{id}","turn":{turn},"move":[NaN,4]}')
_sending("infinite", b'{"type":"move","game_id":"{id}","turn":{turn},"move":[1e400,4]}')
_sending("a_key_twice", b'{"type":"info","text":"a","text":"b"}')
_sending("no_message", b'{"type":"surrender"}')
_moving("bool_for_a_number", b"[true,4]", b"true 4")
_moving("fraction", b"[4.5,4]", b"4.5 4")
_moving("text_for_a_number", b'["4",4]', b"four 4")
_moving("negative", b"[-1,4]", b"-1 4")
_moving("off_the_board", b"[100000,4]", b"100000 4")
_moving("taken_cell", b"[0,0]", b"0 0")
_moving("too_near", b"[0,1]", b"0 1")
_moving("one_number", b"[4]", b"4")
_knocking("http", b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
_knocking("tls", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(32))
_knocking("telnet", b"\xff\xfd\x18\xff\xfd\x20")


def main() -> None:
    """Do the deed that the command line names."""
    name, way, size, clock_ms = sys.argv[1:5]
    with contextlib.suppress(ConnectionError):
        DEEDS[name](Hostile(way, int(size), int(clock_ms)))


if __name__ == "__main__":
    main()
