"""Programs for the tests of processes, a listener for them, and a check that no process is left."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from hinterland.errors import ArenaError
from hinterland.host.processes import process_tree, sandbox
from hinterland.host.processes.command import Command
from hinterland.host.processes.process_limits import ProcessLimits
from hinterland.host.processes.program_process import Program

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


def need_sandbox():
    """Skip the test if there is no sandbox, or fail if nothing may be skipped."""
    try:
        asyncio.run(sandbox.check())
    except ArenaError as error:
        if os.environ.get("HINTERLAND_NO_SKIP"):
            pytest.fail(str(error))
        pytest.skip(str(error))


class Ear:
    """A receiver that lets a test wait for what it gets."""

    def __init__(self):
        self.heard = bytearray()
        self.stamps = []
        self.losses = []
        self._changed = asyncio.Event()

    def on_bytes(self, data, stamp_ns):
        assert not self.losses, "heard after the program was lost"
        self.heard += data
        self.stamps.append(stamp_ns)
        self._changed.set()

    def on_lost(self, verdict, detail):
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


def write_python(folder, text, *args, name="bot.py", sandbox=False, **limits):
    """Write a program in Python and return the command that runs it."""
    script = folder / name
    script.write_text(text)
    argv = (sys.executable, str(script), *map(str, args))
    return Command(argv=argv, cwd=str(folder), limits=ProcessLimits(**limits), sandbox=sandbox)


def make_bot_writer(folder, prefix, template, turns):
    """Return a function that writes a bot with one behaviour and returns its spec; the bot counts its starts."""

    def written(manner, text=None):
        script = folder / f"{manner.replace(' ', '-')}.py"
        script.write_text(template.replace("#HERE", turns[manner]) if text is None else text)
        return f"{prefix}{sys.executable} {script} {script}.starts '{manner}'"

    return written


def starts(folder, manner):
    return len((folder / f"{manner.replace(' ', '-')}.py.starts").read_text())


async def ended(program):
    async with asyncio.timeout(PATIENCE_S):
        await program.wait_until_ended()


def find_left_behind(folder):
    """Return (number, state, name, command line) of each process that names a folder, and of own zombies."""
    found = []
    for process in process_tree.list_processes().values():
        place = Path(f"/proc/{process.pid}")
        try:
            name, words = ((place / file).read_bytes() for file in ("comm", "cmdline"))
        except OSError:
            continue
        is_mine = os.fsencode(folder) in words or (process.parent == os.getpid() and not process.is_alive)
        if is_mine and process.pid != os.getpid():
            found.append((process.pid, process.state, name.decode().strip(), words))
    return found


async def run_to_loss(command):
    """Run a program until it is lost and gone; return the verdict, the detail, the receiver and the program."""
    ear = Ear()
    program = await Program.start(command, ear)
    verdict, detail = await ear.until_lost()
    await ended(program)
    return verdict, detail, ear, program

FIRST_FREE = f"""
import json, sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from referee_clients import find_first_free
from hinterland.gravity import Rules
for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "hello":
        rules = Rules.from_json(told["rules"])
        print('{{"type":"join","name":"carl"}}', flush=True)
    elif told["type"] == "turn":
        move = find_first_free([move[:2] for _, move in told["moves"]], rules)
        answer = {{"type": "move", "game_id": told["game_id"], "turn": told["turn"], "move": move}}
        print(json.dumps(answer), flush=True)
"""
"""A program that speaks protocol json over its pipes, and plays the first free cell of gravity."""
