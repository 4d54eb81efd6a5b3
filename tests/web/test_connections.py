"""Connections that ask for too much or do nothing: what each may do, and when it is cut off."""

import asyncio
import contextlib
import errno
import socket
import struct
import time

import httpx
import pytest
from test_server import BOB, browser, deaf_viewer
from web_play import PERSON

from hinterland.errors import ArenaError
from hinterland.host.network.acceptor import Acceptor, allow_connections
from hinterland.web.connections import Connections
from hinterland.web.settings import Limits

pytestmark = pytest.mark.thorough

PATIENCE_S = 20
PING, PONG, TEXT, PART = 0x89, 0x8A, 0x01, 0x00


def frame(first, payload=b""):
    """Return a frame as clients send it, masked with zeros."""
    return struct.pack("!BBI", first, 0x80 | len(payload), 0) + payload


def ended(raw):
    """Return what comes until the server hangs up, and after how many seconds that is."""
    raw.settimeout(PATIENCE_S)
    began, heard = time.monotonic(), b""
    try:
        while chunk := raw.recv(65536):
            heard += chunk
    except ConnectionResetError:
        pass
    return heard, time.monotonic() - began


def drip(raw):
    """Send byte by byte, which moves no deadline, until the server has hung up."""
    began = time.monotonic()
    try:
        while time.monotonic() - began < PATIENCE_S:
            raw.sendall(b"x")
            time.sleep(0.02)
    except OSError:
        return
    pytest.fail("who drips was never cut off")


TALK = frame(0x81, b'{"type":"rest","on":true}')


@pytest.mark.parametrize(
    "flood",
    [frame(PING) * 200, frame(PONG) * 200, frame(TEXT) + frame(PART) * 200],
    ids=["pings", "pongs", "parts of a message"],
)
def test_frames_that_no_application_sees_are_counted(serving, flood):
    server = serving().ready()
    game, key = server.start(PERSON, BOB)
    with browser(server, game, key) as ann, deaf_viewer(server, game) as raw:
        ann.see(lambda snapshot: snapshot["viewers"] == 2)
        raw.sendall(flood)
        heard, _ = ended(raw)
        assert not heard or b"too many control frames" in heard
        ann.see(lambda snapshot: snapshot["viewers"] == 1)
        for _ in range(30):  # as often as a browser may
            ann.socket.ping().wait(PATIENCE_S)


@pytest.mark.parametrize("then", [TALK * 200, b""], ids=["sends on", "says nothing"])
def test_who_sends_on_after_the_end_is_cut_off(serving, then):
    server = serving(send_s=0.5 if not then else 60).ready()
    game, _ = server.start(PERSON, BOB)
    with deaf_viewer(server, game) as raw:
        raw.sendall(TALK * 100)
        began = time.monotonic()
        with contextlib.suppress(OSError):
            while then and time.monotonic() - began < PATIENCE_S:
                raw.sendall(then)
        assert ended(raw)[1] < PATIENCE_S / 2
        assert time.monotonic() - began < PATIENCE_S / 2


def test_who_asks_for_nothing_is_cut_off(serving):
    server = serving(request_s=0.3).ready()
    with socket.create_connection(("127.0.0.1", server.port)) as raw:
        assert ended(raw)[1] < PATIENCE_S / 2
    with socket.create_connection(("127.0.0.1", server.port)) as raw:
        drip(raw)


def test_a_body_that_drips_after_its_answer_is_cut_off(serving):
    server = serving(request_s=0.3, body_s=0.3).ready()
    head = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Length: 1000\r\n\r\n".encode()
    with socket.create_connection(("127.0.0.1", server.port)) as raw:
        raw.sendall(head)
        assert raw.recv(1000).startswith(b"HTTP/1.1 200")
        drip(raw)


def test_who_does_not_take_its_answer_is_cut_off(serving):
    server = serving(send_s=0.3, requests_at_once=10_000).ready()
    files = server.open_files_at_rest()
    with socket.socket() as raw:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        raw.connect(("127.0.0.1", server.port))
        raw.settimeout(0.5)
        asked = f"GET /static/css/base.css HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode()
        try:
            for _ in range(2000):
                raw.sendall(asked)
        except OSError:  # it reads no more of them, or has hung up
            pass
        until = time.monotonic() + PATIENCE_S
        while server.open_files() > files and time.monotonic() < until:
            time.sleep(0.05)
        assert server.open_files() <= files


