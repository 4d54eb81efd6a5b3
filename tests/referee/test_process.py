"""Programs over pipes: every way to fail, to hang on and to run away, with real processes."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hinterland.errors import ArenaError, BadText, RulesError
from hinterland.host.processes import control_group, exit_status, memory_usage, process_limits, process_tree
from hinterland.host.processes.command import Command
from hinterland.host.processes.memory_usage import MIB
from hinterland.host.processes.process_limits import ProcessLimits
from hinterland.host.processes.program_process import Program
from hinterland.referee.verdicts import Verdict
from programs import RUNS_AWAY, Ear, ended, find_left_behind, run_to_loss, write_python

ECHO = "import sys\nfor line in sys.stdin: print('got', line, end='', flush=True)\n"
TOO_MUCH = "the program was ended: it uses more than {} MiB of memory (--memory sets how much it may)"
READY = "print('ready', flush=True)\n"
LEAVES_A_THREAD = """
import ctypes, os, signal, threading, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
def stay():
    while open(f'/proc/{os.getpid()}/stat').read().split()[2] != 'Z':
        time.sleep(0.001)
    print('ready', flush=True)
    time.sleep(600)
threading.Thread(target=stay).start()
ctypes.CDLL(None).pthread_exit(None)
"""
STOPS_ITSELF = """
import os, signal, time
if os.fork() == 0:
    while open(f'/proc/{os.getppid()}/stat').read().split()[2] != 'T':
        time.sleep(0.001)
    print('ready', flush=True)
    time.sleep(600)
