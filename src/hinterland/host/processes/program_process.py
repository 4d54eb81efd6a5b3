"""Starts a player's program, speaks to it over its pipes, and ends it with everything that it has started.

Nothing here waits for the program. The program's output is passed on with the moment of its arrival. When the program's
first process ends, the listener is told once, even if other processes hold the pipes open, and all processes that are
left are killed.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import subprocess
import time
from functools import cache
from pathlib import Path

from hinterland.errors import ArenaError, quote
from hinterland.host.network.link import Receiver
from hinterland.host.network.player_log import PlayerLog
from hinterland.host.processes import exit_status, memory_usage, own_files, process_limits, process_tree, sandbox
from hinterland.host.processes.command import Command, make_program_environment
from hinterland.host.processes.control_group import ControlGroup
from hinterland.host.processes.pipes import MAX_UNSENT_BYTES, PipeReader, PipeWriter, Tail
from hinterland.host.processes.supervisor import ProcessSupervisor
from hinterland.referee.verdicts import Verdict

STOP_GRACE_S = 0.5
PROBE_S = 5.0
MAX_QUOTED_CHARACTERS = 200
KILLING_NOW_ROUNDS, KILLING_NOW_S = 200, 0.005


class Program:
    """A running program."""

    def __init__(
        self, command: Command, listener: Receiver, process: subprocess.Popen[bytes], tag: int,
        group: ControlGroup | None, log: PlayerLog | None,
    ) -> None:  # fmt: skip
        """Take over a process that has just been started. Call ``start`` instead."""
        loop = asyncio.get_running_loop()
        self.tree, self.limits = process_tree.ProcessTree(process.pid, tag), command.limits
        self._process, self.is_sandboxed, self._group = process, command.sandbox, group
        self._listener: Receiver | None = listener
        self.usage = memory_usage.Usage()
        self.looks = self.crowded_looks = 0
        """Number of the supervisor's looks, and of looks at which the program wanted more processors than there are."""
        self._said, self._tail, self._log = Tail(), Tail(), log
        self.ended_by_itself = False
        """Whether the first process ended without the referee, and not for lack of memory."""
        self.exit_words = "still running"
        """How the first process ended, such as ``exit status 1`` or ``killed by SIGSEGV``."""
        self._exited, self._gone = asyncio.Event(), asyncio.Event()
        self._ending: asyncio.Task[None] | None = None
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._stdin = PipeWriter(loop, process.stdin)
        self._stdout = PipeReader(loop, process.stdout, self._on_output)
        self._stderr = PipeReader(loop, process.stderr, self._on_error_output)
        self._supervisor = ProcessSupervisor.of_running_loop()
        self._supervisor.add(self)
        self._forget_exit = exit_status.call_on_exit(loop, process, self._on_exit)

    @classmethod
    async def start(cls, command: Command, listener: Receiver, log: PlayerLog | None = None) -> Program:
        """Start a program, whose standard error goes to ``log``.

        Raises ArenaError, with a message of one line, if the program cannot be started.
        """
        if os.name != "posix":
            raise ArenaError("programs over pipes need Linux or macOS; here let the program connect over the network")
        path = command.program()
        command = own_files.start_at_home(command, path)
        group = await asyncio.to_thread(ControlGroup.create, command.limits)
        tag = ProcessSupervisor.new_tag()
        try:
            with await _confine(command, path, tag, group) as confined:
                process = _spawn(command, confined)
            return cls(command, listener, process, tag, group, log)
        except BaseException:
            ProcessSupervisor.drop_tag(tag)
            if group is not None:
                group.remove()
            raise

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def has_failed(self) -> bool:
        """Whether the program's first process has ended with an error."""
        return self._exited.is_set() and self.exit_words != "exit status 0"

    @property
    def stderr_tail(self) -> bytes:
        """The last 4 KiB of the program's standard error."""
        return self._tail.kept

    @property
    def prose(self) -> str:
        """The first line of standard output that is readable text and no message; empty if there is none."""
        return next((line for line in _find_prose(self._said.text()) if any(map(str.isalpha, line))), "")

    @property
    def output_so_far(self) -> tuple[int, int]:
        """How many bytes the program has written to standard output, and how many to standard error."""
        return self._said.end, self._tail.end

    @property
    def has_read_all(self) -> bool:
        """Whether the program has read everything that was sent, as far as the system says."""
        return self._stdin.is_drained

    def complaint(self, since: tuple[int, int] = (0, 0)) -> str:
        """Return the line in which the program says that it lacks memory; empty if none.

        ``since``: a value of ``output_so_far``; earlier output does not count.
        """
        said, tail = since
        prose = "\n".join(_find_prose(self._said.text(said)))
        return exit_status.find_complaint(self._tail.text(tail)) or exit_status.find_complaint(prose)

    def write(self, data: bytes) -> None:
        """Send bytes to standard input. A program that leaves more than 256 KiB unread is ended."""
        if not self._stdin.write(data):
            self._report_loss(Verdict.DISCONNECT, f"it stopped reading: {MAX_UNSENT_BYTES // 1024} KiB wait for it")
            self.end(0)

    def close_input(self) -> None:
        """Close the program's standard input."""
        self._stdin.close()

    async def exits_within(self, seconds: float) -> bool:
        """Wait at most ``seconds`` until the first process ends; return whether it has ended."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._exited.wait(), seconds)
        return self._exited.is_set()

    def crowds_the_machine(self) -> bool:
        """Say whether more threads of the program want to run now than there are processors."""
        return (
            process_tree.count_running_threads(self.tree.members(process_tree.list_processes()))
            > process_tree.count_processors()
        )

    def stop_reading(self) -> None:
        """Stop reading the program's output. The program lives on, and waits once the pipe is full."""
        self._stdout.stop()

    def end(self, grace_s: float = STOP_GRACE_S) -> None:
        """End the program in the background: close its input, ask its processes to stop, later kill those left."""
        self._listener = None
        self._stdin.close()
        self._stdout.stop()
        if self._ending is None:
            self._ending = asyncio.get_running_loop().create_task(self._end(grace_s))

    async def look(self) -> None:
        await self._supervisor.look()

    async def wait_until_ended(self) -> None:
        """Wait until all processes of the program are gone, or have ignored SIGKILL for ten seconds."""
        await self._gone.wait()

    def kill_now(self) -> None:
        """Kill all processes of the program within a second, and close its pipes. Called when the event loop ends."""
        self._listener = None
        if self._group is not None:
            self._group.kill()
        for _ in range(KILLING_NOW_ROUNDS):
            members = self.tree.members(process_tree.list_processes())
            self.tree.signal(members, signal.SIGKILL)
            self.tree.has_leader = self._process.poll() is None
            self.tree.reap(members)
            if self.tree.is_gone(members):
                break
            time.sleep(KILLING_NOW_S)
        self._exited.set()
        self._close()

    def _on_output(self, data: bytes, stamp_ns: int) -> None:
        self._said.add(data, stamp_ns)
        if self._listener is not None:
            self._listener.on_bytes(data, stamp_ns)

    def _on_error_output(self, data: bytes, stamp_ns: int) -> None:
        self._tail.add(data, stamp_ns)
        if self._log is not None:
            self._log.on_error_output(data)

    def end_for_excess(self, words: str) -> None:
        self._report_loss(Verdict.CRASH, f"the program was ended: {words}")
        self.end(0)

    def _on_exit(self, code: int) -> None:
        was_ended = self._listener is None
        self.exit_words = exit_status.describe_exit(code, through_shell=self.is_sandboxed, was_ended=was_ended)
        self.tree.has_leader = False
        self._exited.set()
        self._stdout.drain()
        self._stderr.drain()
        ran_out = self._group is not None and self._group.has_run_out()
        self.ended_by_itself = not (was_ended or ran_out or self.complaint())
        if ran_out:
            self._report_loss(Verdict.CRASH, f"the program was ended: {self.limits.too_much_memory}")
        if self._listener is not None and self._supervisor.kill_watch.has_killed():
            words = "this machine had no memory left, and the kernel ended processes; the program ended with them"
            self._report_loss(Verdict.VOID, f"{words}: {self.exit_words}")
        self._report_loss(Verdict.CRASH, f"the program ended: {self.exit_words}{self._describe_last_words()}")
        self.end(0)

    def _describe_last_words(self) -> str:
        if line := self.complaint():
            return f", out of memory: {quote(line, MAX_QUOTED_CHARACTERS)}"
        last = exit_status.find_last_words(self._tail.text())
        return f"; its last words: {quote(last, MAX_QUOTED_CHARACTERS)}" if last else ""

    def _report_loss(self, verdict: Verdict, detail: str) -> None:
        listener, self._listener = self._listener, None
        if listener is not None:
            listener.on_lost(verdict, detail)

    async def _end(self, grace_s: float) -> None:
        try:
            if grace_s > 0 and not self._exited.is_set():
                members = self.tree.members(await self._supervisor.census())
                if self.is_sandboxed:  # if the outermost process ended, all others would die at once
                    members = [process for process in members if process.pid != self.tree.leader]
                self.tree.signal(members, signal.SIGTERM)
                await self.exits_within(grace_s)
            if self._group is not None:
                self._group.kill()
            if await self._supervisor.kill(self.tree, leader_takes_all=self.is_sandboxed):
                await self._exited.wait()
        except asyncio.CancelledError:
            self.kill_now()
            raise
        self._close()

    def _close(self) -> None:
        self._forget_exit()
        for pipe in (self._stdin, self._stdout, self._stderr):
            pipe.close()
        if self._group is not None:
            self._group.remove()
        self._supervisor.remove(self)
        self._gone.set()


