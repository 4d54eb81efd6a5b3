"""The sandbox: what a program inside it cannot see, reach or do, each beside a control without it."""

import asyncio
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hinterland.errors import ArenaError
from hinterland.host.processes import sandbox
from hinterland.host.processes.command import Command
from hinterland.host.processes.program_process import Program
from hinterland.referee.verdicts import Verdict
from programs import RUNS_AWAY, Ear, ended, left_behind, need_sandbox, python, run_to_loss


@pytest.fixture(autouse=True, scope="module")
def works():
    need_sandbox()


pytestmark = pytest.mark.usefixtures("nothing_left")


@pytest.fixture
def home(tmp_path):
    """Return the program's own directory; its neighbour has a secret."""
    (tmp_path / "neighbour").mkdir()
    (tmp_path / "neighbour" / "secret").write_text("42")
    (tmp_path / "own").mkdir()
    return tmp_path / "own"


def tried(home, line, *args, sandbox=True, **limits):
    """Run one line of Python and return what it printed or the error it died of."""
    text = f"import ctypes, os, socket, sys\nprint({line})\n"
    command = python(home, text, *args, sandbox=sandbox, **limits)
    _, detail, ear, program = asyncio.run(run_to_loss(command))
    return ear.heard.decode().strip() or program.stderr_tail.decode().splitlines()[-1] or detail


def test_a_program_plays_in_the_sandbox(home):
    async def play():
        ear = Ear()
        (home / "data").write_text("mine\n")
        text = "import sys\nprint(open('data').read(), sys.stdin.readline(), end='', flush=True)\nsys.stdin.read()\n"
        program = await Program.start(python(home, text, sandbox=True), ear)
        program.write(b"yours\n")
        await ear.until(lambda ear: ear.heard == b"mine\n yours\n")
        program.end()
        await ended(program)
        assert ear.losses == []

    asyncio.run(play())


def test_a_crash_is_told_from_outside(home):
    text = "import os, signal, sys\nprint('ouch', file=sys.stderr)\nos.kill(os.getpid(), signal.SIGSEGV)\n"
    verdict, detail, _, _ = asyncio.run(run_to_loss(python(home, text, sandbox=True)))
    assert (verdict, detail) == (Verdict.CRASH, "the program ended: killed by SIGSEGV; its last words: 'ouch'")


def test_the_files_of_others(home):
    secret = home.parent / "neighbour" / "secret"
    assert tried(home, "open(sys.argv[1]).read()", secret, sandbox=False) == "42"
    assert tried(home, "open(sys.argv[1]).read()", secret).startswith("FileNotFoundError")
    assert tried(home, "sorted(os.listdir('..'))") == "['own']"
    assert tried(home, "os.path.exists('/etc/passwd'), os.path.exists('/var')") == "False False"


def test_nothing_can_be_written_but_in_tmp(home):
    for place in ("here", "/usr/here", "/etc/here", "/here", "/dev/here"):
        told = tried(home, f"open('{place}', 'w')")
        assert "Read-only file system" in told or "Permission denied" in told
    assert tried(home, "open('/tmp/here', 'w').write('abc')") == "3"
    assert tried(home, "os.path.exists('/tmp/here')") == "False"


def test_tmp_is_bounded(home):
    for place in ("/tmp", "/dev/shm"):
        line = f"[open('{place}/%d' % i, 'wb').write(bytes(1 << 20)) for i in range(9)]"
        assert "No space left on device" in tried(home, line, file_mib=4)


def test_the_network(home):
    with socket.create_server(("127.0.0.1", 0)) as server:
        line = f"socket.create_connection(('127.0.0.1', {server.getsockname()[1]}), 5).getpeername()[0]"
        assert tried(home, line, sandbox=False) == "127.0.0.1"
        assert tried(home, line).startswith("ConnectionRefusedError")
    assert tried(home, "[name for _, name in socket.if_nameindex()]") == "['lo']"


def test_sockets_without_a_name_in_the_file_system(home):
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(b"\0hinterland-" + os.urandom(8).hex().encode())
        server.listen()
        name = server.getsockname()
        line = f"socket.socket(socket.AF_UNIX).connect({name!r})"
        assert tried(home, line, sandbox=False) == "None"
        assert tried(home, line).startswith("ConnectionRefusedError")


def test_other_processes(home):
    line = "len([name for name in os.listdir('/proc') if name.isdigit()])"
    assert int(tried(home, line, sandbox=False)) > 2
    assert int(tried(home, line)) <= 2
    with subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE) as peer:
        attach = f"ctypes.CDLL(None, use_errno=True).ptrace(16, {peer.pid}, 0, 0), ctypes.get_errno()"
        assert tried(home, f"os.kill({peer.pid}, 0)", sandbox=False) == "None"
        assert tried(home, f"os.kill({peer.pid}, 0)").startswith("ProcessLookupError")
        assert tried(home, attach).startswith("-1 ")
        peer.stdin.close()