os.kill(os.getpid(), signal.SIGSTOP)
"""


pytestmark = pytest.mark.usefixtures("nothing_left")


def test_left_behind_finds_what_is_left(tmp_path):
    script = tmp_path / "stays.py"
    script.write_text(READY + "import time; time.sleep(600)")
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE) as stays:
        stays.stdout.readline()
        assert [pid for pid, *_ in find_left_behind(tmp_path)] == [stays.pid]
        stays.kill()
        os.waitid(os.P_PID, stays.pid, os.WEXITED | os.WNOWAIT)
        assert [(state, words) for pid, state, _, words in find_left_behind(tmp_path) if pid == stays.pid] == [
            ("Z", b"")
        ]


def test_a_program_is_spoken_to_and_ended(tmp_path):
    async def play():
        ear = Ear()
        before_ns = time.monotonic_ns()
        program = await Program.start(write_python(tmp_path, ECHO), ear)
        program.write(b"one\n")
        await ear.until(lambda ear: ear.heard == b"got one\n")
        assert before_ns < ear.stamps[0] < time.monotonic_ns()
        program.write(b"two\n")
        await ear.until(lambda ear: ear.heard == b"got one\ngot two\n")
        assert program.exit_words == "still running"
        program.end()
        program.end()
        await ended(program)
        program.write(b"three\n")
        assert ear.losses == []
        return program.exit_words

    assert asyncio.run(play()) in ("exit status 0", "killed by SIGTERM")


@pytest.mark.parametrize(
    ("ending", "words"),
    [
        ("sys.exit(0)", "exit status 0"),
        ("sys.exit(1)", "exit status 1"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "killed by SIGSEGV"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "killed by SIGKILL (out of memory?)"),
    ],
)
def test_an_exit_is_a_crash_after_the_last_words(tmp_path, ending, words):
    text = f"import os, signal, sys\nprint('4 4', flush=True)\nprint('so long', file=sys.stderr)\n{ending}\n"
    verdict, detail, ear, program = asyncio.run(run_to_loss(write_python(tmp_path, text)))
    assert verdict is Verdict.CRASH
    assert detail == f"the program ended: {words}; its last words: 'so long'"
    assert (bytes(ear.heard), program.stderr_tail, program.exit_words) == (b"4 4\n", b"so long\n", words)


def test_words_for_exits():
    assert exit_status.describe_exit(-signal.SIGXFSZ) == "killed by SIGXFSZ (wrote a file larger than allowed)"
    assert exit_status.describe_exit(-signal.SIGKILL, was_ended=True) == "killed by SIGKILL"
    assert exit_status.describe_exit(139, through_shell=True) == "killed by SIGSEGV"
    assert exit_status.describe_exit(139) == "exit status 139"
    assert exit_status.describe_exit(250, through_shell=True) == "exit status 250"
    assert exit_status.describe_exit(-50) == "killed by signal 50"


def test_the_verdict_comes_with_the_exit_though_a_grandchild_holds_the_pipes(tmp_path):
    text = "import os, time\nif os.fork() == 0: time.sleep(600)\nos._exit(7)\n"
    verdict, detail, _, _ = asyncio.run(run_to_loss(write_python(tmp_path, text)))
    assert (verdict, detail) == (Verdict.CRASH, "the program ended: exit status 7")


def test_a_closed_output_alone_is_no_verdict(tmp_path):
    async def play():
        ear = Ear()
        text = "import os, sys\nos.close(1)\nsys.stderr.write('closed')\nsys.stderr.flush()\nsys.stdin.read()\n"
        program = await Program.start(write_python(tmp_path, text), ear)
        async with asyncio.timeout(5):
            while program.stderr_tail != b"closed":
                await asyncio.sleep(0.005)
        assert ear.losses == []
        program.end()
        await ended(program)

    asyncio.run(play())


@pytest.mark.parametrize(
    "text",
    [
        "import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + READY + "time.sleep(600)\n",
        STOPS_ITSELF,
        LEAVES_A_THREAD,
        RUNS_AWAY + "time.sleep(600)\n",
        RUNS_AWAY.replace("os.closerange", "os.environ.clear(); os.closerange") + "os.wait(); time.sleep(600)\n",
    ],
    ids=[
        "ignores SIGTERM",
        "stops itself",
        "ends but for a thread",
        "setsid and double fork",
        "and forgets its environment",
    ],
)
def test_the_stubborn_are_killed_after_the_grace(tmp_path, text):
    async def play():
        ear = Ear()
        program = await Program.start(write_python(tmp_path, text), ear)
        await ear.until(lambda ear: ear.heard)
        start = time.monotonic()
        program.end(grace_s=0.3)
        assert program.exit_words == "still running"
        await ended(program)
        assert time.monotonic() - start >= 0.3
        assert (ear.losses, program.exit_words) == ([], "killed by SIGKILL")

    asyncio.run(play())


def test_what_ran_away_dies_with_its_program(tmp_path):
    text = RUNS_AWAY + "os.wait()\nsys.stdin.readline()\nsys.exit(5)\n"

    async def play():
        ear = Ear()
        program = await Program.start(write_python(tmp_path, text), ear)
        await ear.until(lambda ear: ear.heard)
        program.write(b"now\n")
        assert await ear.until_lost() == (Verdict.CRASH, "the program ended: exit status 5")
        await ended(program)

    asyncio.run(play())


def test_a_runaway_that_lowers_its_tag_is_found_by_the_supervisor(tmp_path):
    changed = "import resource; resource.setrlimit(10, (5, 5))\n        os.closerange"
    text = RUNS_AWAY.replace("os.closerange", changed) + "os.wait()\nsys.stdin.read()\n"

    async def play():
        ear = Ear()
        program = await Program.start(write_python(tmp_path, text), ear)
        await ear.until(lambda ear: ear.heard)
        async with asyncio.timeout(5):
            while len(find_left_behind(tmp_path)) > 1:
                await asyncio.sleep(0.02)
        assert ear.losses == []
        program.end()
        await ended(program)

    asyncio.run(play())


def test_a_leader_that_is_buried_during_a_look_hides_nobody(tmp_path, monkeypatch):
    """The look sees its child while it lives, and when the look comes to its tag it is gone."""
    tag_of, killed = process_tree.read_tag, []

    async def play():
        ear = Ear()
        text = "import os, time\nif os.fork() == 0:\n    print('ready', flush=True)\ntime.sleep(600)\n"
        program = await Program.start(write_python(tmp_path, text), ear)
        await ear.until(lambda ear: ear.heard)

        def late_tag_of(pid):
            if pid == program.pid and not killed:
                killed.append(os.kill(pid, signal.SIGKILL))
                time.sleep(0.1)
            return tag_of(pid)

        monkeypatch.setattr(process_tree, "read_tag", late_tag_of)
        program.end(0)
        await ended(program)

    asyncio.run(play())
    monkeypatch.undo()
    assert killed


def test_programs_of_two_loops_leave_each_other_alone(tmp_path):
    async def play(seconds):
        ear = Ear()
        program = await Program.start(write_python(tmp_path, ECHO), ear)
        await asyncio.sleep(seconds)
        program.write(b"still here\n")
        await ear.until(lambda ear: ear.heard == b"got still here\n")
        program.end()
        await ended(program)
        return ear.losses

    with ThreadPoolExecutor(2) as threads:
        assert list(threads.map(lambda seconds: asyncio.run(play(seconds)), (0.0, 0.5))) == [[], []]


@pytest.mark.parametrize("exits_itself", [True, False])
def test_without_proc_the_group_is_ended(tmp_path, monkeypatch, exits_itself):
    """As on macOS: a thread waits for the exit, and the process group is all that is known."""

    def no_pidfd(pid):
        raise OSError("no descriptors of processes")

    monkeypatch.setattr(process_tree, "LINUX", False)
    monkeypatch.setattr(os, "pidfd_open", no_pidfd)
    grandchild = "import os, time\nif os.fork() == 0: time.sleep(600)\n"

    async def play():
        ear = Ear()
        text = grandchild + READY + ("os._exit(3)\n" if exits_itself else "time.sleep(600)\n")
        program = await Program.start(write_python(tmp_path, text), ear)
        await ear.until(lambda ear: ear.losses if exits_itself else ear.heard)
        program.end()
        await ended(program)
        return program.exit_words, bytes(ear.heard).strip()

    words = "exit status 3" if exits_itself else "killed by SIGTERM"
    assert asyncio.run(play()) == (words, b"ready")
    monkeypatch.undo()


def test_the_threads_of_the_user_are_counted():
    assert process_tree.count_user_threads() >= threading.active_count()


def test_too_many_processes(tmp_path):
    """Root is not counted by the kernel but by the supervisor; for anybody else fork fails."""
    text = "import os, time\nfor _ in range(64):\n    if os.fork() == 0: time.sleep(600)\ntime.sleep(600)\n"
    verdict, detail, _, _ = asyncio.run(run_to_loss(write_python(tmp_path, text, threads=20)))
    assert verdict is Verdict.CRASH
    assert "more than 20 processes and threads" in detail or "Resource temporarily unavailable" in detail


def test_the_kernel_is_asked_to_count():
    commands = process_limits.thread_limit_script(77) + process_limits.tag_script(12345)
    argv = process_limits.wrap_in_shell(commands, ("cat", "/proc/self/limits"))
    shown = subprocess.run(argv, capture_output=True, text=True, check=True).stdout
    rows = {line[:18].strip(): line[26:].split()[:2] for line in shown.splitlines()}
    assert rows["Max processes"] == ["77", "77"]
    assert rows["Max file locks"] == ["12345", "12345"]


def test_too_much_memory(tmp_path):
    verdict, detail, _, _ = asyncio.run(run_to_loss(write_python(tmp_path, "bytearray(5000 << 30)")))
    assert (verdict, detail) == (Verdict.CRASH, "the program ended: exit status 1, out of memory: 'MemoryError'")


def test_who_takes_memory_at_full_speed_is_ended_before_the_machine_has_none_left(tmp_path):
    text = "kept = []\nwhile True: kept.append(b'x' * (16 << 20))\n"
    verdict, detail, _, program = asyncio.run(run_to_loss(write_python(tmp_path, text, memory_mib=400)))
    assert (verdict, detail) == (Verdict.CRASH, TOO_MUCH.format(400))
    assert 400 * MIB < program.usage.peak < 1500 * MIB


def test_what_is_only_reserved_or_mapped_is_not_counted(tmp_path):
    (tmp_path / "book").write_bytes(bytes(60 << 20))
    text = """
