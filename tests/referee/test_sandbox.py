"""The sandbox: what a program inside it cannot see, reach or do, each beside a control without it."""

import asyncio
import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hinterland.errors import ArenaError
from hinterland.host.processes import own_files
from hinterland.host.processes.command import Command
from hinterland.host.processes.program_process import Program
from hinterland.referee.verdicts import Verdict
from programs import RUNS_AWAY, Ear, ended, find_left_behind, need_sandbox, run_to_loss, write_python


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
    command = write_python(home, text, *args, sandbox=sandbox, **limits)
    _, detail, ear, program = asyncio.run(run_to_loss(command))
    return ear.heard.decode().strip() or program.stderr_tail.decode().splitlines()[-1] or detail


def test_a_program_plays_in_the_sandbox(home):
    async def play():
        ear = Ear()
        (home / "data").write_text("mine\n")
        text = "import sys\nprint(open('data').read(), sys.stdin.readline(), end='', flush=True)\nsys.stdin.read()\n"
        program = await Program.start(write_python(home, text, sandbox=True), ear)
        program.write(b"yours\n")
        await ear.until(lambda ear: ear.heard == b"mine\n yours\n")
        program.end()
        await ended(program)
        assert ear.losses == []

    asyncio.run(play())


def test_a_crash_is_told_from_outside(home):
    text = "import os, signal, sys\nprint('ouch', file=sys.stderr)\nos.kill(os.getpid(), signal.SIGSEGV)\n"
    verdict, detail, _, _ = asyncio.run(run_to_loss(write_python(home, text, sandbox=True)))
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
    with pytest.raises(ArenaError, match=r"may not read '.*own'; allow it: chmod o\+rx"):
        tried(home, "1")


def test_the_environment_is_bare(home, monkeypatch):
    monkeypatch.setenv("SECRET", "42")
    monkeypatch.setenv("JAVA_HOME", "/opt/java")
    assert tried(home, "os.environ['JAVA_HOME']", sandbox=False) == "/opt/java"
    assert tried(home, "sorted(os.environ)") == "['HOME', 'LANG', 'PATH', 'PWD']"
    first = tried(home, "open('/proc/1/environ').read()")
    assert "PATH=" in first or first.startswith("PermissionError"), "that is of another user, where root made it"
    assert "SECRET" not in first


@pytest.mark.parametrize("inside", [False, True], ids=["bare", "sandbox"])
def test_the_operator_passes_on_what_it_names(home, monkeypatch, inside):
    monkeypatch.setenv("BOOK", "/srv/books")
    assert tried(home, "os.environ.get('BOOK')", sandbox=inside) == "None"
    monkeypatch.setenv("HINTERLAND_PASS_ENV", "BOOK, TZ,")
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    assert tried(home, "os.environ['BOOK'], os.environ['TZ']", sandbox=inside) == "/srv/books Asia/Tokyo"
    monkeypatch.delenv("BOOK")
    with pytest.raises(ArenaError, match="HINTERLAND_PASS_ENV names 'BOOK', which is not set here"):
        tried(home, "1", sandbox=inside)


def test_too_many_processes(home):
    text = "import os, time\nfor _ in range(64):\n    if os.fork() == 0: time.sleep(600)\ntime.sleep(600)\n"
    verdict, detail, _, _ = asyncio.run(run_to_loss(write_python(home, text, threads=20, sandbox=True)))
    assert verdict is Verdict.CRASH
    assert "more than 20 processes and threads" in detail or "Resource temporarily unavailable" in detail


def test_what_runs_away_ends_with_the_sandbox(home):
    async def play():
        ear = Ear()
        program = await Program.start(write_python(home, RUNS_AWAY + "time.sleep(600)\n", sandbox=True), ear)
        await ear.until(lambda ear: ear.heard)
        program.end(grace_s=0.05)
        await ended(program)
        assert ear.losses == []

    asyncio.run(play())


