"""The socket itself: what the system is asked to do about peers that are gone, and which ports can be taken."""

import asyncio
import socket

import pytest

from hinterland.errors import ArenaError
from hinterland.host.network import tcp

LONGEST_S = 30


class Quiet:
    """Takes what comes and does nothing."""

    def received(self, data, stamp_ns):
        pass

    def lost(self, verdict, detail):
        pass


def accepted_options(names):
    """Return what is set on an accepted connection, by name."""

    async def connect():
        seen, gone = [], asyncio.Event()

        def welcome(carrier):
            connection = carrier._transport.get_extra_info("socket")
            seen.append([connection.getsockopt(*name) for name in names])
            carrier.close()
            return Quiet()

        listener = tcp.listen("127.0.0.1", 0)
        port = listener.getsockname()[1]
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: tcp.TcpCarrier(welcome, lambda _: gone.set()), sock=listener)
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        await gone.wait()
        writer.close()
        await writer.wait_closed()
        server.close()
        await server.wait_closed()
        return seen[0]

    return asyncio.run(connect())


def test_a_dead_peer_is_found_by_the_system():
    """No connection stays half open for longer than half a minute."""
    level = socket.IPPROTO_TCP
    keeps, idle_s, probe_s, probes = accepted_options(
        [
            (socket.SOL_SOCKET, socket.SO_KEEPALIVE),
            (level, socket.TCP_KEEPIDLE),
            (level, socket.TCP_KEEPINTVL),
            (level, socket.TCP_KEEPCNT),
        ]
    )
    assert keeps
    assert 0 < idle_s + probe_s * probes <= LONGEST_S


def test_small_messages_go_out_at_once():
    assert accepted_options([(socket.IPPROTO_TCP, socket.TCP_NODELAY)])[0]


@pytest.mark.parametrize(
    ("host", "port", "reason"),
    [
        ("127.0.0.1", 70_000, "a port is a number from 0 to 65535, not 70000; choose another with --port"),
        ("127.0.0.1", -1, "a port is a number from 0 to 65535, not -1; choose another with --port"),
        ("203.0.113.7", 0, "203.0.113.7 is no address of this machine; choose another with --host"),
        ("no such host", 0, "no such host is no address to listen on"),
    ],
)
def test_what_cannot_be_listened_on_is_one_line(host, port, reason):
    with pytest.raises(ArenaError) as refused:
        tcp.listen(host, port)
    assert reason in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_port_in_use_is_named():
    with tcp.listen("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        with pytest.raises(ArenaError, match=f"port {port} on 127.0.0.1 is in use; choose another with --port"):
            tcp.listen("127.0.0.1", port)