import mmap, sys, time
reserved = mmap.mmap(-1, 40 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, prot=mmap.PROT_READ)
with open('book', 'rb') as file:
    book = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
assert sum(book[::4096]) == 0
print('ready', flush=True)
time.sleep(600)
"""
    assert _is_left_alone(write_python(tmp_path, text, memory_mib=40)) < 40 * MIB


def test_what_processes_share_is_counted_once(tmp_path):
    text = "import os, time\nkept = b'x' * (60 << 20)\nfor _ in range(2): os.fork()\n" + READY + "time.sleep(600)\n"
    assert 60 * MIB < _is_left_alone(write_python(tmp_path, text, memory_mib=130)) < 130 * MIB


def _is_left_alone(command):
    """Run a program, see that it is looked at and not ended, and return what it used."""

    async def play():
        ear = Ear()
        program = await Program.start(command, ear)
        await ear.until(lambda ear: ear.heard or ear.losses)
        program.usage = memory_usage.Usage()
        async with asyncio.timeout(5):
            while not program.usage.used:
                await asyncio.sleep(0.02)
        await asyncio.sleep(0.3)
        assert ear.losses == []
        used = program.usage.used
        program.end(0)
        await ended(program)
        return used

    return asyncio.run(play())


def test_the_kernel_is_asked_to_kill_a_program_before_the_referee(tmp_path):
    text = "print(open('/proc/self/oom_score_adj').read())"
    _, _, ear, _ = asyncio.run(run_to_loss(write_python(tmp_path, text)))
    assert ear.heard.strip() == b"1000"


@pytest.mark.parametrize(
    "line",
    [
        'Exception in thread "main" java.lang.OutOfMemoryError: Java heap space',
        "Could not reserve enough space for 104857600KB object heap",
        "# There is insufficient memory for the Java Runtime Environment to continue.",
        "MemoryError",
        "numpy._core._exceptions._ArrayMemoryError: Unable to allocate 7.28 TiB for an array",
        "terminate called after throwing an instance of 'std::bad_alloc'",
        "memory allocation of 1099511627776 bytes failed",
        "fatal error: runtime: out of memory",
        "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory",
        "OSError: [Errno 12] Cannot allocate memory",
    ],
)
def test_out_of_memory_in_many_languages(line):
    assert exit_status.find_complaint(f"it was a fine day\n{line}\n  at here\n") == line.strip("# ")
    assert exit_status.find_complaint("no memory of that\nSegmentation fault") == ""


def test_a_long_stack_trace_hides_no_complaint(tmp_path):
    text = "import sys\nsys.exit('MemoryError\\n' + '  at somewhere deep\\n' * 1000)\n"
    _, detail, _, program = asyncio.run(run_to_loss(write_python(tmp_path, text)))
    assert detail == "the program ended: exit status 1, out of memory: 'MemoryError'"
    assert len(program.stderr_tail) == 4096


@pytest.mark.parametrize("mib", [0, -1, memory_usage.measure_machine_mib() + 1, 2**40])
def test_memory_that_this_machine_does_not_have(mib):
    with pytest.raises(RulesError, match=rf"--memory is in MiB, from 1 to the \d+ that this machine has, not {mib}"):
        ProcessLimits.of_memory(mib)
    assert ProcessLimits.of_memory(None) == ProcessLimits()
    assert ProcessLimits.of_memory(100).memory_mib == 100


def test_a_container_has_what_it_is_given(tmp_path, monkeypatch):
    given = tmp_path / "memory.max"
    for text, mib in ((str(512 * MIB), 512), ("max", memory_usage.measure_machine_mib())):
        given.write_text(text)
        monkeypatch.setattr(memory_usage, "MEMORY_MAX", given)
        assert memory_usage.measure_machine_mib() == mib


def test_files_in_memory_without_a_name_count(tmp_path):
    text = "import os, time\nfiles = [os.memfd_create('x') for _ in range(9)]\n"
    text += "for file in files:\n    for _ in range(20): os.write(file, bytes(1 << 20))\ntime.sleep(600)\n"
    verdict, detail, _, _ = asyncio.run(run_to_loss(write_python(tmp_path, text, memory_mib=80)))
    assert (verdict, detail) == (Verdict.CRASH, TOO_MUCH.format(80))


def test_what_the_kernel_is_to_hold_is_held_or_refused(tmp_path):
    """Where control groups may be made a fork bomb meets its end in the kernel; where not, it is said before."""
    text = "import os, time\nkept = []\nwhile True: kept.append(bytearray(b'x') * (1 << 20))\n"
    command = write_python(tmp_path, text, memory_mib=80, by_kernel=True)
    if control_group.find_parent_group() is None:
        with pytest.raises(ArenaError, match=r"--by-kernel needs a control group \(cgroup v2\)"):
            asyncio.run(Program.start(command, Ear()))
        assert "counted by the referee" in control_group.describe_memory_counting()
        return
    verdict, detail, _, _ = asyncio.run(run_to_loss(command))
    assert (verdict, detail) == (Verdict.CRASH, TOO_MUCH.format(80))
    assert list(control_group.find_parent_group().glob("hinterland-*")) == []


@pytest.mark.parametrize(
    ("lines", "group"),
    [("0::/a/b\n", "a/b"), ("4:memory:/x\n0::/a/b\n", "a/b"), ("4:memory:/x\n", None), ("0::/a\n", None)],
)
def test_where_control_groups_may_be_made(tmp_path, monkeypatch, lines, group):
    """On files that look like the kernel's: only what shares out memory and processes, and is ours, will do."""
    for place in ("", "a", "a/b"):
        (tmp_path / place).mkdir(exist_ok=True)
        (tmp_path / place / "cgroup.controllers").write_text("cpu" if place == "a" else "cpu memory pids")
        (tmp_path / place / "cgroup.subtree_control").write_text("memory pids")
        (tmp_path / place / "cgroup.procs").write_text("")
    (tmp_path / "own").write_text(lines)
    monkeypatch.setattr(control_group, "MOUNTS", (tmp_path / "nowhere", tmp_path))
    monkeypatch.setattr(control_group, "MEMBERSHIP", tmp_path / "own")
    try:
        control_group.find_parent_group.cache_clear()
        assert control_group.find_parent_group() == (None if group is None else tmp_path / group)
    finally:
        control_group.find_parent_group.cache_clear()