def test_nothing_outlives_a_killed_referee(home, tmp_path):
    bot = write_python(home, RUNS_AWAY + "time.sleep(600)\n")
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
        assert len(find_left_behind(tmp_path)) >= 2
        referee.kill()
    deadline = time.monotonic() + 5
    while find_left_behind(tmp_path) and time.monotonic() < deadline:
        time.sleep(0.005)


LANGUAGES = {
    "python3": ("bot.py", "import sqlite3, threading, multiprocessing\nprint(6 * 7)", "", "{tool} bot.py"),
    "node": ("bot.mjs", "import 'fs'; setTimeout(() => console.log(6 * 7), 1)", "", "{tool} bot.mjs"),
    "g++": (
        "bot.cpp",
        "#include <iostream>\nint main() { std::cout << 6 * 7 << std::endl; }",
        "-o bot bot.cpp",
        "./bot",
    ),
    "rustc": ("bot.rs", 'fn main() { println!("{}", 6 * 7); }', "bot.rs", "./bot"),
    "javac": (
        "Bot.java",
        "class Bot { public static void main(String[] words) throws Exception { "
        "java.util.concurrent.Executors.newFixedThreadPool(4).submit(() -> System.out.println(6 * 7)).get();"
        "System.exit(0); } }",
        "Bot.java",
        "java -cp . Bot",
    ),
    "mcs": (
        "Bot.cs",
        "using System; class Bot { static void Main() { "
        "System.Threading.Tasks.Task.Run(() => Console.WriteLine(42)).Wait(); } }",
        "-out:Bot.exe Bot.cs",
        "mono Bot.exe",
    ),
    "go": ("bot.go", 'package main\nimport "fmt"\nfunc main() { fmt.Println(6 * 7) }', "build -o bot bot.go", "./bot"),
}


@pytest.mark.parametrize("language", [name for name in LANGUAGES if shutil.which(name)])
def test_programs_of_many_languages_start(home, language):
    name, text, built, line = LANGUAGES[language]
    (home / name).write_text(text)
    compiler = shutil.which(language)
    if built:
        made = subprocess.run([compiler, *built.split()], cwd=home, capture_output=True, text=True, check=False)
        assert made.returncode == 0, made.stderr
    argv = tuple(line.format(tool=f"/usr/bin/{language}").split())
    _, detail, ear, _ = asyncio.run(run_to_loss(Command(argv=argv, cwd=str(home), sandbox=True)))
    assert (ear.heard, detail) == (b"42\n", "the program ended: exit status 0")


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
        assert own_files.find_own_directory(command, program) == own


LINKS = {
    "the folder of its classes": ("classes", "bot.py", "{python} bots/mine/classes/bot.py"),
    "a folder that the command names": ("classes", None, "sh -c true bots/mine/classes"),
    "a folder above": ("lib", None, "sh -c true bots/mine/lib/deeper"),
    "its interpreter's bin": ("venv/bin", "python3", "bots/mine/venv/bin/python3 bots/mine/bot.py"),
    "its interpreter's lib": ("venv/lib", None, "bots/mine/venv/bin/python3 bots/mine/bot.py"),
    "its interpreter's pyvenv.cfg": ("venv/pyvenv.cfg", None, "bots/mine/venv/bin/python3 bots/mine/bot.py"),
    "its interpreter": ("venv/bin/python3", None, "bots/mine/venv/bin/python3 bots/mine/bot.py"),
    "two links, one inside": ("second", None, "sh -c true bots/mine/first"),
}


