"""Runs a program in a bubblewrap sandbox: no network, a read-only system, the program's folder, and no other files.

A sandbox shows /usr and its links, a handful of files of /etc, the program's folder (read-only), a private /tmp of
bounded size, and a new /proc. In its new /proc the program sees only its own processes and bubblewrap's, whose
environment and command line give nothing away. The program has no capability. A filter of system calls
(``system_calls``) keeps the program from making namespaces, reaching other processes, using uncounted memory, and
learning from shared files what others do. There is no terminal, since all sandboxes would take terminals from one
shared supply. /proc is read-only, so that no process can lower its chance of being killed first (``process_limits``).
The sandbox is a process namespace: when its first process is killed, or the referee dies, the kernel ends every process
in it.

If the referee is root, each program runs as a user of its own, since /proc and the kernel's limits treat root's user
number as root even in a user namespace. If the referee is not root, its programs run as the referee's own user.

The module ``own_files`` chooses which of the host's files a program sees.
"""

from __future__ import annotations

import asyncio
import functools
import os
import secrets
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hinterland.errors import ArenaError, quote
from hinterland.host.processes import own_files
from hinterland.host.processes.command import Command, read_passed_variables
from hinterland.host.processes.memory_usage import MIB
from hinterland.host.processes.own_files import SYSTEM_FOLDERS
from hinterland.host.processes.process_limits import wrap_in_shell
from hinterland.host.processes.system_calls import make_seccomp_filter

if TYPE_CHECKING:
    from collections.abc import Sequence

