"""The source of a checked bot: a program that is started, a connection that somebody opens, or this process itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from hinterland.contract import Game, Rules
from hinterland.errors import ArenaError
from hinterland.host.check.checked_player import BOT, PAUSE_S, CheckedPlayer, Tap
from hinterland.host.lag_monitor import LagMonitor
from hinterland.host.matchmaker import AdmissionLimits
from hinterland.host.network.link import Link, LinkOwner
from hinterland.host.network.open_port import BotPort
from hinterland.host.network.tcp import Listener
from hinterland.host.player_connection import PlayerConnection
from hinterland.host.players.connecting_program import add_address
from hinterland.host.players.in_process import InProcessPlayer
from hinterland.host.players.program_player import PIPE_GRACE_MS, DeferredBreach, IntroductionWaiter, PipeCarrier
from hinterland.host.players.remote_player import FLUSH_HINT
from hinterland.host.processes.command import Command
from hinterland.host.processes.program_process import Program
from hinterland.referee.protocol import session
from hinterland.referee.protocol.hps import HpsSession
from hinterland.referee.protocol.json_lines import JsonSession
from hinterland.referee.protocol.line_session import LineSession
from hinterland.referee.protocol.names import clean_name
from hinterland.referee.verdicts import Verdict

EXIT_TIMEOUT_S = 2.0
"""Seconds that a bot has to end when it is told to."""
CLEANUP_TIMEOUT_S = 2 * EXIT_TIMEOUT_S + 10.0
"""Seconds after which no process of the bot may be left."""
KEPT_STDERR_LINES = 8
NETWORK_GRACE_MS = AdmissionLimits().grace_ms


class NobodyCame(ArenaError):  # noqa: N818
    """No bot has connected, or none has connected again."""


class BotSource:
    """Brings the bot to each game. This base class has no conversation to look at."""

    is_wired = False
    """Whether there is a conversation to look at."""
    speaks_json = True
    """Whether the bot speaks json, whose requests and answers are complete and name the time that is left."""
    connect_s = 0.0
    """Most seconds that the bot takes to come, and to pause before a game."""
    peak_bytes = 0
    """Most memory that the bot was seen to use at a time, in bytes; 0 if that cannot be seen."""
    looks = crowded_looks = 0
    """Number of looks at the machine while the bot ran, and number of looks when the bot wanted more processors than
    there are."""
    tap: Tap | None = None
    """The bot's conversation."""

    async def connect(self, rules: Rules, number: int = BOT) -> PlayerConnection:
        """Return the bot in a seat, after its introduction. Raises ArenaError if the bot does not come."""
        raise NotImplementedError

    async def leave(self) -> str:
        """Send the bot away; return what was wrong with its end, or an empty text."""
        return ""

    def stderr(self) -> tuple[str, ...]:
        """Return the last lines of its standard error, if it is a program that was started."""
        return ()


class InProcessSource(BotSource):
    """A built-in player, to which no bytes are sent."""

    def __init__(self, kind: Game, spec: str) -> None:
        self._kind, self._spec = kind, spec

    async def connect(self, rules: Rules, number: int = BOT) -> PlayerConnection:  # noqa: ARG002
        return InProcessPlayer(self._kind, number, clean_name(self._spec, ()), self._spec, 0)


class _LinkedSource(BotSource):
    """The common part of bots at the other end of a link."""

    is_wired = True

    def __init__(self, kind: Game, lag_monitor: LagMonitor, hello_s: float) -> None:
        self._kind, self._lag_monitor, self._hello_s = kind, lag_monitor, hello_s
        self._player: CheckedPlayer | None = None
        self._program: Program | None = None
        self._stderr = b""

    def _listen(self, link: Link, owner: LinkOwner) -> None:
        """Let ``owner`` take the messages of a link."""
        link.owner = owner

    async def _introduce(self, tap: Tap, rules: Rules, number: int, grace_ms: int) -> CheckedPlayer:
        link, greeting = tap.link, IntroductionWaiter()
        self._listen(link, greeting)
        link.say(link.session.greet(session.Seating(rules=rules, number=number)))
        await asyncio.wait({greeting.name}, timeout=self._hello_s)
        if not greeting.name.done():
            link.take_unfinished()
        if not greeting.name.done():
            link.close()
            late_hint = "" if link.session.framer.first else f"; {FLUSH_HINT}"
            raise ArenaError(f"it did not introduce itself within {self._hello_s:g} s{late_hint}")
        name = clean_name(greeting.name.result(), ())
        self._player = CheckedPlayer(self._kind, number, name, tap, grace_ms=grace_ms)
        self._listen(link, self._player)
        link.say(link.session.welcome(number, name))
        return self._player

    async def leave(self) -> str:
        program, self._program = self._program, None
        player, self._player = self._player, None
        try:
            if program is not None:
                await program.look()
            return await self._see_off(player, program)
        finally:
            if program is not None:
                program.end(0)
                await program.wait_until_ended()
                self.peak_bytes = max(self.peak_bytes, program.usage.peak)
                self.looks += program.looks
                self.crowded_looks += program.crowded_looks
                self._stderr = program.stderr_tail

    async def _see_off(self, player: CheckedPlayer | None, program: Program | None) -> str:
        raise NotImplementedError

    def stderr(self) -> tuple[str, ...]:
        tail = self._stderr if self._program is None else self._program.stderr_tail
        return tuple(ascii(line)[1:-1] for line in tail.decode("utf-8", "replace").splitlines()[-KEPT_STDERR_LINES:])


