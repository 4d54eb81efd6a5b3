"""The server as a process: its port, its signals, real sockets, and viewers who mean ill."""

import base64
import contextlib
import json
import os
import signal
import socket
import time
from urllib.parse import urlsplit

import httpx
import pytest
from web_play import PERSON
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from lateness import measure_least
from more_of_the_same import first_shows

BOB = {"kind": "person", "name": "Bob"}
MOVES = [(5, 5), (20, 20), (5, 20), (20, 5)]
STOPPED_IN_S = 2.0


class Browser:
    """A real connection."""

    def __init__(self, socket, key):
        self.socket = socket
        self.send(type="hello", key=key)

    def send(self, **message):
        self.socket.send(json.dumps(message))

    def hear(self):
        return json.loads(self.socket.recv(timeout=20))

    def send_and_listen(self, text):
        """Send a text and hear all there is, to the end."""
        self.socket.send(text)
        while True:
            self.hear()

    def see(self, wanted=lambda _: True):
        while (message := self.hear())["type"] != "snapshot" or not wanted(message):
            assert message["type"] != "error", message
        return message

    def move(self, *numbers, ply):
        self.send(type="move", ply=ply, move=list(numbers))
        return self.see(lambda snapshot: len(snapshot["moves"]) > ply)


@contextlib.contextmanager
def browser(server, game, key=None):
    """Watch a game, or the show where there is none."""
    address = server.address(game) if game else f"ws://127.0.0.1:{server.port}/showcase/live"
    with connect(address, proxy=None) as socket:
        yield Browser(socket, key)


