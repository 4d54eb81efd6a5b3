"""The connections of a server, limited in number for each address, and in time for each state.

An HTTP connection waits for a request, receives its body, or is being answered; a WebSocket is open. The server cuts
off a client that waits too long, sends its body too slowly or does not read. An idle connection is cut off if its
address has too many idle connections, or if the server is full and a new connection arrives. This module counts the
WebSocket frames that the application never sees (pings, pongs, fragments); whole messages are counted where they are
read, as in ``live/viewer_connection``.
"""

from __future__ import annotations

import asyncio
import ipaddress
from collections import Counter
from typing import TYPE_CHECKING, Any, Protocol

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from hinterland.web.rates import Bucket, Rates, networks_of, share_of, widest_share_of

__all__ = ["Connections", "HttpConnection", "WebSocketConnection", "keep", "share_of", "with_mapped_networks"]

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from websockets.frames import Frame

    from hinterland.web.settings import Limits

POLICY = 1008
KEEP_EXTENSION = "hinterland.keep"
"""Name of the extension in a WebSocket's ASGI scope by which ``keep`` finds the connection."""
BYTES_AFTER_CLOSE, PAUSE_AFTER_CLOSE_S = 8 * 1024, 0.1
"""Bytes tolerated after our close frame, and the seconds between two reads of such bytes."""
PIECE_BYTES = 1024
"""Bytes parsed at once: at most 170 frames of a client, each of at least 6 bytes.

After each piece other connections have their turn, and a flood of frames is noticed.
"""


def keep(scope: Mapping[str, Any]) -> None:
    """Protect the connection of a player: a full server never cuts it off to make room."""
    extensions = scope.get("extensions") or {}
    if KEEP_EXTENSION in extensions:
        extensions[KEEP_EXTENSION]["call"]()


class Carrier(Protocol):
    """The transport of a connection."""

    def abort(self) -> None:
        """Close the connection at once."""


class Connections:
    """All connections of a server, counted by address."""

    def __init__(self, limits: Limits, most: int, proxies: Sequence[str] = ()) -> None:
        """``most``: limit of all connections together.

        ``proxies``: addresses and networks that have no limits per address, since many clients share each.
        """
        self._proxies = [ipaddress.ip_network(network) for network in with_mapped_networks(proxies)]
        self._proxies_here: set[str] = set()
        self.limits = limits
        self._most = most
        self._by_network: Counter[str] = Counter()
        self._addresses: dict[Carrier, str] = {}
        """The address or /64 network of each connection, kept here since a closed transport forgets its address."""
        self._carriers: dict[str, dict[Carrier, None]] = {}
        """By network (the address, or for IPv6 its /48): its connections, the oldest first."""
        self._upgraded: set[Carrier] = set()
        self._kept: set[Carrier] = set()
        """Connections of players."""
        self.total = 0
        self.refused = 0
        """Number of connections refused on arrival."""
        self._waiting: dict[HttpConnection, None] = {}
        self._waiting_by_address: Counter[str] = Counter()
        self._comings = Rates(limits.connections_per_second, limits.connections_per_address)

    def admit_connection(self, address: str) -> bool:
        """Say whether an address may open one more connection; cut off another connection for it if need be."""
        is_let_in = self._has_room(address)
        self.refused += not is_let_in
        return is_let_in

    def _has_room(self, address: str) -> bool:
        share = share_of(address)
        if self._is_proxy(address):
            self._proxies_here.add(share)
        elif self._comings.take(share) or not all(self._has_room_in(share, *one) for one in networks_of(share)):
            return False
        return self.total < self._most or self._make_room(None) or self._displace(widest_share_of(address))

    def _has_room_in(self, share: str, network: str, times: int) -> bool:
        """Say whether ``network`` has room for a connection; if it is full, cut off its oldest that is no WebSocket.

        ``network`` may have ``times`` as many connections as one address.
        """
        if self._by_network[network] < times * self.limits.connections_per_address:
            return True
        around = self._carriers.get(networks_of(share)[-1][0], ())
        asking = (one for one in around if one not in self._upgraded and self._is_in(one, network))
        return self._cut_off(next(asking, None))

    def _is_in(self, carrier: Carrier, network: str) -> bool:
        return any(network == one for one, _ in networks_of(self._addresses[carrier]))

    def _displace(self, share: str) -> bool:
        """In the network with most connections, cut off the oldest that is no player's; say whether one was cut off.

        That network must have at least two connections more than the network ``share``, for which room is made.
        """
        mine = len(self._carriers.get(share, ()))
        others = [one for name, one in self._carriers.items() if name not in self._proxies_here and len(one) > mine + 1]
        largest = max(others, key=len, default={})
        return self._cut_off(next((one for one in largest if one not in self._kept), None))

    def _cut_off(self, carrier: Carrier | None) -> bool:
        if carrier is None:
            return False
        self.leave(carrier)
        carrier.abort()
        return True

    def upgrade(self, carrier: Carrier) -> None:
        """Note that a connection is a WebSocket from now on."""
        self._upgraded.add(carrier)

    def keep(self, carrier: Carrier) -> None:
        """Note that a connection belongs to a player: a full server never cuts it off to make room."""
        if carrier in self._addresses:
            self._kept.add(carrier)

    def _is_proxy(self, address: str) -> bool:
        try:
            return bool(self._proxies) and any(ipaddress.ip_address(address) in network for network in self._proxies)
        except ValueError:
            return False

    def enter(self, carrier: Carrier, address: str) -> str:
        """Count a connection; return the address or network that it counts for."""
        share = self._addresses[carrier] = share_of(address)
        self._carriers.setdefault(widest_share_of(address), {})[carrier] = None
        self.total += 1
        self._by_network.update(network for network, _ in networks_of(share))
        return share

    def leave(self, carrier: Carrier) -> None:
        """Remove a connection from the count; may be called twice."""
        share = self._addresses.pop(carrier, None)
        if share is None:
            return
        self.total -= 1
        self._upgraded.discard(carrier)
        self._kept.discard(carrier)
        networks = [network for network, _ in networks_of(share)]
        for network in networks:
            self._by_network[network] -= 1
            if not self._by_network[network]:
                del self._by_network[network]
        del self._carriers[networks[-1]][carrier]
        if not self._carriers[networks[-1]]:
            del self._carriers[networks[-1]]

    def count(self, address: str) -> int:
        """Return the number of connections of an address; for IPv6, of its /64."""
        return self._by_network[share_of(address)]

    def wait(self, connection: HttpConnection) -> None:
        """Note that a connection is idle.

        If its address has too many idle connections, cut off the one idle for longest.
        """
        self._waiting[connection] = None
        self._waiting_by_address[connection.address] += 1
        most = self.limits.waiting_per_address
        if self._waiting_by_address[connection.address] > most and connection.address not in self._proxies_here:
            self._make_room(connection.address)

    def stop_waiting(self, connection: HttpConnection) -> None:
        """Note that a connection is busy or closed."""
        if connection in self._waiting:
            del self._waiting[connection]
            self._waiting_by_address[connection.address] -= 1
            if not self._waiting_by_address[connection.address]:
                del self._waiting_by_address[connection.address]

    def _make_room(self, address: str | None) -> bool:
        """Cut off the connection that has been idle for longest; say whether there was an idle one.

        ``address``: whose connections are considered; None: all.
        """
        found = (one for one in self._waiting if address in (None, one.address))
        if (longest := next(found, None)) is not None:
            longest.cut_off()
        return longest is not None


