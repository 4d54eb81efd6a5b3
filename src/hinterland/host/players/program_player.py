"""The seat of a program that the referee starts itself and speaks to over pipes.

A program stays through the whole match. If the program ended, or was ended for a fault, it is started anew for the next
game. Subclasses speak to the program in another way (``connecting_program.py``).
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any, ClassVar

from hinterland.contract import Game, Position, Rules
from hinterland.errors import ArenaError, quote
from hinterland.host.lag_monitor import LagMonitor
from hinterland.host.network.link import Link, LinkOwner
from hinterland.host.observer import Observer
from hinterland.host.player_connection import SubmitEvent
from hinterland.host.players import remote_player
from hinterland.host.players.remote_player import RemotePlayer
from hinterland.host.processes.command import Command
from hinterland.host.processes.player_file import is_run_by_runner
from hinterland.host.processes.program_process import MAX_QUOTED_CHARACTERS, Program
from hinterland.host.processes.program_version import find_version
from hinterland.referee import judge
from hinterland.referee.protocol import session
from hinterland.referee.protocol.json_lines import JsonSession
from hinterland.referee.protocol.line_session import LineSession
from hinterland.referee.verdicts import Verdict

LATE_REPLY_S = 2.0
"""Seconds that a program which missed its deadline still has to send a late answer; without it the program is started
anew.

