"""The seats of bots that speak hps and connect to the referee, as the bots of the course do.

The spec ``hps:./bot`` names a program that the referee starts. The referee opens a port of this machine for this
program alone, and tells the program where to connect. ``hps:9001`` stands for a bot that somebody starts by hand and
that connects to port 9001.
"""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec

from hinterland.contract import Game, Rules
from hinterland.errors import ArenaError, quote
from hinterland.host.lag_monitor import LagMonitor
from hinterland.host.network.link import Link, LinkOwner, Receiver
from hinterland.host.network.open_port import BotPort
from hinterland.host.network.tcp import TcpCarrier, listen
from hinterland.host.observer import Observer
from hinterland.host.players.program_player import PIPE_GRACE_MS, IntroductionWaiter, ProgramPlayer
from hinterland.host.players.remote_player import RemotePlayer
from hinterland.host.processes.command import Command
from hinterland.host.processes.program_process import Program
from hinterland.referee.protocol import misconnections, session
from hinterland.referee.protocol.hps import HpsSession
from hinterland.referee.verdicts import Verdict

HPS_PREFIX = "hps:"
LOCAL_HOST = "127.0.0.1"
CONNECT_WAIT_S = 120.0
"""Seconds that a bot started by hand has to connect; no game clock runs."""
INTRODUCTION_S = 5.0
"""Seconds that a bot has, after connecting, to send its name."""
EXIT_GRACE_S = 0.08
"""Seconds to wait, once a program's connection has ended, for the program's exit, which tells more of the cause. The
wait is shorter than the silence that ends a line: the end of a connection must not make an unfinished line an
answer."""
KEPT_OUTPUT_BYTES = 64


def port_of(spec: str) -> int | None:
    """Return the port of ``hps:PORT``, or None if the spec starts a program. Raises ArenaError for a wrong port."""
    text = spec.removeprefix(HPS_PREFIX).strip()
    if not (text.isascii() and text.isdigit()):
        return None
    if len(text) > 5 or int(text) > 65535:
        raise ArenaError(f"a port is a number from 0 to 65535, not {quote(text)}; the form is hps:PORT")
    return int(text)


def add_address(command: Command, host: str, port: int, name: str) -> Command:
    """Return the command with {host}, {port} and {name} filled in.

    If the command has no {port}, append host and port.
    """
    values = {"{host}": host, "{port}": str(port), "{name}": name}
    argv = []
    for word in command.argv:
        for place, value in values.items():
            word = word.replace(place, value)  # noqa: PLW2901
        argv.append(word)
    says_where = any("{port}" in word for word in command.argv)
    return msgspec.structs.replace(command, argv=(*argv, *(() if says_where else (host, str(port)))))


def _open_local_port(port: int = 0) -> BotPort:
    """Open a port of this machine; 0 means any free port. Raises ArenaError if the port is taken."""
    try:
        return BotPort(listen(LOCAL_HOST, port))
    except ArenaError as error:
        raise ArenaError(str(error).partition("; choose another")[0]) from None


class ConnectingProgram(ProgramPlayer):
    """A program that connects to the address on its command line."""

    session_type = HpsSession
    first_duty = "connect and introduce itself"

    @property
    def advice(self) -> str:
        if self._call is not None and self._call.speaks_json:
            return "its standard output looks like the JSON protocol; start it with cmd:…"
        return (
            "hps:… starts a program that connects to the host and port at the end of its command line and speaks hps;"
            " start a bot that speaks JSON over its pipes with cmd:…"
        )

    _call: _ProgramCarrier | None = None
    _open_port: BotPort | None = None

    @property
    def _is_silent(self) -> bool:
        """Whether the program is connected and has not sent a byte."""
        return self._call is not None and self._call.is_connected and not self._call.has_heard

    async def _launch(self, link: Link) -> None:
        open_port = self._open_port = _open_local_port()
        self._call = _ProgramCarrier(link, self.name)
        try:
            command = add_address(self._command, open_port.host, open_port.port, self.name)
            self._keep_program(await Program.start(command, self._call, self.log))
        except ArenaError:
            open_port.close()
            raise
        self._call.program = self._program
        link.attach_carrier(self._call)

    async def _reach(self, greeting: IntroductionWaiter) -> None:
        assert self._open_port is not None
        assert self._call is not None
        letting_in = asyncio.ensure_future(self._open_port.admit(self._call.accept_connection, is_last=True))
        awaited: set[asyncio.Future[Any]] = {letting_in, greeting.name}
        try:
            await asyncio.wait(awaited, return_when=asyncio.FIRST_COMPLETED)
        finally:
            letting_in.cancel()
            self._open_port.close()

    async def close(self) -> None:
        await super().close()
        if self._open_port is not None:
            await self._open_port.wait_until_free()

    def _listen(self, link: Link, owner: LinkOwner) -> None:
        """Let ``owner`` take the messages of a link.

        Unlike the base class, pass on a breach of the protocol at once: what a connecting program prints is no part of
        its conversation with the referee, and cannot explain the breach.
        """
        link.owner = owner