def test_no_capability_is_left(home):
    line = "[line.split()[1] for line in open('/proc/self/status') if line.startswith(('CapPrm', 'CapEff', 'CapBnd'))]"
    assert set(eval(tried(home, line))) == {"0" * 16}
    remount = "ctypes.CDLL(None, use_errno=True).mount(None, b'/usr', None, 0x1020, None)"
    assert tried(home, remount) == "-1"


def test_nothing_of_the_kernel_can_be_set(home):
    """As root its files heed root's number whatever the namespace: a core_pattern would be a way out."""
    line = """[os.path.join(place, name) for place, _, names in os.walk('/proc') if not place[6:7].isdigit()
        and not place.startswith(('/proc/self', '/proc/thread-self', '/proc/pressure')) for name in names
        if os.access(os.path.join(place, name), os.W_OK)]"""
    assert tried(home, line) == "[]"
    if os.geteuid() == 0:
        assert "/proc/sys/kernel/core_pattern" in tried(home, line, sandbox=False)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root's programs get a user of their own")
def test_programs_of_root_are_not_root(home):
    found = eval(tried(home, "(os.getresuid(), os.getresgid(), os.getgroups(), os.stat('/tmp').st_mode & 0o7777)"))
    assert len(set(found[0] + found[1])) == 1
    assert found[0][0] >= 1_900_000_000
    assert found[2:] == ([], 0o1777)
    assert tried(home, "open('/dev/stdout', 'w').write('heard')") in ("heard5", "5heard", "heard\n5", "5\nheard")
    home.chmod(0o700)
    with pytest.raises(ArenaError, match=r"may not look into '.*own'; make it so: chmod o\+rx"):
        tried(home, "1")


def test_the_environment_is_bare(home, monkeypatch):
    monkeypatch.setenv("SECRET", "42")
    assert tried(home, "os.environ.get('SECRET')", sandbox=False) == "42"
    assert tried(home, "sorted(os.environ)") == "['HOME', 'LANG', 'PATH', 'PWD', 'PYTHONUNBUFFERED']"
    first = tried(home, "open('/proc/1/environ').read()")
    assert "PATH=" in first or first.startswith("PermissionError"), "that is of another user, where root made it"
    assert "SECRET" not in first


def test_too_many_processes(home):
    text = "import os, time\nfor _ in range(64):\n    if os.fork() == 0: time.sleep(600)\ntime.sleep(600)\n"
    verdict, detail, _, _ = asyncio.run(run_to_loss(python(home, text, threads=20, sandbox=True)))
    assert verdict is Verdict.CRASH
    assert "more than 20 processes and threads" in detail or "Resource temporarily unavailable" in detail


def test_what_runs_away_ends_with_the_sandbox(home):
    async def play():
        ear = Ear()
        program = await Program.start(python(home, RUNS_AWAY + "time.sleep(600)\n", sandbox=True), ear)
        await ear.until(lambda ear: ear.heard)
        program.end(grace_s=0.05)
        await ended(program)
        assert ear.losses == []

    asyncio.run(play())


def test_nothing_outlives_a_killed_referee(home, tmp_path):
    bot = python(home, RUNS_AWAY + "time.sleep(600)\n")
    text = f"""
import asyncio, sys
sys.path.insert(0, {str(Path(__file__).parents[1])!r})
from programs import Ear, Program, Command
async def main():
    ear = Ear()
    await Program.start(Command(argv={bot.argv!r}, sandbox=True), ear)
    await ear.until(lambda ear: ear.heard)
    print('ready', flush=True)
    await asyncio.sleep(600)
asyncio.run(main())
"""
    with subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE) as referee:
        assert referee.stdout.readline() == b"ready\n"
        assert len(left_behind(tmp_path)) >= 2
        referee.kill()
    deadline = time.monotonic() + 5
    while left_behind(tmp_path) and time.monotonic() < deadline:
        time.sleep(0.005)


def test_own_directory(tmp_path):
    script = tmp_path / "bots" / "mine.py"
    script.parent.mkdir()
    script.write_text("")
    for argv, own in (
        (("sh", "bots/mine.py"), script.parent),
        (("sh", "-c", "true"), None),
        (("bots/mine.py",), script.parent),
    ):
        command = Command(argv=argv, cwd=str(tmp_path))
        program = tmp_path / argv[0] if "/" in argv[0] else Path("/usr/bin") / argv[0]
        assert sandbox.own_directory(command, program) == own