Players that the referee cannot start anew have the longer ``remote_player.LATE_REPLY_S``."""
MAX_STARTS = 3
"""How often a program is started at most if its files change while it starts."""
START_TIMEOUT_S = 10.0
"""Seconds that a program has from its start to its introduction; no game clock runs."""
BREACH_WAIT_S = 0.2
"""If a program prints text instead of a message: seconds to wait for its exit, which may say why."""
PIPE_GRACE_MS = 10
"""Milliseconds of each move that are not charged, for the way through the pipes."""


class ProgramPlayer(RemotePlayer):
    """A program on pipes. ``open`` starts it for the first time; ``close`` waits until all its processes are gone."""

    is_opened_by_game = True
    can_leave = False
    can_be_replaced = True
    session_type: ClassVar[type[LineSession]] = JsonSession
    """The protocol that the program speaks."""
    first_duty = "introduce itself"
    """What the program must do soon after its start, as a verb in a message."""

    def __init__(
        self,
        kind: Game,
        rules: Rules,
        number: int,
        name: str,
        command: Command,
        lag_monitor: LagMonitor,
        observer: Observer,
        pause_s: float = 0.0,
    ) -> None:
        self._rules = rules
        self._command = command
        self._lag_monitor = lag_monitor
        self._program: Program | None = None
        self._breach: DeferredBreach | None = None
        self._output_before = (0, 0)
        self._ended: list[Program] = []
        self._ended_between_games = False
        self._restarting: asyncio.Task[None] | None = None
        super().__init__(
            kind, number, name, self._new_link(), observer,
            grace_ms=PIPE_GRACE_MS, pause_s=pause_s, late_reply_s=min(LATE_REPLY_S, remote_player.LATE_REPLY_S),
        )  # fmt: skip

    async def open(self) -> None:
        """Start the program. Raises ArenaError if the program cannot be started or does not introduce itself.

        If its files change meanwhile, start it again, so that ``version`` is that of the running program.
        """
        for left in reversed(range(MAX_STARTS)):
            self.version = await self._find_version()
            try:
                link = await self._open_once()
            except ArenaError:
                if left and await self._find_version() != self.version:
                    continue
                raise
            if not left or await self._find_version() == self.version:  # it may change its own files at each start
                break
            link.close()
        version = self.version
        self._use_link(link)
        self.version = version
        self._listen(link, self)
        self.absence, self._has_finished = None, False
        link.say(link.session.welcome(self.number, self.name))

    async def _open_once(self) -> Link:
        """Start the program once; return its link when it has introduced itself. Raises ArenaError."""
        link = self._new_link()
        link.log = self.log
        greeting = IntroductionWaiter()
        try:
            await self._launch(link)
        except ArenaError as error:
            raise ArenaError(f"{self.name}: {error}") from None
        self._listen(link, greeting)
        try:
            async with asyncio.timeout(START_TIMEOUT_S):
                await self._reach(greeting)
                link.say(link.session.greet(session.Seating(rules=self._rules, number=self.number)))
                await greeting.name
        except TimeoutError:
            asked = f"{remote_player.FLUSH_HINT} {self.advice}" if self._is_silent else self.advice
            link.close()
            raise ArenaError(f"{self.name} did not {self.first_duty} within {START_TIMEOUT_S:g} s; {asked}") from None
        except ArenaError as error:
            link.close()
            self._tell_last_words()
            raise ArenaError(f"{self.name}: {error}{self._advice_if_it_helps}") from None
        return link

    async def _find_version(self) -> str:
        try:
            return await asyncio.to_thread(find_version, self._command)
        except ArenaError as error:
            raise ArenaError(f"{self.name}: {error}") from None

    async def prepare(self) -> None:
        """Wait for a late answer; start the program anew if it is gone."""
        await super().prepare()
        if self._restarting is not None:
            await self._restarting
        if not self.is_connected:
            try:
                await self._open_again()
            except ArenaError as error:
                self.absence = (Verdict.START, str(error))

    async def _open_again(self) -> None:
        """Start the program again. If the program had ended between two games, tell the observer."""
        if self._ended_between_games:
            self._observer.on_note(f"{self.name} ended between two games: it is started again")
        self._ended_between_games = False
        await self.open()

    async def close(self) -> None:
        """End the program and wait until all its processes are gone."""
        if self._restarting is not None:
            self._restarting.cancel()
            await asyncio.gather(self._restarting, return_exceptions=True)
        self.dismiss(session.Farewell(detail="the referee is closing"))
        for program in self._ended:  # including one that was being restarted
            program.end()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(START_TIMEOUT_S):
                await asyncio.gather(*(program.wait_until_ended() for program in self._ended))

    def start(self, start: session.Start, submit_event: SubmitEvent) -> None:
        """Begin a game; start the program again if it has ended since it was ready."""
        super().start(start, submit_event)
        if self._ended_between_games:
            self._begin_restart()

    def request_move(self, request: judge.Request, message: session.MoveRequest, position: Position[Any, Any]) -> bool:
        """Ask for a move. Complaints about a lack of memory that the program printed earlier no longer count."""
        if self._program is not None:
            self._output_before = self._program.output_so_far
        return super().request_move(request, message, position)

    @property
    def late_hint(self) -> str:  # type: ignore[override]
        return super().late_hint if self._program is not None and self._program.has_read_all else ""

    @property
    def _is_silent(self) -> bool:
        """Whether the program has read everything sent to it, and has sent no byte."""
        return self._program is not None and self._program.has_read_all and not self._program.output_so_far[0]

    def crowds_the_machine(self) -> bool:
        return self._program is not None and self._program.crowds_the_machine()

    def take_unfinished(self) -> None:
        """Take an unfinished answer.

        If the program has complained about a lack of memory since the request, report a crash instead.
        """
        if self._restarting is not None and not self._restarting.done():
            return
        if self._breach is not None:
            self._breach.report_breach()
        line = self._program.complaint(self._output_before) if self._program is not None and self._link.is_open else ""
        if line:
            self._fail(Verdict.CRASH, f"out of memory, and no answer: {quote(line, MAX_QUOTED_CHARACTERS)}")
            self._link.close()
        super().take_unfinished()

    def on_lost(self, verdict: Verdict, detail: str) -> None:
        """Learn that the program has ended.

        If the program ended between two games, start it again.
        """
        self._tell_last_words()
        ended = verdict is Verdict.DISCONNECT or (self._program is not None and self._program.ended_by_itself)
        if not (self._is_between_games and ended):
            super().on_lost(verdict, detail)
            return
        self._stop_awaiting()
        self._observer.on_leave(self, detail)
        self._ended_between_games = True
        if self._submit_event is not None:
            self._begin_restart()

    def _begin_restart(self) -> None:
        self._restarting = asyncio.get_running_loop().create_task(self._restart())

    async def _restart(self) -> None:
        """Start the program again in the middle of a game, while its clock runs."""
        try:
            await self._open_again()
        except ArenaError as error:
            self._fail(Verdict.START, str(error))
        else:
            self._repeat_start_and_request()

    @property
    def advice(self) -> str:
        """Advice to the author: what a program of this kind has to do."""
        if is_run_by_runner(self._command.argv):
            return "what the file does outside of choose must be done by then"
        return (
            'it must read lines of JSON and answer the first with {"type":"join","name":"…"};'
            " start a bot that connects and speaks hps with hps:…"
        )

    async def _launch(self, link: Link) -> None:
        """Start the program, and let ``link`` send and receive over it. Raises ArenaError."""
        self._keep_program(await Program.start(self._command, link, self.log))
        assert self._program is not None
        link.attach_carrier(PipeCarrier(self._program, self.name))

    async def _reach(self, greeting: IntroductionWaiter) -> None:
        """Wait until the program can be spoken to, or has failed."""

    def _listen(self, link: Link, owner: LinkOwner) -> None:
        """Let ``owner`` take the messages of a link.

        A breach of the protocol is held back for a moment, in which the program may end and say why.
        """
        assert self._program is not None
        self._breach = link.owner = DeferredBreach(self._program, owner)

    @property
    def _advice_if_it_helps(self) -> str:
        ran_out = self._program is not None and self._program.complaint()
        return "" if ran_out or is_run_by_runner(self._command.argv) else f"; {self.advice}"

    def _keep_program(self, program: Program) -> None:
        """Remember a program, so that ``close`` ends it."""
        self._program = program
        self._ended.append(program)

    def _tell_last_words(self) -> None:
        if self._program is not None and self._program.stderr_tail:
            self._observer.on_last_words(self.name, self._program.stderr_tail.decode("utf-8", "replace"))

    def _new_link(self) -> Link:
        return Link(self.session_type(), self._lag_monitor)


class PipeCarrier:
    """Carries a link over the pipes of a program; hanging up ends the program."""

    def __init__(self, program: Program, name: str) -> None:
        self.origin = name
        self.write, self.stop_reading, self.close = program.write, program.stop_reading, program.end


class DeferredBreach:
    """Passes on the messages of a program, but holds back a breach of the protocol for a moment.

    A program that prints an error instead of a message is usually about to end, and its exit says more.
    """

    def __init__(self, program: Program, owner: LinkOwner) -> None:
        self._program, self._owner = program, owner
        self._broken: session.Broken | None = None
        self._timer: asyncio.TimerHandle | None = None

    def on_message(self, message: session.Inbound) -> None:
        """Pass a message on, but hold back a breach of the protocol if the program printed readable text."""
        match message:
            case session.Broken(Verdict.PROTOCOL) if self._program.prose:
                self._broken = message
                self._timer = asyncio.get_running_loop().call_later(BREACH_WAIT_S, self.report_breach)
            case _:
                self._owner.on_message(message)

    def report_breach(self) -> None:
        """Report the breach now."""
        broken = self._stop_waiting()
        if broken is not None:
            line = self._program.complaint()
            reason = f"out of memory: {quote(line, MAX_QUOTED_CHARACTERS)}" if line else self._quoted_output
            self._owner.on_message(session.Broken(broken.verdict, f"{broken.detail}; {reason}"))

    def on_lost(self, verdict: Verdict, detail: str) -> None:
        """Report how the program ended, together with a breach that was held back."""
        broken = self._stop_waiting()
        if broken is None or self._program.complaint():
            self._owner.on_lost(verdict, detail)
        elif self._program.has_failed:
            self._owner.on_lost(verdict, f"{detail}; {self._quoted_output}")
        else:
            self._owner.on_message(session.Broken(broken.verdict, f"{broken.detail}; {self._quoted_output}, and ended"))

    @property
    def _quoted_output(self) -> str:
        return f"it said {quote(self._program.prose, MAX_QUOTED_CHARACTERS)}"

    def _stop_waiting(self) -> session.Broken | None:
        broken, self._broken = self._broken, None
        if self._timer is not None:
            self._timer.cancel()
        return broken


class IntroductionWaiter:
    """Waits for the introduction."""

    def __init__(self) -> None:
        self.name: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def on_message(self, message: session.Inbound) -> None:
        match message:
            case session.Introduction(name) if not self.name.done():
                self.name.set_result(name)
            case session.Broken(verdict, detail):
                self._fail(f"{verdict}: {detail}")

    def on_lost(self, verdict: Verdict, detail: str) -> None:  # noqa: ARG002
        self._fail(detail)

    def _fail(self, detail: str) -> None:
        if not self.name.done():
            self.name.set_exception(ArenaError(detail))