class _ProgramCarrier:
    """Carries a link's bytes over the connection of a program, and learns when the program ends."""

    def __init__(self, link: Link, name: str) -> None:
        self.origin = name
        self.program: Program | None = None
        self._link = link
        self._carrier: TcpCarrier | None = None
        self._printed = b""

    @property
    def is_connected(self) -> bool:
        return self._carrier is not None

    @property
    def has_heard(self) -> bool:
        """Whether a byte has come over the connection."""
        return bool(self._link.session.framer.first)

    @property
    def speaks_json(self) -> bool:
        """Whether the program prints what looks like messages of protocol json."""
        return misconnections.guess_protocol(self._printed.lstrip()) == "json"

    def accept_connection(self, carrier: TcpCarrier) -> Receiver:
        self._carrier = carrier
        return _ConnectionReceiver(self._link)

    # Carrier

    def write(self, data: bytes) -> None:
        if self._carrier is not None:
            self._carrier.write(data)

    def stop_reading(self) -> None:
        if self._carrier is not None:
            self._carrier.stop_reading()

    def close(self) -> None:
        """Hang up, and end the program."""
        if self._carrier is not None:
            self._carrier.close()
        if self.program is not None:
            self.program.end()

    # Receiver of the program

    def on_bytes(self, data: bytes, stamp_ns: int) -> None:  # noqa: ARG002
        """Drop what the program prints, except the first bytes, which may show the protocol that it speaks."""
        if len(self._printed) < KEPT_OUTPUT_BYTES:
            self._printed += data[:KEPT_OUTPUT_BYTES]

    def on_lost(self, verdict: Verdict, detail: str) -> None:
        self._link.on_lost(verdict, detail)


class _ConnectionReceiver:
    """Takes the bytes of a program's connection."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def on_bytes(self, data: bytes, stamp_ns: int) -> None:
        self._link.on_bytes(data, stamp_ns)

    def on_lost(self, verdict: Verdict, detail: str) -> None:
        """Report the loss after a moment, in which the program may exit and say why."""
        asyncio.get_running_loop().call_later(EXIT_GRACE_S, self._link.on_lost, verdict, detail)


class AwaitedPlayer(RemotePlayer):
    """A bot that a person starts by hand and that connects to a port. A bot that leaves misses all further games."""

    def __init__(
        self,
        kind: Game,
        rules: Rules,
        number: int,
        name: str,
        port: int,
        lag_monitor: LagMonitor,
        observer: Observer,
        *,
        pause_s: float,
    ) -> None:
        self._rules, self._port = rules, port
        self._open_port: BotPort | None = None
        link = Link(HpsSession(), lag_monitor)
        super().__init__(kind, number, name, link, observer, grace_ms=PIPE_GRACE_MS, pause_s=pause_s)

    async def open(self) -> None:
        """Wait for the bot. Raises ArenaError if no bot connects, or if the bot does not introduce itself."""
        link, open_port = self._link, _open_local_port(self._port)
        self._open_port = open_port
        greeting = link.owner = IntroductionWaiter()
        self._observer.on_note(f"{self.name}: waiting for a bot at {open_port.host}:{open_port.port}")
        try:
            async with asyncio.timeout(CONNECT_WAIT_S):
                await open_port.admit(link.attach_carrier, is_last=True)
            link.say(link.session.greet(session.Seating(rules=self._rules, number=self.number)))
            async with asyncio.timeout(INTRODUCTION_S):
                await greeting.name
        except TimeoutError:
            did = "say its name" if link.is_open else f"connect to {open_port.host}:{open_port.port}"
            wait_s = INTRODUCTION_S if link.is_open else CONNECT_WAIT_S
            link.close()
            raise ArenaError(f"{self.name}: no bot did {did} within {wait_s:g} s") from None
        except ArenaError as error:
            link.close(link.session.dismiss(session.Farewell(detail=str(error))))
            raise ArenaError(f"{self.name}: {error}") from None
        finally:
            open_port.close()
        self._use_link(link)
        link.say(link.session.welcome(self.number, self.name))

    async def close(self) -> None:
        await super().close()
        if self._open_port is not None:
            await self._open_port.wait_until_free()