@pytest.mark.parametrize("by", [os.path.relpath, str], ids=["relative", "absolute"])
@pytest.mark.parametrize("what", LINKS)
def test_a_link_that_leads_out_of_a_submission_is_refused(tmp_path, what, by):
    """Else a submission of ``classes -> ~/private`` shows the operator's files to the program, and it tells them."""
    link, needed, line = LINKS[what]
    private, mine = tmp_path / "private", tmp_path / "bots" / "mine"
    for folder in (private / "deeper", private / "bin", mine / "venv" / "bin", mine / "venv" / "lib"):
        folder.mkdir(parents=True)
    for name in ("secret", "bot.py", "python3", "bin/python3"):
        (private / name).write_text("#!/bin/sh\necho 42\n")
        (private / name).chmod(0o755)
    (mine / "bot.py").write_text("print(1)")
    (mine / "first").symlink_to("second")
    place = mine / link
    if place.is_dir():
        place.rmdir()
    target = private / "bin" / "python3" if link.endswith("python3") else private
    place.symlink_to(by(target, place.parent) if by is os.path.relpath else target)
    if link == "venv/lib" or link == "venv/pyvenv.cfg":
        (mine / "venv" / "bin" / "python3").write_bytes(Path("/bin/true").read_bytes())
        (mine / "venv" / "bin" / "python3").chmod(0o755)
    argv = line.format(python="/usr/bin/python3").split()
    with pytest.raises(ArenaError, match=r"leads (out of its folder|by a link to '.*private', where no Python)"):
        asyncio.run(Program.start(Command(argv=tuple(argv), cwd=str(tmp_path), sandbox=True), Ear()))
    assert needed is None or (place / needed).exists(), "the control: what the program asks for is there"


def test_links_that_stay_inside_lead_where_they_lead(home):
    (home / "v2").mkdir()
    (home / "v2" / "data").write_text("mine")
    (home / "current").symlink_to("v2")
    (home / "data").symlink_to("current/data")
    assert (
        tried(home, "open('current/data').read(), open('data').read(), open(sys.argv[1] + '/data').read()", "current")
        == "mine mine mine"
    )
    deeper = home / "current"
    line = "import os; print(os.listdir(), os.path.exists('../bot.py'))"  # it starts in its own folder
    command = Command(argv=("/usr/bin/python3", "-c", line, str(deeper)), cwd=str(home), sandbox=True)
    assert asyncio.run(run_to_loss(command))[2].heard == b"['data'] False\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make root's links")
def test_homes_may_be_links_of_the_system(tmp_path, monkeypatch):
    (tmp_path / "disk" / "alice").mkdir(parents=True)
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "alice").symlink_to(tmp_path / "disk" / "alice")
    with pytest.raises(ArenaError, match="home/alice' leads out of its folder"):
        own_files.resolve_inside(tmp_path / "home" / "alice")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert own_files.resolve_inside(tmp_path / "home" / "alice") == tmp_path / "disk" / "alice"
    os.lchown(tmp_path / "home" / "alice", 1000, 1000)
    with pytest.raises(ArenaError, match="home/alice' leads out of its folder"):
        own_files.resolve_inside(tmp_path / "home" / "alice")


def test_who_exchanges_the_folder_when_it_has_been_judged_shows_nothing(home, monkeypatch):
    private = home.parent / "neighbour"
    private.chmod(0o755)
    judge = own_files.list_visible_files

    def exchanged(own, program):
        seen = judge(own, program)
        own.rename(home.parent / "away")
        own.symlink_to(private)
        return seen

    (private / "bot.py").write_text("print('exchanged')")
    (home / "bot.py").write_text("print('mine')")
    command = Command(argv=("/usr/bin/python3", str(home / "bot.py")), cwd="/", sandbox=True)
    assert asyncio.run(run_to_loss(command))[2].heard == b"mine\n", "the control"
    monkeypatch.setattr(own_files, "list_visible_files", exchanged)
    _, detail, ear, _ = asyncio.run(run_to_loss(command))
    assert ear.heard == b""
    assert "exit status 126" in detail


def test_without_bubblewrap_it_is_refused(home, tmp_path, monkeypatch):
    (tmp_path / "empty").mkdir()
    command = write_python(home, "", sandbox=True)
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    with pytest.raises(ArenaError, match=r"needs bubblewrap \(bwrap\), which was not found; install it"):
        asyncio.run(Program.start(command, Ear()))


def test_a_bubblewrap_that_does_not_work_is_refused(home, tmp_path, monkeypatch):
    fake = tmp_path / "bwrap"
    fake.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    fake.chmod(0o755)
    command = write_python(home, "", sandbox=True)
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