def test_the_longest_idle_make_room_for_the_next(serving):
    server = serving(waiting_per_address=20).ready()
    idle = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(60)]
    try:
        with httpx.Client() as client:
            for _ in range(3):
                assert client.get(server.url).status_code == 200
        for raw in idle[:30]:
            ended(raw)
        idle[-1].sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
        idle[-1].settimeout(PATIENCE_S)
        assert idle[-1].recv(100).startswith(b"HTTP/1.1 200")
    finally:
        for raw in idle:
            raw.close()


def test_an_address_has_a_share_of_the_connections(serving):
    """Who holds all that one address may is refused; another address comes in."""
    server = serving(connections_per_address=8, waiting_per_address=8).ready()
    game, _ = server.start(PERSON, BOB)
    watching = [deaf_viewer(server, game) for _ in range(8)]
    try:
        with socket.create_connection(("127.0.0.1", server.port)) as raw:
            assert ended(raw)[0] == b""
        with socket.create_connection(("127.0.0.1", server.port), source_address=("127.0.0.2", 0)) as raw:
            raw.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
            assert raw.recv(100).startswith(b"HTTP/1.1 200")
    finally:
        for raw in watching:
            raw.close()


class Carried:
    """A connection that waits, as ``Connections`` sees it."""

    def __init__(self, shares, address):
        self.shares, self.address = shares, shares.enter(self, address)
        shares.wait(self)

    def cut_off(self):
        self.shares.stop_waiting(self)  # it leaves a turn of the loop later


def test_the_one_for_whom_room_was_made_is_let_in():
    shares = Connections(Limits(), 3)
    waiting = [Carried(shares, f"10.0.0.{number}") for number in range(3)]
    assert shares.admit_connection("10.0.0.9")
    shares.leave(waiting[0])
    busy = [Carried(shares, "10.0.0.8")]
    for one in (*waiting[1:], *busy):
        shares.stop_waiting(one)
    assert not shares.admit_connection("10.0.0.9"), "all are busy"


def test_upgrades_that_are_reset_leave_the_shares_as_they_were(serving):
    server = serving(connections_per_address=30).ready()
    head = (
        f"GET /showcase/live HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Key: {'A' * 22}==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    ).encode()
    for _ in range(90):
        with socket.create_connection(("127.0.0.1", server.port)) as raw:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            raw.sendall(head)
        time.sleep(0.01)
    time.sleep(0.3)
    assert httpx.get(server.url).status_code == 200


def test_it_is_said_once_that_there_are_no_descriptors_left():
    """And who waits is let in when there are again."""
    told, turns = [], 0

    async def come():
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: told.append(context["message"]))
        came = asyncio.Event()

        class Listener(socket.socket):
            def accept(self):
                nonlocal turns
                turns += 1
                if turns < 6:
                    raise OSError(errno.EMFILE, "Too many open files")
                return super().accept()

        class Protocol(asyncio.Protocol):
            def connection_made(self, transport):
                transport.abort()
                came.set()

        with Listener() as listener:
            listener.bind(("127.0.0.1", 0))
            listener.listen()
            listener.setblocking(False)
            knocking = socket.create_connection(listener.getsockname())
            acceptor = Acceptor(listener, Protocol)
            acceptor.start()
            await asyncio.wait_for(came.wait(), PATIENCE_S)
            await acceptor.stop()
            knocking.close()

    asyncio.run(come())
    assert turns == 6
    assert told == ["nobody else can connect for now: the system has no more descriptors"]


@pytest.mark.parametrize(
    ("soft", "hard", "wanted", "room", "asked"),
    [(256, 4096, 1000, 1000, 1200), (256, 512, 1000, 312, 512), (4096, 4096, 1000, 1000, None), (-1, -1, 9, 9, None)],
)
def test_descriptors_are_asked_for_and_some_kept_back(monkeypatch, soft, hard, wanted, room, asked):
    import resource

    told = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (soft, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: told.append(limits))
    assert allow_connections(wanted) == room
    assert told == ([] if asked is None else [(asked, hard)])


def test_a_server_with_next_to_no_descriptors_is_refused_in_one_line(monkeypatch):
    import resource

    monkeypatch.setattr(resource, "getrlimit", lambda _: (64, 64))
    monkeypatch.setattr(resource, "setrlimit", lambda *_: None)
    with pytest.raises(ArenaError, match=r"may open 64 files, too few for a server; .* `ulimit -n 1200`"):
        allow_connections(1000)