def test_too_much_memory_in_many_processes(tmp_path):
    text = "import os, time\nfor _ in range(2): os.fork()\nkept = b'x' * (40 << 20)\ntime.sleep(600)\n"
    verdict, detail, _, _ = asyncio.run(run_to_loss(write_python(tmp_path, text, memory_mib=80)))
    assert verdict is Verdict.CRASH
    assert detail == TOO_MUCH.format(80)


def test_too_large_a_file(tmp_path):
    text = (
        "import signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_DFL)\n"
        "with open('big', 'wb', buffering=0) as file:\n    for _ in range(64): file.write(bytes(1 << 16))\n"
    )
    _, detail, _, _ = asyncio.run(run_to_loss(write_python(tmp_path, text, file_mib=2)))
    assert "killed by SIGXFSZ (wrote a file larger than allowed)" in detail
    assert (tmp_path / "big").stat().st_size == 2 << 20


def test_too_many_files(tmp_path):
    _, detail, _, _ = asyncio.run(
        run_to_loss(write_python(tmp_path, "kept = [open('/dev/null') for _ in range(99)]", open_files=50))
    )
    assert "Too many open files" in detail


def test_a_program_that_stops_reading_is_lost(tmp_path):
    async def play():
        ear = Ear()
        program = await Program.start(write_python(tmp_path, READY + "import time\ntime.sleep(600)\n"), ear)
        await ear.until(lambda ear: ear.heard)
        for _ in range(100):
            program.write(b"x" * 4096)
        assert await ear.until_lost() == (Verdict.DISCONNECT, "it stopped reading: 256 KiB wait for it")
        await ended(program)

    asyncio.run(play())