SHARED = {
    "watches (inotify)": "libc.inotify_init1(0)",
    "watches on the whole (fanotify)": "libc.fanotify_init(0x200, 0)",
    "watches on folders (dnotify)": "libc.fcntl(os.open('/dev', os.O_RDONLY), 1026, 0x80000001)",
    "locks of a file of the system": "libc.flock(os.open('/usr/bin/env', os.O_RDONLY), 2 | 4)",
    "locks of a device": "libc.flock(os.open('/dev/null', os.O_RDWR), 2 | 4)",
    "locks of parts of a device": "libc.fcntl(os.open('/dev/null', os.O_RDWR), 6, bytes(2 * 16))",
    "looking at locks": "libc.fcntl(os.open('/usr/bin/env', os.O_RDONLY), 5, bytes(2 * 16))",
    "locks of open files": "libc.fcntl(os.open('/dev/null', os.O_RDWR), 37, bytes(2 * 16))",
    "leases": "libc.fcntl(os.open('/usr/bin/env', os.O_RDONLY), 1025)",
    "hints that stay with a file": "libc.fcntl(os.open('/usr/bin/env', os.O_RDONLY), 1035, bytes(8))",
    "slots of aio": "libc.syscall(206 if os.uname().machine == 'x86_64' else 0, 1000, ctypes.byref(ctypes.c_long()))",
    "terminals": "libc.posix_openpt(2)",
}
"""What all sandboxes and the host have of one file, or draw from one number."""


@pytest.mark.parametrize("what", SHARED)
def test_what_all_share_tells_nothing_and_is_not_used_up(home, what):
    line = f"(lambda libc: ({SHARED[what]}, ctypes.get_errno()))(ctypes.CDLL(None, use_errno=True))"
    inside, outside = eval(tried(home, line)), eval(tried(home, line, sandbox=False))
    assert inside in ((-1, 38), (-1, 2)), "not there"
    assert outside[0] >= 0 or os.geteuid() != 0, f"the control can: {outside}"


def test_the_mark_by_which_the_kernel_ends_it_first_stays(home):
    line = "open('/proc/self/oom_score_adj', 'w').write('0')"
    assert tried(home, line).startswith("OSError: [Errno 30] Read-only file system")
    assert tried(home, "open('/proc/self/oom_score_adj').read().strip()") == "1000"


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
        MACHINES,
        _make_program,
    )

    def verdict(machine, number, code=None, flags=0, second=0, fourth=0):
        steps = [struct.unpack("=HBBI", step) for step in _make_program(machine)]
        data = {0: number, 4: machine.code if code is None else code, 16: flags, 24: second, 40: fourth}
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

    for machine in MACHINES.values():
        assert verdict(machine, 1) == ALLOW
        assert verdict(machine, 0, code=0x40000003) == KILL
        assert verdict(machine, 0x40000000 + 59) == ERRNO | ENOSYS
        assert {verdict(machine, number) for number in machine.missing} == {ERRNO | ENOSYS}
        assert {verdict(machine, number) for number in machine.forbidden} == {ERRNO | EPERM}
        assert verdict(machine, machine.clone, flags=0x11) == ALLOW
        assert verdict(machine, machine.clone, flags=0x3D0F00) == ALLOW, "a thread"
        assert verdict(machine, machine.clone, flags=0x10000011) == ERRNO | EPERM
        assert verdict(machine, machine.mmap, fourth=0x21) == ERRNO | EPERM, "shared, without a file"
        assert {verdict(machine, machine.mmap, fourth=flags) for flags in (0x22, 0x01, 0x02, 0x4022)} == {ALLOW}
        assert {verdict(machine, machine.fcntl, second=command) for command in (0, 2, 4, 1030, 1031)} == {ALLOW}
        locks = (5, 6, 7, 36, 37, 38, 1024, 1025, 1026, 1036)
        assert {verdict(machine, machine.fcntl, second=command) for command in locks} == {ERRNO | ENOSYS}
        for number in machine.sockets:
            assert {verdict(machine, number, flags=family) for family in (1, 2, 10, 16)} == {ALLOW}
            assert {verdict(machine, number, flags=family) for family in (0, 17, 38, 40)} == {ERRNO | EAFNOSUPPORT}