def deaf_viewer(server, game):
    """Open a live connection, say hello, and read no more."""
    raw = socket.socket()
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    raw.connect(("127.0.0.1", server.port))
    key = base64.b64encode(os.urandom(16)).decode()
    raw.sendall(
        f"GET {urlsplit(server.address(game)).path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    assert b" 101 " in raw.recv(1000)
    hello = b'{"type":"hello","key":null}'
    raw.sendall(bytes([0x81, 0x80 | len(hello), 0, 0, 0, 0]) + hello)
    return raw


@pytest.mark.thorough
@pytest.mark.once
def test_a_game_goes_on_after_a_restart(serving):
    server = serving().ready()
    game, key = server.start(PERSON, BOB)
    with browser(server, game, key) as ann:
        for ply, move in enumerate(MOVES[:2]):
            ann.move(*move, ply=ply)
        server.process.send_signal(signal.SIGKILL)  # no time to put anything away
        server.process.wait(20)
    server.close()
    second = serving().ready()
    with browser(second, game, key) as ann:
        assert [tuple(move["move"]) for move in ann.see()["moves"]] == MOVES[:2]
        ann.move(*MOVES[2], ply=2)
        assert ann.move(*MOVES[3], ply=3)["outcome"]["reason"] == "complete"
    assert second.stop()[0] == 0
    assert len((second.data / "records.jsonl").read_text().splitlines()) == 1


@pytest.mark.thorough
@pytest.mark.once
def test_hostile_connections(serving):
    server = serving(send_s=0.5, messages_per_second=10_000, games_per_minute=1000).ready()
    game, key = server.start(PERSON, BOB)
    frame_too_large(server, game, key)
    foreign_origin(server, game)
    garbage(server, game, key)
    drip(server)
    slow_viewer(server)
    code, took, complaints = server.stop()
    assert code == 0
    assert set(complaints.splitlines()) <= {"WARNING:  Invalid HTTP request received."}
    assert took < 3 * STOPPED_IN_S, "nothing of all this holds it up; how fast it stops is measured below"


def frame_too_large(server, game, key):
    with deaf_viewer(server, game) as raw:
        raw.sendall(bytes([0x81, 0xFF]) + (10_000_000).to_bytes(8, "big") + b"mask")
        raw.settimeout(5)
        heard = b""
        while chunk := raw.recv(4096):
            heard += chunk
        assert (1009).to_bytes(2, "big") in heard[-100:]
    before = server.memory_kib()
    with browser(server, game, key) as ann:
        ann.see()
        with pytest.raises(ConnectionClosed):  # it may be gone before it could read why
            ann.send_and_listen("x" * 10_000_000)
    assert server.memory_kib() - before < 9_000
    with browser(server, game, key) as ann:
        ann.see()


def foreign_origin(server, game):
    for path in (f"/games/{game}/live", "/showcase/live"):
        address, foreign = f"ws://127.0.0.1:{server.port}{path}", "http://evil.example"
        with pytest.raises(InvalidStatus) as refused, connect(address, origin=foreign, proxy=None):
            pass
        assert refused.value.response.status_code == 403
    assert httpx.get(server.url, headers={"Host": "evil.example"}).status_code == 421


def garbage(server, game, key):
    long_header = b"GET / HTTP/1.1\r\nHost: " + b"x" * 100_000
    for data in (b"\x16\x03\x01\x02\x00\x01", b"\x00" * 1000, long_header, b"HELLO\r\n\r\n"):
        with socket.create_connection(("127.0.0.1", server.port)) as raw:
            raw.sendall(data)
            raw.shutdown(socket.SHUT_WR)
            raw.settimeout(5)
            answer = raw.recv(1000)
        assert not answer or b" 400 " in answer.splitlines()[0] or b" 431 " in answer.splitlines()[0]
    with browser(server, game, key) as ann:
        ann.see()
        ann.socket.send(b"\xff\x00")
        while (message := ann.hear())["type"] != "error":  # who watches may be counted first
            pass
        assert message["message"] == "messages are text, not binary"
    assert httpx.get(server.url).status_code == 200


def drip(server):
    """Send a body byte by byte that is announced as enormous."""
    with socket.create_connection(("127.0.0.1", server.port)) as raw:
        head = f"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Length: 1000000000"
        raw.sendall(f"{head}\r\n\r\n{{".encode())
        raw.settimeout(5)
        assert b" 413 " in raw.recv(1000)


def slow_viewer(server, relay=None):
    """One viewer never reads: the game goes on for the others, memory stays, and in the end it is cut off."""
    watched = relay or server
    seats = [{"kind": "person", "name": "x" * 40}] * 12
    game, key = server.start(*seats, rules={"size": 60, "stones": 2, "spacing": 1, "players": 12})
    files = relay.open_files() if relay else server.open_files_at_rest()
    with deaf_viewer(watched, game), browser(server, game, key) as ann:
        ann.see(lambda snapshot: snapshot["viewers"] == 2)
        for ply in range(12):
            ann.move(5, 3 * ply, ply=ply)
        before = watched.memory_kib()
        slowest, cut_off = 0.0, False
        for _ in range(2000):
            began = time.monotonic()
            ann.send(type="undo")
            ann.see(lambda snapshot: len(snapshot["moves"]) == 11)
            cut_off = ann.move(5, 33, ply=11)["viewers"] == 1
            slowest = max(slowest, time.monotonic() - began)
            if cut_off:
                break
        assert cut_off
        assert watched.open_files() <= files + 1  # Ann's; nothing waits for the deaf one to read what is left
        assert slowest < 1.0
        assert watched.memory_kib() - before < 20_000


@pytest.mark.thorough
@pytest.mark.once
@pytest.mark.parametrize("how", first_shows(signal.SIGTERM, signal.SIGINT))
def test_it_stops_with_viewers_connected(serving, how):
    assert measure_least(lambda: stop_with_viewers(serving, how), STOPPED_IN_S) < STOPPED_IN_S


def stop_with_viewers(serving, how):
    """Stop a server that is looked at, and return how long that took."""
    server = serving().ready()
    game, key = server.start(PERSON, BOB, clock={"budget": 60})
    deaf = deaf_viewer(server, game)
    with browser(server, game, key) as ann, browser(server, None) as eve, httpx.Client() as keeping:
        keeping.get(server.url)
        eve.see()
        ann.see()
        code, took, complaints = server.stop(how)
        with pytest.raises(ConnectionClosed) as closed:
            ann.send_and_listen("{}")
    deaf.close()
    assert (code, complaints) == (0, "")
    assert closed.value.rcvd.code == 1012
    assert '"type":"clock"' in (server.data / "games" / f"{game}.jsonl").read_text()
    return took


def refusal(server):
    """Return what a server that cannot start says: its last line."""
    _, complaints = server.process.communicate(timeout=60)
    assert server.process.returncode != 0
    return complaints.strip().splitlines()[-1]


def test_a_port_in_use(serving, tmp_path, busy_port):
    from web_play import Server

    server = Server(tmp_path / "data", port=busy_port)
    expected = f"hinterland.errors.ArenaError: port {busy_port} on 127.0.0.1 is in use; choose another with --port"
    assert refusal(server) == expected


@pytest.mark.parametrize(
    ("host", "port", "words"),
    [
        ("127.0.0.1", 99999, "a port is a number from 0 to 65535, not 99999"),
        ("no such host", 0, "no such host is no address to listen on"),
        ("203.0.113.7", 0, "203.0.113.7 is no address of this machine; choose another with --host"),
    ],
)
def test_a_place_where_nobody_can_listen(settings, host, port, words):
    import msgspec

    from hinterland.errors import ArenaError
    from hinterland.web.run_arena import run_arena

    with pytest.raises(ArenaError, match=words):
        run_arena(msgspec.structs.replace(settings, host=host, port=port), print)
    assert not settings.data.exists()


def test_where_no_helper_can_be_started_it_does_not_begin(settings, monkeypatch):
    from multiprocessing.context import SpawnProcess

    import msgspec

    from hinterland.errors import ArenaError
    from hinterland.web.run_arena import run_arena

    def none(_):
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(SpawnProcess, "_Popen", staticmethod(none))
    said = []
    with pytest.raises(ArenaError, match=r"^helper processes cannot be started here: Resource temporarily"):
        run_arena(msgspec.structs.replace(settings, port=0), said.append)
    assert said == []


@pytest.mark.thorough
@pytest.mark.parametrize("place", ["a long name", "nowhere"])
def test_helpers_work_whatever_there_is_of_a_folder_for_sockets(serving, monkeypatch, tmp_path, place):
    long = tmp_path / ("n" * 120)
    long.mkdir()
    monkeypatch.setenv("TMPDIR", str(long if place == "a long name" else tmp_path / "missing"))
    server = serving().ready()
    assert server.open_files_at_rest() > 0  # which draws a picture
    assert httpx.get(f"{server.url}/healthz").json()["ok"] is True


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000"),
        ("::1", "http://[::1]:8000"),
        ("[::1]", "http://[::1]:8000"),
        ("0.0.0.0", "http://localhost:8000"),
        ("*", "http://localhost:8000"),
        ("", "http://localhost:8000"),
        ("arena.example", "http://arena.example:8000"),
    ],
)
def test_the_address_to_open(host, address):
    from hinterland.web.server import address_of

    assert address_of(host, 8000) == address


def test_patience(capsys):
    from hinterland.web.run_arena import _patience

    said = []
    with _patience(said.append, 0.01):
        time.sleep(0.05)
    with _patience(said.append, 10):
        pass
    assert len(said) == 1
    assert "Getting ready" in said[0]
