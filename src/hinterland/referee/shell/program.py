"""The chair of a program that the referee starts itself and speaks to over pipes.

A program stays through the whole match. One that ended, or was ended for what it did, is started anew for the next
game. How it is spoken to is for a subclass to change (``connecting.py``).
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from hinterland.errors import ArenaError
from hinterland.referee.judge import Verdict
from hinterland.referee.shell import remote
from hinterland.referee.shell.link import Link
from hinterland.referee.shell.process import Program
from hinterland.referee.shell.remote import RemoteChair
from hinterland.referee.wire import talk
from hinterland.referee.wire.json_lines import JsonTalk

if TYPE_CHECKING:
    from hinterland.contract import Game, Rules
    from hinterland.referee.shell.command import Command
    from hinterland.referee.shell.heartbeat import Heartbeat
    from hinterland.referee.shell.watcher import Watcher

__all__ = ["Greeting", "ProgramChair"]

OWING_S = 2.0
"""How long after its deadline a program may take to show that it is alive; a dead one is replaced."""
START_S = 10.0
"""How long a program may take from its start to its introduction; no game clock runs."""
GRACE_MS = 10
"""What the way through the pipes may take, each move."""


class ProgramChair(RemoteChair):
    """A program on pipes. ``open`` starts it for the first time; ``close`` waits until nothing of it is left."""

    can_be_replaced = True
    first_deed = "introduce itself"
    """What it must do soon after its start."""

    def __init__(
        self,
        kind: Game,
        rules: Rules,
        number: int,
        name: str,
        command: Command,
        heartbeat: Heartbeat,
        watcher: Watcher,
        limits: talk.Limits | None = None,
        pause_s: float = 0.0,
    ) -> None:
        self._rules = rules
        self._command = command
        self._heartbeat = heartbeat
        self._limits = talk.Limits() if limits is None else limits
        self._program: Program | None = None
        self._ended: list[Program] = []
        super().__init__(
            kind, number, name, self._new_link(), watcher,
            grace_ms=GRACE_MS, pause_s=pause_s, owing_s=min(OWING_S, remote.OWING_S),
        )  # fmt: skip

    @property
    def pid(self) -> int | None:
        """The number of the program's first process."""
        return None if self._program is None else self._program.pid

    async def open(self) -> None:
        """Start the program. Raises ArenaError where it cannot be, or does not introduce itself."""
        link = self._new_link()
        greeting = Greeting(link)
        try:
            await self._launch(link)
        except ArenaError as error:
            raise ArenaError(f"{self.name}: {error}") from None
        try:
            async with asyncio.timeout(START_S):
                await self._reach(greeting)
                link.say(link.talk.greet(talk.Seating(rules=self._rules, number=self.number)))
                await greeting.done
        except TimeoutError:
            link.close()
            raise ArenaError(f"{self.name} did not {self.first_deed} within {START_S:g} s; {self.advice}") from None
        except ArenaError as error:
            link.close()
            self._tell_last_words()
            raise ArenaError(f"{self.name}: {error}; {self.advice}") from None
        self._sit_on(link)
        self.absence = None
        link.say(link.talk.welcome(self.number, self.name))

    async def prepare(self) -> None:
        """Wait for a late answer; start the program anew where it is gone."""
        await super().prepare()
        if not self.is_connected:
            try:
                await self.open()
            except ArenaError as error:
                self.absence = (Verdict.START, str(error))

    async def close(self) -> None:
        """End the program and wait until none of its processes is left."""
        self.farewell(talk.Farewell(detail="the referee is closing"))
        for program in self._ended:  # also one that was being started anew
            program.end()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(START_S):
                await asyncio.gather(*(program.wait_ended() for program in self._ended))

    def lost(self, verdict: Verdict, detail: str) -> None:
        """Learn that the program has ended."""
        self._tell_last_words()
        super().lost(verdict, detail)

    @property
    def advice(self) -> str:
        """What a program of this kind does, for one that did not."""
        return (
            'it reads lines of JSON and answers the first with {"type":"join","name":"…"};'
            " a bot of hps, which connects, is named hps:…"
        )

    async def _launch(self, link: Link) -> None:
        """Start the program and let it carry a link. Raises ArenaError."""
        self._take_in(await Program.start(self._command, link))
        assert self._program is not None
        link.carried_by(_Pipes(self._program, self.name))

    async def _reach(self, greeting: Greeting) -> None:
        """Wait until it can be spoken to, or cannot be any more: then the greeting has failed."""

    def _take_in(self, program: Program) -> None:
        """Keep a program, to be ended some day."""
        self._program = program
        self._ended.append(program)

    def _tell_last_words(self) -> None:
        if self._program is not None and self._program.stderr_tail:
            self._watcher.last_words(self.name, self._program.stderr_tail.decode("utf-8", "replace"))

    def _new_link(self) -> Link:
        return Link(JsonTalk(self._limits), self._heartbeat)


class _Pipes:
    """Carries a link over the pipes of a program; hanging up ends the program."""

    def __init__(self, program: Program, name: str) -> None:
        self.origin = name
        self._program = program

    def write(self, data: bytes) -> None:
        self._program.write(data)

    def stop_reading(self) -> None:
        self._program.stop_reading()

    def close(self) -> None:
        self._program.end()


class Greeting:
    """Waits for the introduction on a new link."""

    def __init__(self, link: Link) -> None:
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        link.owner = self

    def heard(self, heard: talk.Heard) -> None:
        """Take the introduction."""
        match heard:
            case talk.Introduction() if not self.done.done():
                self.done.set_result(None)
            case talk.Broken(verdict, detail):
                self._fail(f"{verdict}: {detail}")

    def lost(self, verdict: Verdict, detail: str) -> None:  # noqa: ARG002
        """Learn that nobody will be introduced."""
        self._fail(detail)

    def _fail(self, detail: str) -> None:
        if not self.done.done():
            self.done.set_exception(ArenaError(detail))
