"""Sources of the checked bot: a started program, a connection that a person opens, or a player of this process."""

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
"""Seconds within which a bot must end after it was told to."""
CLEANUP_TIMEOUT_S = 2 * EXIT_TIMEOUT_S + 10.0
"""Most seconds from sending a bot away until none of its processes is left."""
KEPT_STDERR_LINES = 8
NETWORK_GRACE_MS = AdmissionLimits().grace_ms


class NobodyCame(ArenaError):  # noqa: N818
    """No bot connected in time, at first or when it was needed again."""


class BotSource:
    """Connects the bot for each game. The bot of this base class exchanges no messages."""

    is_wired = False
    """Whether the bot exchanges messages with the referee, as all but built-in players do."""
    speaks_json = True
    """Whether the bot speaks protocol json; in protocol hps no request tells the seat or the time that is left."""
    connect_s = 0.0
    """Most seconds before a game for connecting the bot, its introduction and, in hps, the pause."""
    peak_bytes = 0
    """Most memory, in bytes, that the bot was seen to use at any moment; 0 if its memory cannot be seen."""
    looks = crowded_looks = 0
    """Number of looks at the bot's processes, and of looks at which they wanted more processors than there are."""
    tap: Tap | None = None
    """Keeps the last messages between bot and referee; None without a connection."""

    async def connect(self, rules: Rules, number: int = BOT) -> PlayerConnection:
        """Connect the bot and return it once it has introduced itself. Raises ArenaError if the bot does not."""
        raise NotImplementedError

    async def leave(self) -> str:
        """Send the bot away. Return a complaint if the bot did not end as it should, otherwise an empty text."""
        return ""

    def stderr(self) -> tuple[str, ...]:
        """Return the last lines of the bot's standard error; none unless the bot is a program that was started here."""
        return ()


class InProcessSource(BotSource):
    """A built-in player, to which no bytes are sent."""

    def __init__(self, kind: Game, spec: str) -> None:
        self._kind, self._spec = kind, spec

    async def connect(self, rules: Rules, number: int = BOT) -> PlayerConnection:  # noqa: ARG002
        return InProcessPlayer(self._kind, number, clean_name(self._spec, ()), self._spec, 0)


class _LinkedSource(BotSource):
    """The common part of all sources whose bots exchange messages with the referee over a link."""

    is_wired = True

    def __init__(self, kind: Game, lag_monitor: LagMonitor, hello_s: float) -> None:
        self._kind, self._lag_monitor, self._hello_s = kind, lag_monitor, hello_s
        self._player: CheckedPlayer | None = None
        self._program: Program | None = None
        self._stderr = b""

    def _listen(self, link: Link, owner: LinkOwner) -> None:
        """Let ``owner`` receive the messages that come over ``link``."""
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
    """A program, which is started anew whenever the bot has to connect."""

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
    """A bot that a person starts, again and again if needed, and that connects to a port."""

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
        """Wait for a connection. Raises NobodyCame if no bot connects in time; then later calls raise it at once."""
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
    """A bot of hps, which is started whenever it has to connect; its command line tells it the address."""

    def __init__(
        self, kind: Game, command: Command, listener: Listener, lag_monitor: LagMonitor, hello_s: float
    ) -> None:
        """Prepare the source. Only the program is told the address of ``listener``."""
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
    """Ignores the output and the end of a program whose messages come over a connection."""

    def on_bytes(self, data: bytes, stamp_ns: int) -> None:
        """Drop the bytes."""

    def on_lost(self, verdict: Verdict, detail: str) -> None:
        """Do nothing: the program's connection ends with the program, and its loss is reported."""