def with_mapped_networks(networks: Sequence[str]) -> list[str]:
    """Return the networks, and each IPv4 network also in its IPv6 form, which a server sees if it listens on both."""
    found = [ipaddress.ip_network(network) for network in networks]
    mapped = [f"::ffff:{one.network_address}/{96 + one.prefixlen}" for one in found if one.version == 4]
    return [*map(str, found), *mapped]


class HttpConnection(H11Protocol):
    """An HTTP connection."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.shares: Connections = self.config.shares  # type: ignore[attr-defined]
        self.address = ""
        self._is_upgraded = False
        self._state: tuple[str, object] = ("", None)
        self._deadline: asyncio.TimerHandle | None = None
        self._stuck: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.address = self.shares.enter(transport, self.client[0] if self.client else "")
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Take bytes. The deadline moves only if the bytes change the state of the connection."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._watch()

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._is_upgraded = True
        self.shares.upgrade(self.transport)
        self._rest()
        self._flows()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._rest()
        self._flows()
        self.shares.leave(self.transport)

    def pause_writing(self) -> None:
        """Cut off the client unless it reads on within ``Limits.send_s``."""
        super().pause_writing()
        self._stuck = self.loop.call_later(self.shares.limits.send_s, self.cut_off)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._flows()

    def _flows(self) -> None:
        if self._stuck is not None:
            self._stuck.cancel()

    def cut_off(self) -> None:
        """Close at once."""
        self._rest()
        self.transport.abort()

    def _watch(self) -> None:
        """Set a new deadline if the state of the connection has changed."""
        if self._is_upgraded or self.transport.is_closing():
            return
        state = self._doing()
        if state == self._state:
            return
        self._rest()
        self._state = state
        limits = self.shares.limits
        if state[0] == "waiting":
            self._deadline = self.loop.call_later(limits.request_s, self.cut_off)
            self.shares.wait(self)
        elif state[0] == "sending":
            self._deadline = self.loop.call_later(limits.body_s + 1, self.cut_off)  # the application answers 408 first

    def _doing(self) -> tuple[str, object]:
        if self.cycle is None or self.cycle.response_complete:
            return "waiting", self.cycle
        return "sending" if self.cycle.more_body else "answered", self.cycle

    def _rest(self) -> None:
        self.shares.stop_waiting(self)
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


class WebSocketConnection(WebSocketsSansIOProtocol):
    """A WebSocket. A client that stops reading, or sends too many frames, is cut off.

    The connection of such a client is aborted: the closing handshake of WebSockets could wait for ever.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._shares: Connections = self.config.shares  # type: ignore[attr-defined]
        limits = self._shares.limits
        self._uncounted = Bucket(limits.control_frames_per_second, 10 * limits.control_frames_per_second)
        """Rate of the frames that the application never sees."""
        self._unheard = 0
        """Number of bytes received after our close frame."""
        self._held = bytearray()
        """Bytes received but not parsed yet; reading pauses while there are any."""
        self._is_taking = False
        self.close_timeout = limits.send_s

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._held.clear()
        self._shares.leave(self.transport)

    def handle_connect(self, event: Any) -> None:
        """Open the WebSocket. From now on the application can protect the connection with ``keep``."""
        super().handle_connect(event)
        if hasattr(self, "scope"):
            self.scope["extensions"][KEEP_EXTENSION] = {"call": lambda: self._shares.keep(self.transport)}

    def data_received(self, data: bytes) -> None:
        """Take bytes at the application's pace; cut off a flood."""
        self._held += data
        self._go_on()

    async def receive(self) -> Any:
        """Return the next message. If no parsed message is left, parse and read on."""
        message = await super().receive()
        self._go_on()
        return message

    async def send(self, message: Any) -> None:
        """Send a message. If the message closes the WebSocket, read on until the client's close frame."""
        await super().send(message)
        self._go_on()

    def _go_on(self) -> None:
        """Parse the next piece, unless messages of the piece before still wait or parsing is scheduled already."""
        if not self._held or self._is_taking or self.read_paused:
            return
        piece = bytes(self._held[:PIECE_BYTES])
        del self._held[:PIECE_BYTES]
        if self.close_sent and not self._may_still_say(piece):
            self._held.clear()
            return
        super().data_received(piece)
        self._read_or_rest()

    def _read_or_rest(self) -> None:
        """Pause reading while unparsed bytes remain; parse them in the next turn of the loop."""
        if self.read_paused:
            return
        if not self._held:
            self.transport.resume_reading()
            return
        self.transport.pause_reading()
        self._is_taking = True
        self.loop.call_later(PAUSE_AFTER_CLOSE_S if self.close_sent else 0, self._take)

    def _take(self) -> None:
        self._is_taking = False
        self._go_on()

    def _may_still_say(self, piece: bytes) -> bool:
        """After our close frame, say whether to read on: the client may have sent ``piece`` before it saw that frame.

        A client that has sent more than ``BYTES_AFTER_CLOSE`` is cut off.
        """
        self._unheard += len(piece)
        if self._unheard > BYTES_AFTER_CLOSE:
            self.transport.abort()
        return not self.transport.is_closing()

    async def run_asgi(self) -> None:
        """Run the application, and cut off a client that does not read its last messages."""
        await super().run_asgi()
        self._cut_off_if_stuck()

    def shutdown(self) -> None:
        """Close the WebSocket; cut it off if the client does not read."""
        super().shutdown()
        self._cut_off_if_stuck()

    def send_receive_event_to_app(self) -> None:
        """Pass a message on to the application. Unlike uvicorn, leave it to the application to refuse invalid UTF-8."""
        data, self.frames = b"".join(self.frames), []
        if self.close_sent:
            return
        if self.curr_msg_data_type == "text":
            self.queue.put_nowait({"type": "websocket.receive", "text": data.decode("utf-8", "surrogateescape")})
        else:
            self.queue.put_nowait({"type": "websocket.receive", "bytes": data})
        if not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()

    def handle_ping(self) -> None:
        """Answer a ping, unless there are too many or the answers pile up unread."""
        super().handle_ping()
        self._count()
        self._cut_off_if_stuck()

    def handle_pong(self, event: Frame) -> None:
        """Count a pong."""
        super().handle_pong(event)
        self._count()

    def handle_cont(self, event: Frame) -> None:
        """Count a fragment."""
        super().handle_cont(event)
        self._count()

    def handle_text(self, event: Frame) -> None:
        """Take a whole message, or the first fragment of a message. Only fragments are counted here."""
        super().handle_text(event)
        if not event.fin:
            self._count()

    def _count(self) -> None:
        """Count a frame that the application does not see; close the connection if there are too many."""
        if not self.close_sent and self._uncounted.take():
            self.conn.fail(POLICY, "too many control frames or parts of messages")
            self.handle_parser_exception()
            self.loop.call_later(1.0, self.transport.abort)

    def _cut_off_if_stuck(self) -> None:
        if not self.writable.is_set():
            self.transport.abort()