def test_what_does_not_fit_the_pipe_at_once_is_sent_later(tmp_path):
    async def play():
        ear = Ear()
        text = "import sys\nsys.stdin.readline()\nprint(len(sys.stdin.readline()), flush=True)\nsys.stdin.read()\n"
        program = await Program.start(write_python(tmp_path, text), ear)
        program.write(b"x" * 200_000)
        program.write(b"\n" + b"y" * 99 + b"\n")
        await ear.until(lambda ear: ear.heard == b"100\n")
        program.end()
        await ended(program)

    asyncio.run(play())


def test_a_flood_waits_when_nobody_reads_and_stderr_is_always_drained(tmp_path):
    async def play():
        ear = Ear()
        text = "import os\nos.write(2, b'e' * 3_000_000 + b'end')\nwhile True: os.write(1, b'x' * 65536)\n"
        program = await Program.start(write_python(tmp_path, text), ear)
        await ear.until(lambda ear: len(ear.heard) > 500_000)
        program.stop_reading()
        heard = len(ear.heard)
        await asyncio.sleep(0.05)
        assert len(ear.heard) == heard
        assert program.stderr_tail == b"e" * 4093 + b"end"
        program.end()
        await ended(program)

    asyncio.run(play())


@pytest.mark.parametrize("is_ending", [True, False])
def test_the_end_of_the_loop_is_the_end_of_its_programs(tmp_path, is_ending):
    async def play():
        ear = Ear()
        program = await Program.start(write_python(tmp_path, RUNS_AWAY + "time.sleep(600)\n"), ear)
        await ear.until(lambda ear: ear.heard)
        if is_ending:
            program.end(grace_s=60)
            await asyncio.sleep(0.02)

    asyncio.run(play())


