"""Each sample client plays whole matches of every kind, legally, however the packets are cut, and ends cleanly."""

import contextlib
import socket
import subprocess
import sys

import pytest
from small_referee import PATIENCE_S, SESSIONS, Wire, play_match

from hinterland.errors import IllegalMove
from hinterland.gravity import Rules
from hinterland.referee.protocol.session import Introduction

HPS = ["python hps", "java hps", "cpp hps"]
JSON = ["python json", "javascript json"]

every_client = pytest.mark.parametrize("client", HPS + JSON, indirect=True)
every_json_client = pytest.mark.parametrize("client", JSON, indirect=True)

SMALL = Rules(size=12, stones=3, spacing=3)
KINDS = [
    pytest.param(Rules(), 0, "whole", id="the course's game"),
    pytest.param(SMALL, 1, "split", id="packets split"),
    pytest.param(SMALL, 0, "merged", id="packets merged"),
    pytest.param(Rules(size=12, stones=3, spacing=3, weight=50), 0, "merged", id="weights"),
    pytest.param(Rules(size=12, stones=3, spacing=2, weight=4, players=3), 2, "split", id="weighted melee"),
    pytest.param(Rules(size=9, stones=20, spacing=3, law="nearest"), 1, "whole", id="until the board is full"),
]


@contextlib.contextmanager
def started(command, tmp_path, **options):
    """Run a client; its standard error goes to a file."""
    with (tmp_path / "said").open("wb") as said, subprocess.Popen(command, stderr=said, **options) as process:
        try:
            yield process
        finally:
            process.kill()


@contextlib.contextmanager
def connected(client, tmp_path, *options, cut="whole"):
    """Run a client that connects to a port of ours; yield (process, wire, the connection)."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(PATIENCE_S)
        address = [str(word) for word in server.getsockname()]
        with started([*client[1], *address, "mia", *options], tmp_path) as process:
            connection, _ = server.accept()
            connection.settimeout(PATIENCE_S)
            with connection:
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                yield process, Wire(connection.fileno(), connection.fileno(), cut), connection


def options_for(client, rules):
    """Return the options that tell an hps client what the protocol does not."""
    return ["--size", str(rules.size), "--spacing", str(rules.spacing)] if client[0] == "hps" else []


@every_client
@pytest.mark.parametrize(("rules", "me", "cut"), KINDS)
def test_a_match_of_two_games(client, rules, me, cut, rng, tmp_path):
    with connected(client, tmp_path, *options_for(client, rules), cut=cut) as (process, wire, connection):
        hello, ended = play_match(wire, client[0], rules, me, 2, rng)
        connection.shutdown(socket.SHUT_WR)
        assert process.wait(PATIENCE_S) == 0
    assert hello == Introduction("mia")
    assert len(ended) == 2
    assert (tmp_path / "said").read_text().count("scores are") == 2


@every_client
def test_the_last_stone_weighs_all_that_is_left(client, rng, tmp_path):
    rules = Rules(size=12, stones=3, spacing=3, weight=50)
    with connected(client, tmp_path, *options_for(client, rules)) as (_, wire, _):
        _, (position,) = play_match(wire, client[0], rules, 0, 1, rng)
    assert [stone.weight for seat, stone in position.moves if seat == 0] == [16, 17, 17]


@every_client
def test_moves_are_better_than_chance(client, rng, tmp_path):
    """Against ten random players; the margin is far too wide for luck."""
    rules = Rules(size=20, stones=4, spacing=3)
    with connected(client, tmp_path, *options_for(client, rules)) as (_, wire, _):
        _, ended = play_match(wire, client[0], rules, 0, 10, rng)
    mine = sum(position.scores[number % 2] for number, position in enumerate(ended))
    assert mine > sum(sum(position.scores) for position in ended) / 2


@every_json_client
@pytest.mark.parametrize("cut", ["split", "merged"])
def test_over_pipes(client, cut, rng, tmp_path):
    with started(client[1], tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        join, ended = play_match(Wire(process.stdout.fileno(), process.stdin.fileno(), cut), "json", SMALL, 1, 2, rng)
        process.stdin.close()
        assert process.wait(PATIENCE_S) == 0
        assert process.stdout.read() == b""
    assert join.name == "sample"
    assert len(ended) == 2


@every_json_client
def test_a_refused_move_is_followed_by_another(client, rng, tmp_path):
    with connected(client, tmp_path) as (_, wire, _):
        play_match(wire, "json", SMALL, 0, 2, rng, refusals=2)
    assert (tmp_path / "said").read_text().count("refused: not there") == 4


@every_json_client
def test_a_token_is_sent_along(client, rng, tmp_path):
    with connected(client, tmp_path, "--token", "open sesame") as (_, wire, _):
        join, _ = play_match(wire, "json", SMALL, 0, 1, rng)
    assert join == Introduction("mia", "open sesame")


@every_client
@pytest.mark.parametrize(
    "last_words",
    [
        {"hps": b"", "json": b""},
        {"hps": b"2", "json": b'{"type":"hel'},
        {"hps": b"2 3 1\n0 0 0", "json": b'{"type":"hello"}\n{"ty'},
        {"hps": b"2 3 1\n0", "json": b'{"type":"bye","detail":""}\n{'},
    ],
    ids=str,
)
def test_a_cut_connection_is_a_clean_end(client, last_words, tmp_path):
    with connected(client, tmp_path) as (process, _, connection):
        connection.sendall(last_words[client[0]])
        connection.shutdown(socket.SHUT_WR)
        assert process.wait(PATIENCE_S) == 0
    assert (tmp_path / "said").read_text().strip() == ""


@every_client
def test_a_reset_connection_is_a_clean_end(client, tmp_path):
    with connected(client, tmp_path) as (process, wire, connection):
        if client[0] == "hps":
            connection.sendall(b"2 3 1\n")
        wire.hear(SESSIONS[client[0]]())
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        connection.close()
        assert process.wait(PATIENCE_S) == 0
    assert (tmp_path / "said").read_text() == ""


@every_client
@pytest.mark.parametrize(
    "words", [{"hps": "all seats are taken", "json": "2 10 1"}, {"hps": "{}", "json": "sorry"}], ids=str
)
def test_words_of_another_protocol_are_shown(client, words, tmp_path):
    with connected(client, tmp_path) as (process, _, connection):
        connection.sendall(words[client[0]].encode() + b"\n")
        assert process.wait(PATIENCE_S) == 1
    said = (tmp_path / "said").read_text()
    assert said.endswith(f"{words[client[0]]}\n")
    assert said.count("\n") == 1


@every_client
def test_no_referee_is_one_line(client, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with started([*client[1], "127.0.0.1", str(port)], tmp_path) as process:
        assert process.wait(PATIENCE_S) == 1
    said = (tmp_path / "said").read_text()
    assert said.startswith(f"no referee at 127.0.0.1:{port}")
    assert said.count("\n") == 1


@pytest.mark.parametrize("answer", ["12 0", "0 -1", "5 5"])
def test_an_illegal_client_is_found(answer, rng, tmp_path):
    """The referee here lets nothing illegal pass: this client answers the same to every request."""
    bad = "import socket, sys\ns = socket.create_connection(sys.argv[1:3])\nlines = s.makefile()\n"
    bad += f"lines.readline()\ns.sendall(b'bad\\n')\nfor _ in lines: s.sendall(b'{answer}\\n')"
    with (
        connected(("hps", [sys.executable, "-c", bad]), tmp_path) as (_, wire, _),
        pytest.raises(IllegalMove),
    ):
        play_match(wire, "hps", SMALL, 0, 1, rng)
