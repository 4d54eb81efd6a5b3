"""The socket itself: options for peers that are gone, and which ports can be used."""

import asyncio
import contextlib
import errno
import socket

import pytest

from hinterland.errors import ArenaError
from hinterland.host.network import tcp

LONGEST_S = 30


class Quiet:
    """Takes what comes and does nothing."""

    def on_bytes(self, data, stamp_ns):
        pass

    def on_lost(self, verdict, detail):
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
        port = listener.port
        loop = asyncio.get_running_loop()
        [sock] = listener.sockets
        server = await loop.create_server(lambda: tcp.TcpCarrier(welcome, lambda _: gone.set()), sock=sock)
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
    with contextlib.closing(tcp.listen("127.0.0.1", 0)) as first:
        port = first.port
        with pytest.raises(ArenaError, match=f"port {port} on 127.0.0.1 is in use; choose another with --port"):
            tcp.listen("127.0.0.1", port)


V4, V6 = "127.0.0.1", "::1"


def reached_from(listener):
    """Return the addresses of this machine from which a port is reached."""
    found = set()
    for host in (V4, V6):
        with contextlib.suppress(OSError), socket.create_connection((host, listener.port), timeout=5):
            found.add(host)
    return found


@pytest.fixture
def hosts(monkeypatch):
    """Let the name localhost mean some addresses, in their order, as a hosts file would."""
    real = socket.getaddrinfo

    def call(*addresses):
        def answer(host, *rest, **others):
            names = addresses if str(host).lower().startswith("localhost") else [host]
            return [entry for name in names for entry in real(name, *rest, **others)]

        monkeypatch.setattr(socket, "getaddrinfo", answer)
        tcp._look_up_addresses.cache_clear()

    yield call
    tcp._look_up_addresses.cache_clear()


@pytest.mark.parametrize(
    ("host", "means", "reached"),
    [
        ("localhost", (V6, V4), {V4, V6}),
        ("localhost", (V4, V6), {V4, V6}),
        ("LOCALHOST.", (V6, V4, V4), {V4, V6}),
        ("localhost", (V4,), {V4}),
        ("localhost", (V6,), {V6}),
        ("localhost", ("203.0.113.7", V6), {V6}),  # an address that this machine has not
        ("*", (), {V4, V6}),
        ("", (), {V4, V6}),
        ("::", (), {V4, V6}),
        ("[::]", (), {V4, V6}),
        ("0.0.0.0", (), {V4}),
        ("[::1]", (), {V6}),
        ("::1", (), {V6}),
        ("127.0.0.1", (), {V4}),
        ("[127.0.0.1]", (), {V4}),
    ],
)
def test_a_host_is_reached_at_all_that_it_means(hosts, host, means, reached):
    hosts(*means)
    with contextlib.closing(tcp.listen(host, 0)) as listener:
        assert reached_from(listener) == reached


def test_a_port_that_is_taken_at_one_of_the_addresses_of_a_host_is_in_use(hosts):
    hosts(V4, V6)
    with contextlib.closing(tcp.listen(V6, 0)) as taken:
        with pytest.raises(ArenaError, match=f"port {taken.port} on localhost is in use"):
            tcp.listen("localhost", taken.port)
        with contextlib.closing(tcp.listen(V4, taken.port)) as free:
            assert free.port == taken.port, "the first socket was closed again"


def test_of_a_free_port_that_is_taken_elsewhere_another_is_tried(hosts, monkeypatch):
    hosts(V4, V6)
    real, refused = tcp._bind, []

    def bind(family, *rest):
        if family == socket.AF_INET6 and len(refused) < 3:
            refused.append(family)
            raise OSError(errno.EADDRINUSE, "taken")
        return real(family, *rest)

    monkeypatch.setattr(tcp, "_bind", bind)
    with contextlib.closing(tcp.listen("localhost", 0)) as listener:
        assert reached_from(listener) == {V4, V6}
    assert len(refused) == 3


@pytest.mark.parametrize("host", [V4, V6])
def test_one_connection_is_taken_at_any_address_of_a_host(hosts, host):
    hosts(V6, V4)

    async def accept():
        with contextlib.closing(tcp.listen("localhost", 0)) as listener:
            accepting = asyncio.create_task(listener.accept())
            with socket.create_connection((host, listener.port)) as knocking:
                connection = await asyncio.wait_for(accepting, 10)
                assert connection.getpeername()[:2] == knocking.getsockname()[:2]
                connection.close()

    asyncio.run(accept())


def test_the_name_of_a_host_is_looked_up_once(hosts, monkeypatch):
    """Tables open ports while games go on: no name server may hold them up."""
    hosts(V4)
    tcp.listen("localhost", 0).close()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: pytest.fail("asked again"))
    tcp.listen("localhost", 0).close()
