"""A machine out of memory: which process ends first, and that no player loses by it. In a real control group."""

import asyncio
import contextlib
import itertools
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hinterland.host.processes import memory_usage
from hinterland.host.processes.background import Background
from hinterland.host.processes.program_process import Program
from hinterland.referee.verdicts import Verdict
from hinterland.web.arena import WORKER_TEMPLATE
from hostile_programs import Hostile
from programs import Ear, ended, run_to_loss, write_python

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")
ROOTS = ((Path("/sys/fs/cgroup/memory"), "memory.limit_in_bytes"), (Path("/sys/fs/cgroup"), "memory.max"))
ROOM = 600 << 20
HOLDS = """
if not os.path.exists(HOST["flag"]):
    HOST["kept"] = bytearray(b"x") * (200 << 20)
"""
FILLS = """
if not os.path.exists(HOST["flag"]):
    open(HOST["flag"], "w").close()
    for _ in range(40):
        if os.fork() == 0:
            kept = bytearray(b"x") * (20 << 20)
            time.sleep(3)
            os._exit(0)
    time.sleep(4)
"""
MAPS = """
import ctypes, mmap, os, time
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]
libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
room = libc.mmap(None, 64000 << 12, 1, 0x4022, -1, 0)
for place in range(0, 64000, 2):
    libc.mprotect(room + (place << 12), 1 << 12, 0)
"""


@pytest.fixture
def small_machine(tmp_path):
    """Make a control group with little memory; return the words before a command that put it there."""
    group = next(filter(None, itertools.starmap(limited_group, ROOTS)), None)
    if group is None:
        pytest.skip("no control group with memory may be made here")
    yield ["sh", "-c", f'echo $$ > {group}/cgroup.procs; exec "$@"', "sh"]
    for _ in range(200):  # what was killed in it may not have gone yet
        with contextlib.suppress(OSError):
            group.rmdir()
            break
        time.sleep(0.05)


def limited_group(root, limit):
    """Make a control group and return its folder; None where there is none to be had."""
    group = root / f"hinterland-test-{os.getpid()}"
    try:
        group.mkdir()
        (group / limit).write_text(str(ROOM))
    except OSError:
        with contextlib.suppress(OSError):
            group.rmdir()
        return None
    return group


@pytest.mark.thorough
def test_a_program_that_is_ended_because_another_took_all_memory_has_not_lost(small_machine, tmp_path):
    for name, deed in (("honest.py", HOLDS), ("hostile.py", FILLS)):
        (tmp_path / name).write_text(Hostile(deed).text)
    told = json.dumps({"flag": str(tmp_path / "flag")})
    specs = [f"cmd:{sys.executable} {tmp_path / name} '{told}'" for name in ("honest.py", "hostile.py")]
    rules = ["--size", "16", "--stones", "2", "--spacing", "2", "--clock", "30"]
    record = tmp_path / "records.jsonl"
    argv = [
        *small_machine, sys.executable, "-m", "hinterland", "match", "gravity", *specs, *rules, "--quiet",
        "--record", str(record),
    ]  # fmt: skip
    killed = memory_usage.count_killed()
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    played = subprocess.run(argv, capture_output=True, text=True, env=environment, check=False, timeout=100)
    assert memory_usage.count_killed() > killed, "the control: memory was filled, and the kernel ended processes"
    assert played.returncode == 0, played.stderr
    assert [json.loads(line)["reason"] for line in record.read_text().splitlines()] == ["complete"] * 2, played.stderr


def test_a_program_that_fails_by_itself_has_lost(tmp_path):
    """The control: where nobody was ended for want of memory, SIGKILL is the program's own affair."""
    text = "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n"
    verdict, detail, _, _ = asyncio.run(run_to_loss(write_python(tmp_path, text)))
    assert (verdict, detail) == (Verdict.CRASH, "the program ended: killed by SIGKILL (out of memory?)")


def test_who_takes_the_mark_off_gets_it_again(tmp_path):
    text = """
import os, time
mark = open("/proc/self/oom_score_adj", "r+")
mark.write("0"), mark.flush()
print(open("/proc/self/oom_score_adj").read().strip(), flush=True)
while open("/proc/self/oom_score_adj").read().strip() == "0": time.sleep(0.02)
print(open("/proc/self/oom_score_adj").read().strip(), flush=True)
time.sleep(600)
"""

    async def play():
        ear = Ear()
        program = await Program.start(write_python(tmp_path, text), ear)
        await ear.until(lambda ear: ear.heard.count(b"\n") == 2)
        program.end(0)
        await ended(program)
        return bytes(ear.heard)

    assert asyncio.run(play()) == b"0\n1000\n"


def test_mappings_hold_memory_of_the_kernel_and_are_bounded(tmp_path):
    verdict, detail, _, _ = asyncio.run(run_to_loss(write_python(tmp_path, MAPS + "os.fork()\ntime.sleep(60)\n")))
    assert (verdict, detail) == (Verdict.CRASH, "the program was ended: it has more than 65536 mappings of memory")


def test_mappings_count_as_memory(tmp_path):
    verdict, detail, _, _ = asyncio.run(run_to_loss(write_python(tmp_path, MAPS + "time.sleep(60)\n", memory_mib=30)))
    assert verdict is Verdict.CRASH
    assert "it uses more than 30 MiB of memory" in detail


def test_helpers_are_ended_before_whom_they_help():
    helpers = Background(1, WORKER_TEMPLATE, 10.0)
    try:
        assert helpers.run(mark_here) == memory_usage.HELPER_KILL_PRIORITY > mark_here()
    finally:
        helpers.end()


def test_who_has_most_memory_outlives_its_helper(small_machine):
    """The kernel ends whoever has most of those with one mark: without a mark, the arena."""
    text = f"""
import operator, sys
from hinterland.errors import ArenaError
from hinterland.host.processes import background
kept = b"x" * {ROOM * 3 // 5}
helpers = background.Background(1, background.SINGLE_THREAD_MODULE, 10.0)
try:
    helpers.run(operator.mul, b"x", {ROOM * 2 // 5})
except ArenaError as error:
    print(error)
print(helpers.run(int))
helpers.end()
"""
    argv = [*small_machine, sys.executable, "-c", text]
    killed = memory_usage.count_killed()
    told = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=60)
    assert memory_usage.count_killed() > killed, "the control: there was not enough for both"
    assert told.stdout == "this took more than the server has for it; try again in a moment\n0\n", told


def mark_here():
    return int(Path("/proc/self/oom_score_adj").read_text())