def test_without_bubblewrap_it_is_refused(home, tmp_path, monkeypatch):
    (tmp_path / "empty").mkdir()
    command = python(home, "", sandbox=True)
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    with pytest.raises(ArenaError, match=r"needs bubblewrap \(bwrap\), which was not found; install it"):
        asyncio.run(Program.start(command, Ear()))


def test_a_bubblewrap_that_does_not_work_is_refused(home, tmp_path, monkeypatch):
    fake = tmp_path / "bwrap"
    fake.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    fake.chmod(0o755)
    command = python(home, "", sandbox=True)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ArenaError, match="No permissions to create new namespace"):
        asyncio.run(Program.start(command, Ear()))


def test_the_host_does_not_show_on_the_first_command_line(home):
    first = tried(home, "open('/proc/1/cmdline').read().split(chr(0))")
    assert "--args" in first
    assert "--ro-bind" not in first
    assert tried(home, "sorted(os.listdir('/proc/self/fd'))") == "['0', '1', '2', '3']", "the last lists them"


REFUSED = {
    "namespaces": "libc.unshare(0x10000000)",
    "namespaces by clone": "libc.syscall(56 if os.uname().machine == 'x86_64' else 220, 0x10000011, 0, 0, 0, 0)",
    "mounts": "libc.mount(b'none', b'/tmp', b'tmpfs', 0, None)",
    "another's memory": "libc.ptrace(16, os.getppid(), 0, 0)",
    "memory without a name": "libc.memfd_create(b'x', 0)",
    "shared memory of System V": "libc.shmget(0, 1 << 20, 0o1600)",
    "messages that nobody reads": "libc.msgget(0, 0o1600)",
    "keys": "libc.syscall(250 if os.uname().machine == 'x86_64' else 219, 0, -3, 0, 0, 0)",
    "the kernel's log": "libc.klogctl(3, None, 0)",
}


@pytest.mark.parametrize("what", REFUSED)
def test_calls_that_no_player_needs_are_refused(home, what):
    line = f"(lambda libc: ({REFUSED[what]}, ctypes.get_errno()))(ctypes.CDLL(None, use_errno=True))"
    told = tried(home, line)
    assert told in ("(-1, 1)", "(-1, 38)")
    if what.startswith("memory") or what.startswith("shared"):
        assert not tried(home, line, sandbox=False).startswith("(-1,"), "the control can"


def test_a_program_of_another_machine_is_no_way_around_the_filter():
    """The filter as the kernel reads it, walked through here."""
    import struct

    from hinterland.host.processes.system_calls import (
        ALLOW,
        EAFNOSUPPORT,
        ENOSYS,
        EPERM,
        ERRNO,
        KILL,
        NUMBERS,
        _program,
    )

    def verdict(machine, number, code=None, flags=0, fourth=0):
        steps = [struct.unpack("=HBBI", step) for step in _program(machine)]
        data = {0: number, 4: machine.code if code is None else code, 16: flags, 40: fourth}
        at = loaded = 0
        while True:
            what, then, otherwise, value = steps[at]
            at += 1
            if what == 0x20:
                loaded = data[value]
            elif what == 0x06:
                return value
            else:
                yes = {0x15: loaded == value, 0x35: loaded >= value, 0x45: bool(loaded & value)}[what]
                at += then if yes else otherwise

    for machine in NUMBERS.values():
        assert verdict(machine, 0) == ALLOW
        assert verdict(machine, 0, code=0x40000003) == KILL
        assert verdict(machine, 0x40000000 + 59) == ERRNO | ENOSYS
        assert {verdict(machine, number) for number in machine.missing} == {ERRNO | ENOSYS}
        assert {verdict(machine, number) for number in machine.forbidden} == {ERRNO | EPERM}
        assert verdict(machine, machine.clone, flags=0x11) == ALLOW
        assert verdict(machine, machine.clone, flags=0x3D0F00) == ALLOW, "a thread"
        assert verdict(machine, machine.clone, flags=0x10000011) == ERRNO | EPERM
        assert verdict(machine, machine.mmap, fourth=0x21) == ERRNO | EPERM, "shared, without a file"
        assert {verdict(machine, machine.mmap, fourth=flags) for flags in (0x22, 0x01, 0x02, 0x4022)} == {ALLOW}
        for number in machine.sockets:
            assert {verdict(machine, number, flags=family) for family in (1, 2, 10, 16)} == {ALLOW}
            assert {verdict(machine, number, flags=family) for family in (0, 17, 38, 40)} == {ERRNO | EAFNOSUPPORT}
