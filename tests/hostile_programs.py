"""Hostile programs: each tries one way out of the sandbox, or takes more than its limits allow.

A program joins in protocol json, acts at the first request for a move, and plays on with legal moves if it can. Its
last output, after ``LOOT``, lists everything that it should not have been able to see or do. It knows what a spy would
know: ``HOST`` names a process of its referee's user, that process's sockets, a secret, and files out of its reach.
"""

import textwrap
from typing import NamedTuple

PLAYER = '''
import contextlib, ctypes, errno, json, mmap, os, signal, socket, struct, sys, threading, time
LIBC = ctypes.CDLL(None, use_errno=True)
HOST = json.loads(sys.argv[1])
X86 = os.uname().machine == "x86_64"

def loot(what):
    os.write(2, f"LOOT {what}".encode())
    os._exit(42)

def call(x86, arm, *arguments):
    return LIBC.syscall(x86 if X86 else arm, *arguments)

def tried(*ways):
    """Tell of the first way that is no error."""
    for way in ways:
        with contextlib.suppress(OSError, ValueError, AttributeError):
            if (got := way()) not in (None, False, -1, b"", ""):
                loot(repr(got)[:100])

def deed():
#HERE

def cell(ply):
    return [2 * (ply // 8), 2 * (ply % 8)]

is_done = False
for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "hello":
        print('{"type":"join","name":"hostile"}', flush=True)
    elif told["type"] == "turn":
        if not is_done:
            is_done = True
            deed()
        answer = {"type": "move", "game_id": told["game_id"], "turn": told["turn"], "move": cell(len(told["moves"]))}
        print(json.dumps(answer), flush=True)
'''
"""Played on boards of 16 cells a side with a spacing of 2."""


class Hostile(NamedTuple):
    """One program of the set."""

    deed: str
    """Code that it runs at the first request for a move."""
    becomes: str = "complete"
    """Expected verdict; ``|`` separates alternatives."""
    works_outside: bool = False
    """Whether it succeeds without a sandbox, as a control."""
    clock_s: int = 3

    @property
    def text(self):
        return PLAYER.replace("#HERE", textwrap.indent(textwrap.dedent(self.deed), "    "))