def _find_prose(text: str) -> list[str]:
    """Return the lines that are readable text and no JSON."""
    lines = (line.strip() for line in text.splitlines())
    return [line for line in lines if line and line.isprintable() and line[0] not in "{["]


def _spawn(command: Command, confined: sandbox.Confined) -> subprocess.Popen[bytes]:
    """Start a process. Call this from a thread that stays: when the thread ends, the kernel ends the process, too."""
    try:
        process = subprocess.Popen(
            confined.argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=command.directory,
            bufsize=0,
            env=sandbox.ENVIRONMENT if command.sandbox else make_program_environment(),
            start_new_session=True,
            pass_fds=confined.descriptors,
        )
    except OSError as error:
        raise ArenaError(f"{quote(command.argv[0])} could not be started: {error.strerror}") from None
    if confined.user is not None:  # otherwise the program could not open /dev/stdout
        for pipe in (process.stdin, process.stdout, process.stderr):
            assert pipe is not None
            os.fchown(pipe.fileno(), confined.user, confined.user)
    return process


async def _confine(command: Command, path: Path, tag: int, group: ControlGroup | None) -> sandbox.Confined:
    """Return the command line that starts a program within its limits."""
    argv = (str(path), *command.argv[1:])
    outer = ("" if group is None else group.script) + process_limits.tag_script(tag) + command.limits.script()
    if command.sandbox:
        await sandbox.check()
        confined = sandbox.confine(command, path, process_limits.thread_limit_script(command.limits.threads), argv)
        return confined._replace(argv=process_limits.wrap_in_shell(outer, confined.argv))
    if process_tree.LINUX and os.geteuid() != 0:
        outer += process_limits.thread_limit_script(
            command.limits.threads + await asyncio.to_thread(process_tree.count_user_threads)
        )
    argv = (*await asyncio.to_thread(_find_death_signal_wrapper), *argv)
    return sandbox.Confined(process_limits.wrap_in_shell(outer, argv))


@cache
def _find_death_signal_wrapper() -> tuple[str, ...]:
    """Return the words to put before a command so that it ends with the referee; none if setpriv is missing."""
    words = ("setpriv", "--pdeathsig", "KILL")
    found = shutil.which(words[0]) if process_tree.LINUX else None
    if found is None:
        return ()
    tried = subprocess.run((*words, "true"), capture_output=True, timeout=PROBE_S, check=False)
    return () if tried.returncode else (found, *words[1:])