SHOWN_IN_ETC = ("alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "mono", "ssl/certs")
ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/tmp", "LANG": "C.UTF-8"}
PROBE_S = 5.0
SETUID_CAPABILITIES = ("SETUID", "SETGID", "SETPCAP")
FIRST_USER_ID, USER_IDS = 1_900_000_000, 100_000_000
"""First number, and length, of a range of user numbers that no system uses. A referee that runs as root draws a user
for each program from this range."""


class Isolation(NamedTuple):
    """One way of isolating a program."""

    options: tuple[str, ...]
    """Options of bubblewrap."""
    is_other_user: bool = False
    """Whether the program runs as another user than the referee, which only root can arrange."""

    def make_user_words(self, user: int | None) -> tuple[str, ...]:
        """Return the words to put before a command so that it runs as ``user``; none if ``user`` is None."""
        if user is None:
            return ()
        nothing = ("--inh-caps=-all", "--ambient-caps=-all", "--bounding-set=-all")
        return ("setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", *nothing, "--")

    def draw_user(self) -> int | None:
        """Draw a user number for a program; None if the program runs as the referee's user."""
        return FIRST_USER_ID + secrets.randbelow(USER_IDS) if self.is_other_user else None


NAMESPACES = ("ipc", "pid", "net", "uts", "cgroup-try")
ISOLATION_OPTIONS = (*(f"--unshare-{name}" for name in NAMESPACES), "--cap-drop", "ALL")
AS_ANOTHER = Isolation(
    (*ISOLATION_OPTIONS, *(word for name in SETUID_CAPABILITIES for word in ("--cap-add", f"CAP_{name}"))), True
)
AS_ITSELF = Isolation((*ISOLATION_OPTIONS, "--unshare-user", "--uid", "1000", "--gid", "1000"))
NO_NAMESPACES = Isolation((*AS_ITSELF.options, "--disable-userns"))
"""Isolation in which a program can make no namespaces; it needs bubblewrap 0.8 and a writable /proc/sys."""


def find_bubblewrap() -> str:
    """Return the path of bubblewrap. Raises ArenaError if bubblewrap is missing."""
    found = shutil.which("bwrap") if sys.platform == "linux" else None
    if found is None:
        raise ArenaError(
            "--sandbox needs bubblewrap (bwrap), which was not found; "
            "install it (Debian: apt install bubblewrap) or leave --sandbox out"
        )
    return found


async def check() -> None:
    """Try at the first call whether a sandbox can be made. Raises ArenaError if not."""
    if complaint := (await asyncio.to_thread(_try_isolations, find_bubblewrap()))[1]:
        raise ArenaError(
            f"--sandbox needs bubblewrap 0.7 or later and the right to make namespaces, but bwrap said "
            f"{quote(complaint, 160)}; allow it, or leave --sandbox out"
        )


@functools.cache
def _try_isolations(bwrap: str) -> tuple[Isolation, str]:
    """Return the strictest isolation that works, and an empty text; if none works, bubblewrap's complaint."""
    as_another = [AS_ANOTHER] if os.geteuid() == 0 else []
    for isolation in (*as_another, NO_NAMESPACES, AS_ITSELF):
        complaint = _try_isolation(bwrap, isolation)
        if not complaint:
            break
    return isolation, complaint


def _try_isolation(bwrap: str, isolation: Isolation) -> str:
    """Return bubblewrap's complaint about this kind of sandbox; empty if it works."""
    options = (
        *isolation.options,
        *_make_room_options(MIB),
        "--as-pid-1",
        "--remount-ro",
        "/",
    )  # as process 1, ``true`` leaves no orphan
    try:
        with Confined.within(bwrap, options, (*isolation.make_user_words(isolation.draw_user()), "true")) as confined:
            tried = subprocess.run(
                confined.argv, capture_output=True, timeout=PROBE_S, stdin=subprocess.DEVNULL, check=False,
                env=ENVIRONMENT, pass_fds=confined.descriptors,
            )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    words = tried.stderr.decode("utf-8", "replace").strip().splitlines()
    return "" if tried.returncode == 0 else (words[-1] if words else f"exit status {tried.returncode}")


class Confined(NamedTuple):
    """A command line that makes a sandbox, and the descriptors from which bubblewrap reads its options.

    Pass the descriptors to the process; leaving the context closes them.
    """

    argv: tuple[str, ...]
    descriptors: tuple[int, ...] = ()
    user: int | None = None
    """User number to which the program's pipes must be given; None if the program runs as the referee's user."""

    @classmethod
    def within(cls, bwrap: str, options: Sequence[str], argv: Sequence[str]) -> Confined:
        """Return the command line that runs ``argv`` in a sandbox.

        Nobody sees ``options`` on the command line: bubblewrap reads them from a descriptor.
        """
        descriptors = [_make_readable(b"".join(os.fsencode(option) + b"\0" for option in options))]
        words = ["--args", str(descriptors[0])]
        if (calls := make_seccomp_filter()) is not None:
            descriptors.append(_make_readable(calls))
            words += ["--seccomp", str(descriptors[1])]
        return cls((bwrap, *words, "--", *argv), tuple(descriptors))

    def __enter__(self) -> Confined:
        return self

    def __exit__(self, *_: object) -> None:
        for descriptor in self.descriptors:
            os.close(descriptor)


def _make_readable(data: bytes) -> int:
    """Return a descriptor from which the bytes can be read once."""
    descriptor = os.memfd_create("sandbox")
    os.write(descriptor, data)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def confine(command: Command, program: Path, commands: str, argv: tuple[str, ...]) -> Confined:
    """Return the command line that runs shell commands and then ``argv`` in a sandbox for the program.

    Raises ArenaError if the program's user may not read the program's folder, or if a link leads out of this folder.
    """
    start, bwrap = str(command.directory), find_bubblewrap()
    isolation = _try_isolations(bwrap)[0]
    own, user = own_files.find_own_directory(command, program), isolation.draw_user()
    if user is not None and own is not None and own.stat().st_mode & 0o005 != 0o005:
        words = "in the sandbox a program of root runs as another user, who may not read"
        raise ArenaError(f"{words} {quote(str(own), 120)}; allow it: chmod o+rx, with the files in it")
    seen = own_files.list_visible_files(own, program)
    room = [*isolation.options, *_make_room_options(command.limits.file_mib * MIB), "--dir", start]
    for one in seen:
        room += ["--dir", str(one.place.parent), "--ro-bind", str(one.real), str(one.place)]  # readable for all
    options = (*room, "--remount-ro", "/", "--chdir", start)
    inner = wrap_in_shell(own_files.make_mount_check(seen) + commands, argv)
    return Confined.within(bwrap, options, (*isolation.make_user_words(user), *inner))._replace(user=user)


def _make_room_options(tmp_bytes: int) -> list[str]:
    """Return the options for the system folders, /etc, /proc, /dev and /tmp of any sandbox."""
    options = ["--die-with-parent", "--new-session", "--clearenv"]
    for name, value in (ENVIRONMENT | read_passed_variables()).items():
        options += ["--setenv", name, value]
    for path in map(Path, SYSTEM_FOLDERS):
        if path.is_symlink():
            options += ["--symlink", str(path.readlink()), str(path)]
        elif path.is_dir():
            options += ["--ro-bind", str(path), str(path)]
    options += ["--dir", "/etc", "--dir", "/etc/ssl"]  # readable for all
    for path in (*(Path("/etc") / name for name in SHOWN_IN_ETC), *sorted(Path("/etc").glob("java*"))):
        options += ["--ro-bind-try", str(path), str(path)]
    options += ["--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys", "--remount-ro", "/proc"]
    options += ["--dev", "/dev", "--dev-bind", "/dev/null", "/dev/zero"]  # a mapped /dev/zero is memory without a file
    options += ["--size", "4096", "--tmpfs", "/dev/pts", "--remount-ro", "/dev/pts"]
    size = ["--perms", "1777", "--size", str(tmp_bytes), "--tmpfs"]
    return [*options, *size, "/dev/shm", "--remount-ro", "/dev", *size, "/tmp"]
