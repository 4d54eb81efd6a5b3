"""Programs for the tests of processes, somebody who listens to them, and a check that none is left."""

import asyncio
import os
import sys
from pathlib import Path

from hinterland.referee.shell import tree
from hinterland.referee.shell.command import Command
from hinterland.referee.shell.limits import ProcessLimits
from hinterland.referee.shell.process import Program

PATIENCE_S = 10.0
RUNS_AWAY = """
import os, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.closerange(3, 100)
        print('ready', flush=True)
        time.sleep(600)
    os._exit(0)
"""


class Ear:
    """Listens, and lets a test wait for what it hears."""

    def __init__(self):
        self.heard = bytearray()
        self.stamps = []
        self.losses = []
        self._changed = asyncio.Event()

    def received(self, data, stamp_ns):
        assert not self.losses, "heard after the program was lost"
        self.heard += data
        self.stamps.append(stamp_ns)
        self._changed.set()

    def lost(self, verdict, detail):
        self.losses.append((verdict, detail))
        self._changed.set()

    async def until(self, condition):
        async with asyncio.timeout(PATIENCE_S):
            while not condition(self):
                self._changed.clear()
                await self._changed.wait()

    async def until_lost(self):
        await self.until(lambda ear: ear.losses)
        [(verdict, detail)] = self.losses
        return verdict, detail


def python(folder, text, *args, name="bot.py", sandbox=False, **limits):
    """Write a program in Python and return the command that runs it."""
    script = folder / name
    script.write_text(text)
    argv = (sys.executable, str(script), *map(str, args))
    return Command(argv=argv, cwd=str(folder), limits=ProcessLimits(**limits), sandbox=sandbox)


async def ended(program):
    async with asyncio.timeout(PATIENCE_S):
        await program.wait_ended()


def left_behind(folder):
    """Return the processes that have a folder's path in their command line, and this process's zombies."""
    found = []
    for process in tree.census().values():
        try:
            words = Path(f"/proc/{process.pid}/cmdline").read_bytes()
        except OSError:
            continue
        is_mine = os.fsencode(folder) in words or (process.parent == os.getpid() and not process.is_alive)
        if is_mine and process.pid != os.getpid():
            found.append((process.pid, process.state, words))
    return found


async def run_to_loss(command):
    """Run a program until it is lost and gone; return the verdict, the detail, the ear and the program."""
    ear = Ear()
    program = await Program.start(command, ear)
    verdict, detail = await ear.until_lost()
    await ended(program)
    return verdict, detail, ear, program