def test_no_program_outlives_a_killed_referee(tmp_path):
    bot = write_python(tmp_path, READY + "import time\ntime.sleep(600)\n")
    text = f"""
import asyncio, sys
sys.path.insert(0, {str(Path(__file__).parents[1])!r})
from programs import Ear, Program, Command
async def main():
    ear = Ear()
    program = await Program.start(Command(argv={bot.argv!r}), ear)
    await ear.until(lambda ear: ear.heard)
    print(program.pid, flush=True)
    await asyncio.sleep(600)
asyncio.run(main())
"""
    with subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE) as referee:
        pid = int(referee.stdout.readline())
        assert [found for found, *_ in find_left_behind(tmp_path) if found == pid]
        referee.kill()
    deadline = time.monotonic() + 5
    while find_left_behind(tmp_path) and time.monotonic() < deadline:
        time.sleep(0.005)


ARM = b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x02\x00\xb7\x00" + bytes(100)


@pytest.mark.parametrize(
    ("name", "content", "mode", "complaint"),
    [
        ("missing", None, 0, "no program './missing' in"),
        ("plain", b"#!/bin/sh\n", 0o644, "is not executable; make it so: chmod +x plain"),
        ("arm", ARM, 0o755, "is a program for aarch64, this machine is x86_64; compile it here"),
        ("windows", b"#!/bin/sh\r\necho\r\n", 0o755, "has line ends of Windows (CR LF)"),
        ("lost", b"#!/no/such/python3\n", 0o755, "asks for '/no/such/python3', which cannot be run"),
        ("bare", b"#!\n", 0o755, "asks for '', which cannot be run"),
        ("text", b"echo hello\n", 0o755, "is neither a Linux program nor a script whose first line is #!INTERPRETER"),
    ],
)
def test_what_cannot_be_started_is_refused_in_one_line(tmp_path, monkeypatch, name, content, mode, complaint):
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    monkeypatch.setattr("hinterland.host.processes.command.EMULATORS", tmp_path / "none")
    if content is not None:
        (tmp_path / name).write_bytes(content)
        (tmp_path / name).chmod(mode)
    with pytest.raises(ArenaError) as refusal:
        asyncio.run(Program.start(Command.parse(f"cmd:./{name}", cwd=str(tmp_path)), Ear()))
    assert complaint in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_other_places_and_names_that_cannot_be_started(tmp_path):
    (tmp_path / "mybot").write_text("#!/bin/sh\n")
    for text, cwd, complaint in (
        ("cmd:mybot", tmp_path, "on the PATH; for the one in"),
        ("cmd:no-such-program", tmp_path, "no program 'no-such-program' on the PATH"),
        ("cmd:./", tmp_path, "is a directory, not a program"),
        ("cmd:cat", tmp_path / "nowhere", "is not a directory to start 'cat' in"),
    ):
        with pytest.raises(ArenaError, match=complaint):
            asyncio.run(Program.start(Command.parse(text, cwd=str(cwd)), Ear()))


def test_a_command_line():
    command = Command.parse("cmd:./mybot --flag 'a b'", cwd="bots", sandbox=True)
    assert command.argv == ("./mybot", "--flag", "a b")
    assert (command.cwd, command.sandbox, command.limits) == ("bots", True, ProcessLimits())


@pytest.mark.parametrize(
    "text", ["mybot", "cmd:", "cmd:   ", "cmd:''", "cmd:'open", "cmd:a\x00b", "cmd:a\nb", "cmd:" + "x" * 5000]
)
def test_nonsense_is_no_command_line(text):
    with pytest.raises(BadText) as refusal:
        Command.parse(text)
    assert "cmd:PROGRAM ARGUMENT" in str(refusal.value)
    assert str(refusal.value).isprintable()


@pytest.mark.parametrize("value", [0, -1, 1.5, True, 2**31])
def test_limits_are_positive(value):
    with pytest.raises(RulesError, match="threads of a program must be a whole number"):
        ProcessLimits(threads=value)
