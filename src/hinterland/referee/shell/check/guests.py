"""Where the bot comes from: a program that is started, a connection that somebody opens, or a player of the house."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Protocol

from hinterland.errors import ArenaError
from hinterland.referee.shell.check.tap import Tap
from hinterland.referee.shell.house import HouseChair
from hinterland.referee.shell.link import Link
from hinterland.referee.shell.lobby import Doors
from hinterland.referee.shell.process import Program
from hinterland.referee.shell.program import Patience
from hinterland.referee.shell.remote import RemoteChair
from hinterland.referee.shell.tcp import TcpCarrier
from hinterland.referee.shell.watcher import Watcher
from hinterland.referee.wire import talk
from hinterland.referee.wire.json_lines import JsonTalk
from hinterland.referee.wire.names import clean_name

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

    from hinterland.contract import Game, Position, Rules
    from hinterland.referee import judge
    from hinterland.referee.shell.chair import Chair
    from hinterland.referee.shell.check.tap import Packets
    from hinterland.referee.shell.command import Command
    from hinterland.referee.shell.heartbeat import Heartbeat
    from hinterland.referee.shell.link import LinkOwner

__all__ = ["BOT", "CLOSING_S", "Bots", "Caller", "Guest", "HouseBots", "NobodyCame", "ProgramBots", "TcpBots"]

BOT = 0
"""The player number of the bot."""
END_S = 2.0
"""How long a bot may take to end when it is told to."""
CLOSING_S = 2 * END_S + 10.0
"""How long it may take until nothing of it is left."""
PAUSE_S = Doors().pause_s
"""In protocol hps, between two games, as in a match."""
STDERR_LINES = 8
PROGRAM_GRACE_MS, NETWORK_GRACE_MS = 10, 100


class NobodyCame(ArenaError):  # noqa: N818
    """Nobody let the bot connect (again)."""


class Guest(RemoteChair):
    """The bot in its chair: what it says unasked is noted."""

    def __init__(self, kind: Game, name: str, link: Link, tap: Tap, *, grace_ms: int) -> None:
        super().__init__(kind, BOT, name, link, Watcher(), grace_ms=grace_ms, pause_s=PAUSE_S)
        self.tap = tap
        self.unasked: list[str] = []
        """What it said unasked, in words."""
        self.answers: list[tuple[object, ...]] = []
        """What it answered in this game, number by number."""
        self.took_s: list[float] = []
        """How long each answer took."""
        self._refusals = 0

    def begin(self, packets: Packets, refusals: int) -> None:
        """Begin a game in which messages are cut in a way, and so many answers are refused."""
        self.tap.packets, self._refusals = packets, refusals
        self.answers, self.took_s = [], []

    def end(self) -> None:
        """Send what was held back in the game."""
        self.tap.packets = "whole"
        self.tap.flush()

    def ask(self, ask: judge.Ask, question: talk.Question, position: Position[Any, Any]) -> None:
        """Ask; whatever was held back goes out with the question."""
        super().ask(ask, question, position)
        if self.tap.packets == "joined":
            self.tap.flush()

    def bye(self) -> None:
        """Say the last words and nothing after them, and leave the connection open."""
        self._settle_debt()
        last = talk.Farewell(detail="the checks are over", names=(self.name,), totals=(0,))
        self.tap.packets = "whole"
        self._link.say(self._link.talk.farewell(last))
        self.tap.say_no_more()

    def heard(self, heard: talk.Heard) -> None:
        """Note what was answered and what was not asked for; comments may be made at any time."""
        if isinstance(heard, talk.Reply):
            self.answers.append(heard.numbers)
            self.took_s.append((heard.stamp_ns - self._asked_ns) / 1e9)
            if self._refusals:
                self._refusals -= 1
                heard = talk.Unreadable(heard.turn, "refused", "this check refuses your first answer", heard.stamp_ns)
        if isinstance(heard, talk.Ignored) and not heard.is_late_answer and heard.detail != "a comment":
            self.unasked.append(heard.detail)
        super().heard(heard)


class Bots(Protocol):
    """Gets the bot to come, again and again."""

    is_wired: bool
    """Whether there is a conversation that can be looked at."""
    speaks_of_time: bool
    """Whether it is told how much time it has."""
    speaks_json: bool
    """Whether it speaks json, in which every question and every answer says all."""
    coming_s: float
    """How long it may take to come, and to rest before a game."""
    peak_bytes: int
    """The most memory that it used at a time, as far as that was seen; 0 where it cannot be seen."""

    async def come(self, rules: Rules) -> Chair:
        """Return the bot, introduced, in a chair. Raises ArenaError where it does not come."""

    async def leave(self) -> str:
        """Send the bot away; return what is wrong with how it went, or nothing."""

    def stderr(self) -> tuple[str, ...]:
        """Return the last lines of its standard error."""


class Caller:
    """Waits for the introduction on a new link."""

    def __init__(self, link: Link) -> None:
        self.name: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        link.owner = self

    def heard(self, heard: talk.Heard) -> None:
        """Take the introduction."""
        match heard:
            case talk.Introduction(name) if not self.name.done():
                self.name.set_result(clean_name(name, ()))
            case talk.Broken(verdict, detail):
                self._fail(f"{verdict}: {detail}")

    def lost(self, verdict: object, detail: str) -> None:  # noqa: ARG002
        """Learn that it is gone."""
        self._fail(detail)

    def _fail(self, detail: str) -> None:
        if not self.name.done():
            self.name.set_exception(ArenaError(detail))


class _Wired:
    """What bots at the other end of a link have in common."""

    is_wired = True
    peak_bytes = 0

    def __init__(self, kind: Game, heartbeat: Heartbeat, hello_s: float) -> None:
        self.tap: Tap | None = None
        self._kind, self._heartbeat, self._hello_s = kind, heartbeat, hello_s
        self._guest: Guest | None = None
        self._listens: Callable[[LinkOwner], LinkOwner] = lambda owner: owner

    def _tap(self, spoken: talk.Talk) -> tuple[Link, Tap]:
        link = Link(spoken, self._heartbeat)
        self.tap = Tap(link)
        return link, self.tap

    async def _introduced(self, link: Link, caller: Caller, rules: Rules, grace_ms: int) -> Guest:
        assert self.tap is not None
        link.owner = self._listens(caller)
        link.say(link.talk.greet(talk.Seating(rules=rules, number=BOT)))
        await asyncio.wait({caller.name}, timeout=self._hello_s)
        if not caller.name.done():
            link.settle()
        if not caller.name.done():
            link.close()
            raise ArenaError(f"it did not introduce itself within {self._hello_s:g} s")
        name = caller.name.result()
        self._guest = Guest(self._kind, name, link, self.tap, grace_ms=grace_ms)
        link.owner = self._listens(self._guest)
        link.say(link.talk.welcome(BOT, name))
        return self._guest


class ProgramBots(_Wired):
    """A program that is started, and started anew each time."""

    speaks_of_time = speaks_json = True

    def __init__(self, kind: Game, command: Command, heartbeat: Heartbeat, hello_s: float) -> None:
        super().__init__(kind, heartbeat, hello_s)
        self.coming_s = hello_s
        self._command = command
        self._program: Program | None = None
        self._stderr = b""

    async def come(self, rules: Rules) -> Chair:
        """Start the program."""
        link, tap = self._tap(JsonTalk())
        caller = Caller(link)
        program = self._program = await Program.start(self._command, tap)
        tap.carried_by(_Pipes(self._program))
        self._listens = lambda owner: Patience(program, owner)
        try:
            return await self._introduced(link, caller, rules, PROGRAM_GRACE_MS)
        except ArenaError:
            await self.leave()
            raise

    async def leave(self) -> str:
        """Say farewell, close its input, and see whether it ends."""
        program, self._program = self._program, None
        if program is None:
            return ""
        try:
            await program.look()
            return await self._see_off(program)
        finally:
            program.end(0)
            await program.wait_ended()
            self.peak_bytes = max(self.peak_bytes, program.usage.peak)
            self._stderr = program.stderr_tail

    async def _see_off(self, program: Program) -> str:
        if self._guest is None or not self._guest.is_connected:
            return ""
        self._guest.bye()
        program._stdin.close()
        for _ in range(round(END_S / 0.01)):
            if program.exit_words != "still running":
                return ""
            await asyncio.sleep(0.01)
        return f"it still runs {END_S:g} s after its input was closed"

    def stderr(self) -> tuple[str, ...]:
        """Return the last lines of its standard error."""
        tail = self._stderr if self._program is None else self._program.stderr_tail
        return tuple(ascii(line)[1:-1] for line in tail.decode("utf-8", "replace").splitlines()[-STDERR_LINES:])


class _Pipes:
    """Carries a link over the pipes of a program; hanging up leaves it running."""

    origin = "the program"

    def __init__(self, program: Program) -> None:
        self.write, self.stop_reading = program.write, program.stop_reading

    def close(self) -> None:
        """Do nothing: the program is ended when it is no longer looked at."""


class TcpBots(_Wired):
    """A bot that somebody lets connect, anew each time."""

    def __init__(
        self,
        kind: Game,
        listener: socket.socket,
        make_talk: Callable[[], talk.Talk],
        heartbeat: Heartbeat,
        hello_s: float,
        wait_s: float,
        say: Callable[[str], None],
    ) -> None:
        super().__init__(kind, heartbeat, hello_s)
        self._listener, self._make_talk, self._wait_s, self._say = listener, make_talk, wait_s, say
        self.speaks_of_time = self.speaks_json = isinstance(make_talk(), JsonTalk)
        self.coming_s = wait_s + hello_s + (0 if self.speaks_json else PAUSE_S)
        self._carrier: TcpCarrier | None = None
        self._gone = asyncio.Event()
        self._comings = 0
        self._is_lost = False

    async def come(self, rules: Rules) -> Chair:
        """Wait for a connection; for none any more where nobody came once."""
        if self._is_lost:
            raise NobodyCame("nobody connected again before")
        link, tap = self._tap(self._make_talk())
        carrier = await self._accepted(tap)
        tap.carried_by(carrier)
        return await self._introduced(link, Caller(link), rules, NETWORK_GRACE_MS)

    async def _accepted(self, tap: Tap) -> TcpCarrier:
        host, port = self._listener.getsockname()[:2]
        again = " again" if self._comings else ""
        self._say(f"connect your bot{again} to {host}:{port} (within {self._wait_s:g} s)")
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(self._wait_s):
                connection, _ = await loop.sock_accept(self._listener)
        except TimeoutError:
            self._is_lost = True
            raise NobodyCame(f"nobody connected{again} within {self._wait_s:g} s") from None
        self._comings += 1
        gone = self._gone = asyncio.Event()
        _, self._carrier = await loop.connect_accepted_socket(
            lambda: TcpCarrier(lambda _: tap, lambda _: gone.set()), connection
        )
        return self._carrier

    async def leave(self) -> str:
        """Say farewell, send no more, and see whether it hangs up."""
        carrier, self._carrier = self._carrier, None
        guest, self._guest = self._guest, None
        if carrier is None or self._gone.is_set():
            return ""
        complaint = ""
        if guest is not None and guest.is_connected:
            guest.bye()
            carrier.write_eof()
            try:
                async with asyncio.timeout(END_S):
                    await self._gone.wait()
            except TimeoutError:
                complaint = f"it has not hung up {END_S:g} s after the connection was closed"
        carrier.abort()
        await self._gone.wait()
        return complaint

    def stderr(self) -> tuple[str, ...]:
        """Return nothing: it is not known."""
        return ()


class HouseBots:
    """A player of the house: no bytes go to it."""

    is_wired = False
    speaks_of_time = speaks_json = True
    coming_s = 0.0
    peak_bytes = 0

    def __init__(self, kind: Game, spec: str) -> None:
        self._kind, self._spec = kind, spec

    async def come(self, rules: Rules) -> Chair:  # noqa: ARG002
        """Seat it."""
        return HouseChair(self._kind, BOT, clean_name(self._spec, ()), self._spec, 0)

    async def leave(self) -> str:
        """Let it go."""
        return ""

    def stderr(self) -> tuple[str, ...]:
        """Return nothing: it has none."""
        return ()