LOOKING = {
    "environments": Hostile(
        """
        for number in filter(str.isdigit, os.listdir("/proc")):
            with contextlib.suppress(OSError):
                if HOST["secret"].encode() in open(f"/proc/{number}/environ", "rb").read():
                    loot(number)
        """,
        works_outside=True,
    ),
    "processes of the host": Hostile(
        """
        for number in filter(str.isdigit, os.listdir("/proc")):
            with contextlib.suppress(OSError):
                words = open(f"/proc/{number}/cmdline", "rb").read()
                if b"hinterland" in words or HOST["mark"].encode() in words.replace(sys.argv[1].encode(), b""):
                    loot(words[:60])
        """,
        works_outside=True,
    ),
    "files of others": Hostile('tried(lambda: open(HOST["file"]).read())', works_outside=True),
    "its referee's files, through /proc": Hostile(
        """
        for number in filter(str.isdigit, os.listdir("/proc")):
            for place in ("root", "cwd"):
                tried(lambda: open(f"/proc/{number}/{place}{HOST['file']}").read())
        """,
        works_outside=True,
    ),
    "TCP to the host": Hostile(
        'tried(lambda: socket.create_connection(("127.0.0.1", HOST["port"]), 2).getpeername())', works_outside=True
    ),
    "a socket of the file system": Hostile(
        """
        server = socket.socket(socket.AF_UNIX)
        tried(lambda: server.connect(HOST["socket"]) or "connected")
        """,
        works_outside=True,
    ),
    "an abstract socket": Hostile(
        """
        server = socket.socket(socket.AF_UNIX)
        tried(lambda: server.connect("\\0" + HOST["mark"]) or "connected")
        """,
        works_outside=True,
    ),
    "raw packets": Hostile(
        """
        tried(lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1), lambda: socket.socket(socket.AF_PACKET, 3, 3))
        """
    ),
    "sockets that no namespace holds": Hostile(
        "tried(*(lambda kind=kind: socket.socket(*kind) for kind in ((40, 1), (40, 2), (38, 5), (31, 3), (44, 3))))",
        works_outside=True,
    ),
    "signals to others": Hostile(
        """
        for number in map(int, filter(str.isdigit, os.listdir("/proc"))):
            if number not in (1, os.getpid()):  # 1 is the sandbox itself
                tried(lambda: os.kill(number, 0) or number)
        tried(lambda: os.kill(HOST["pid"], 0) or HOST["pid"])
        tried(lambda: signal.pidfd_send_signal(os.pidfd_open(HOST["pid"]), 0) or "pidfd")
        """,
        works_outside=True,
    ),
    "namespaces of its own": Hostile(
        """
        for flags in (0x10000000, 0x10020000, 0x50000000, 0x20000000, 0x80, 0x02000000):
            tried(lambda: LIBC.unshare(flags) == 0, lambda: call(56, 220, flags | 17, 0, 0, 0, 0) > 0)
        arguments = (ctypes.c_uint64 * 11)(0x10000000, 0, 0, 0, 17)
        tried(lambda: call(435, 435, arguments, 88) > 0)
        tried(lambda: call(308, 268, os.open("/proc/1/ns/user", os.O_RDONLY), 0) == 0)
        """,
        works_outside=True,
    ),
    "mounts": Hostile(
        """
        tried(
            lambda: LIBC.mount(b"none", b"/tmp", b"tmpfs", 0, None) == 0,
            lambda: LIBC.mount(None, b"/usr", None, 0x1020, None) == 0,
            lambda: LIBC.umount2(b"/proc", 2) == 0, lambda: call(428, 428, -100, b"/", 1) >= 0,
            lambda: call(430, 430, b"tmpfs", 0) >= 0, lambda: call(161, 51, b"/tmp") == 0,
        )
        """
    ),
    "another's memory": Hostile(
        """
        tried(
            lambda: LIBC.ptrace(16, HOST["pid"], 0, 0) == 0, lambda: LIBC.ptrace(16, 1, 0, 0) == 0,
            lambda: LIBC.ptrace(0, 0, 0, 0) == 0,
            lambda: open(f"/proc/{HOST['pid']}/mem", "rb").fileno(),
        )
        with contextlib.suppress(OSError), open("/proc/1/maps") as maps, open("/proc/1/mem", "rb", 0) as memory:
            for first, last in (line.split()[0].split("-") for line in maps):
                with contextlib.suppress(OSError, OverflowError, ValueError):
                    memory.seek(int(first, 16))
                    if b"SECRET=" in memory.read(int(last, 16) - int(first, 16)): loot("memory")
        """,
        works_outside=True,
    ),
    "keys": Hostile(
        """
        tried(lambda: call(248, 217, b"user", b"x", b"y", 1, -3), lambda: call(250, 219, 0, -4, 1) or "ring")
        """,
        works_outside=True,
    ),
    "rings of the kernel": Hostile(
        """
        asked = ctypes.create_string_buffer(120)
        tried(lambda: call(425, 425, 4, asked), lambda: call(323, 282, 0), lambda: call(321, 280, 5, asked, 120))
        """,
        works_outside=True,
    ),
    "memory that nobody counts": Hostile(
        """
        tried(
            lambda: LIBC.memfd_create(b"x", 0), lambda: LIBC.shmget(0, 1 << 20, 0o1600), lambda: call(447, 447, 0),
            lambda: mmap.mmap(-1, 1 << 20).tell() == 0, lambda: call(278, 75, 1, 0, 0, 0) >= 0,
            lambda: mmap.mmap(os.open("/dev/zero", os.O_RDWR), 1 << 20).tell() == 0,
        )
        """,
        works_outside=True,
    ),
    "watches on what others use": Hostile(
        """
        watch = LIBC.inotify_init1(os.O_NONBLOCK)
        tried(lambda: LIBC.inotify_add_watch(watch, b"/usr/bin", 0xfff) > 0, lambda: LIBC.fanotify_init(0x200, 0) >= 0)
        import fcntl
        tried(lambda: fcntl.fcntl(os.open("/dev", os.O_RDONLY), 1026, -0x7fffffff) == 0)
        """,
        works_outside=True,
    ),
    "bits that others read": Hostile(
        """
        import fcntl
        shared, device = open("/usr/bin/env", "rb"), open("/dev/null", "rb+")
        tried(
            lambda: fcntl.flock(shared, fcntl.LOCK_EX | fcntl.LOCK_NB) or "lock",
            lambda: fcntl.lockf(device, fcntl.LOCK_EX | fcntl.LOCK_NB) or "lock of a device",
            lambda: fcntl.fcntl(shared, fcntl.F_GETLK, bytes(32)), lambda: fcntl.fcntl(shared, 1035, bytes(8)),
        )
        """,
        works_outside=True,
    ),
    "what the whole machine has a number of": Hostile(
        """
        tried(lambda: call(206, 0, 1000, ctypes.byref(ctypes.c_long())) == 0, lambda: os.openpty())
        """,
        works_outside=True,
    ),
    "the mark of those that are ended first": Hostile(
        'tried(lambda: open("/proc/self/oom_score_adj", "w").write("0"))', works_outside=True
    ),
    "writing where others read": Hostile(
        """
        for place in ("", "/usr/", "/etc/", "/", "/dev/", "/proc/sys/kernel/", os.path.dirname(HOST["file"]) + "/"):
            tried(lambda: open(place + HOST["mark"], "w").write("x"))
        for file in ("kernel/core_pattern", "vm/drop_caches", "kernel/pid_max"):
            tried(lambda: os.open(f"/proc/sys/{file}", os.O_WRONLY))
        """,
        works_outside=True,
    ),
}
"""Programs that must find nothing, and play on."""