class ProgramSource(_LinkedSource):
    """A program that is started anew for each connection."""

    def __init__(self, kind: Game, command: Command, lag_monitor: LagMonitor, hello_s: float) -> None:
        super().__init__(kind, lag_monitor, hello_s)
        self.connect_s = hello_s
        self._command = command

    async def connect(self, rules: Rules, number: int = BOT) -> PlayerConnection:
        tap = self.tap = Tap(Link(JsonSession(), self._lag_monitor))
        program = self._program = await Program.start(self._command, tap)
        tap.attach_carrier(PipeCarrier(program, "the program"))
        try:
            return await self._introduce(tap, rules, number, PIPE_GRACE_MS)
        except ArenaError:
            await self.leave()
            raise

    def _listen(self, link: Link, owner: LinkOwner) -> None:
        assert self._program is not None
        link.owner = DeferredBreach(self._program, owner)

    async def _see_off(self, player: CheckedPlayer | None, program: Program | None) -> str:
        if player is None or program is None or not player.is_connected:
            return ""
        player.bye()
        program.close_input()
        return (
            ""
            if await program.exits_within(EXIT_TIMEOUT_S)
            else f"it still runs {EXIT_TIMEOUT_S:g} s after its input was closed"
        )


class TcpSource(_LinkedSource):
    """A bot that a person lets connect, each time anew."""

    def __init__(
        self,
        kind: Game,
        listener: Listener,
        make_session: Callable[[], LineSession],
        lag_monitor: LagMonitor,
        hello_s: float,
        wait_s: float,
        say: Callable[[str], None],
    ) -> None:
        super().__init__(kind, lag_monitor, hello_s)
        self._make_session, self._wait_s, self._say = make_session, wait_s, say
        self._port = BotPort(listener)
        self.speaks_json = isinstance(make_session(), JsonSession)
        self.connect_s = wait_s + hello_s + (0 if self.speaks_json else PAUSE_S)
        self._is_lost = False

    async def connect(self, rules: Rules, number: int = BOT) -> PlayerConnection:
        """Wait for a connection. After one wait in vain, later calls do not wait."""
        if self._is_lost:
            raise NobodyCame("nobody connected again before")
        tap = self.tap = Tap(Link(self._make_session(), self._lag_monitor))
        again = "" if self._port.carrier is None else " again"
        self._say(f"connect your bot{again} to {self._port.host}:{self._port.port} (within {self._wait_s:g} s)")
        try:
            async with asyncio.timeout(self._wait_s):
                await self._port.admit(tap.attach_carrier)
        except TimeoutError:
            self._is_lost = True
            raise NobodyCame(f"nobody connected{again} within {self._wait_s:g} s") from None
        return await self._introduce(tap, rules, number, NETWORK_GRACE_MS)

    async def _see_off(self, player: CheckedPlayer | None, program: Program | None) -> str:  # noqa: ARG002
        carrier, complaint = self._port.carrier, ""
        if carrier is None or self._port.is_free:
            return ""
        if player is not None and player.is_connected:
            player.bye()
            carrier.write_eof()
            try:
                async with asyncio.timeout(EXIT_TIMEOUT_S):
                    await self._port.wait_until_free()
            except TimeoutError:
                complaint = f"it has not hung up {EXIT_TIMEOUT_S:g} s after the connection was closed"
        carrier.abort()
        await self._port.wait_until_free()
        return complaint


class ConnectingSource(TcpSource):
    """A bot of hps that is started anew each time, and connects to the address on its command line."""

    def __init__(
        self, kind: Game, command: Command, listener: Listener, lag_monitor: LagMonitor, hello_s: float
    ) -> None:
        """Prepare the source. The program connects to ``listener``, which nobody else knows."""
        super().__init__(kind, listener, HpsSession, lag_monitor, hello_s, hello_s, lambda _: None)
        self._command = add_address(command, listener.host, listener.port, "bot")

    async def connect(self, rules: Rules, number: int = BOT) -> PlayerConnection:
        self._program = await Program.start(self._command, _IgnoringReceiver())
        try:
            return await super().connect(rules, number)
        except NobodyCame:
            ended = self._program.exit_words
            await self.leave()
            raise ArenaError(f"it did not connect within {self._wait_s:g} s ({ended})") from None
        except ArenaError:
            await self.leave()
            raise


class _IgnoringReceiver:
    """Ignores a program's output and its end: the connection says what matters."""

    def on_bytes(self, data: bytes, stamp_ns: int) -> None:
        """Drop the bytes."""

    def on_lost(self, verdict: Verdict, detail: str) -> None:
        """Do nothing: the connection ends with the program."""
