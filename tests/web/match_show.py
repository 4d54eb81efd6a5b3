"""A match that is watched: a real host, the referee's web server in the same loop, and viewers over real sockets."""

import asyncio
import contextlib
import json

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from hinterland.host.match_host import MatchHost
from hinterland.host.observer import Observers
from hinterland.web.watching import watching
from referee_clients import PATIENCE_S, HpsPlayer, Log, Table, answer_json

LINGER_S = 0.05


class Watched(Table):
    """A host whose matches are shown."""

    def __init__(self, what, observer, **options):
        super().__init__(what, **options)
        self.host = MatchHost(self.plan, Observers([self.log, observer]), records=options.get("records"))


@contextlib.asynccontextmanager
async def show_of(what, *, linger_s=LINGER_S, **options):
    """Open a host and its show."""
    async with (
        watching(what, host="127.0.0.1", port=0, players_at=("127.0.0.1", 9000), linger_s=linger_s) as show,
        Watched(what, show.match_show, **options) as table,
    ):
        show.match_show.lobby = table.host.lobby
        yield show, table


class Viewer:
    """A browser's connection."""

    def __init__(self, socket):
        self.socket = socket
        self.seen = []

    async def hear(self):
        """Return the next snapshot; pings are passed over."""
        async with asyncio.timeout(PATIENCE_S):
            while (message := json.loads(await self.socket.recv()))["type"] == "ping":
                pass
        assert message["type"] == "snapshot", message
        self.seen.append(message)
        return message

    async def see(self, wanted):
        """Return the first snapshot that is as wanted."""
        while not wanted(message := await self.hear()):
            pass
        return message

    async def rest(self):
        """Hear all there is; return how the connection was closed."""
        try:
            while True:
                await self.hear()
        except ConnectionClosed as closed:
            return closed.rcvd.code, closed.rcvd.reason


def socket_url(show, what):
    return f"{show.url.replace('http', 'ws')}/tables/{show.match_show.id}/{what}"


@contextlib.asynccontextmanager
async def viewer_of(show):
    async with connect(socket_url(show, "live"), proxy=None) as socket:
        await socket.send('{"type":"hello","key":null}')
        yield Viewer(socket)


def state(name):
    return lambda snapshot: snapshot["match"]["state"] == name


def game(number, *, over=False):
    """Want a snapshot of a game, going on or over."""
    return lambda seen: seen["match"]["number"] == number and (seen["outcome"] is not None) == over


async def play_hps(table, *names):
    """Seat players of protocol hps and let them play to the end."""
    rules = table.plan.config.rules
    wires = [await table.sit(name) for name in names]
    return asyncio.gather(*(HpsPlayer(wire, rules).play() for wire in wires))


class Frames:
    """A player over a WebSocket, with the face of a wire."""

    def __init__(self, socket):
        self.socket = socket

    async def send_json(self, **message):
        await self.socket.send(json.dumps(message))

    async def message(self):
        async with asyncio.timeout(PATIENCE_S):
            return json.loads(await self.socket.recv())

    async def play(self, name, rules):
        """Join and play to the end; return all messages."""
        messages = [await self.message()]
        await self.send_json(type="join", name=name)
        with contextlib.suppress(ConnectionClosed):
            while True:
                message = await self.message()
                messages.append(message)
                if message["type"] == "turn":
                    await answer_json(self, message, rules)
        return messages


__all__ = ["Log", "Viewer", "Watched"]