HIDES = """
def hides():
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    import resource
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(10, (1, 1))
"""
TAKING = {
    "a fork bomb": Hostile("while True:\n    with contextlib.suppress(OSError): os.fork()", "crash|time", clock_s=1),
    "a fork bomb that leaves no parent": Hostile(
        """
        if os.fork(): time.sleep(60)
        while True:
            with contextlib.suppress(OSError):
                if os.fork(): os._exit(0)
        """,
        "crash|time",
        clock_s=1,
    ),
    "threads without end": Hostile(
        """
        while True:
            with contextlib.suppress(RuntimeError):
                threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
        """,
        "crash|time",
        clock_s=1,
    ),
    "daemons": Hostile(
        HIDES
        + """
for _ in range(8):
    if os.fork() == 0:
        hides()
        os.setsid()
        if os.fork() == 0:
            os.closerange(0, 100)
            time.sleep(600)
        os._exit(0)
        """
    ),
    "memory of its own": Hostile("kept = [bytearray(b'x') * (1 << 24) for _ in range(1 << 10)]", "crash"),
    "memory of its children": Hostile(
        """
        for _ in range(24):
            if os.fork() == 0:
                kept = bytearray(b"x") * (60 << 20)
                time.sleep(60)
        time.sleep(60)
        """,
        "crash",
    ),
    "files in memory": Hostile(
        """
        for place in ("/tmp/", "/dev/shm/"):
            for number in range(1 << 10):
                try:
                    open(f"{place}{HOST['mark']}-{number}", "wb").write(bytes(1 << 24))
                except OSError: break
        kept = bytearray(b"x") * (150 << 20)
        time.sleep(60)
        """,
        "crash",
    ),
    "files without end": Hostile(
        """
        for number in range(1 << 24):
            os.close(os.open(f"/tmp/{HOST['mark']}-{number}", os.O_CREAT | os.O_WRONLY))
        """,
        "crash",
        clock_s=30,  # a busy machine makes few files per second, of a kilobyte each
    ),
    "tables of pages": Hostile(
        """
        while True:
            room = mmap.mmap(-1, 1 << 36, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, prot=mmap.PROT_READ)
            room.madvise(15)
            HOST.setdefault("kept", []).append(room)
            for place in range(0, 1 << 36, 1 << 21): room[place]
        """,
        "crash",
    ),
    "mappings": Hostile(
        """
        LIBC.mmap.restype = ctypes.c_void_p
        LIBC.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]
        LIBC.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
        room = LIBC.mmap(None, 64000 << 12, 1, 0x4022, -1, 0)
        for place in range(0, 64000, 2): LIBC.mprotect(room + (place << 12), 1 << 12, 0)
        for _ in range(60):
            if os.fork() == 0: time.sleep(60)
        time.sleep(60)
        """,
        "crash",
    ),
    "full sockets": Hostile(
        """
        kept = []
        while True:
            if len(kept) == 100:
                if os.fork(): time.sleep(60)
                for one, other in kept: one.close() or other.close()
                kept.clear()
            pair = socket.socketpair()
            kept.append(pair)
            for end in pair:
                end.setblocking(False)
                with contextlib.suppress(BlockingIOError):
                    while True: end.send(bytes(1 << 16))
        """,
        "crash",
    ),
    "a large file": Hostile("open('/tmp/' + HOST['mark'], 'wb').truncate(1 << 40)", "crash"),
    "huge arguments": Hostile(
        """
        with contextlib.suppress(OSError):
            os.execv(sys.executable, [sys.executable, "-c", "", *["x" * 131000] * 15])
        with contextlib.suppress(OSError):
            os.execv(sys.executable, [sys.executable, *["x" * 131000] * 1000])
        """,
        "crash",
    ),
    "a flood of output": Hostile("while True: os.write(1, b'x' * 65536)", "oversize|flood"),
    "a flood of errors": Hostile("while True: os.write(2, b'x' * 65536)", "time"),
    "a flood of lines": Hostile("while True: os.write(1, b'#\\n' * 30000)", "protocol|flood"),
    "signals to itself": Hostile("os.kill(0, signal.SIGSTOP)", "time"),
    "the end of all": Hostile("os.kill(-1, signal.SIGKILL)", "crash"),
}
"""Programs that exceed their limits, or do not end."""
SET = {**LOOKING, **TAKING}
