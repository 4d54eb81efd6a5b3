"""A bot of hps that is started anew each time and connects by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hinterland.errors import ArenaError
from hinterland.referee.shell.check.guests import STDERR_LINES, NobodyCame, TcpBots
from hinterland.referee.shell.connecting import addressed
from hinterland.referee.shell.process import Program
from hinterland.referee.wire.hps import HpsTalk

if TYPE_CHECKING:
    import socket

    from hinterland.contract import Game, Rules
    from hinterland.referee.shell.chair import Chair
    from hinterland.referee.shell.command import Command
    from hinterland.referee.shell.heartbeat import Heartbeat
    from hinterland.referee.verdicts import Verdict

__all__ = ["ConnectingBots"]


class ConnectingBots(TcpBots):
    """A program that is started, and connects to the address on its command line."""

    def __init__(
        self, kind: Game, command: Command, listener: socket.socket, heartbeat: Heartbeat, hello_s: float
    ) -> None:
        """Have the program connect to ``listener``, which nobody else knows."""
        super().__init__(kind, listener, HpsTalk, heartbeat, hello_s, hello_s, lambda _: None)
        host, port = listener.getsockname()[:2]
        self._command = addressed(command, host, port, "bot")
        self._program: Program | None = None
        self._stderr = b""

    async def come(self, rules: Rules) -> Chair:
        """Start the program and wait for its connection."""
        self._program = await Program.start(self._command, _Ear())
        try:
            return await super().come(rules)
        except NobodyCame:
            ended = self._program.exit_words
            await self.leave()
            raise ArenaError(f"it did not connect within {self._wait_s:g} s ({ended})") from None
        except ArenaError:
            await self.leave()
            raise

    async def leave(self) -> str:
        """Say farewell, see whether it hangs up, and end it."""
        program, self._program = self._program, None
        try:
            if program is not None:
                await program.look()
            return await super().leave()
        finally:
            if program is not None:
                program.end(0)
                await program.wait_ended()
                self.peak_bytes = max(self.peak_bytes, program.usage.peak)
                self._stderr = program.stderr_tail

    def stderr(self) -> tuple[str, ...]:
        """Return the last lines of its standard error."""
        tail = self._stderr if self._program is None else self._program.stderr_tail
        return tuple(ascii(line)[1:-1] for line in tail.decode("utf-8", "replace").splitlines()[-STDERR_LINES:])


class _Ear:
    """Hears what a program prints, and that it has ended: the connection says what matters."""

    def received(self, data: bytes, stamp_ns: int) -> None:
        """Drop it."""

    def lost(self, verdict: Verdict, detail: str) -> None:
        """Do nothing: its connection ends with it."""
